package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// maxFile is more than any configuration has, and keeps a wrong path, such as a device, from filling the memory.
const maxFile = 1 << 20

// Read takes the settings that r, which is TOML, gives; those it does not give stay. name is what errors and origins call
// r, usually the file's path. If anything in r is wrong nothing is taken, and the error names every line that is wrong.
func (s *Settings) Read(r io.Reader, name string) error {
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > maxFile {
		return fmt.Errorf("%s: longer than %d bytes", name, maxFile)
	}
	name = oneLine(name)
	leaves, err := leavesOf(string(text))
	if err != nil {
		return syntaxError(err, name)
	}
	var given []Setting
	var errs []error
	for _, l := range leaves {
		if _, ok := l.value.(map[string]any); ok && isSection(l.key) {
			continue
		}
		v, err := newSetting(l.key, l.value, fmt.Sprintf("%s:%d", name, l.line))
		given, errs = append(given, v), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	s.put(given)
	return nil
}

// leaf is a key with a value that is no table, or an empty one.
type leaf struct {
	key   string
	value any
	line  int
}

// leavesOf returns what is in text, by lines.
func leavesOf(text string) ([]leaf, error) {
	var top map[string]toml.Primitive
	md, err := toml.Decode(text, &top)
	if err != nil {
		return nil, err
	}
	leaves, err := collect(&md, nil, top)
	slices.SortStableFunc(leaves, func(a, b leaf) int { return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.key, b.key)) })
	return leaves, err
}

func collect(md *toml.MetaData, path toml.Key, table map[string]toml.Primitive) (leaves []leaf, err error) {
	for word, p := range table {
		at := append(slices.Clip(path), word)
		value, line, err := locate(md, p)
		if err != nil {
			return nil, err
		}
		if inner, ok := value.(map[string]any); !ok || len(inner) == 0 {
			leaves = append(leaves, leaf{at.String(), value, line})
			continue
		}
		var inner map[string]toml.Primitive
		if err := md.PrimitiveDecode(p, &inner); err != nil {
			return nil, err
		}
		more, err := collect(md, at, inner)
		if err != nil {
			return nil, err
		}
		leaves = append(leaves, more...)
	}
	return leaves, nil
}

// locate returns the value of p and its line. The library tells positions only in errors, so the value is taken in a way
// that fails.
func locate(md *toml.MetaData, p toml.Primitive) (value any, line int, err error) {
	var c catcher
	err = md.PrimitiveDecode(p, &c)
	if pe := (toml.ParseError{}); errors.As(err, &pe) {
		return c.value, pe.Position.Line, nil
	}
	return nil, 0, fmt.Errorf("config: no position: %w", err)
}

// catcher keeps the value and refuses it.
type catcher struct{ value any }

var errCaught = errors.New("caught")

// UnmarshalTOML is called by the library, with the value as TOML has it.
func (c *catcher) UnmarshalTOML(value any) error {
	c.value = value
	return errCaught
}

// syntaxError puts an error of the library into the form of ours.
func syntaxError(err error, name string) error {
	pe := toml.ParseError{}
	if !errors.As(err, &pe) {
		return fmt.Errorf("%s: %w", name, err)
	}
	if pe.LastKey == "" {
		return fmt.Errorf("%s:%d: %s", name, pe.Position.Line, pe.Message)
	}
	return fmt.Errorf("%s:%d: %s: %s", name, pe.Position.Line, pe.LastKey, pe.Message)
}

// oneLine keeps a file's name from breaking an error or a comment in two.
func oneLine(name string) string {
	if q := fmt.Sprintf("%q", name); strings.Contains(q, `\`) {
		return q
	}
	return name
}
