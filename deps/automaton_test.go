package deps

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestStepAnyOrder feeds every legal life of an access to step in every order of its events that the neighbours can
// produce, and checks that each message comes out once, W last, and never before its early grants have arrived.
func TestStepAnyOrder(t *testing.T) {
	for _, class := range []word{0, overwrites, classR, classC, classM} {
		for _, weak := range []word{0, isWeak, private} {
			if weak == private && class != classM {
				continue
			}
			for _, end := range []word{linked, linked | toParent, linked | terminal} {
				for _, early := range []word{0, inR, inC, inM} {
					for _, below := range []word{0, upR, upC, upM} {
						for _, children := range []bool{false, true} {
							if !children && below != 0 {
								continue
							}
							l := life{t: t, static: class | weak, end: end, early: early, below: below, children: children}
							l.explore(l.static, nil)
							if l.ends == 0 {
								t.Fatalf("%+v: no history ran to its end", l)
							}
						}
					}
				}
			}
		}
	}
}

// life enumerates the histories of one access. Pending acknowledgements are events of their own, in any order.
type life struct {
	t            *testing.T
	static       word
	end          word
	early, below word
	children     bool
	ends         int
}

func (l *life) explore(f word, history []string) {
	weak, private := f&isWeak != 0, f&private != 0
	type ev struct {
		name string
		set  word
	}
	var evs []ev
	if l.early != 0 && f&(l.early|inW) == 0 {
		evs = append(evs, ev{"early", l.early})
	}
	if f&inW == 0 && (l.early == 0 || f&l.early != 0) {
		evs = append(evs, ev{"W", inW})
	}
	runs := weak || satisfied(f)
	if l.children && runs && f&(nested|done) == 0 && !private {
		evs = append(evs, ev{"child", nested})
	}
	if f&done == 0 && runs && (!l.children || f&nested != 0 || private) {
		if l.children {
			evs = append(evs, ev{"done", done})
		} else {
			evs = append(evs, ev{"done", done | leaf})
		}
	}
	childHas := incoming(f)
	if private {
		childHas = inW
	}
	if f&done != 0 && l.children {
		if l.below != 0 && f&(l.below|upW) == 0 && childHas != 0 {
			evs = append(evs, ev{"below", l.below})
		}
		downSettled := incoming(f)&early&^(f>>downShift) == 0 || f&inW != 0
		if f&upW == 0 && childHas&inW != 0 && downSettled && (l.below == 0 || f&l.below != 0) {
			evs = append(evs, ev{"chain complete", upW})
		}
	}
	if f&linked == 0 {
		evs = append(evs, ev{"linked", l.end})
	}
	for i := 0; i < 3; i++ {
		for _, a := range []word{inR << ackShift << i, inR << downShift << i} {
			if sent[a] && f&a == 0 {
				evs = append(evs, ev{fmt.Sprintf("ack %x", a), a})
			}
		}
	}
	if len(evs) == 0 {
		l.ends++
		if counts[inW] != 1 {
			l.t.Fatalf("%+v %v: W sent %d times", *l, history, counts[inW])
		}
		if !weak && counts[start] != 1 || weak && counts[start] != 0 {
			l.t.Fatalf("%+v %v: start sent %d times", *l, history, counts[start])
		}
		if f&nested != 0 && counts[inW*toChild] != 1 {
			l.t.Fatalf("%+v %v: W to child sent %d times", *l, history, counts[inW*toChild])
		}
		if !weak && f&classM != 0 && counts[untoken] != 1 {
			l.t.Fatalf("%+v %v: token given back %d times", *l, history, counts[untoken])
		}
		return
	}
	for _, e := range evs {
		// A child's chain cannot be complete while an early grant to it is under way.
		if e.name == "chain complete" || e.name == "below" {
			pending := false
			for i := 0; i < 3; i++ {
				if a := inR << downShift << i; sent[a] && f&a == 0 {
					pending = true
				}
			}
			if pending {
				continue
			}
		}
		if f&e.set&^l.static != 0 {
			continue
		}
		out := step(f, e.set)
		var marked []word
		for b := effect(1); b <= untoken; b <<= 1 {
			if out&b == 0 {
				continue
			}
			if counts[inW] > 0 && b < start {
				l.t.Fatalf("%+v %v %s: %x after W", *l, history, e.name, b)
			}
			counts[b]++
			if counts[b] > 1 {
				l.t.Fatalf("%+v %v %s: %x twice", *l, history, e.name, b)
			}
			var ack word
			if b < inW {
				ack = b << ackShift
			} else if b >= toChild && b < inW*toChild {
				ack = b / toChild << downShift
			}
			if ack != 0 && !sent[ack] {
				sent[ack] = true
				marked = append(marked, ack)
			}
			if b == inW {
				for i := 0; i < 3; i++ {
					if a := inR << ackShift << i; sent[a] && (f|e.set)&a == 0 {
						l.t.Fatalf("%+v %v %s: W overtakes an early grant", *l, history, e.name)
					}
				}
			}
		}
		l.explore(f|e.set, append(history, e.name))
		for b := effect(1); b <= untoken; b <<= 1 {
			if out&b != 0 {
				counts[b]--
			}
		}
		for _, a := range marked {
			delete(sent, a)
		}
	}
}

var (
	sent   = map[word]bool{}
	counts = map[effect]int{}
)

// FuzzStep checks on arbitrary words that an event's effects are those of the word it leaves and of no other.
func FuzzStep(f *testing.F) {
	f.Add(uint32(0), uint32(inW))
	f.Fuzz(func(t *testing.T, old, set uint32) {
		set &^= old
		e := step(old, set)
		if e&start != 0 && (!satisfied(old|set) || satisfied(old)) {
			t.Fatalf("%x + %x: start", old, set)
		}
		if g := e & (early | inW); g&inW != 0 && g != inW {
			t.Fatalf("%x + %x: W together with early grants", old, set)
		}
		entitled := outgoing(old | set)
		if (old|set)&private != 0 {
			entitled = outgoingPrivate(old | set)
		}
		if g := e & (early | inW); g&^entitled != 0 {
			t.Fatalf("%x + %x: %x is not due", old, set, g)
		}
	})
}

func BenchmarkStep(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	w := make([]word, 256)
	for i := range w {
		w[i] = r.Uint32() & (1<<26 - 1)
	}
	var sum effect
	for i := 0; b.Loop(); i++ {
		sum += step(w[i&255]&^inW, inW)
	}
	_ = sum
}
