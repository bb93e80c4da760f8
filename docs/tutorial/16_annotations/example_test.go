package main

func Example() {
	main()
	// Output: 4.333333333333333 <nil>
}
