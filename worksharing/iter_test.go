package worksharing_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

func TestIterRunsEveryTaskOfEveryIteration(t *testing.T) {
	rt := newRuntime(t, 3)
	for _, n := range []int{0, 1, 2, 3, 100} {
		for _, unroll := range []int{1, 2, 3, 7} {
			x, y := 0, 0
			var seen []int
			err := run(t, rt, func(m *tasks.Task) {
				tasks.Spawn(m, func() { x = 1 }, deps.Out(&x))
				worksharing.Iter(m, n, func(m *tasks.Task) {
					tasks.Spawn(m, func(t *tasks.Task) { x = x + worksharing.Index(t) }, deps.InOut(&x))
					tasks.Spawn(m, func(t *tasks.Task) { y = y*3 + x; seen = append(seen, worksharing.Index(t)) }, deps.In(&x), deps.InOut(&y))
				}, deps.InOut(&x), deps.InOut(&y), worksharing.Unroll(unroll))
				tasks.Spawn(m, func() { x *= 2 }, deps.InOut(&x))
			})
			require.NoError(t, err)
			wx, wy := 1, 0
			for i := range n {
				require.Equal(t, i, seen[i])
				wx += i
				wy = wy*3 + wx
			}
			require.Len(t, seen, n)
			require.Equal(t, wx*2, x)
			require.Equal(t, wy, y)
		}
	}
}

func TestIterWhileIsAWhileLoop(t *testing.T) {
	rt := newRuntime(t, 3)
	for _, n := range []int{0, 1, 2, 50} {
		x, y, z := 0, 0, 0
		err := run(t, rt, func(m *tasks.Task) {
			worksharing.IterWhile(m, func(t *tasks.Task) bool { return x < n }, deps.List{deps.In(&x)}, func(m *tasks.Task) {
				tasks.Spawn(m, func() { x++ }, deps.InOut(&x))
				tasks.Spawn(m, func() { y += x }, deps.In(&x), deps.InOut(&y))
				tasks.Spawn(m, func() { z++ }, deps.InOut(&z))
			}, deps.InOut(&x), deps.InOut(&y), deps.InOut(&z))
		})
		require.NoError(t, err)
		require.Equal(t, n, x)
		require.Equal(t, n, z)
		require.Equal(t, n*(n+1)/2, y)
	}
}

func TestIterReductions(t *testing.T) {
	rt := newRuntime(t, 3)
	const n, m = 20, 8
	sum, total, last := 0, 5, 0
	err := run(t, rt, func(r *tasks.Task) {
		worksharing.Iter(r, n, func(r *tasks.Task) {
			for i := range m {
				tasks.Spawn(r, func(t *tasks.Task) { *reduce.Local(t, &sum) += i; *reduce.Local(t, &total)++ }, reduce.Sum(&sum), reduce.Sum(&total))
			}
			tasks.Spawn(r, func() { last += sum; sum = 1 }, deps.InOut(&sum), deps.InOut(&last))
			tasks.Spawn(r, func(t *tasks.Task) { *reduce.Local(t, &sum) += 1 }, reduce.Sum(&sum))
		}, deps.InOut(&sum), deps.InOut(&total), deps.InOut(&last))
	})
	require.NoError(t, err)
	require.Equal(t, 5+n*m, total)
	require.Equal(t, 28+(n-1)*30, last)
	require.Equal(t, 2, sum)
}

func TestIterUpdate(t *testing.T) {
	rt := newRuntime(t, 3)
	x, y := 0, 0
	err := run(t, rt, func(m *tasks.Task) {
		worksharing.Iter(m, 10, func(m *tasks.Task) {
			i := worksharing.Index(m)
			tasks.Spawn(m, func() { x += i }, deps.InOut(&x))
			if i >= 5 {
				tasks.Spawn(m, func() { y += x }, deps.In(&x), deps.InOut(&y))
			}
		}, deps.InOut(&x), deps.InOut(&y), worksharing.Update)
	})
	require.NoError(t, err)
	require.Equal(t, 45, x)
	require.Equal(t, 15+21+28+36+45, y)
	st := rt.Stats().Graphs
	require.Equal(t, tasks.GraphStats{Recorded: 2, OtherTasks: 1, Rounds: 8}, st)
}

