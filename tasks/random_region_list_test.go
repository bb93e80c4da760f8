package tasks_test

import (
	"fmt"
	"strings"

	"github.com/gompss/gompss/deps"
)

// Listing and shrinking of region programs.

func (a regionAccess) String() string {
	var b strings.Builder
	if a.weak {
		b.WriteString("weak ")
	}
	b.WriteString(a.kind.String())
	if a.kind == deps.KindReduction {
		b.WriteString([...]string{" sum", " max", " affine"}[a.op])
	}
	if a.rows == 1 {
		fmt.Fprintf(&b, "[%d:%d]", a.base, a.base+a.cols)
	} else {
		fmt.Fprintf(&b, "[%d+%d×%d by %d]", a.base, a.rows, a.cols, a.ld)
	}
	return b.String()
}

func (p *regionProgram) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "region program %d: %d tasks, %d cells\n", p.seed, p.tasks, p.cells)
	p.root.list(&b, "  ")
	return b.String()
}

func (t *regionTask) list(b *strings.Builder, indent string) {
	for _, op := range t.ops {
		b.WriteString(indent)
		switch op.do {
		case opSpawn:
			k := op.kid
			fmt.Fprintf(b, "spawn %d %v", k.id, k.accs)
			for _, c := range []struct {
				on   bool
				text string
			}{{k.final, " final"}, {k.undeferred, " if(false)"}, {k.waitKids, " wait"}} {
				if c.on {
					b.WriteString(c.text)
				}
			}
			b.WriteByte('\n')
			k.list(b, indent+"    ")
			continue
		case opBegin:
			fmt.Fprintf(b, "touch %v %s", op.acc, append(touchNames[:], "reduce")[op.mode])
		case opWait:
			b.WriteString("wait")
		case opWaitOn:
			fmt.Fprintf(b, "wait on %v", op.accs)
		case opRelease:
			fmt.Fprintf(b, "release %v", op.acc)
		default:
			fmt.Fprintf(b, "%s %d", map[opKind]string{opHold: "hold", opSuspend: "suspend", opYield: "yield", opGosched: "gosched"}[op.do], op.how)
		}
		b.WriteByte('\n')
	}
}

func (t *regionTask) each(f func(*regionTask)) {
	f(t)
	for _, op := range t.ops {
		if op.do == opSpawn {
			op.kid.each(f)
		}
	}
}

// shrink returns a smaller program for which fails still holds, by leaving out what can be left out of a proper program.
func (p *regionProgram) shrink(fails func(*regionProgram) bool) {
	for again := true; again; {
		again = false
		p.root.each(func(t *regionTask) {
			for i := 0; i < len(t.ops); i++ {
				op := t.ops[i]
				switch op.do {
				case opWait, opWaitOn, opRelease:
					continue
				case opSpawn:
					old := *op.kid
					op.kid.undeferred, op.kid.waitKids = false, false
					if !fails(p) {
						*op.kid = old
					}
				}
				t.ops = append(append([]regionOp(nil), t.ops[:i]...), t.ops[i+1:]...)
				if fails(p) {
					again = true
					i--
					continue
				}
				t.ops = append(append(append([]regionOp(nil), t.ops[:i]...), op), t.ops[i:]...)
			}
		})
	}
}
