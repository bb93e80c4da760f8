package importlaw

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/gompss/gompss"

// pkg is what we want to know from go list.
type pkg struct {
	ImportPath, Dir string
	Imports         []string // direct, outside tests
	GoFiles         []string
}

func TestImportsGoDown(t *testing.T) {
	for _, tags := range []string{"", "race", "mpi,opencl,cuda"} {
		for _, broken := range check(list(t, tags)) {
			t.Errorf("tags %q: %s", tags, broken)
		}
	}
}

func TestRootHoldsOnlyItsLandingPage(t *testing.T) {
	for _, p := range list(t, "") {
		if p.ImportPath == module && !slices.Equal(p.GoFiles, []string{"doc.go"}) {
			t.Errorf("the root package has %v; it holds doc.go and nothing else", p.GoFiles)
		}
	}
}

func list(t *testing.T, tags string) (pkgs []pkg) {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-tags="+tags, "-json=ImportPath,Dir,Imports,GoFiles", "./...")
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p pkg
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	return pkgs
}

// check returns one line for each import that breaks the law, and for each package that the law does not know.
func check(pkgs []pkg) (broken []string) {
	for _, p := range pkgs {
		from, _ := ours(p.ImportPath)
		allowed, known := lookup(law, from)
		if !known {
			broken = append(broken, fmt.Sprintf("%s: a new folder needs a row in internal/importlaw/law_test.go", from))
			continue
		}
		for _, path := range p.Imports {
			to, mine := ours(path)
			switch {
			case mine && !covers(allowed, to) && !strings.HasPrefix(to, "internal/"):
				broken = append(broken, fmt.Sprintf("%s → %s: %s may import %s", from, to, from, words(allowed+" internal/*")))
			case !mine && strings.Contains(strings.Split(path, "/")[0], "."):
				lib, by := library(path)
				if lib == "" {
					broken = append(broken, fmt.Sprintf("%s → %s: not one of our libraries", from, path))
				} else if !covers(by, from) {
					broken = append(broken, fmt.Sprintf("%s → %s: %s may import it", from, path, importers(by)))
				}
			}
		}
	}
	return broken
}

// ours cuts the module's path off.
func ours(path string) (folder string, ok bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}

// lookup finds the row for name, an exact one first.
func lookup(rows []row, name string) (list string, ok bool) {
	for _, r := range rows {
		if r.name == name {
			return r.list, true
		}
	}
	for _, r := range rows {
		if matches(r.name, name) {
			return r.list, true
		}
	}
	return "", false
}

// library finds the library that path is in.
func library(path string) (lib, by string) {
	for _, r := range third {
		if path == r.name || strings.HasPrefix(path, r.name+"/") {
			return r.name, r.list
		}
	}
	return "", ""
}

func covers(list, name string) bool {
	return list == any || slices.ContainsFunc(strings.Fields(list), func(pattern string) bool { return matches(pattern, name) })
}

func matches(pattern, name string) bool {
	folder, wild := strings.CutSuffix(pattern, "/*")
	return name == pattern || wild && (name == folder || strings.HasPrefix(name, folder+"/"))
}

func words(list string) string { return strings.Join(strings.Fields(list), ", ") }

func importers(list string) string {
	if list == "" {
		return "only tests"
	}
	return "only " + words(list)
}

func TestCheck(t *testing.T) {
	const m = module + "/"
	for _, c := range []struct{ from, imports, want string }{
		{m + "tasks", m + "deps", ""},
		{m + "tasks", m + "internal/deque", ""},
		{m + "deps", m + "tasks", "deps → tasks: deps may import internal/*"},
		{m + "tasks", m + "reduce", "tasks → reduce: tasks may import deps, trace, internal/*"},
		{m + "internal/deque", m + "deps", "internal/deque → deps: internal/deque may import internal/*"},
		{m + "internal/spare", "github.com/panjf2000/ants/v2", ""},
		{m + "tasks", "github.com/panjf2000/ants/v2", "tasks → github.com/panjf2000/ants/v2: only internal/spare may import it"},
		{m + "tasks", "github.com/stretchr/testify/require", "tasks → github.com/stretchr/testify/require: only tests may import it"},
		{m + "tasks", "example.org/x", "tasks → example.org/x: not one of our libraries"},
		{m + "examples/nbody", m + "chk", ""},
		{m + "mpi/inproc", m + "mpi", ""},
		{m + "mpi/inproc", m + "tasks", "mpi/inproc → tasks: mpi/inproc may import mpi/*, trace, internal/*"},
		{m + "util", "fmt", "util: a new folder needs a row in internal/importlaw/law_test.go"},
		{m + "tasks", "fmt", ""},
	} {
		got := strings.Join(check([]pkg{{ImportPath: c.from, Imports: []string{c.imports}}}), "\n")
		if got != c.want {
			t.Errorf("%s → %s:\n got %s\nwant %s", c.from, c.imports, got, c.want)
		}
	}
}
