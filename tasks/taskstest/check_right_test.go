package taskstest

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/reduce"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/worksharing"
)

// programOf returns a program on fresh data.
func programOf[T any](body func(m *tasks.Task, d *T)) program {
	return func() (func(*tasks.Task) error, func() any) {
		d := new(T)
		return func(m *tasks.Task) error { body(m, d); return nil }, func() any { return *d }
	}
}

type program = func() (func(*tasks.Task) error, func() any)

type node struct{ value, sum int }

var right = map[string]program{
	"a chain": programOf(func(m *tasks.Task, d *[3]int) {
		tasks.Spawn(m, func() { d[0] = 3 }, deps.Out(&d[0]))
		tasks.Spawn(m, func() { d[1] = 2 * d[0] }, deps.In(&d[0]), deps.Out(&d[1]))
		tasks.Spawn(m, func() { d[2] = d[0] + d[1] }, deps.In(&d[0]), deps.In(&d[1]), deps.Out(&d[2]))
	}),

	"blocks of a vector": programOf(func(m *tasks.Task, d *struct{ x, y [24]float64 }) {
		for i := 0; i < 24; i += 8 {
			x, y := d.x[i:i+8], d.y[i:i+8]
			tasks.Spawn(m, func() {
				for k := range x {
					x[k], y[k] = float64(k)+0.25, 3
				}
			}, deps.OutSlice(x), deps.OutSlice(y))
		}
		for range 3 {
			for i := 0; i < 24; i += 8 {
				x, y := d.x[i:i+8], d.y[i:i+8]
				tasks.Spawn(m, func() {
					for k := range x {
						y[k] += 1.5 * x[k]
					}
				}, deps.InSlice(x), deps.InOutSlice(y))
			}
		}
	}),

	"tiles": programOf(func(m *tasks.Task, d *struct{ a, b, c [64]float64 }) {
		const n, b = 8, 4
		for i := range d.a {
			d.a[i], d.b[i] = float64(i%7)+0.5, float64(i%5)-1.25
		}
		for i := 0; i < n; i += b {
			for j := 0; j < n; j += b {
				for k := 0; k < n; k += b {
					tasks.Spawn(m, func() {
						for r := i; r < i+b; r++ {
							for s := j; s < j+b; s++ {
								for t := k; t < k+b; t++ {
									d.c[r*n+s] += d.a[r*n+t] * d.b[t*n+s]
								}
							}
						}
					}, deps.InTile(d.a[:], n, i, i+b, k, k+b), deps.InTile(d.b[:], n, k, k+b, j, j+b), deps.InOutTile(d.c[:], n, i, i+b, j, j+b))
				}
			}
		}
	}),

	"a sweep over neighbours": programOf(func(m *tasks.Task, d *[26]float64) {
		for i := range d {
			d[i] = float64(i * i)
		}
		for range 2 {
			for i := 1; i < 25; i += 6 {
				tasks.Spawn(m, func() {
					for k := i; k < i+6; k++ {
						d[k] = (d[k-1] + d[k+1]) / 2
					}
				}, deps.In(&d[i-1]), deps.InOutSlice(d[i:i+6]), deps.In(&d[i+6]))
			}
		}
	}),

	"weak parents": programOf(func(m *tasks.Task, d *[16]int) {
		for i := range d {
			d[i] = (i * 7) % 16
		}
		var sort func(t *tasks.Task, s []int)
		sort = func(t *tasks.Task, s []int) {
			if len(s) == 1 {
				return
			}
			h := len(s) / 2
			tasks.Spawn(t, func(t *tasks.Task) { sort(t, s[:h]) }, deps.Weak(deps.InOutSlice(s[:h])))
			tasks.Spawn(t, func(t *tasks.Task) { sort(t, s[h:]) }, deps.Weak(deps.InOutSlice(s[h:])))
			tasks.Spawn(t, func() {
				for i := range s {
					for k := i; k > 0 && s[k] < s[k-1]; k-- {
						s[k], s[k-1] = s[k-1], s[k]
					}
				}
			}, deps.InOutSlice(s))
		}
		tasks.Spawn(m, func(t *tasks.Task) { sort(t, d[:]) }, deps.Weak(deps.InOut(d)))
	}),

	"a parent's own data": programOf(func(m *tasks.Task, d *[4]int) {
		for i := range d {
			tasks.Spawn(m, func(t *tasks.Task) error {
				var own [2]int
				own[0] = i
				tasks.Spawn(t, func() { own[1] = own[0] + 1 }, deps.In(&own[0]), deps.Out(&own[1]))
				err := t.Wait()
				own[0] = 5
				d[i] = own[1] + own[0]
				return err
			}, deps.Out(&d[i]))
		}
	}),

	"phases": programOf(func(m *tasks.Task, d *[2]int) {
		tasks.Spawn(m, func() { d[0] = 4 })
		_ = m.Wait()
		tasks.Spawn(m, func() { d[1] = d[0] + 1 }, deps.In(&d[0]), deps.Out(&d[1]))
		_ = m.WaitOn(deps.In(&d[1]))
		d[0]++
		tasks.Spawn(m, func() { d[1] *= d[0] }, deps.InOut(&d[1]), deps.In(&d[0]))
	}),

	"in the parent's name": programOf(func(m *tasks.Task, d *[2]int) {
		for range 2 {
			tasks.Spawn(m, func(t *tasks.Task) {
				tasks.Spawn(t, func() { d[0]++; d[1] += d[0] })
			}, deps.InOut(d), tasks.WaitChildren)
		}
	}),

	"recursion": programOf(func(m *tasks.Task, d *int) {
		var fib func(t *tasks.Task, n int, r *int)
		fib = func(t *tasks.Task, n int, r *int) {
			if n < 2 {
				*r = n
				return
			}
			var a, b int
			tasks.Spawn(t, func(t *tasks.Task) { fib(t, n-1, &a) }, deps.Out(&a), tasks.Label("fib"))
			tasks.Spawn(t, func(t *tasks.Task) { fib(t, n-2, &b) }, deps.Out(&b), tasks.Label("fib"))
			_ = t.Wait()
			*r = a + b
		}
		tasks.Spawn(m, func(t *tasks.Task) { fib(t, 7, d) }, deps.Out(d))
	}),

	"commutative and concurrent": programOf(func(m *tasks.Task, d *struct {
		sum  int
		hits atomic.Int64
		top  int64
	}) {
		for i := range 6 {
			tasks.Spawn(m, func() { d.sum += i; d.hits.Add(1) }, deps.Commutative(&d.sum), deps.Concurrent(&d.hits))
		}
		tasks.Spawn(m, func() { d.top = int64(d.sum) + d.hits.Load() }, deps.In(&d.sum), deps.In(&d.hits), deps.Out(&d.top))
	}),

	"reductions": programOf(func(m *tasks.Task, d *struct {
		x         [12]float64
		dot, norm float64
	}) {
		for i := range d.x {
			d.x[i] = float64(i) - 4.5
		}
		tasks.Spawn(m, func(t *tasks.Task) {
			for i := range d.x {
				tasks.Spawn(t, func(t *tasks.Task) { *reduce.Local(t, &d.dot) += d.x[i] * d.x[i] }, deps.In(&d.x[i]), reduce.Sum(&d.dot))
			}
		}, deps.Weak(deps.In(&d.x)), deps.Weak(reduce.Sum(&d.dot)))
		tasks.Spawn(m, func() { d.norm = d.dot / 12 }, deps.In(&d.dot), deps.Out(&d.norm))
	}),

	"release": programOf(func(m *tasks.Task, d *[3]int) {
		tasks.Spawn(m, func(t *tasks.Task) {
			d[0] = 3
			t.Release(deps.Out(&d[0]))
			t.Yield()
			d[1] = 4
		}, deps.Out(&d[0]), deps.Out(&d[1]))
		tasks.Spawn(m, func() { d[0]++ }, deps.InOut(&d[0]))
		tasks.Spawn(m, func() { d[2] = d[0] * d[1] }, deps.In(&d[0]), deps.In(&d[1]), deps.Out(&d[2]))
	}),

	"an item for the order only": programOf(func(m *tasks.Task, d *[2]int) {
		token := new(int)
		tasks.Spawn(m, func() { d[0] = 1 }, deps.Out(token))
		tasks.Spawn(m, func() { d[0]++ }, deps.InOut(token))
		tasks.Spawn(m, func() { d[1] = d[0] }, deps.In(token), deps.Out(&d[1]))
	}),

	"worksharing": programOf(func(m *tasks.Task, d *struct {
		x, y [32]float64
		sum  float64
	}) {
		worksharing.For(m, len(d.x), worksharing.Static(4), func(_ *tasks.Task, lo, hi int) {
			for i := lo; i < hi; i++ {
				d.x[i] = float64(i) / 4
			}
		}, deps.Out(&d.x))
		worksharing.Loop(m, len(d.x), 8, func(_ *tasks.Task, lo, hi int) {
			for i := lo; i < hi; i++ {
				d.y[i] = 2 * d.x[i]
			}
		}, func(lo, hi int) []deps.Access {
			return []deps.Access{deps.InSlice(d.x[lo:hi]), deps.OutSlice(d.y[lo:hi])}
		})
		worksharing.Iter(m, 3, func(t *tasks.Task) {
			for i := 0; i < 32; i += 16 {
				tasks.Spawn(t, func() {
					for k := i; k < i+16; k++ {
						d.y[k] += d.x[k]
					}
				}, deps.InSlice(d.x[i:i+16]), deps.InOutSlice(d.y[i:i+16]))
			}
		}, deps.In(&d.x), deps.InOut(&d.y))
		tasks.Spawn(m, func() {
			for _, y := range d.y {
				d.sum += y
			}
		}, deps.In(&d.y), deps.InOut(&d.sum))
	}),

	"futures": programOf(func(m *tasks.Task, d *[2]int) {
		f := tasks.Async(m, func(*tasks.Task) (int, error) { return 7, nil })
		tasks.Spawn(m, func() { d[0] = f.Value() }, f.In(), deps.Out(&d[0]))
		tasks.Spawn(m, func(t *tasks.Task) error {
			v, err := f.Get(t)
			d[1] = v
			return err
		}, deps.Out(&d[1]))
	}),

	"independent tasks": programOf(func(m *tasks.Task, d *int) {
		m.Runtime().Go(func(t *tasks.Task) error {
			own := new(int)
			tasks.Spawn(t, func() { *own = 3 }, deps.Out(own))
			return nil
		}, nil)
		tasks.Spawn(m, func() { *d = 3 }, deps.Out(d))
	}),

	"events": programOf(func(m *tasks.Task, d *[2]int) {
		tasks.Spawn(m, func(t *tasks.Task) {
			done := t.Hold()
			go func() { d[0] = 9; done(nil) }()
		}, deps.Out(&d[0]))
		tasks.Spawn(m, func() { d[1] = d[0] }, deps.In(&d[0]), deps.Out(&d[1]))
	}),

	"a list in memory": programOf(func(m *tasks.Task, d *int) {
		nodes := make([]*node, 5)
		for i := range nodes {
			nodes[i] = new(node)
			tasks.Spawn(m, func() { nodes[i].value = i * i }, deps.Out(&nodes[i].value))
		}
		for i, n := range nodes[1:] {
			before := nodes[i]
			tasks.Spawn(m, func() { n.sum = before.sum + n.value }, deps.In(&before.sum), deps.In(&n.value), deps.Out(&n.sum))
		}
		tasks.Spawn(m, func() { *d = nodes[4].sum }, deps.In(&nodes[4].sum), deps.Out(d))
	}),
}

func TestCheckHasNothingToSayAboutWhatIsRight(t *testing.T) {
	for name, p := range right {
		t.Run(name, func(t *testing.T) {
			r := &recorder{TB: t}
			require.Empty(t, Check(r, 10, p), "%s", &r.text)
			require.False(t, r.bad, "%s", &r.text)
		})
	}
}
