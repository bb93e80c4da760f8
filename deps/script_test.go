package deps

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/gompss/gompss/internal/race"
)

var update = flag.Bool("update", false, "write what the engine does into testdata/*.txt")

// TestScripts runs the scenarios of testdata. Each is a sequence of blocks: commands, a line "----", and what they
// bring about; a line that starts with # is a comment.
//
//	spawn NAME [under PARENT] [final] ACCESS…   a child of PARENT, or of the root
//	finish NAME …                               bodies that end well; a task to be skipped passes on why
//	fail NAME …                                 bodies that fail
//	release NAME ACCESS…                        the release directive
//	wait NAME                                   a taskwait of NAME, or root, is over
//	close NAME                                  the body is over, but the accesses stay (the wait clause)
//	items NAME                                  how many items the domain of NAME, or root, knows
//
// An ACCESS is [weak]KIND(ITEM). Items are 64 bytes long; x[8:16] is a part of one, x[0:0] is empty, nil is nil.
//
//	ready NAME …        became ready in this block, in that order
//	skip NAME (CAUSE)   became ready too, but its input is the work of a failed task
//	blocked NAME …      was spawned in this block and is not ready
//	gone NAME …         nobody refers to the task any more
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, f := range files {
		if race.Enabled && f == "testdata/sweep.txt" {
			continue // its subject does not exist there: a domain keeps its entries until a taskwait
		}
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			got := newScript().play(t, string(text))
			if *update {
				if err := os.WriteFile(f, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got != string(text) {
				t.Errorf("%s: the engine does not do what the script says:\n%s", f, diff(string(text), got))
			}
		})
	}
}

// diff shows the first line that differs, with those before it.
func diff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(w) && i < len(g) && w[i] == g[i] {
		i++
	}
	line := func(s []string) string {
		if i < len(s) {
			return s[i]
		}
		return "end of file"
	}
	return fmt.Sprintf("%s\nline %d\n\twant %q\n\tgot  %q", strings.Join(g[max(0, i-12):i], "\n"), i+1, line(w), line(g))
}

type script struct {
	mb    *Mailbox
	root  *Node
	arena []uint64 // the items
	items map[string]int
	nodes map[string]*Node
	names map[*Node]string
	fresh []string // spawned in this block
	ready map[string]bool
	out   []string
}

func newScript() *script {
	s := &script{
		root:  new(Node),
		arena: make([]uint64, 8*64),
		items: map[string]int{},
		nodes: map[string]*Node{},
		names: map[*Node]string{},
		ready: map[string]bool{},
	}
	s.mb = NewMailbox(new(Tokens), Hooks{Name: func(n *Node) string { return s.names[n] }})
	s.root.Init(nil, 0)
	s.root.Register(s.mb)
	s.nodes["root"], s.names[s.root] = s.root, "root"
	return s
}

