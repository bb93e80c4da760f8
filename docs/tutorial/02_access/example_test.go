package main

func Example() {
	main()
	// Output: 100 <nil>
}
