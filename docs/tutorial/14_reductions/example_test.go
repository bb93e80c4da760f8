package main

func Example() {
	main()
	// Output:
	// digits: [1 5 5 9 4 5 4 4 5 8]
	// words: 7 -data-are-the-wires-of-a-task-program-
	// subsets: 20
}