// play returns the script with what the engine did in place of what was expected of it.
func (s *script) play(t *testing.T, text string) string {
	var b strings.Builder
	expecting := false
	for in := bufio.NewScanner(strings.NewReader(text)); in.Scan(); {
		line := in.Text()
		f := strings.Fields(line)
		switch {
		case line == "----":
			expecting = true
			b.WriteString("----\n")
			b.WriteString(s.settle())
			continue
		case len(f) == 0:
			expecting = false
		case expecting:
			continue
		case f[0] != "#":
			if err := s.command(f[0], f[1:]); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func (s *script) report(format string, args ...any) {
	s.out = append(s.out, fmt.Sprintf(format, args...))
}

func (s *script) command(verb string, args []string) error {
	if verb == "spawn" {
		return s.spawn(args)
	}
	n := s.nodes[args[0]]
	switch verb {
	case "finish", "fail":
		for _, name := range args {
			n := s.nodes[name]
			if n == nil || n != s.root && !s.ready[name] {
				return fmt.Errorf("%s has not started", name)
			}
			delete(s.ready, name)
			if cause := n.Cause(); cause != nil {
				n.Fail(cause)
			} else if verb == "fail" {
				n.Fail(errors.New(name))
			}
			n.Finish(s.mb)
			n.Drop(s.mb)
			s.take()
		}
	case "release":
		for _, a := range args[1:] {
			acc, err := s.access(a)
			if err != nil {
				return err
			}
			if !n.Release(acc, false, s.mb) {
				s.report("refused %s", a)
			}
		}
	case "wait":
		n.Waited(s.mb)
	case "close":
		n.CloseDomain(s.mb)
	case "items":
		count := 0
		if n.domain != nil {
			count = n.domain.used
		}
		s.report("items %d", count)
	default:
		return fmt.Errorf("no such command")
	}
	s.take()
	return nil
}

func (s *script) spawn(args []string) error {
	name, parent, final := args[0], s.root, false
	args = args[1:]
	if len(args) > 1 && args[0] == "under" {
		parent = s.nodes[args[1]]
		args = args[2:]
	}
	if len(args) > 0 && args[0] == "final" {
		final = true
		args = args[1:]
	}
	n := new(Node)
	s.nodes[name], s.names[n] = n, name
	n.Init(parent, len(args))
	for _, a := range args {
		acc, err := s.access(a)
		if err != nil {
			return err
		}
		n.Declare(&acc, final)
	}
	if n.Register(s.mb) {
		s.started(n)
	}
	s.fresh = append(s.fresh, name)
	s.take()
	return nil
}

func (s *script) access(text string) (Access, error) {
	kind, item, ok := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	if !ok {
		return Access{}, fmt.Errorf("%q is no access", text)
	}
	var a Access
	if kind, a.weak = strings.CutPrefix(kind, "weak"); a.weak {
		defer func() { a.weak = true }()
	}
	for k := KindIn; k <= KindCommutative; k++ {
		if k.String() == kind {
			a.kind = k
		}
	}
	if a.kind == kindNone {
		return a, fmt.Errorf("%q is no kind", kind)
	}
	if item == "nil" {
		a.size = 64
		return a, nil
	}
	name, part, cut := strings.Cut(strings.TrimSuffix(item, "]"), "[")
	at, ok := s.items[name]
	if !ok {
		at = 64 * len(s.items)
		s.items[name] = at
	}
	lo, hi := 0, 64
	if cut {
		l, h, _ := strings.Cut(part, ":")
		var err1, err2 error
		lo, err1 = strconv.Atoi(l)
		hi, err2 = strconv.Atoi(h)
		if err := errors.Join(err1, err2); err != nil {
			return a, err
		}
	}
	a.ptr = unsafe.Add(unsafe.Pointer(&s.arena[0]), at+lo)
	a.size = uintptr(hi - lo)
	return a, nil
}

func (s *script) started(n *Node) {
	name := s.names[n]
	s.ready[name] = true
	if cause := n.Cause(); cause != nil {
		s.report("skip %s (%v)", name, cause)
		return
	}
	if k := len(s.out) - 1; k >= 0 && strings.HasPrefix(s.out[k], "ready ") {
		s.out[k] += " " + name
		return
	}
	s.report("ready %s", name)
}

// take collects what the last command made ready or let go.
func (s *script) take() {
	for n := s.mb.TakeReady(); n != nil; {
		next := n.Link
		s.started(n)
		n = next
	}
	for n := s.mb.TakeFree(); n != nil; {
		next := n.Link
		if k := len(s.out) - 1; k >= 0 && strings.HasPrefix(s.out[k], "gone ") {
			s.out[k] += " " + s.names[n]
		} else {
			s.report("gone %s", s.names[n])
		}
		n = next
	}
}

// settle returns what happened in the block.
func (s *script) settle() string {
	blocked := ""
	for _, name := range s.fresh {
		if s.nodes[name].pending.Load() > 0 || s.waitsForToken(name) {
			blocked += " " + name
		}
	}
	if blocked != "" {
		s.report("blocked%s", blocked)
	}
	text := ""
	for _, l := range s.out {
		text += l + "\n"
	}
	s.out, s.fresh = nil, nil
	return text
}

// waitsForToken tells whether only commutative tasks hold a task back.
func (s *script) waitsForToken(name string) bool {
	n := s.nodes[name]
	for i := range s.mb.tokens.shards {
		for t := s.mb.tokens.shards[i].taken; t != nil; t = t.next {
			for w := t.waiters.head; w != nil; w = w.Link {
				if w == n {
					return true
				}
			}
		}
	}
	return false
}
