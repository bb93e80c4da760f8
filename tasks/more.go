package tasks

import "github.com/gompss/gompss/deps"

// more is what few tasks have. The task does not own it: a future outlives its task.
type more struct {
	label   string   // if the clauses give none
	promise *promise // the task's result is awaited
	groups  *Group   // that it created, chained by next
	waits   uint32   // of groups that returned failures
}

// amend reads what the task has by itself, besides its clauses.
//
//go:norace
func (m *more) amend(p *properties) {
	if p.label == "" {
		p.label = m.label
	}
	if m.promise != nil {
		p.accesses++
	}
}

// attach is called when all but the task's own access is declared.
//
//go:norace
func (m *more) attach(t *Task) {
	t.more = m
	if m.promise != nil {
		m.promise.label = t.label
		out := deps.Out(&m.promise.item)
		t.node.Declare(&out, false)
	}
}

//go:norace
func (m *more) settle(t *Task) {
	if m.promise != nil {
		m.promise.settle(t)
	}
}
