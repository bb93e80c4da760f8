package deps

import "fmt"

// Failures in the model, for flat programs: which causes may have reached a task, and which must have.

type taskFailed int

func (e taskFailed) Error() string { return fmt.Sprintf("failure of %d", int(e)) }

// fate decides how a body ends: a skipped task passes on why.
func (w *world) fate(t *mtask) {
	if t == w.root || !w.fails {
		return
	}
	if t.cause == nil && w.r.IntN(6) == 0 {
		t.cause = taskFailed(t.id)
		w.failed[t.cause] = true
	}
	if t.cause != nil {
		t.node.Fail(t.cause)
	}
}

type causes map[error]bool

func (c causes) with(d causes) causes {
	u := causes{}
	for k := range c {
		u[k] = true
	}
	for k := range d {
		u[k] = true
	}
	return u
}

// mflow is what is known of the failures that mark an item, along the chain of the accesses in program order. Accesses of
// one early class in a row are a group: they are not ordered among themselves, so the failure of one may or may not reach
// another.
type mflow struct {
	class int    // of the group at the end
	into  causes // marks all of the group
	now   causes // so far
	// loose is set after the failure of a weak access, which is in nobody's group and ends none: those around it may or
	// may not hear of it.
	loose bool
}

func (f *mflow) join(class int) {
	switch {
	case class == 0:
		f.into, f.loose = f.now, false
	case class != f.class && f.loose:
		f.into = nil
	case class != f.class:
		f.into = f.now
	}
	f.class = class
}

// checkFlows goes through p's children since the last taskwait, in program order. All are over.
func (w *world) checkFlows(p *mtask) {
	if !w.fails || p != w.root {
		return
	}
	flows := make([]mflow, len(w.items))
	for _, t := range p.children[p.forgiven:] {
		must, may := causes{}, causes{}
		if k := t.combines; k != nil {
			for _, part := range k.parts {
				if c := part.task.cause; c != nil && !part.freed() {
					must[c], may[c] = true, true
				}
			}
		}
		for _, a := range t.accs {
			if a.weak || a.part != nil {
				continue
			}
			f := &flows[a.item]
			f.join(class(Access{kind: a.declared()}))
			if a.declared() != KindOut {
				must, may = must.with(f.into), may.with(f.now)
			}
		}
		skipped := t.cause != nil && t.cause != taskFailed(t.id)
		if len(must) > 0 && !skipped {
			w.fail("task %d ran although %v", t.id, must)
		}
		// A mark is about all bytes of a message or of a piece of a new access, so with regions it may reach too far.
		if skipped && (!may[t.cause] && !w.shapes || !w.failed[t.cause]) {
			w.fail("task %d was skipped because of %v, which is none of %v", t.id, t.cause, may)
		}
		for _, a := range t.accs {
			f := &flows[a.item]
			good := t.cause == nil || a.freed || a.was != kindNone
			switch {
			case a.part != nil || a.declared() == KindIn:
			case !good:
				f.loose = f.loose || a.weak
				f.now = f.now.with(causes{t.cause: true})
			case a.declared() == KindOut && !a.weak:
				f.now = nil
			}
		}
	}
	p.forgiven = len(p.children)
	clear(w.failed)
}

// declared is the kind before a release for reading.
func (a *macc) declared() Kind {
	if a.was != kindNone {
		return a.was
	}
	return a.kind
}

func (p *mpart) freed() bool { return p.task.find(p.cells[0]).freed }
