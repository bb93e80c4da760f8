package main

func Example() {
	main()
	// Output: map[3:1 4:1 5:2 6:1] 23
}