// TestIterationsOverlap has a task of iteration i meet one of iteration i+1.
func TestIterationsOverlap(t *testing.T) {
	t.Run("Iter", func(t *testing.T) {
		rt := newRuntime(t, 2)
		meet := newMeeting(2)
		x, y := 0, 0
		require.NoError(t, run(t, rt, func(m *tasks.Task) {
			worksharing.Iter(m, 3, func(m *tasks.Task) {
				tasks.Spawn(m, func(t *tasks.Task) {
					if worksharing.Index(t) == 1 {
						meet.join()
					}
				}, deps.InOut(&x))
				tasks.Spawn(m, func(t *tasks.Task) {
					if worksharing.Index(t) == 0 {
						meet.join()
					}
				}, deps.InOut(&y))
			}, deps.InOut(&x), deps.InOut(&y))
		}))
	})
	t.Run("IterWhile", func(t *testing.T) {
		rt := newRuntime(t, 2)
		meet := newMeeting(2)
		x, y := 0, 0
		require.NoError(t, run(t, rt, func(m *tasks.Task) {
			worksharing.IterWhile(m, func(*tasks.Task) bool { return x < 3 }, deps.List{deps.In(&x)}, func(m *tasks.Task) {
				tasks.Spawn(m, func(t *tasks.Task) {
					x++
					if worksharing.Index(t) == 1 {
						meet.join()
					}
				}, deps.InOut(&x))
				tasks.Spawn(m, func(t *tasks.Task) {
					if worksharing.Index(t) == 0 {
						meet.join()
					}
				}, deps.InOut(&y))
			}, deps.InOut(&x), deps.InOut(&y))
		}))
	})
	t.Run("Unroll", func(t *testing.T) { // the same task
		rt := newRuntime(t, 3)
		meet := newMeeting(3)
		require.NoError(t, run(t, rt, func(m *tasks.Task) {
			worksharing.Iter(m, 3, func(m *tasks.Task) { tasks.Spawn(m, func(t *tasks.Task) { meet.join() }) }, worksharing.Unroll(3))
		}))
	})
	t.Run("commutative", func(t *testing.T) { // two items, neither task waits for the other's
		rt := newRuntime(t, 2)
		meet := newMeeting(2)
		x, y := 0, 0
		require.NoError(t, run(t, rt, func(m *tasks.Task) {
			worksharing.Iter(m, 10, func(m *tasks.Task) {
				for range 2 {
					tasks.Spawn(m, func(t *tasks.Task) { x++ }, deps.Commutative(&x))
				}
				for range 2 {
					tasks.Spawn(m, func(t *tasks.Task) { y++ }, deps.Commutative(&y))
				}
				tasks.Spawn(m, func(t *tasks.Task) {
					if worksharing.Index(t) == 0 {
						meet.join()
					}
				}, deps.Commutative(&x))
				tasks.Spawn(m, func(t *tasks.Task) {
					if worksharing.Index(t) == 0 {
						meet.join()
					}
				}, deps.Commutative(&y))
				tasks.Spawn(m, func(t *tasks.Task) { x, y = x+1, y+1 }, deps.Commutative(&x), deps.Commutative(&y))
			}, deps.InOut(&x), deps.InOut(&y))
		}))
		require.Equal(t, 30, x)
		require.Equal(t, 30, y)
	})
}

// TestIterWhileWithoutReadsIsABarrier holds a task of the iteration back: the condition must not have been evaluated.
func TestIterWhileUnrolled(t *testing.T) {
	rt := newRuntime(t, 2)
	x := 0
	var asked []int
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		worksharing.IterWhile(m, func(t *tasks.Task) bool { asked = append(asked, worksharing.Index(t)); return x < 4 }, nil, func(m *tasks.Task) {
			tasks.Spawn(m, func() { x++ }, deps.InOut(&x))
		}, deps.InOut(&x), worksharing.Unroll(3))
	}))
	require.Equal(t, 6, x)
	require.Equal(t, []int{0, 3, 6}, asked)
}

