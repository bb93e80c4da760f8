package taskstest

import (
	"reflect"
	"testing"

	"github.com/gompss/gompss/tasks"
)

// Schedules runs a program in program order and then under n seeds, and fails the test at the first that goes wrong,
// with its seed: if main returns an error, if a body or result fails the test, or if the result is not deeply equal to
// that of program order.
//
// program is called for every run. It returns the body of the main task, on data that no other run uses, and a
// function for what the run computed, called when all tasks are complete; nil if there is nothing to compare.
//
// The seeds are the same each time, so a test that passed passes again; with -taskstest.seed it is that one alone.
func Schedules(t testing.TB, n int, program func() (main func(*tasks.Task) error, result func() any)) {
	t.Helper()
	var want any
	main, result := program()
	if err := Serial(t, main); err != nil {
		t.Errorf("taskstest: in program order: %v", err)
	}
	if result != nil {
		want = result()
	}
	if t.Failed() {
		t.Errorf("taskstest: the program fails in program order")
		return
	}
	seeds := sequence{}
	for i := range n {
		seed := seeds.next()
		if given := givenSeed(); given != 0 {
			if i > 0 {
				return
			}
			seed = given
		}
		main, result := program()
		if err := RunSeed(t, seed, main); err != nil {
			t.Errorf("taskstest: %v", err)
		}
		if result != nil {
			if got := result(); !reflect.DeepEqual(got, want) {
				t.Errorf("taskstest: the result is %v, in program order it is %v", got, want)
			}
		}
		if t.Failed() {
			t.Errorf("taskstest: seed %#x; rerun with -taskstest.seed=%#x", seed, seed)
			return
		}
	}
}
