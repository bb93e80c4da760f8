package config

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/tasks"
)

func TestReadTakesWhatIsGiven(t *testing.T) {
	for _, text := range []string{
		"[scheduler]\nworkers = 4\n[throttle]\ntasks = 1_000\n",
		"scheduler.workers = 4\nthrottle.tasks = 1000",
		"throttle = {tasks = 0x3e8}\r\n[scheduler]\r\nworkers = +4 # four\r\n",
	} {
		var s Settings
		require.NoError(t, s.Read(strings.NewReader(text), "f"), text)
		cfg, err := s.Tasks()
		require.NoError(t, err)
		require.Equal(t, tasks.Config{Workers: 4, Throttle: 1000}, cfg, text)
	}
}

func TestReadKeepsWhatIsNotGiven(t *testing.T) {
	var s Settings
	require.NoError(t, s.Read(strings.NewReader("[scheduler]\nworkers = 4\n\nserial = false\n"), "a"))
	require.NoError(t, s.Read(strings.NewReader("\n[throttle]\nenabled = false\n[scheduler]\nworkers = 5\n"), "b"))
	require.NoError(t, s.Read(strings.NewReader("# nothing\n[scheduler]\n"), "c"))
	require.Equal(t, []Setting{
		{"scheduler.workers", 5, "b:5"},
		{"scheduler.serial", false, "a:4"},
		{"throttle.tasks", 512, "default"},
		{"throttle.enabled", false, "b:3"},
	}, all(&s))
	cfg, err := s.Tasks()
	require.NoError(t, err)
	require.Equal(t, tasks.Config{Workers: 5, Throttle: -1}, cfg)
}

// TestThrottleTasksDoesNotEnable: the order in the file does not matter.
func TestThrottleTasksDoesNotEnable(t *testing.T) {
	var s Settings
	require.NoError(t, s.Read(strings.NewReader("[throttle]\nenabled = false\ntasks = 7\n"), "f"))
	cfg, err := s.Tasks()
	require.NoError(t, err)
	require.Equal(t, -1, cfg.Throttle)
}

func TestReadNamesFileLineAndKey(t *testing.T) {
	for text, want := range map[string]string{
		"[scheduler]\nwrokers = 4":                   "f:2: scheduler.wrokers: no such key; did you mean scheduler.workers?",
		"workers = 4":                                "f:1: workers: no such key; did you mean scheduler.workers?",
		"[throttle]\nworkers = 4":                    "f:2: throttle.workers: no such key; did you mean scheduler.workers?",
		"[Scheduler]\nWorkers = 4":                   "f:2: Scheduler.Workers: no such key; did you mean scheduler.workers?",
		"[instrument.ctf]\ntmpdir = ''":              "f:2: instrument.ctf.tmpdir: no such key",
		"\n[unknown]":                                "f:2: unknown: no such key",
		"\"scheduler.workers\" = 1":                  `f:1: "scheduler.workers": no such key; did you mean scheduler.workers?`,
		"[scheduler]\n\"work\\ners\" = 4":            `f:2: scheduler."work\ners": no such key; did you mean scheduler.workers?`,
		"scheduler = 4":                              "f:1: scheduler: got 4, want a section",
		"[[scheduler]]\nworkers = 4":                 "f:1: scheduler: got an array, want a section",
		"[scheduler]\nworkers.x = 4":                 "f:2: scheduler.workers.x: no such key; did you mean scheduler.workers?",
		"[scheduler.workers]":                        "f:1: scheduler.workers: got a table, want an integer from 0 to 65536",
		"[scheduler]\n\nworkers = '4'":               `f:3: scheduler.workers: got "4", want an integer from 0 to 65536`,
		"[scheduler]\nworkers = 4.0":                 "f:2: scheduler.workers: got 4, want an integer from 0 to 65536",
		"[scheduler]\nworkers = true":                "f:2: scheduler.workers: got true, want an integer from 0 to 65536",
		"[scheduler]\nworkers = [4]":                 "f:2: scheduler.workers: got an array, want an integer from 0 to 65536",
		"[scheduler]\nworkers = [{}]":                "f:2: scheduler.workers: got an array, want an integer from 0 to 65536",
		"[scheduler]\nworkers = 1979-05-27":          "f:2: scheduler.workers: got a date or time, want an integer from 0 to 65536",
		"[scheduler]\nworkers = -1":                  "f:2: scheduler.workers: got -1, want an integer from 0 to 65536",
		"[scheduler]\nworkers = 65537":               "f:2: scheduler.workers: got 65537, want an integer from 0 to 65536",
		"[throttle]\ntasks = 0":                      "f:2: throttle.tasks: got 0, want an integer from 1 to 1073741824",
		"[throttle]\ntasks = 0x100000001":            "f:2: throttle.tasks: got 4294967297, want an integer from 1 to 1073741824",
		"[throttle]\nenabled = 1":                    "f:2: throttle.enabled: got 1, want true or false",
		"[throttle]\nenabled = 'true'":               `f:2: throttle.enabled: got "true", want true or false`,
		"[scheduler]\nworkers = 1\nworkers = 2":      "f:3: scheduler.workers: Key 'scheduler.workers' has already been defined.",
		"[scheduler]\nworkers =":                     "f:2: scheduler.workers: unexpected EOF; expected value",
		"[scheduler]\nworkers = 010":                 `f:2: scheduler.workers: Invalid integer "010": cannot have leading zeroes`,
		"[scheduler]\nworkers = 9" + zeros(30):       "f:2: scheduler.workers: 9" + zeros(30) + " is out of range for int64",
		"[scheduler]\nworkers = '" + zeros(50) + "'": "f:2: scheduler.workers: got a long string, want an integer from 0 to 65536",
		"\xff":             "f:1: invalid UTF-8 byte: 0xff",
		zeros(maxFile + 1): "f: longer than 1048576 bytes",
	} {
		var s Settings
		require.EqualError(t, s.Read(strings.NewReader(text), "f"), want, "%.80q", text)
		require.Equal(t, all(new(Settings)), all(&s), "nothing is taken of %.80q", text)
	}
}

