package main

func Example() {
	main()
	// Output:
	// rows: [0 15 30 45 60 75]
	// written up to 4
	// read [0 1 2]
	// written up to 8
	// read [3 4 5]
	// read [6 7]
	// the writer ends
}