func TestFailureInAnIteration(t *testing.T) {
	boom := errors.New("boom")
	for _, workers := range []int{1, 3} {
		rt := newRuntime(t, workers)
		x, y, z, w, r := 0, 0, 0, 0, 0
		err := run(t, rt, func(m *tasks.Task) {
			worksharing.Iter(m, 10, func(m *tasks.Task) {
				tasks.Spawn(m, func(t *tasks.Task) error {
					if worksharing.Index(t) == 3 {
						return boom
					}
					x++
					return nil
				}, deps.InOut(&x))
				tasks.Spawn(m, func() { y++ }, deps.In(&x), deps.InOut(&y)) // of x
				tasks.Spawn(m, func() { z++ }, deps.InOut(&z))              // of nobody
				tasks.Spawn(m, func(t *tasks.Task) error {                  // a reader: nobody else suffers
					if worksharing.Index(t) == 5 {
						panic("reader")
					}
					return nil
				}, deps.In(&z))
				tasks.Spawn(m, func(t *tasks.Task) error { // overwritten by the next
					if worksharing.Index(t)%2 == 0 {
						return boom
					}
					return nil
				}, deps.Out(&w))
				tasks.Spawn(m, func() { r++ }, deps.In(&w), deps.InOut(&r))
			}, deps.InOut(&x), deps.InOut(&y), deps.InOut(&z), deps.InOut(&w), deps.InOut(&r))
		})
		require.ErrorIs(t, err, boom)
		require.ErrorContains(t, err, "reader")
		require.Equal(t, []int{3, 3, 10, 0}, []int{x, y, z, r})
	}
}

func TestFailingChildMarksTheDataOfARecordedTask(t *testing.T) {
	rt := newRuntime(t, 2)
	x, n := 0, 0
	err := run(t, rt, func(m *tasks.Task) {
		worksharing.Iter(m, 5, func(m *tasks.Task) {
			tasks.Spawn(m, func(t *tasks.Task) {
				i := worksharing.Index(t)
				tasks.Spawn(t, func(t *tasks.Task) {
					if x++; i == 2 {
						panic("child")
					}
				}, deps.InOut(&x))
			}, deps.InOut(&x))
			tasks.Spawn(m, func() { n++ }, deps.In(&x))
		}, deps.InOut(&x))
	})
	require.ErrorContains(t, err, "child")
	require.Equal(t, []int{3, 2}, []int{x, n})
}

func TestConditionThatFailsEndsTheLoop(t *testing.T) {
	rt := newRuntime(t, 2)
	x, n := 0, 0
	err := run(t, rt, func(m *tasks.Task) {
		worksharing.IterWhile(m, func(t *tasks.Task) bool {
			if n++; worksharing.Index(t) == 2 {
				panic("cond")
			}
			return true
		}, nil, func(m *tasks.Task) { tasks.Spawn(m, func() { x++ }, deps.InOut(&x)) }, deps.InOut(&x))
	})
	require.ErrorContains(t, err, "cond")
	require.Equal(t, []int{2, 3}, []int{x, n})

	x = 0
	err = run(t, rt, func(m *tasks.Task) {
		worksharing.IterWhile(m, func(t *tasks.Task) bool { return true }, deps.List{deps.In(&x)}, func(m *tasks.Task) {
			tasks.Spawn(m, func() {
				if x++; x == 7 {
					panic("seven")
				}
			}, deps.InOut(&x))
		}, deps.InOut(&x))
	})
	require.ErrorContains(t, err, "seven")
	require.Equal(t, 7, x)
}

