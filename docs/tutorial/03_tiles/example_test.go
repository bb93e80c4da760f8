package main

func Example() {
	main()
	// Output: 332833500 <nil>
}
