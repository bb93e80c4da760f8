package lint

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// exceptions are exported functions and methods that need no Example, with the reason. One that has become unneeded, or
// that names nothing, is an error; a folder that does not exist yet is not.
var exceptions = []struct{ folder, names, reason string }{
	{"deps", "Mailbox.TakeFree Node.Acquire Node.Cause Node.CauseUnless Node.CloseDomain Node.Surrender Node.SurrenderItem Node.Waited",
		"for the runtime only; the Example of Node shows how they go together"},
}

// pending are folders whose Examples are still being written: what they lack is logged. A folder that lacks none must
// leave the list.
var pending = []string{
	"accel", "chk", "coarray", "mpi/native",
}

func TestEveryFunctionIsShown(t *testing.T) {
	type folder struct{ code, tests []*source }
	folders := map[string]*folder{}
	for _, s := range sources(t) {
		if s.ast == nil {
			continue
		}
		f := folders[s.folder()]
		if f == nil {
			f = new(folder)
			folders[s.folder()] = f
		}
		if s.public() {
			f.code = append(f.code, s)
		} else if s.isTest() {
			f.tests = append(f.tests, s)
		}
	}
	for name, f := range folders {
		missing := unshown(f.code, f.tests)
		for _, e := range exceptions {
			if e.folder != name {
				continue
			}
			for _, fn := range strings.Fields(e.names) {
				if i := slices.Index(missing, fn); i >= 0 {
					missing = slices.Delete(missing, i, i+1)
				} else {
					t.Errorf("%s.%s needs no exception any more", name, fn)
				}
			}
		}
		waits := slices.Contains(pending, name)
		switch {
		case waits && len(missing) > 0:
			t.Logf("%s: %d functions wait for an Example: %s", name, len(missing), strings.Join(missing, " "))
		case waits && declares(f.code):
			t.Errorf("%s has all its Examples: take it off the pending list", name)
		default:
			for _, fn := range missing {
				t.Errorf("%s.%s is in no Example", name, fn)
			}
		}
	}
}

// unshown lists the exported functions and methods in code that no Example function in tests has in its name or its body.
// Bodies are compared by name alone: an Example that calls Wait of one type shows Wait of every type.
func unshown(code, tests []*source) (missing []string) {
	shown := map[string]bool{}
	for _, s := range tests {
		for _, d := range s.ast.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Example") {
				continue
			}
			for _, part := range strings.Split(strings.TrimPrefix(f.Name.Name, "Example"), "_") {
				shown[part] = true
			}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					shown[id.Name] = true
				}
				return true
			})
		}
	}
	eachExported(code, func(f *ast.FuncDecl) {
		if name := qualified(f); !shown[f.Name.Name] && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	})
	slices.Sort(missing)
	return missing
}

func declares(code []*source) (any bool) {
	eachExported(code, func(*ast.FuncDecl) { any = true })
	return any
}

func eachExported(code []*source, visit func(*ast.FuncDecl)) {
	for _, s := range code {
		for _, d := range s.ast.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.IsExported() && !wellKnown(f) && (f.Recv == nil || ast.IsExported(receiver(f))) {
				visit(f)
			}
		}
	}
}

func TestUnshown(t *testing.T) {
	code, _ := parse("p/p.go", "package p\nfunc A() {}\nfunc (T) B() {}\nfunc C() {}\nfunc (t) D() {}\nfunc E() {}\nfunc f() {}\n")
	tests, _ := parse("p/p_test.go", "package p\nfunc ExampleA() {}\nfunc ExampleT_B() {}\nfunc Example() { p.C() }\nfunc TestE() { E() }\n")
	want := []string{"E"}
	if got := unshown([]*source{code}, []*source{tests}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