// TestCancelledIterEndsEarly: of very many iterations nearly all are left when the run is cancelled.
func TestCancelledIterEndsEarly(t *testing.T) {
	for _, update := range []bool{false, true} {
		rt := newRuntime(t, 2)
		c, cancel := context.WithCancel(ctx)
		x, a := 0, make([]int, 20)
		err := runContext(t, rt, c, func(m *tasks.Task) error {
			clauses := []tasks.Clause{deps.InOut(&x), deps.InOutSlice(a)}
			if update {
				clauses = append(clauses, worksharing.Update)
			}
			worksharing.Iter(m, math.MaxInt, func(m *tasks.Task) {
				tasks.Spawn(m, func(t *tasks.Task) {
					if x++; x == 1000 {
						cancel()
					}
				}, deps.InOut(&x))
				for i := range a {
					tasks.Spawn(m, func() { a[i]++ }, deps.InOutSlice(a[max(i-1, 0):i+1]))
				}
				tasks.Spawn(m, func() {})
			}, clauses...)
			return nil
		})
		require.ErrorIs(t, err, context.Canceled)
	}
	rt := newRuntime(t, 2)
	c, cancel := context.WithCancel(ctx)
	x := 0
	err := runContext(t, rt, c, func(m *tasks.Task) error {
		worksharing.IterWhile(m, func(*tasks.Task) bool { return true }, nil, func(m *tasks.Task) {
			tasks.Spawn(m, func(t *tasks.Task) {
				if x++; x == 1000 {
					cancel()
				}
			}, deps.InOut(&x))
			tasks.Spawn(m, func() {})
		}, deps.InOut(&x))
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
}

// TestVerbsInRecordedTasks: what a body may do, a recorded one may, every time.
func TestVerbsInRecordedTasks(t *testing.T) {
	rt := newRuntime(t, 2)
	x, y, ready, inner := 0, 0, 0, 0
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		worksharing.Iter(m, 30, func(m *tasks.Task) {
			tasks.Spawn(m, func(t *tasks.Task) { // event
				done := t.Hold()
				go func() { x++; done(nil) }()
			}, deps.InOut(&x), tasks.OnReady(func(t *tasks.Task) {
				ready++
				done := t.Hold()
				go done(nil)
			}))
			tasks.Spawn(m, func(t *tasks.Task) error { // blocking, children, final, if(0), critical
				err := t.Suspend(func(resume func()) { go resume() })
				tasks.Spawn(t, func() { y += x }, deps.InOut(&y), tasks.If(false))
				t.Critical("", func() { y++ })
				t.Yield()
				if !t.InFinal() {
					return errors.New("not final")
				}
				return errors.Join(err, t.Wait())
			}, deps.In(&x), deps.InOut(&y), tasks.Final(true), tasks.If(false), tasks.Label("second"))
			worksharing.Iter(m, 3, func(m *tasks.Task) {
				tasks.Spawn(m, func(t *tasks.Task) { inner += worksharing.Index(t) }, deps.InOut(&inner))
			}, deps.InOut(&inner))
		}, deps.InOut(&x), deps.InOut(&y), deps.InOut(&inner))
	}))
	require.Equal(t, []int{30, 30*31/2 + 30, 30, 90}, []int{x, y, ready, inner})
}

func TestFailedEventOfARecordedTask(t *testing.T) {
	rt := newRuntime(t, 2)
	boom := errors.New("boom")
	x := 0
	err := run(t, rt, func(m *tasks.Task) {
		worksharing.Iter(m, 9, func(m *tasks.Task) {
			tasks.Spawn(m, func(t *tasks.Task) {
				done := t.Hold()
				if x++; x == 4 {
					go done(boom)
				} else {
					go done(nil)
				}
			}, deps.InOut(&x))
		}, deps.InOut(&x))
	})
	require.ErrorIs(t, err, boom)
	require.Equal(t, 4, x)
}

func TestMisuseOfIter(t *testing.T) {
	rt := newRuntime(t, 1)
	x := 0
	for want, main := range map[string]func(m *tasks.Task){
		"tasks: Wait on a task that records": func(m *tasks.Task) {
			worksharing.Iter(m, 2, func(m *tasks.Task) { _ = m.Wait() })
		},
		"tasks: Hold on a task that records": func(m *tasks.Task) { worksharing.Iter(m, 2, func(m *tasks.Task) { m.Hold() }) },
		"worksharing: Iter of a nil body":    func(m *tasks.Task) { worksharing.Iter(m, 2, nil) },
		"worksharing: Iter of -1 iterations": func(m *tasks.Task) { worksharing.Iter(m, -1, func(*tasks.Task) {}) },
		"worksharing: IterWhile of a nil condition": func(m *tasks.Task) {
			worksharing.IterWhile(m, nil, nil, func(*tasks.Task) {})
		},
		"worksharing: the condition of IterWhile reads a reduction": func(m *tasks.Task) {
			worksharing.IterWhile(m, func(*tasks.Task) bool { return false }, deps.List{reduce.Sum(&x)}, func(*tasks.Task) {})
		},
		"worksharing: Iter with the clause reduction": func(m *tasks.Task) { worksharing.Iter(m, 2, func(*tasks.Task) {}, reduce.Sum(&x)) },
		"worksharing: Unroll(0)":                      func(m *tasks.Task) { worksharing.Unroll(0) },
		"worksharing: Index of task \"main\"":         func(m *tasks.Task) { worksharing.Index(m) },
		"tasks: a clause is nil":                      func(m *tasks.Task) { worksharing.Iter(m, 2, func(*tasks.Task) {}, nil) },
		"what it reduces it cannot use otherwise": func(m *tasks.Task) {
			worksharing.Iter(m, 2, func(m *tasks.Task) { tasks.Spawn(m, func() {}, deps.In(&x), reduce.Sum(&x)) })
		},
		"declare the reduction weak": func(m *tasks.Task) {
			worksharing.Iter(m, 2, func(m *tasks.Task) {
				tasks.Spawn(m, func(t *tasks.Task) { tasks.Spawn(t, func() {}, reduce.Sum(&x)) }, reduce.Sum(&x))
			})
		},
		"tasks: Async on a task that records": func(m *tasks.Task) {
			worksharing.Iter(m, 2, func(m *tasks.Task) { tasks.Async(m, func(*tasks.Task) (int, error) { return 0, nil }) })
		},
	} {
		require.ErrorContains(t, run(t, rt, main), want)
	}
}

