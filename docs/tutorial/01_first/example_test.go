package main

func Example() {
	main()
	// Output: 6 <nil>
}
