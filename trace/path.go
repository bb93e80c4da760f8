package trace

// The span: the longest chain of running time that had to happen one after the other.
//
// Every task has a depth at every moment: the longest path that leads to this point of its body. The rules:
//
//  1. While the task runs, on one row or on several, its depth grows with time; while it does not, it stays.
//  2. Creation: a task's depth begins at its parent's depth at the moment of TaskCreate.
//  3. Dependency: when a task starts or resumes, the Edges recorded for it since take effect: its depth becomes at least
//     the depth that each predecessor has at that moment. That is the depth at the predecessor's end, or where it was
//     when it released the access early.
//  4. Taskwait: when a task resumes and all children it has created are done, it has waited for them: its depth becomes at
//     least that of each child at its deep completion, which is the largest depth among the child and its descendants.
//     A wait for some of the children is known by Edges from them to the parent, emitted while the parent is blocked.
//  5. A task that starts on top of a running one without a TaskBlock follows it, and the lower one follows the upper.
//
// The span S is the largest depth of any task. All edges point forward in time and a path counts only time in which
// something ran, therefore S <= T and S <= W whatever the recording holds, damaged ones included.
//
// A task that waits for children which are all done does not block, and rule 4 does not apply. If it has not blocked since
// it created them this loses nothing: its own depth has grown since by more than any child's. What the rules do not see is
// the order that messages put between tasks: with several ranks S is a lower bound.

// depthAt returns the longest path to where the task is now.
func (t *task) depthAt(now int64) int64 {
	if t.open > 0 {
		return t.depth + now - t.since
	}
	return t.depth
}

// follow makes the task's depth at least d.
func (t *task) follow(d, now int64) {
	if more := d - t.depthAt(now); more > 0 {
		t.depth += more
	}
}

// run notes that one more row runs the task.
func (t *task) run(now int64) {
	if t.open == 0 {
		t.since = now
	}
	t.open++
}

// stop notes that a row no longer runs the task, after the given time on that row.
func (t *task) stop(now, ran int64) {
	t.until = max(t.until, now)
	if t.open--; t.open == 0 {
		t.depth += t.until - t.since
	}
	t.work += ran
}

// complete tells the parent of a task, deeply complete, what path leads through it.
func (t *task) complete(parent *task, now int64) {
	parent.children--
	parent.joined = max(parent.joined, t.depthAt(now), t.joined)
}
