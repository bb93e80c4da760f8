package tasks

import (
	"context"
	"sync/atomic"
	"unsafe"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/internal/race"
)

// Group is a part of a task's children, its members, that can be waited for and cancelled by itself (taskgroup, with a
// deadline). A child becomes a member by the clause [InGroup]; all its descendants belong to the group with it. Members
// are children like others: their accesses order them with all their siblings.
//
// When the group is cancelled — its context is, by a deadline for instance, or [Group.Cancel] is called — its tasks fare
// like those of a cancelled run: bodies that have not started are skipped, those in [Task.Suspend], [Task.Sleep] or a
// message end their wait with the cause, and [Task.Context] is cancelled. The rest of the run goes on, but for tasks
// that read what a member should have written, up to [Group.Wait], which returns the error: they are skipped.
//
// A run is a group of all its tasks, and so is a group for what is below it: the tasks of a group point to the group's
// run instead of the run itself, and a task without a group costs nothing for it.
type Group struct {
	run    run
	owner  *Task
	owned  *more // the owner's
	up     *run  // the owner's
	errs   errorList
	live   atomic.Int32 // members not deeply complete + credit + 1 until Wait
	credit int32        // live that the owner reserved and has not given to a member
	over   bool         // written by the owner's body
	waiter atomic.Pointer[waiter]
	apart  func() bool // ends the watch on the owner's run, if ctx is not one of it
	next   *Group      // in owner.more.groups
}

// Group creates an empty group of children of t, which only t's body may use. The group is cancelled when ctx is: give it
// a deadline with context.WithTimeout(t.Context(), …). It is cancelled with t's own run or group in any case. A nil ctx is
// t.Context(). A group that [Group.Wait] is not called for ends when t is deeply complete, and its failures are t's.
//
// Cost: about that of a context with a cancel function; a member costs what any child does.
func (t *Task) Group(ctx context.Context) *Group {
	t.current("Group")
	up := t.run
	if ctx == nil {
		ctx = up.ctx
	}
	g := newGroup(t)
	r := &g.run
	r.ctx, r.cancel = context.WithCancelCause(context.WithValue(ctx, inside{r.rt}, r))
	if ctx.Value(inside{r.rt}) != any(up) {
		g.apart = context.AfterFunc(up.ctx, g.follow)
	}
	r.over = r.ctx.Done()
	r.stop = context.AfterFunc(r.ctx, r.abort)
	g.open()
	return g
}

//go:norace
func newGroup(t *Task) *Group {
	g := &Group{owner: t, up: t.run}
	g.run.rt, g.run.root, g.run.group = t.run.rt, t, g
	return g
}

// follow cancels the group because the run or group around it is.
func (g *Group) follow() { g.run.cancel(context.Cause(g.up.ctx)) }

//go:norace
func (g *Group) open() {
	race.Disable()
	t := g.owner
	g.live.Store(1)
	if t.more == nil {
		t.more = new(more)
	}
	g.owned = t.more
	g.next = t.more.groups
	t.more.groups = g
	g.run.enlist()
	race.Enable()
}

// InGroup makes the task a member of g, which its parent created, or of no other than its parent's if g is nil. It panics if that was another task, or if [Group.Wait]
// was called.
//
//go:norace
func InGroup(g *Group) Option { return Option{kind: optGroup, group: g} }

// Context is what the [Task.Context] of the members returns.
func (g *Group) Context() context.Context { return g.run.ctx }

// Cancel cancels the group for the given reason, nil for context.Canceled. The first reason counts. Any goroutine may
// call it, members too.
func (g *Group) Cancel(cause error) { g.run.cancel(cause) }

// Wait waits until all members and their descendants are complete (the end of a taskgroup), other children notwithstanding,
// and returns their failures that no [Task.Wait] of theirs returned before, those for which they were skipped, and the cause
// if the group was cancelled, joined. They are not returned again, by the owner's Wait or by Run, though other children may have been skipped because
// of them; for tasks spawned from here on the data that they marked count as good again. After that the group is over: it takes no more members, and another Wait returns nil.
//
// Members that wait for accesses of other children wait for these, also when the group is cancelled. Reductions are
// combined as ever: by a taskwait or the next access to the item.
//
//go:norace
func (g *Group) Wait() error {
	t := g.owner
	if g.over {
		return nil
	}
	t.current("Group.Wait")
	g.over = true
	race.Disable()
	x := newWaiter(t)
	g.waiter.Store(x)
	if g.live.Add(-g.credit-1) > 0 && t.wait(x, waitGroup, g) {
		race.Enable()
		return t.run.why() // a deadlock; the members are t's children all the same
	}
	if c := g.run.cancelCause(); c != nil {
		g.errs.add(c)
	}
	g.forgive()
	err := g.errs.join()
	at := &t.more.groups
	for *at != g {
		at = &(*at).next
	}
	*at = g.next
	race.Enable()
	race.Acquire(unsafe.Pointer(g))
	if err != nil {
		race.Acquire(unsafe.Pointer(&g.run.cause))
	}
	g.close()
	return err
}

