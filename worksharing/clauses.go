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
		own = append(own, tasks.If(true), tasks.OnReady(nil), tasks.Cost(0), tasks.InGroup(nil))
	}
	return own
}

// ordered tells whether there is a reduction among the clauses that wants its contributions in the order of the program.
func ordered(clauses []tasks.Clause) bool {
	for i := range clauses {
		if a, ok := clauses[i].(deps.Access); ok {
			if r := a.Reduction(); r != nil && r.Ordered() {
				return true
			}
		}
	}
	return false
}

func isReduction(a deps.Access) bool { return a.Reduction() != nil }
