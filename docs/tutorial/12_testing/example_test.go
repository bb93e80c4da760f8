package main

func Example() {
	main()
	// Output: 3 3.5 <nil>
}
