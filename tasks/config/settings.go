package config

import (
	"fmt"
	"iter"
	"strings"

	"github.com/gompss/gompss/tasks"
)

// Settings is a value for every key, with where it came from. The zero value holds the defaults. It is not safe for
// concurrent use while it is changed.
type Settings struct {
	given map[string]Setting
}

// Setting is one key with its value, an int or a bool, and its origin: "default", a file and line as in "gompss.toml:3",
// or the name of an environment variable.
type Setting struct {
	Key    string
	Value  any
	Origin string
}

// isDefault is the origin of what nobody has set.
const isDefault = "default"

// All yields the settings of all keys, in the order of the default file.
func (s *Settings) All() iter.Seq[Setting] {
	return func(yield func(Setting) bool) {
		for i := range keys {
			if !yield(s.get(&keys[i])) {
				return
			}
		}
	}
}

// Tasks returns the settings as a Config for [tasks.New]. Fields that have no key (Trace, Logger, Pick) are zero. It
// returns an error if the values, each good by itself, do not go together; the error says where each came from.
func (s *Settings) Tasks() (tasks.Config, error) {
	var cfg tasks.Config
	var origins []string
	for i := range keys {
		if v, ok := s.given[keys[i].name]; ok {
			keys[i].set(&cfg, v.Value)
			origins = append(origins, fmt.Sprintf("%s = %v from %s", v.Key, v.Value, v.Origin))
		}
	}
	if _, err := cfg.Effective(); err != nil {
		return tasks.Config{}, fmt.Errorf("config: %w (%s)", err, strings.Join(origins, ", "))
	}
	return cfg, nil
}

func (s *Settings) get(k *key) Setting {
	if v, ok := s.given[k.name]; ok {
		return v
	}
	return Setting{k.name, k.initial, isDefault}
}

// put replaces what was given before.
func (s *Settings) put(given []Setting) {
	if s.given == nil {
		s.given = map[string]Setting{}
	}
	for _, v := range given {
		s.given[v.Key] = v
	}
}

// newSetting checks a value as TOML has it.
func newSetting(name string, value any, origin string) (Setting, error) {
	k, ok := lookup(name)
	if !ok {
		if isSection(name) {
			return Setting{}, fmt.Errorf("%s: %s: got %s, want a section", origin, name, show(value))
		}
		return Setting{}, fmt.Errorf("%s: %s: no such key%s", origin, name, didYouMean(name))
	}
	v, ok := k.domain.check(value)
	if !ok {
		return Setting{}, fmt.Errorf("%s: %s: got %s, want %s", origin, name, show(value), k.domain)
	}
	return Setting{name, v, origin}, nil
}

// show is a wrong value for an error message: what it is if it is short and simple, else of what kind it is.
func show(value any) string {
	switch v := value.(type) {
	case string:
		if len(v) > 40 {
			return "a long string"
		}
		return fmt.Sprintf("%q", v)
	case int64, float64, bool:
		return fmt.Sprint(v)
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "an array"
	default:
		return "a date or time"
	}
}
