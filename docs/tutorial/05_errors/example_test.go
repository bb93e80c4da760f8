package main

func Example() {
	main()
	// Output:
	// b is 2
	// Wait: load a: no such file
	// Run: divide failed
	// it panicked: runtime error: integer divide by zero
	// cancelled: found it
}
