package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/tasks"
)

func TestOverride(t *testing.T) {
	for list, want := range map[string]tasks.Config{
		"":                    {},
		" ":                   {},
		"scheduler.workers=4": {Workers: 4},
		"scheduler.workers=4,throttle.tasks=1000":       {Workers: 4, Throttle: 1000},
		" scheduler.workers = 4 ,\tthrottle.tasks=1_0 ": {Workers: 4, Throttle: 10},
		"scheduler.serial=true":                         {Serial: true},
		"throttle.enabled=false,throttle.tasks=+9":      {Throttle: -1},
	} {
		var s Settings
		require.NoError(t, s.Override(list, "V"), list)
		cfg, err := s.Tasks()
		require.NoError(t, err, list)
		require.Equal(t, want, cfg, list)
	}
}

func TestOverrideNamesVariableAndKey(t *testing.T) {
	for list, want := range map[string]string{
		"scheduler.worker=4":                "V: scheduler.worker: no such key; did you mean scheduler.workers?",
		"tasks=4":                           "V: tasks: no such key; did you mean throttle.tasks?",
		"scheduler.workers":                 `V: item 1 is "scheduler.workers", want section.key=value`,
		"throttle.tasks=4,":                 `V: item 2 is "", want section.key=value`,
		"=4":                                `V: item 1 is "=4", want section.key=value`,
		"scheduler.workers=":                `V: scheduler.workers: got "", want an integer from 0 to 65536`,
		"scheduler.workers=four":            `V: scheduler.workers: got "four", want an integer from 0 to 65536`,
		"scheduler.workers=4=5":             `V: scheduler.workers: got "4=5", want an integer from 0 to 65536`,
		"scheduler.workers=010":             `V: scheduler.workers: got "010", want an integer from 0 to 65536`,
		"scheduler.workers=1__0":            `V: scheduler.workers: got "1__0", want an integer from 0 to 65536`,
		"scheduler.workers=_1":              `V: scheduler.workers: got "_1", want an integer from 0 to 65536`,
		"scheduler.workers=1_":              `V: scheduler.workers: got "1_", want an integer from 0 to 65536`,
		"scheduler.workers=+-1":             `V: scheduler.workers: got "+-1", want an integer from 0 to 65536`,
		"scheduler.workers=-1":              "V: scheduler.workers: got -1, want an integer from 0 to 65536",
		"throttle.enabled=True":             `V: throttle.enabled: got "True", want true or false`,
		"throttle.tasks=1,throttle.tasks=2": "V: throttle.tasks: given twice",
		"a\nb=1":                            `V: "a\nb": no such key`,
		strings.Repeat("a", 100) + "=1":     "V: a long string: no such key",
		"scheduler=4":                       `V: scheduler: got "4", want a section`,
		"a.b=1,throttle.tasks=x":            "V: a.b: no such key\n" + `V: throttle.tasks: got "x", want an integer from 1 to 1073741824`,
	} {
		var s Settings
		require.EqualError(t, s.Override(list, "V"), want, "%q", list)
		require.Empty(t, s.given, "nothing is taken of %q", list)
	}
}

// FuzzOverride: a list that is taken means what the same items mean as lines of a file.
func FuzzOverride(f *testing.F) {
	f.Add("scheduler.workers=4,throttle.tasks=1_000")
	f.Add(" throttle.enabled = false ,scheduler.serial=true")
	f.Add("scheduler.workers=+0,a.b=c,,=")
	f.Fuzz(func(t *testing.T, list string) {
		var s, file Settings
		if err := s.Override(list, "V"); err != nil {
			require.Empty(t, s.given)
			return
		}
		for item := range strings.SplitSeq(list, ",") {
			if key, value, ok := strings.Cut(item, "="); ok { // not so only where the list is blank
				line := strings.TrimSpace(key) + " = " + strings.TrimSpace(value)
				require.NoError(t, file.Read(strings.NewReader(line), "f"), "%q", line)
			}
		}
		require.Equal(t, values(&file), values(&s))

		var items []string
		for v := range s.All() {
			items = append(items, fmt.Sprintf("%s=%v", v.Key, v.Value))
		}
		var again Settings
		require.NoError(t, again.Override(strings.Join(items, ","), "V"))
		require.Equal(t, values(&s), values(&again))
	})
}
