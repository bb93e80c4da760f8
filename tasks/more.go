package tasks

// more is what few tasks have. The task does not own it: a future outlives its task.
type more struct {
	promise *promise // the task's result is awaited
	groups  *Group   // that it created, chained by next
	waits   uint32   // of groups that returned failures
}

//go:norace
func (m *more) attach(t *Task) {
	t.more = m
	if m.promise != nil {
		m.promise.label = t.label
	}
}

//go:norace
func (m *more) settle(t *Task) {
	if m.promise != nil {
		m.promise.settle(t)
	}
}
