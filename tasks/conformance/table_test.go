package conformance

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write docs/conformance.md")

const page = "../../docs/conformance.md"

// chapters are the first letters of the rows' ids and how many of each OmpSs-2 has.
var chapters = []struct {
	letter byte
	count  int
	title  string
}{
	{'M', 6, "Execution model and lifetimes"},
	{'D', 14, "Directives"},
	{'C', 24, "Clauses"},
	{'S', 6, "Dependency system"},
	{'R', 7, "Reductions"},
	{'A', 20, "API"},
	{'L', 25, "Limits of the reference"},
}

const intro = `# Conformance with OmpSs-2

What each feature of OmpSs-2 (Nanos6 4.3, NODES 1.3) is here, and the test that shows it. This page is written by the tests of
` + "`tasks/conformance`" + `: ` + "`go test ./tasks/conformance -run TestTable -update`" + `. A test that is named without a folder is in that one.

An oracle of our own tells, from what happened so far, which tasks may run; every test that plays a program holds the runtime to it
after each step of each body: who runs may, and who may does, whatever else is held back. So readers, concurrents and
reductions are seen to meet, and what must wait is seen to wait until the runtime has nothing else to do.

TestPairs plays what two accesses can be to each other:

`

// TestTable holds docs/conformance.md to the rows, and the rows to the tests.
func TestTable(t *testing.T) {
	var b strings.Builder
	b.WriteString(intro)
	b.WriteString("| | choices |\n|---|---|\n")
	var kinds, seconds, regions, nests []string
	for _, k := range firstKinds {
		kinds = append(kinds, k.name)
	}
	for _, k := range secondKinds {
		seconds = append(seconds, k.name)
	}
	for _, r := range relations {
		regions = append(regions, r.name)
	}
	for _, p := range places {
		nests = append(nests, p.name)
	}
	for _, line := range []struct {
		what string
		all  []string
	}{
		{"the first access", kinds},
		{"the second access", seconds},
		{"its region, to the first's", regions},
		{"each of their tasks is", nests},
		{"the first, and its parent, releases", releases},
	} {
		fmt.Fprintf(&b, "| %s | %d: %s |\n", line.what, len(line.all), strings.Join(line.all, ", "))
	}
	total := len(kinds) * len(seconds) * len(regions) * len(nests) * len(nests) * len(releases)
	fmt.Fprintf(&b, "\nOf the %d combinations those that make sense are played: a sample in every run, all with `-all`. In each of %d orders.\n\n", total, len(policies))

	rows := slices.Concat(rows, limits)
	count := map[string]int{}
	for _, r := range rows {
		count[r.answer]++
	}
	b.WriteString("| answer | rows |\n|---|---|\n")
	for _, a := range []string{works, better, partly, planned, notHere} {
		fmt.Fprintf(&b, "| %s | %d |\n", a, count[a])
	}
	at := 0
	for _, c := range chapters {
		fmt.Fprintf(&b, "\n## %s\n\n| # | OmpSs-2 | here | how | test |\n|---|---|---|---|---|\n", c.title)
		for i := range c.count {
			require.Less(t, at, len(rows))
			r := rows[at]
			require.Equal(t, fmt.Sprintf("%c%d", c.letter, i+1), r.id)
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.id, r.feature, r.answer, r.how, r.test)
			at++
		}
	}
	require.Len(t, rows, at)

	text := []byte(b.String())
	if *update {
		require.NoError(t, os.WriteFile(page, text, 0o644))
	}
	got, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, string(text), string(got), "docs/conformance.md is out of date: run this test with -update")
}

// TestRowsHaveTests: a row that works names a test that exists, one that does not says why.
func TestRowsHaveTests(t *testing.T) {
	tests := map[string]map[string]bool{}
	for _, r := range slices.Concat(rows, limits) {
		if r.test == "" {
			require.Contains(t, []string{planned, notHere}, r.answer, r.id)
			require.True(t, r.answer == planned || r.how != "", r.id)
			continue
		}
		folder, name := ".", r.test
		if at := strings.LastIndex(r.test, "."); at >= 0 {
			folder, name = filepath.Join("../..", r.test[:at]), r.test[at+1:]
		}
		if tests[folder] == nil {
			tests[folder] = testsIn(t, folder)
		}
		require.True(t, tests[folder][name], "%s: there is no %s", r.id, r.test)
	}
}

// testsIn returns the names of a folder's functions in test files.
func testsIn(t *testing.T, folder string) map[string]bool {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	require.NoError(t, err)
	names := map[string]bool{}
	for _, f := range files {
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				names[fn.Name.Name] = true
			}
		}
	}
	return names
}
