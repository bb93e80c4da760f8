package tasks_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/tasks"
)

// Stress for wake-ups that could get lost: small programs again and again on one runtime, so that slots lie down and
// are woken all the time.

// rounds is how often a stress test does what it does.
func rounds() int {
	if race.Enabled || testing.Short() {
		return 200
	}
	return 2000
}

// onProcs runs f with few and many processors and slots.
func onProcs(t *testing.T, f func(t *testing.T, rt *tasks.Runtime)) {
	for _, procs := range []int{1, 2, 8} {
		for _, workers := range []int{1, 2, 8} {
			t.Run(fmt.Sprintf("procs=%d/workers=%d", procs, workers), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				before := runtime.NumGoroutine()
				rt, err := tasks.New(tasks.Config{Workers: workers})
				require.NoError(t, err)
				f(t, rt)
				require.NoError(t, guarded(t, rt, rt.Close, func() string { return "Close" }))
				noLeak(t, before)
			})
		}
	}
}

func mustRun(t *testing.T, rt *tasks.Runtime, main func(*tasks.Task) error) {
	t.Helper()
	assert.NoError(t, guarded(t, rt, func() error { return rt.Run(context.Background(), main) }, t.Name))
}

func TestStressShortRuns(t *testing.T) {
	onProcs(t, func(t *testing.T, rt *tasks.Runtime) {
		x := 0
		for i := range rounds() {
			mustRun(t, rt, func(m *tasks.Task) error {
				for range i % 4 {
					tasks.Spawn(m, func() { x++ }, deps.InOut(&x))
				}
				return nil
			})
		}
		require.Equal(t, rounds()/4*6, x)
	})
}

// Runs start while others end: a run that has just begun must not be taken for stuck.
func TestStressRunsAtOnce(t *testing.T) {
	onProcs(t, func(t *testing.T, rt *tasks.Runtime) {
		_ = guarded(t, rt, func() error {
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					for range rounds() / 4 {
						n := 0
						assert.NoError(t, rt.Run(context.Background(), func(m *tasks.Task) error {
							tasks.Spawn(m, func() { n++ }, deps.InOut(&n))
							tasks.Spawn(m, func() { n++ }, deps.InOut(&n))
							return nil
						}))
						assert.Equal(t, 2, n)
					}
				})
			}
			wg.Wait()
			return nil
		}, t.Name)
	})
}

func TestStressResumeRacesSuspend(t *testing.T) {
	onProcs(t, func(t *testing.T, rt *tasks.Runtime) {
		for i := range rounds() / 2 {
			mustRun(t, rt, func(m *tasks.Task) error {
				for k := range 3 {
					tasks.Spawn(m, func(t *tasks.Task) error {
						return t.Suspend(func(resume func()) {
							go resume()
							for range (i + k) % 3 {
								runtime.Gosched()
							}
						})
					})
				}
				return nil
			})
		}
	})
}

// A body that yields lets others go on that were resumed; one of them waits for another, which must not start again.
func TestYieldAmongResumed(t *testing.T) {
	rt := newRuntime(t, 1)
	var started atomic.Int32
	suspended := make(chan func(), 2)
	mustRun(t, rt, func(m *tasks.Task) error {
		tasks.Spawn(m, func(t *tasks.Task) {
			tasks.Spawn(t, func(t *tasks.Task) {
				started.Add(1)
				_ = t.Suspend(func(resume func()) { suspended <- resume })
			})
			_ = t.Suspend(func(resume func()) { suspended <- resume })
			_ = t.Wait()
		})
		for len(suspended) < 2 {
			m.Yield()
		}
		outer, inner := <-suspended, <-suspended
		inner()
		outer()
		m.Yield()
		return nil
	})
	require.EqualValues(t, 1, started.Load())
}

func TestStressDoneRacesBody(t *testing.T) {
	onProcs(t, func(t *testing.T, rt *tasks.Runtime) {
		for i := range rounds() / 2 {
			x := 0
			mustRun(t, rt, func(m *tasks.Task) error {
				for k := range 3 {
					tasks.Spawn(m, func(t *tasks.Task) {
						done := t.Hold()
						x++
						go done(nil)
						for range (i + k) % 3 {
							runtime.Gosched()
						}
					}, deps.InOut(&x))
				}
				return nil
			})
			require.Equal(t, 3, x)
		}
	})
}

func TestStressOnReadyHold(t *testing.T) {
	onProcs(t, func(t *testing.T, rt *tasks.Runtime) {
		for range rounds() / 2 {
			x := 0
			mustRun(t, rt, func(m *tasks.Task) error {
				for k := range 3 {
					tasks.Spawn(m, func() { x++ }, deps.InOut(&x), tasks.If(k != 1), tasks.OnReady(func(t *tasks.Task) {
						done := t.Hold()
						go done(nil)
					}))
				}
				return nil
			})
			require.Equal(t, 3, x)
		}
	})
}

// Tasks from eight goroutines, and Close in the middle: what was accepted runs, the rest hears ErrClosed.
func TestStressGoAndClose(t *testing.T) {
	for _, procs := range []int{1, 2, 8} {
		t.Run(fmt.Sprintf("procs=%d", procs), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			before := runtime.NumGoroutine()
			for i := range rounds() / 20 {
				rt, err := tasks.New(tasks.Config{Workers: 1 + i%4})
				require.NoError(t, err)
				var ran, ended, refused atomic.Int32
				var wg sync.WaitGroup
				const each = 40
				for range 8 {
					wg.Go(func() {
						for range each {
							rt.Go(func(t *tasks.Task) error {
								tasks.Spawn(t, func(t *tasks.Task) { t.Yield(); ran.Add(1) })
								return t.Wait()
							}, func(err error) {
								switch err {
								case nil:
									ended.Add(1)
								case tasks.ErrClosed:
									refused.Add(1)
								default:
									assert.NoError(t, err)
								}
							})
						}
					})
				}
				_ = guarded(t, rt, func() error {
					for range i % 50 {
						runtime.Gosched()
					}
					defer wg.Wait()
					return rt.Close()
				}, t.Name)
				assert.EqualValues(t, 8*each, ended.Load()+refused.Load())
				assert.Equal(t, ended.Load(), ran.Load())
				assert.ErrorIs(t, rt.Run(context.Background(), func(*tasks.Task) error { return nil }), tasks.ErrClosed)
			}
			noLeak(t, before)
		})
	}
}

// Slots lie down and are taken up again by others before they have looked round; meanwhile bodies block on the stacks
// of the workers that they had.
func TestStressLieDownAndBlock(t *testing.T) {
	onProcs(t, func(t *testing.T, rt *tasks.Runtime) {
		_ = guarded(t, rt, func() error {
			var ended, blocked sync.WaitGroup
			for range 3 {
				ended.Go(func() {
					for i := range rounds() / 2 {
						blocked.Add(1)
						rt.Go(func(t *tasks.Task) error {
							return t.Suspend(func(resume func()) {
								go func() {
									for range i % 7 {
										runtime.Gosched()
									}
									resume()
								}()
							})
						}, func(err error) {
							assert.NoError(t, err)
							blocked.Done()
						})
						for range i % 11 {
							runtime.Gosched()
						}
					}
				})
			}
			ended.Wait()
			blocked.Wait()
			return nil
		}, t.Name)
	})
}
