package lint

import (
	"cmp"
	"go/ast"
	"slices"
	"testing"
)

func TestExportedNamesHaveComments(t *testing.T) {
	folders := map[string][]*source{}
	for _, s := range sources(t) {
		if s.library() {
			folders[s.folder()] = append(folders[s.folder()], s)
		}
	}
	for _, files := range folders {
		for _, name := range uncommented(files) {
			t.Error(name)
		}
	}
}

// uncommented lists the exported names of a package that have no comment in any file: of two declarations for different
// builds one may be bare. A comment on a group of constants or variables counts for all of them, and so do comments inside:
// beside its neighbours' comments a name can speak for itself.
func uncommented(files []*source) (bare []string) {
	commented, where := map[string]bool{}, map[string]string{}
	note := func(s *source, id *ast.Ident, name string, docs ...*ast.CommentGroup) {
		if !id.IsExported() {
			return
		}
		if where[name] == "" {
			where[name] = s.at(id)
		}
		for _, d := range docs {
			commented[name] = commented[name] || d.Text() != ""
		}
	}
	packageDoc := false
	for _, s := range files {
		packageDoc = packageDoc || s.ast.Doc.Text() != ""
		for _, d := range s.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if r := receiver(d); (r == "" || ast.IsExported(r)) && !wellKnown(d) {
					note(s, d.Name, qualified(d), d.Doc)
				}
			case *ast.GenDecl:
				group := d.Doc
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && group == nil {
						group = cmp.Or(v.Doc, v.Comment)
					}
				}
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						note(s, spec.Name, spec.Name.Name, spec.Doc, d.Doc, spec.Comment)
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							note(s, id, id.Name, group)
						}
					}
				}
			}
		}
	}
	for name, at := range where {
		if !commented[name] {
			bare = append(bare, at+": "+name+" has no comment")
		}
	}
	if !packageDoc {
		bare = append(bare, files[0].folder()+": the package has no comment")
	}
	slices.Sort(bare)
	return bare
}

func TestUncommented(t *testing.T) {
	a, _ := parse("p/a.go", `// Package p is documented.
package p
// A is.
type A struct{}
func (A) B() {}
func (hidden) C() {}
func (A) String() string
// Group comment.
const ( D = 1; E = 2 )
var F int // trailing
func G() {}
func H() {}
`)
	b, _ := parse("p/b.go", "package p\n// H is.\nfunc H() {}\n")
	want := []string{"p/a.go:11:6: G has no comment", "p/a.go:5:10: A.B has no comment"}
	if got := uncommented([]*source{a, b}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
