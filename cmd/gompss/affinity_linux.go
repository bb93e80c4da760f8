package main

import "golang.org/x/sys/unix"

// affinity returns the numbers of the cores that the kernel lets this thread run on.
func affinity() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, err
	}
	var list []int
	for i := 0; len(list) < set.Count(); i++ {
		if set.IsSet(i) {
			list = append(list, i)
		}
	}
	return list, nil
}
