package lint

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// source is a file of the module. path is relative to the root, with slashes.
type source struct {
	path string
	text []byte
	fset *token.FileSet
	ast  *ast.File // nil unless a Go file
}

func (s *source) folder() string { return strings.TrimPrefix(path.Dir(s.path), ".") }
func (s *source) isTest() bool   { return strings.HasSuffix(s.path, "_test.go") }
func (s *source) at(n ast.Node) string {
	p := s.fset.Position(n.Pos())
	p.Filename = s.path
	return p.String()
}

// library tells whether the file belongs to what users import: not a program, not a test.
func (s *source) library() bool {
	top, _, _ := strings.Cut(s.path, "/")
	return s.ast != nil && !s.isTest() && top != "cmd" && top != "bench" && top != "examples" && top != "docs" && top != "scripts"
}

// public tells whether users can import the file's package.
func (s *source) public() bool {
	return s.library() && !strings.Contains("/"+s.path, "/internal/") && s.ast.Name.Name != "main"
}

// constraint is the //go:build line, or nil.
func (s *source) constraint() constraint.Expr {
	for _, g := range s.ast.Comments {
		for _, c := range g.List {
			if c.Pos() < s.ast.Package && constraint.IsGoBuild(c.Text) {
				if x, err := constraint.Parse(c.Text); err == nil {
					return x
				}
			}
		}
	}
	return nil
}

// sources are the module's Go files, and the texts that stand beside them.
func sources(t *testing.T) []*source {
	t.Helper()
	all, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var load = sync.OnceValues(func() (all []*source, err error) {
	root := filepath.Join("..", "..")
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() && name != root && (base[0] == '.' && base != ".ci" || base[0] == '_' || base == "testdata") {
			return filepath.SkipDir
		}
		switch filepath.Ext(name) {
		case ".go", ".md", ".sh", ".mod", ".txt", ".yml", ".yaml", ".json", ".toml", "":
		default:
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		s, err := parse(filepath.ToSlash(rel), string(text))
		all = append(all, s)
		return err
	})
	return all, err
})

func parse(name, text string) (*source, error) {
	s := &source{path: name, text: []byte(text), fset: token.NewFileSet()}
	if !strings.HasSuffix(name, ".go") {
		return s, nil
	}
	f, err := parser.ParseFile(s.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	s.ast = f
	return s, err
}

// imports returns the name by which the file knows the package, or "" if it does not import it.
func (s *source) imports(pkg string) string {
	for _, i := range s.ast.Imports {
		if i.Path.Value == `"`+pkg+`"` {
			if i.Name != nil {
				return i.Name.Name
			}
			return path.Base(pkg)
		}
	}
	return ""
}

// qualified is the function's name with its receiver's type, as in Deque.Push.
func qualified(f *ast.FuncDecl) string {
	if r := receiver(f); r != "" {
		return r + "." + f.Name.Name
	}
	return f.Name.Name
}

// wellKnown tells whether f is a method that says all in its name: every Go programmer knows what it is for.
func wellKnown(f *ast.FuncDecl) bool {
	switch f.Name.Name {
	case "Error", "Unwrap", "Is", "String", "GoString", "TaskClause":
		return f.Recv != nil
	}
	return false
}

// receiver is the name of the type that f is a method of, or "".
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	x := f.Recv.List[0].Type
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.IndexListExpr:
			x = y.X
		case *ast.ParenExpr:
			x = y.X
		case *ast.Ident:
			return y.Name
		default:
			return "?"
		}
	}
}
