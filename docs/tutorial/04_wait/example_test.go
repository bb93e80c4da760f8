package main

func Example() {
	main()
	// Output:
	// a is 1
	// b is 2
	// Release
	// gives up an item before the body is over
}