func TestIterAllocatesNothingPerIteration(t *testing.T) {
	if race.Enabled {
		return // there every body has a goroutine and a task of its own
	}
	rt := newRuntime(t, 1)
	a, sum := make([]int, 50), 0
	allocs := func(n int) float64 {
		return testing.AllocsPerRun(5, func() {
			require.NoError(t, rt.Run(ctx, func(m *tasks.Task) error {
				worksharing.Iter(m, n, func(m *tasks.Task) {
					for i := range a {
						tasks.Spawn(m, func(t *tasks.Task) { a[i]++; *reduce.Local(t, &sum) += a[i] }, deps.InOutSlice(a[max(i-1, 0):i+1]), reduce.Sum(&sum))
					}
					tasks.Spawn(m, func() { sum = 0 }, deps.InOut(&sum))
				}, deps.InOutSlice(a), deps.InOut(&sum))
				return nil
			}))
		})
	}
	few, many := allocs(2), allocs(1002)
	require.InDelta(t, few, many, 20)
}

func TestUpdateCountsWhyAGraphWasRecorded(t *testing.T) {
	rt := newRuntime(t, 2)
	x, y := 0, 0
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		worksharing.Iter(m, 8, func(m *tasks.Task) {
			i := worksharing.Index(m)
			access, label := deps.InOut(&x), "a"
			if i >= 2 {
				access = deps.InOut(&y) // other accesses
			}
			if i >= 4 {
				label = "b" // other properties
			}
			tasks.Spawn(m, func() {}, access, tasks.Label(label))
			if i == 6 {
				tasks.Spawn(m, func() {}) // a task more, then one less
			}
		}, deps.InOut(&x), deps.InOut(&y), worksharing.Update)
	}))
	require.Equal(t, tasks.GraphStats{Recorded: 5, OtherTasks: 2, OtherAccesses: 1, OtherProperties: 1, Rounds: 3}, rt.Stats().Graphs)
}

// TestRecordedTilesOverlap: tiles that share no byte are not ordered, tiles that share one are.
func TestRecordedTilesOverlap(t *testing.T) {
	rt := newRuntime(t, 2)
	meet := newMeeting(2)
	a := make([]int, 100)
	corner := 0
	require.NoError(t, run(t, rt, func(m *tasks.Task) {
		worksharing.Iter(m, 4, func(m *tasks.Task) {
			for _, j := range []int{0, 5} {
				tasks.Spawn(m, func(t *tasks.Task) {
					if worksharing.Index(t) == 0 {
						meet.join()
					}
					a[44+j/5]++
				}, deps.InOutTile(a, 10, 0, 10, j, j+5))
			}
			tasks.Spawn(m, func() { corner += a[44] + a[45] }, deps.InTile(a, 10, 4, 5, 4, 6), deps.InOut(&corner))
		}, deps.InOutSlice(a), deps.InOut(&corner))
	}))
	require.Equal(t, 2*(1+2+3+4), corner)
}
