package taskstest

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"github.com/gompss/gompss/deps"
)

// Kind is what a [Finding] of [Check] is about.
type Kind string

// What is wrong: these make a test fail.
const (
	Undeclared Kind = "undeclared" // a body uses bytes that it has not declared, or not for that
	Unordered  Kind = "unordered"  // two tasks declare the same bytes, and nothing orders them
	Beyond     Kind = "beyond"     // a child declares more than its parent did for the same bytes
	TooEarly   Kind = "too early"  // a body changes bytes that a child of its may be using
	Stuck      Kind = "stuck"      // a run does not end
	Differs    Kind = "differs"    // a run fails, or gives another result than program order
)

// What could be better: these are logged.
const (
	Superfluous Kind = "superfluous" // an access that was not used
	TooStrong   Kind = "too strong"  // an access that could be a weaker one
	Overlapping Kind = "overlapping" // accesses of one task that share bytes and are combined
)

// Finding is one thing that [Check] has to say. Tasks that are spawned by the same statement have one finding together.
type Finding struct {
	Kind Kind
	Text string // what is wrong, and what to write instead
	Seed uint64 // of the run that shows it; 0: the one in which the oldest ready task is always next
}

// Advice tells whether the program is right all the same.
func (f Finding) Advice() bool {
	return f.Kind == Superfluous || f.Kind == TooStrong || f.Kind == Overlapping
}

// String returns the finding as Check prints it.
func (f Finding) String() string {
	s := string(f.Kind) + ": " + f.Text
	if f.Seed != 0 {
		s += fmt.Sprintf("\n    seed %#x; rerun with -%s=%#x", f.Seed, seedFlag, f.Seed)
	}
	return s
}

// findings has each thing once.
type findings struct {
	list []Finding
	said map[string]bool
}

// add adds a finding about what key names, together with its kind.
func (f *findings) add(k Kind, seed uint64, key, format string, a ...any) {
	key = string(k) + " " + key
	if f.said[key] {
		return
	}
	if f.said == nil {
		f.said = map[string]bool{}
	}
	f.said[key] = true
	f.list = append(f.list, Finding{Kind: k, Text: fmt.Sprintf(format, a...), Seed: seed})
}

// sorted returns what is wrong first, and causes before effects.
func (f *findings) sorted() []Finding {
	rank := func(a Finding) int {
		switch {
		case a.Advice():
			return 2
		case a.Kind == Differs: // most often because of what else was found
			return 1
		}
		return 0
	}
	slices.SortStableFunc(f.list, func(a, b Finding) int { return cmp.Compare(rank(a), rank(b)) })
	return f.list
}

// wrong tells whether something is wrong, rather than not as good as it could be.
func (f *findings) wrong() bool {
	return slices.ContainsFunc(f.list, func(a Finding) bool { return !a.Advice() })
}

func (f *findings) has(k Kind) bool {
	return slices.ContainsFunc(f.list, func(a Finding) bool { return a.Kind == k })
}

// key names two tasks' spawn statements.
func key(a, b *life) string { return fmt.Sprint(a.label, a.body, b.label, b.body) }

// clause names an access in words: "inout of 64 bytes".
func clause(a deps.Access) string {
	n := uintptr(0)
	for i := range a.Runs() {
		_, bytes := a.Run(i)
		n += bytes
	}
	s := a.Kind().String()
	if a.IsWeak() {
		s = "weak " + s
	}
	return fmt.Sprintf("%s of %s", s, count(n, "byte"))
}

func count(n uintptr, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// ordinal names the i-th access of a task.
func ordinal(l *life, i int) string {
	if len(l.accs) == 1 {
		return clause(l.accs[i])
	}
	return fmt.Sprintf("%s (access %d)", clause(l.accs[i]), i+1)
}

// where names the bytes s as part of an access.
func where(s span, a deps.Access) string {
	if first, size := a.Region(); s.hi-s.lo != size {
		return count(s.hi-s.lo, "byte") + offset(s, first)
	}
	return count(s.hi-s.lo, "byte")
}

// at names where in an access the change s is. A change is seen byte by byte, so how long it is means little.
func at(s span, a deps.Access) string {
	if first, size := a.Region(); size > 8 {
		return offset(s, first)
	}
	return ""
}

func offset(s span, first unsafe.Pointer) string {
	return fmt.Sprintf(" at +%d", s.lo-min(s.lo, uintptr(first)))
}
