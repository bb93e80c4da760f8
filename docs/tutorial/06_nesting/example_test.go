package main

func Example() {
	main()
	// Output:
	// strong parent begins early: false [0 2 4 6] <nil>
	// weak parent begins early: true [0 2 4 6] <nil>
}
