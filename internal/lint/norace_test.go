package lint

import (
	"go/ast"
	"go/build/constraint"
	"path"
	"slices"
	"strings"
	"testing"
)

// hidden are the folders whose code runs hidden from the race detector (see internal/race). There every function carries
// //go:norace unless it is named here as visible: one that runs only in sight of the detector, or touches nothing that
// hidden code writes. A name that is not needed any more is an error.
//
// Of a folder most of which runs in sight, files names the files that are meant. A folder that is not yet binding has its
// findings logged.
var hidden = []struct {
	folder  string
	binding bool
	files   string
	visible string
}{
	{folder: "internal/deque", binding: true},
	{folder: "internal/interval", binding: true},
	{folder: "internal/spare", binding: true, visible: "New"},
	{folder: "deps", binding: true, visible: "Access.TaskClause List.TaskClause NewMailbox badTile"},
	{folder: "reduce", binding: true, files: "access.go combine.go copies.go number.go reduction.go", visible: "copies.Combine copies.Parts"},
	{folder: "mpi/internal/transport", binding: true, visible: "Op.Post"},
	{folder: "mpi/inproc", binding: true, visible: "New"},
	{
		folder: "mpi", binding: true,
		files: "collective.go copied.go elem.go hb_on.go ledger.go request.go rest.go trace.go wait.go world.go",
		visible: `
			Comm.begin collective.fence collective.send collective.recv collective.relay collective.transfer
			collective.combine collective.copy wait
			elemOf newElem pointerIn viewOf view.bytes view.at view.part view.like
			loan.run loan.readByOperation loan.writtenByOperation
			Request.Wait Request.Test Request.Status Request.Free Request.Cancel Request.OnDone Request.call
			Request.result Request.checkFreed Request.await Request.arm borrowWaiter waiter.giveBack
			Comm.Attach restState.writeTo newTracer newWorld world.communicator
			signature.String disagreement.Error disagreement.Unwrap wrongLength.Error wrongLength.Unwrap
			badType.Error badType.Unwrap`,
	},
	{folder: "tasks", binding: true, visible: `
		NewType Type.TaskClause Option.TaskClause Config.Effective New Runtime.Close
		Runtime.Run Runtime.Go Runtime.independent run.prepare run.begin run.end run.abort waiter.Resume sleeper.arm
		newPanicError critical.String TaskError.Error TaskError.Unwrap PanicError.Error PanicError.Unwrap
		DeadlockError.Error DeadlockError.Unwrap cancelled.Error cancelled.Unwrap combine fold
		Task.Record Task.record Recorded.add Task.InOrder cycleScope.combine cycleNode.refuse cycleNode.refuseOne
		Async Future.produce Future.Value Future.Get Future.WaitContext
		Stream.Go Stream.Synchronize Stream.Cancel Runtime.SynchronizeStreams run.endInStream
		Runtime.Predictions Runtime.Predicted NewVersions Versions.Spawn Versions.Estimates call.run
		Task.Group Group.follow Group.Context Group.Cancel
		`},
}

func TestHiddenFunctionsAreNorace(t *testing.T) {
	for _, h := range hidden {
		t.Run(strings.ReplaceAll(h.folder, "/", "."), func(t *testing.T) {
			report := t.Errorf
			if !h.binding {
				report = t.Logf
			}
			for _, finding := range visible(inRaceBuilds(sources(t), h.folder, h.files), strings.Fields(h.visible)) {
				report("%s", finding)
			}
		})
	}
}

// inRaceBuilds returns the folder's files that a race build may compile, tests excluded, and if names are given, of those
// only these.
func inRaceBuilds(all []*source, folder, names string) (files []*source) {
	for _, s := range all {
		named := names == "" || slices.Contains(strings.Fields(names), path.Base(s.path))
		if s.folder() == folder && named && s.library() && !excludes(s.constraint(), "race") {
			files = append(files, s)
		}
	}
	return files
}