// close ends what the group has beside its tasks, all of which are complete.
//
//go:norace
func (g *Group) close() {
	g.run.stop()
	if g.apart != nil {
		g.apart()
	}
	g.run.cancel(nil)
	race.Disable()
	g.run.delist()
	race.Enable()
}

// admit makes t, not yet registered, a member.
//
//go:norace
func (g *Group) admit(t *Task) {
	if g.credit == 0 {
		g.credit = creditBatch
		g.live.Add(creditBatch)
	}
	t.run = &g.run
}

//go:norace
func (g *Group) checkOwner(t *Task) {
	switch {
	case g.owner != t:
		panic("tasks: InGroup of a group that another task created")
	case g.over:
		panic("tasks: InGroup of a group that was waited for")
	}
}

// told is called when a member is deeply complete, with what it has to say.
//
//go:norace
func (g *Group) told(t *Task) {
	if t.err != nil && t.answersFor(t.err) {
		g.errs.add(t.err)
	}
	if l := t.errs.Load(); l != nil {
		l.moveTo(&g.errs)
	}
}

// leave takes a member off.
//
//go:norace
func (g *Group) leave() {
	if g.live.Add(-1) == 0 {
		g.waiter.Load().resume()
	}
}

// endGroups ends the groups that t, now deeply complete, has not waited for.
//
//go:norace
func (t *Task) endGroups() {
	m := t.more
	for m.groups != nil {
		g := m.groups
		m.groups = g.next
		g.over = true // t may soon be another task
		if c := g.run.cancelCause(); c != nil {
			g.errs.add(c)
		}
		outer := t.run.cancelCause() != nil // looked at last: it is cancelled before its groups are
		for e := g.errs.take(); e != nil; e = e.next {
			if c, ok := e.err.(*cancelled); ok && c.group.Load() == g && outer {
				continue // the run will say so
			}
			if o := originOf(e.err); o != nil && o.group.Load() == g {
				o.group.Store(g.up.group)
			}
			t.errors().add(e.err)
		}
		race.Enable()
		if race.Enabled {
			race.Acquire(unsafe.Pointer(&t.live)) // the body, which made the group
		}
		g.close()
		race.Disable()
	}
}

// below returns the ancestor of t, or t, that is a child of the group's owner; nil if there is none. The owner's Task may
// serve another task by now, but nobody else has its more.
//
//go:norace
func (g *Group) below(t *Task) *Task {
	for p := t.parent; p != nil; t, p = p, p.parent {
		if p.more == g.owned {
			return t
		}
	}
	return nil
}

// answersFor tells whether err is reported by way of t. A failure of a group's task is reported by the group, also if
// siblings were skipped because of it.
//
//go:norace
func (t *Task) answersFor(err error) bool {
	o := originOf(err)
	if o == nil {
		return true
	}
	of := o.group.Load()
	if of == nil || of.below(t) == nil {
		return true
	}
	for g := t.run.group; g != nil; g = g.up.group {
		if g == of {
			return true
		}
	}
	return false
}

// forgive lets the data that the group's failures marked count as good again for those whom the owner spawns from here on, and
// for who comes after the owner. Tasks that it spawned before are skipped, whether they had their turn already or not.
//
//go:norace
func (g *Group) forgive() {
	g.owned.waits++
	l := &g.errs
	l.mu.Lock()
	for i := l.head; i != nil; i = i.next {
		if o := originOf(i.err); o != nil && o.group.Load() == g {
			o.forgiven.Store(g.owned.waits)
		}
	}
	l.mu.Unlock()
}

// bornOf notes which failures p's groups have returned when its child t is created.
//
//go:norace
func (t *Task) bornOf(p *Task) {
	if p.more != nil {
		t.born = p.more.waits
	}
}

// forgiven tells whether n's task may run although the failure marked what it reads.
//
//go:norace
func forgiven(n *deps.Node, cause error) bool {
	o := originOf(cause)
	if o == nil {
		return false
	}
	at := o.forgiven.Load()
	if at == 0 {
		return false
	}
	g := o.group.Load()
	if g == nil {
		return false
	}
	c := g.below(taskOf(n))
	return c == nil || c.born >= at
}

// String is for Dump.
//
//go:norace
func (g *Group) String() string { return "of " + g.owner.Label() }
