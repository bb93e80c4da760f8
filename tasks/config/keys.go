package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gompss/gompss/tasks"
)

// keys are all keys there are, by sections. They are applied in this order, whatever the order in the file.
var keys = []key{
	integer("scheduler.workers", func(c *tasks.Config) *int { return &c.Workers }, 0, 1<<16,
		"Slots: task bodies that may run at once. 0 is one for each core the program may use."),
	boolean("scheduler.serial", func(c *tasks.Config) *bool { return &c.Serial },
		"Serial elision, to look for errors: every body runs where it is spawned, in program order. Needs one worker."),
	integer("throttle.tasks", func(c *tasks.Config) *int { return &c.Throttle }, 1, 1<<30,
		"A task with more live children than this gives its slot to ready tasks until half of them are done."),
	{"throttle.enabled", true, truth{}, func(c *tasks.Config, v any) {
		if v == false {
			c.Throttle = -1
		}
	}, "Whether creation is bounded at all."},
}

// key is one setting.
type key struct {
	name    string // section.word
	initial any
	domain  domain
	set     func(*tasks.Config, any)
	doc     string
}

// domain is a set of values of one type.
type domain interface {
	// check returns v, which is of a type that TOML has, as the Go value of the domain, and whether it belongs there.
	check(v any) (any, bool)

	// parse returns the value that text stands for, as TOML has it; if it stands for none, text itself.
	parse(text string) any

	// String says what belongs to the domain.
	String() string
}

// initial is what New takes for a zero Config. Workers stays zero: its default is the machine's, not a number.
var initial = func() tasks.Config {
	c, err := tasks.Config{}.Effective()
	if err != nil {
		panic("config: the zero tasks.Config: " + err.Error())
	}
	c.Workers = 0
	return c
}()

// integer is a key for a field that is a number from lo to hi.
func integer(name string, field func(*tasks.Config) *int, lo, hi int, doc string) key {
	set := func(c *tasks.Config, v any) { *field(c) = v.(int) }
	return key{name, *field(&initial), span{lo, hi}, set, doc}
}

// boolean is a key for a field that is true or false.
func boolean(name string, field func(*tasks.Config) *bool, doc string) key {
	set := func(c *tasks.Config, v any) { *field(c) = v.(bool) }
	return key{name, *field(&initial), truth{}, set, doc}
}

// span is the integers from lo to hi.
type span struct{ lo, hi int }

func (s span) check(v any) (any, bool) {
	n, ok := v.(int64)
	return int(n), ok && n >= int64(s.lo) && n <= int64(s.hi)
}

func (s span) parse(text string) any {
	if n, ok := parseInt(text); ok {
		return n
	}
	return text
}

func (s span) String() string { return fmt.Sprintf("an integer from %d to %d", s.lo, s.hi) }

// truth is true and false.
type truth struct{}

func (truth) check(v any) (any, bool) {
	b, ok := v.(bool)
	return b, ok
}

func (truth) parse(text string) any {
	switch text {
	case "true":
		return true
	case "false":
		return false
	}
	return text
}

func (truth) String() string { return "true or false" }

// lookup finds a key by its name.
func lookup(name string) (*key, bool) {
	for i := range keys {
		if keys[i].name == name {
			return &keys[i], true
		}
	}
	return nil, false
}

// isSection tells whether some key is in a section of that name.
func isSection(name string) bool {
	return slices.ContainsFunc(keys, func(k key) bool { return k.section() == name })
}

// section is the first part of the name.
func (k *key) section() string {
	s, _, _ := strings.Cut(k.name, ".")
	return s
}

// word is the name within its section.
func (k *key) word() string {
	_, w, _ := strings.Cut(k.name, ".")
	return w
}