// excludes tells whether x is false with tag set, whatever the other tags are (all set or none is all we need).
func excludes(x constraint.Expr, tag string) bool {
	if x == nil {
		return false
	}
	all := x.Eval(func(string) bool { return true })
	only := x.Eval(func(t string) bool { return t == tag })
	return !all && !only
}

// visible lists what the detector could see in files: functions without the pragma, and in functions with it what the
// pragma does not reach. allowed are names of functions without it, Type.Method for methods.
func visible(files []*source, allowed []string) (findings []string) {
	unused := slices.Clone(allowed)
	for _, s := range files {
		for _, d := range s.ast.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			name := qualified(f)
			switch {
			case norace(f):
				findings = append(findings, leaks(s, f)...)
			case slices.Contains(allowed, name):
				unused = slices.DeleteFunc(unused, func(n string) bool { return n == name })
			default:
				findings = append(findings, s.at(f)+": "+name+" lacks //go:norace")
			}
		}
	}
	for _, name := range unused {
		findings = append(findings, name+" is listed as visible, and no such function lacks //go:norace")
	}
	return findings
}

func norace(f *ast.FuncDecl) bool {
	return f.Doc != nil && slices.ContainsFunc(f.Doc.List, func(c *ast.Comment) bool { return c.Text == "//go:norace" })
}

// leaks lists function literals, which the pragma does not reach, and the built-in functions that the Go runtime itself
// shows to the detector.
func leaks(s *source, f *ast.FuncDecl) (findings []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		what := ""
		switch n := n.(type) {
		case *ast.FuncLit:
			what = "a function literal"
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "append" || id.Name == "copy" || id.Name == "delete") {
				what = id.Name
			}
		}
		if what != "" {
			findings = append(findings, s.at(n)+": "+what+" in "+qualified(f)+", which is //go:norace")
		}
		return true
	})
	return findings
}

func TestVisible(t *testing.T) {
	for _, c := range []struct{ name, code, allowed, want string }{
		{"with the pragma", "//go:norace\nfunc F() {}", "", ""},
		{"with a comment before", "// F is.\n//\n//go:norace\nfunc F() {}", "", ""},
		{"without", "func F() {}", "", "p/p.go:3:1: F lacks //go:norace"},
		{"a space too many", "// go:norace\nfunc F() {}", "", "p/p.go:4:1: F lacks //go:norace"},
		{"apart from the function", "//go:norace\n\nfunc F() {}", "", "p/p.go:5:1: F lacks //go:norace"},
		{"a generic method", "func (m *M[K, V]) F() {}", "", "p/p.go:3:1: M.F lacks //go:norace"},
		{"allowed", "func (m *M[K]) F() {}", "M.F", ""},
		{"allowed in vain", "//go:norace\nfunc F() {}", "F", "F is listed as visible, and no such function lacks //go:norace"},
		{"a literal", "//go:norace\nfunc F() { defer func() {}() }", "", "p/p.go:4:18: a function literal in F, which is //go:norace"},
		{"append", "//go:norace\nfunc F() { x = append(x, 1) }", "", "p/p.go:4:16: append in F, which is //go:norace"},
		{"a literal in a visible function", "func F() { defer func() {}() }", "F", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := parse("p/p.go", "package p\n\n"+c.code+"\n")
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(visible([]*source{s}, strings.Fields(c.allowed)), "\n"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestExcludes(t *testing.T) {
	for _, c := range []struct {
		line string
		want bool
	}{
		{"", false}, {"race", false}, {"!race", true}, {"linux && !race", true}, {"linux || !race", false}, {"!linux", false},
	} {
		text := "package p\n"
		if c.line != "" {
			text = "//go:build " + c.line + "\n\n" + text
		}
		s, err := parse("p/p.go", text)
		if err != nil {
			t.Fatal(err)
		}
		if got := excludes(s.constraint(), "race"); got != c.want {
			t.Errorf("%q: %v", c.line, got)
		}
	}
}
