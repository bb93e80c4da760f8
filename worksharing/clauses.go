package worksharing

import (
	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
)

// ofFor are clauses of every For, behind those of the program.
var ofFor = []tasks.Clause{tasks.WaitChildren, tasks.Final(true)}

// copied returns more clauses than For has room for on its stack, with ofFor. It copies what the interfaces hold, not the
// interfaces, so that those of the caller need not be on the heap for the sake of this case.
func copied(clauses []tasks.Clause) (all []tasks.Clause) {
	for i := range clauses {
		switch c := clauses[i].(type) {
		case deps.Access:
			all = append(all, c)
		case deps.List:
			all = append(all, c)
		case tasks.Type:
			all = append(all, c)
		case tasks.Option:
			all = append(all, c)
		default:
			all = append(all, nil) // Spawn says what is wrong with it
		}
	}
	return append(all, ofFor...)
}

// inherited returns the clauses of a For that its collaborators have, too: label, priority and reductions. What else an
// Option says is the loop's own and taken back.
func inherited(clauses []tasks.Clause) (own []tasks.Clause) {
	options := false
	for i := range clauses {
		switch c := clauses[i].(type) {
		case deps.Access:
			if isReduction(c) {
				own = append(own, c)
			}
		case deps.List:
			for j := range c {
				if isReduction(c[j]) {
					own = append(own, c[j])
				}
			}
		case tasks.Type:
			own = append(own, c)
		case tasks.Option:
			own = append(own, c)
			options = true
		}
	}
	if options {
		own = append(own, tasks.If(true), tasks.OnReady(nil), tasks.Cost(0))
	}
	return own
}

func isReduction(a deps.Access) bool { return reducing{Access: a}.Reduction() != nil }

// reducing is an access that can be asked for its reduction: the access itself, if it has the method, or noReduction, which
// is embedded one level deeper. An assertion would put every access on the heap.
type reducing struct {
	deps.Access
	otherwise
}

type otherwise struct{ noReduction }

type noReduction struct{}

// Reduction returns nil.
func (noReduction) Reduction() deps.Reduction { return nil }
