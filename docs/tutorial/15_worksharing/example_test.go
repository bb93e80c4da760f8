package main

func Example() {
	main()
	// Output: 1000000
}
