package main

import "github.com/gompss/gompss/tasks"

// call names the tasks in traces and reports.
var call = tasks.NewType("fib", 0)

// fibTasks makes a task of every call. No accesses are declared: the wait is all the order there is, and the children
// write different variables.
func fibTasks(t *tasks.Task, n int, out *uint64) error {
	if n < 2 {
		*out = uint64(n)
		return nil
	}
	var a, b uint64
	tasks.Spawn(t, func(t *tasks.Task) error { return fibTasks(t, n-1, &a) }, call)
	tasks.Spawn(t, func(t *tasks.Task) error { return fibTasks(t, n-2, &b) }, call)
	if err := t.Wait(); err != nil {
		return err
	}
	*out = a + b
	return nil
}

// fibCutoff stops making tasks below cutoff: a task for a smaller number is final, and a final task does its nested
// work itself. The decision is made where the task is spawned, so that the body needs to know no more than InFinal; a
// body deep inside, which does not see the numbers, could ask the same.
func fibCutoff(t *tasks.Task, n, cutoff int, out *uint64) error {
	if n < 2 || t.InFinal() {
		*out = fib(n)
		return nil
	}
	var a, b uint64
	tasks.Spawn(t, func(t *tasks.Task) error { return fibCutoff(t, n-1, cutoff, &a) }, call, tasks.Final(n-1 < cutoff))
	tasks.Spawn(t, func(t *tasks.Task) error { return fibCutoff(t, n-2, cutoff, &b) }, call, tasks.Final(n-2 < cutoff))
	if err := t.Wait(); err != nil {
		return err
	}
	*out = a + b
	return nil
}

// fib is the program without tasks.
func fib(n int) uint64 {
	if n < 2 {
		return uint64(n)
	}
	return fib(n-1) + fib(n-2)
}

// calls returns how many calls fib(n) makes, its own included: 2·fib(n+1) − 1.
func calls(n int) uint64 {
	a, b := uint64(0), uint64(1) // fib(0) and fib(1)
	for range n {
		a, b = b, a+b
	}
	return 2*b - 1
}
