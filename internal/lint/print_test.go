package lint

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// TestLibrariesDoNotPrint keeps library packages from writing to streams and loggers that belong to the program. They take
// an io.Writer or a *slog.Logger.
func TestLibrariesDoNotPrint(t *testing.T) {
	for _, s := range sources(t) {
		if s.library() {
			for _, p := range prints(s) {
				t.Error(p)
			}
		}
	}
}

func prints(s *source) (found []string) {
	if s.imports("log") != "" {
		found = append(found, s.path+": imports log")
	}
	fmtName := s.imports("fmt")
	ast.Inspect(s.ast, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch f := call.Fun.(type) {
		case *ast.Ident:
			if f.Name == "print" || f.Name == "println" {
				found = append(found, s.at(n)+": "+f.Name)
			}
		case *ast.SelectorExpr:
			if x, ok := f.X.(*ast.Ident); ok && fmtName != "" && x.Name == fmtName && strings.HasPrefix(f.Sel.Name, "Print") {
				found = append(found, s.at(n)+": fmt."+f.Sel.Name)
			}
		}
		return true
	})
	return found
}

func TestPrints(t *testing.T) {
	s, err := parse("p/p.go", `package p
import (f "fmt"; "log")
func _() { f.Println(); f.Sprint(); f.Fprintln(nil); println(); log.Print() }
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"p/p.go: imports log", "p/p.go:3:12: fmt.Println", "p/p.go:3:54: println"}
	if got := prints(s); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
