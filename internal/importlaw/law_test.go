package importlaw

// law says which folders of ours each folder may import, outside its tests. Lower rows know nothing of higher ones.
//
// A name ending in /* stands for a folder and all below it, and any for all of ours. Every folder may import internal/*, and
// one that stands in no row may not exist.
var law = []row{
	{"cmd/*", any},
	{"bench/*", any},
	{"examples/*", any},
	{"docs/*", any}, // the tutorial's programs
	{"scripts/*", ""},

	{"coarray", "tampi mpi tasks trace"},
	{"chk", "accel mpi tasks deps trace"},
	{"tampi", "accel mpi tasks"},
	{"accel", "tasks deps trace"},
	{"worksharing", "tasks deps"},
	{"tasks/config", "tasks"},
	{"tasks/taskstest", "tasks deps"},
	{"tasks/conformance", "tasks deps"},

	{"mpi", "mpi/* trace"}, // mpi and its transports meet as the compiler lets them
	{"mpi/*", "mpi/* trace"},
	{"tasks", "deps trace"},
	{"reduce", "deps"},
	{"deps", ""},
	{"trace", ""},
	{"internal/*", ""},
	{"", ""}, // the root holds the landing page
}

// third says which folders may import each library, outside their tests. Libraries that are not here are not used.
var third = []row{
	{"github.com/panjf2000/ants/v2", "internal/spare"}, // importing it starts goroutines
	{"github.com/puzpuzpuz/xsync/v3", "tasks trace mpi tampi accel coarray internal/*"},
	{"github.com/BurntSushi/toml", "tasks/config"}, // a program that reads no file does not link it
	{"github.com/felixge/fgprof", "bench/* cmd/* examples/*"},
	{"golang.org/x/sync", any},
	{"golang.org/x/sys", any},
	{"github.com/stretchr/testify", ""}, // tests only
}

// row is a name and the names it may import (law) or be imported by (third).
type row struct{ name, list string }

const any = "any"
