package main

func Example() {
	main()
	// Output:
	// urgent
	// task
	// later
	// at once: 42
	// sum: 12497500
	// parts: [0 1 2]
}
