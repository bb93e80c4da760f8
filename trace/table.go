package trace

// task is what replay knows of a task. The fields in the second half belong to path.go.
type task struct {
	id     uint64
	parent int32 // index of the parent; 0 = none or unknown
	below  int32 // the task on whose stack it started without a TaskBlock; goes on when this one ends
	preds  int32 // list of dependencies that have not yet had their effect
	row    int32 // where it ran last
	label  Label

	created bool
	started bool // it has run
	ended   bool
	done    bool

	open     int32 // rows that run it now; more than one for a worksharing task
	children int32 // created and not done
	since    int64 // when it began to run, for the time open went from 0 to 1 last
	until    int64 // when a row stopped running it last
	depth    int64 // longest path to it: to now less the time since since, if it runs
	joined   int64 // longest path through its children that are done
	work     int64 // sum of its pieces
}

// table numbers the tasks of a recording from 1 in order of appearance; 0 is no task. Task numbers come from NextTask, so
// nearly all are small and fall into an array; the others, of damaged recordings, go to a map.
type table struct {
	tasks  []task
	dense  []int32
	sparse map[uint64]int32
}

func newTable() table {
	return table{tasks: make([]task, 1), sparse: make(map[uint64]int32)}
}

// index returns the index of the task with the given id, a new one at its first appearance. It may move t.tasks.
func (t *table) index(id uint64) int32 {
	if id == 0 {
		return 0
	}
	if id < uint64(len(t.dense)) && t.dense[id] != 0 {
		return t.dense[id]
	}
	if i, ok := t.sparse[id]; ok {
		return i
	}
	i := int32(len(t.tasks))
	t.tasks = append(t.tasks, task{id: id})
	if id < 1<<16+8*uint64(i) {
		for uint64(len(t.dense)) <= id {
			t.dense = append(t.dense, make([]int32, max(1<<12, len(t.dense)))...)
		}
		t.dense[id] = i
	} else {
		t.sparse[id] = i
	}
	return i
}
