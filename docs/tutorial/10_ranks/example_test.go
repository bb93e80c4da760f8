package main

func Example() {
	main()
	// Output: rank 0 has [12 4] and [11 1]
}
