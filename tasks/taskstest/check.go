package taskstest

import (
	"errors"
	"reflect"
	"testing"

	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/internal/tracing"
	"github.com/gompss/gompss/tasks"
)

// Check looks for wrong annotations in a program. It runs the program in program order, one body at a time with the oldest
// ready task always next, and then under n seeds, and compares what the bodies do with what they declare. It reports and
// returns
//
//   - bodies that change bytes they have not declared for that, and bodies that depend on bytes they have not declared,
//     if nothing orders them with a task that declares these bytes
//   - tasks that declare the same bytes and are ordered by nothing, because the tasks above them do not declare them
//   - children that declare more than their parent did
//   - bodies that change bytes while a child may be using them
//   - runs that do not end, that fail, or whose result differs: deadlocks by exclusion and events
//
// These fail the test. As advice it logs accesses that no run needed, that could be in, out or weak, and overlapping
// accesses of one task.
//
// program is as for [Schedules]; it must spawn the same tasks in each run. What it proves is true of the runs it made; a
// body that reads an item only sometimes can make Check advise against the access.
//
// To learn what a body reads, Check runs the program a few more times per access while the bytes in question have
// other values for the bodies of that spawn statement. Such bodies may fail or panic, that is noted and not reported. They
// must not do harm outside the program's data; what they print appears.
//
// Bytes are those that some task declares. Of more than a MiB only the first MiB is watched. It cannot see reads of what
// looks like pointers, nor accesses of goroutines that a task starts. In race builds Check is [Schedules], and the
// detector looks: run tests both ways. Builds with the tag notrace have only [Schedules], too.
//
// Cost: n+3 runs, up to three more per access in the source, at most some hundred; in each of the first a comparison of the
// bytes at every spawn, start and end of a body.
func Check(t testing.TB, n int, program func() (main func(*tasks.Task) error, result func() any)) []Finding {
	t.Helper()
	if race.Enabled || !tracing.Built {
		Schedules(t, n, program)
		return nil
	}
	c := &checker{t: t, program: program}
	all := c.check(n)
	for _, f := range all {
		if f.Advice() {
			t.Logf("taskstest: %v", f)
		} else {
			t.Errorf("taskstest: %v", f)
		}
	}
	return all
}

// checker is one Check.
type checker struct {
	t       testing.TB
	program func() (func(*tasks.Task) error, func() any)
	found   findings
	runs    []*record // the first one with the oldest task next, then the seeds
	want    any
}

func (c *checker) check(n int) []Finding {
	serial := c.execute(tasks.Config{Workers: 1, Serial: true}, newRecord(c, 0), &trial{})
	if serial.err != nil && serial.stuck == "" {
		c.found.add(Differs, 0, "", "in program order: %v", serial.err)
		return c.found.sorted()
	}
	first := c.execute(inOrder, newRecord(c, 0), nil)
	if serial.stuck != "" { // bodies that wait for later ones cannot be run in order
		serial.result = first.result
	}
	c.want = serial.result
	c.judge(first)
	seeds := sequence{}
	for i := range n {
		seed := seeds.next()
		if given := givenSeed(); given != 0 {
			if i > 0 {
				break
			}
			seed = given
		}
		c.judge(c.execute(seeded(seed), newRecord(c, seed), nil))
		if c.found.has(Stuck) {
			break // each such run costs a while
		}
	}
	c.compare()
	if first.err == nil && !c.found.has(Stuck) {
		c.try(first)
	}
	for _, r := range c.runs {
		if r.memory.full {
			c.t.Logf("taskstest: tasks declare more than %d bytes; only the first were watched", maxMemory)
			break
		}
	}
	return c.found.sorted()
}

// judge keeps a run for comparison and looks at what came of it.
func (c *checker) judge(o outcome) {
	r := o.record
	c.runs = append(c.runs, r)
	which := "this run"
	if r.seed == 0 {
		which = "the run in which the oldest ready task is always next"
	}
	var dead *tasks.DeadlockError
	switch {
	case errors.As(o.err, &dead):
		c.found.add(Stuck, r.seed, "", "%s cannot end:%s\n%s", which, r.cycle(), dead.Waiting)
	case o.stuck != "":
		c.found.add(Stuck, r.seed, "", "%s does not go on, unless something outside ends a wait:%s\n%s", which, r.cycle(), o.stuck)
	case o.err != nil:
		c.found.add(Differs, r.seed, "", "%s fails, which program order does not: %v", which, o.err)
	case !reflect.DeepEqual(o.result, c.want):
		c.found.add(Differs, r.seed, "", "the result of %s is %v, in program order it is %v", which, o.result, c.want)
	}
}