func zeros(n int) string { return strings.Repeat("0", n) }

func all(s *Settings) (list []Setting) {
	for v := range s.All() {
		list = append(list, v)
	}
	return list
}

func TestReadTellsEverythingThatIsWrong(t *testing.T) {
	var s Settings
	text := "[throttle]\ntasks = 'x'\nenabled = false\n[scheduler]\nworkers = -1\npolicy = 'lifo'\n"
	require.EqualError(t, s.Read(strings.NewReader(text), "dir/my.toml"), `dir/my.toml:2: throttle.tasks: got "x", want an integer from 1 to 1073741824
dir/my.toml:5: scheduler.workers: got -1, want an integer from 0 to 65536
dir/my.toml:6: scheduler.policy: no such key`)
}

func TestReadPassesErrorsOn(t *testing.T) {
	var s Settings
	broken := errors.New("disk on fire")
	err := s.Read(iotest.ErrReader(broken), "f")
	require.ErrorIs(t, err, broken)
	require.EqualError(t, err, "f: disk on fire")
}

func TestNamesStayOnOneLine(t *testing.T) {
	var s Settings
	require.NoError(t, s.Read(strings.NewReader("throttle.tasks = 3"), "a\nb"))
	var b bytes.Buffer
	_, err := s.WriteTo(&b)
	require.NoError(t, err)
	require.Contains(t, b.String(), "# \"a\\nb\":1\n")
}

// FuzzRead: whatever the file, it is refused as a whole, or taken, printed and taken again.
func FuzzRead(f *testing.F) {
	f.Add("[scheduler]\nworkers = 4\nserial = true\n")
	f.Add("throttle = {tasks = 0x10, enabled = false}\n[a.b]\n[[c]]\nd.e = 1")
	f.Fuzz(func(t *testing.T, text string) {
		var s, again Settings
		if err := s.Read(strings.NewReader(text), "f"); err != nil {
			require.Empty(t, s.given)
			return
		}
		var b bytes.Buffer
		_, err := s.WriteTo(&b)
		require.NoError(t, err)
		require.NoError(t, again.Read(&b, "f"))
		require.Equal(t, values(&s), values(&again))
	})
}

// values are the settings without their origins.
func values(s *Settings) map[string]any {
	m := map[string]any{}
	for v := range s.All() {
		m[v.Key] = v.Value
	}
	return m
}
