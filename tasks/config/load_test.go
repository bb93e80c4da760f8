package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/tasks"
)

// in goes to an empty directory with nothing in the environment, and writes files there.
func in(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv(FileVariable, "")
	t.Setenv(OverrideVariable, "")
	for name, text := range files {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
}

func TestLoadNothing(t *testing.T) {
	in(t, nil)
	cfg, err := Load()
	require.NoError(t, err)
	require.Equal(t, tasks.Config{}, cfg)
}

func TestLoadPrecedence(t *testing.T) {
	in(t, map[string]string{
		"gompss.toml": "[scheduler]\nworkers = 2\n[throttle]\ntasks = 20\n",
		"other.toml":  "[scheduler]\nworkers = 3\n",
	})
	load := func() tasks.Config {
		t.Helper()
		cfg, err := Load()
		require.NoError(t, err)
		return cfg
	}
	require.Equal(t, tasks.Config{Workers: 2, Throttle: 20}, load())

	t.Setenv(OverrideVariable, "throttle.tasks=30")
	require.Equal(t, tasks.Config{Workers: 2, Throttle: 30}, load())

	t.Setenv(FileVariable, "other.toml") // instead of ./gompss.toml, not on top of it
	t.Setenv(OverrideVariable, "")
	require.Equal(t, tasks.Config{Workers: 3}, load())

	t.Setenv(OverrideVariable, "throttle.tasks=30,scheduler.workers=4")
	require.Equal(t, tasks.Config{Workers: 4, Throttle: 30}, load())

	s, err := Resolve()
	require.NoError(t, err)
	require.Equal(t, []Setting{
		{"scheduler.workers", 4, "GOMPSS_CONFIG_OVERRIDE"},
		{"scheduler.serial", false, "default"},
		{"throttle.tasks", 30, "GOMPSS_CONFIG_OVERRIDE"},
		{"throttle.enabled", true, "default"},
	}, all(s))
}

func TestLoadNamesWhatIsMissing(t *testing.T) {
	in(t, map[string]string{"gompss.toml": ""})
	t.Setenv(FileVariable, filepath.Join("no", "such.toml"))
	_, err := Load()
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "GOMPSS_CONFIG: open "+filepath.Join("no", "such.toml"))
}

func TestLoadTellsWhatIsWrongInBoth(t *testing.T) {
	in(t, map[string]string{"gompss.toml": "[scheduler]\nworkers = 'two'\n"})
	t.Setenv(OverrideVariable, "throttle.task=1")
	_, err := Load()
	require.EqualError(t, err, `gompss.toml:2: scheduler.workers: got "two", want an integer from 0 to 65536
GOMPSS_CONFIG_OVERRIDE: throttle.task: no such key; did you mean throttle.tasks?`)
}

func TestLoadRefusesADirectory(t *testing.T) {
	in(t, nil)
	require.NoError(t, os.Mkdir(DefaultFile, 0o700))
	_, err := Load()
	require.ErrorContains(t, err, "gompss.toml: ")
}

func TestValuesThatDoNotGoTogether(t *testing.T) {
	in(t, map[string]string{"gompss.toml": "scheduler.workers = 2\n"})
	t.Setenv(OverrideVariable, "scheduler.serial=true")
	_, err := Load()
	require.EqualError(t, err, "config: tasks: Config.Serial needs Workers 1, not 2, and no Pick "+
		"(scheduler.workers = 2 from gompss.toml:1, scheduler.serial = true from GOMPSS_CONFIG_OVERRIDE)")
}

// TestNewReadsNothing: configuration from outside is the program's choice.
func TestNewReadsNothing(t *testing.T) {
	in(t, map[string]string{"gompss.toml": "scheduler.workers = 7\n"})
	t.Setenv(OverrideVariable, "scheduler.workers=9,nonsense")
	rt, err := tasks.New(tasks.Config{Workers: 3})
	require.NoError(t, err)
	require.Equal(t, 3, rt.Workers())
	require.NoError(t, rt.Close())
}
