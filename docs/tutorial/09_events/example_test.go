package main

func Example() {
	main()
	// Output:
	// asked for three pages
	// page /a and page /b
	// main: fetch: 404
}
