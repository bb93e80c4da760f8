package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/tasks/config"
)

// unconfigured goes to an empty directory with nothing in the environment.
func unconfigured(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv(config.FileVariable, "")
	t.Setenv(config.OverrideVariable, "")
}

func TestInfoOfThisMachine(t *testing.T) {
	unconfigured(t)
	status, stdout, stderr := gompss(t, "info", "-json")
	require.Equal(t, exitOK, status, stderr)
	require.Empty(t, stderr)
	var r report
	require.NoError(t, json.Unmarshal([]byte(stdout), &r))
	require.Equal(t, runtime.GOMAXPROCS(0), r.Cores.GOMAXPROCS)
	require.Equal(t, runtime.NumCPU(), r.Cores.NumCPU)
	require.Equal(t, runtime.GOMAXPROCS(0), r.Slots)
	require.Equal(t, runtime.Version(), r.Build.Go)
	if runtime.GOOS == "linux" {
		require.NotEmpty(t, r.Cores.Affinity, r.Cores.Unknown)
	}
	for _, s := range r.Configuration {
		require.Equal(t, "default", s.Origin, s.Key)
	}
	require.NotEmpty(t, r.Configuration)

	status, stdout, _ = gompss(t, "info")
	require.Equal(t, exitOK, status)
	require.Contains(t, stdout, "\n  scheduler.workers  0        default\n")
}

func TestInfoShowsWhereValuesComeFrom(t *testing.T) {
	unconfigured(t)
	require.NoError(t, os.WriteFile("gompss.toml", []byte("[scheduler]\nworkers = 3\n"), 0o600))
	t.Setenv(config.OverrideVariable, "throttle.tasks=9")
	status, stdout, stderr := gompss(t, "info")
	require.Equal(t, exitOK, status, stderr)
	require.Contains(t, stdout, "  slots of a runtime 3\n")
	require.Contains(t, stdout, "  scheduler.workers  3        gompss.toml:2\n")
	require.Contains(t, stdout, "  throttle.tasks     9        GOMPSS_CONFIG_OVERRIDE\n")
}

func TestInfoWithAWrongConfiguration(t *testing.T) {
	unconfigured(t)
	t.Setenv(config.OverrideVariable, "scheduler.workers=many")
	const want = `GOMPSS_CONFIG_OVERRIDE: scheduler.workers: got "many", want an integer from 0 to 65536`
	for _, args := range []string{"info", "info -json"} {
		status, stdout, stderr := gompss(t, strings.Fields(args)...)
		require.Equal(t, exitFailed, status)
		require.Equal(t, "gompss info: "+want+"\n", stderr)
		require.Contains(t, stdout, runtime.Version(), "the rest is shown")
	}
	t.Setenv(config.OverrideVariable, "scheduler.workers=2,scheduler.serial=true")
	status, _, stderr := gompss(t, "info")
	require.Equal(t, exitFailed, status)
	require.Contains(t, stderr, "Config.Serial needs Workers 1")
}

// TestDefaultConfigRoundTrip: what the tool prints is a file that a program takes, wrong surroundings or not.
func TestDefaultConfigRoundTrip(t *testing.T) {
	unconfigured(t)
	t.Setenv(config.OverrideVariable, "nonsense")
	status, stdout, stderr := gompss(t, "info", "--default-config")
	require.Equal(t, exitOK, status, stderr)
	var s config.Settings
	require.NoError(t, s.Read(strings.NewReader(stdout), "printed"))
	n := 0
	for v := range s.All() {
		require.Truef(t, strings.HasPrefix(v.Origin, "printed:"), "%s is not in the file", v.Key)
		n++
	}
	cfg, err := s.Tasks()
	require.NoError(t, err)
	require.Zero(t, cfg.Workers)
	require.Positive(t, n)
}

// example is a report with everything in it.
func example() *report {
	return &report{
		Cores:  cores{GOMAXPROCS: 6, NumCPU: 8, Affinity: []int{0, 1, 2, 3, 8, 10, 11, 12}},
		Limits: limits{Version: "v2", CPU: &cpuLimit{1.5, "/cg/cpu.max"}, Memory: &memLimit{3 << 29, "/cg/memory.max"}},
		Slots:  4,
		Build: build{Go: "go1.26.8", Platform: "linux/amd64", Module: "github.com/gompss/gompss", Version: "v0.1.0",
			Revision: "0123abc", Time: "2026-11-21T16:00:00Z", Modified: true, Tracing: true},
		Transports:    []part{{"in-process", true}, {"native", false}},
		Devices:       []part{},
		Configuration: []setting{{"scheduler.workers", 4, "gompss.toml:2"}, {"throttle.enabled", true, "default"}},
	}
}

// poor is a report with as little as possible.
func poor() *report {
	return &report{
		Cores:         cores{GOMAXPROCS: 1, NumCPU: 1, Unknown: "not known on plan9"},
		Limits:        limits{Version: "none", Unknown: []string{"open /proc/self/cgroup: permission denied"}},
		Build:         build{Go: "go1.26.8", Platform: "plan9/386", Module: "unknown", Version: "unknown", Race: true},
		Transports:    []part{{"in-process", true}},
		Devices:       []part{},
		Configuration: []setting{},
		Wrong:         "gompss.toml:1: x: no such key",
	}
}

func TestReportGolden(t *testing.T) {
	for name, r := range map[string]*report{"full": example(), "poor": poor()} {
		var text, asJSON bytes.Buffer
		require.NoError(t, r.writeText(&text))
		require.NoError(t, r.writeJSON(&asJSON))
		for file, got := range map[string]string{name + ".golden": text.String(), name + ".json": asJSON.String()} {
			want, err := os.ReadFile("testdata/" + file)
			require.NoError(t, err)
			require.Equal(t, string(want), got, file)
		}
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestReportTellsWriteErrors(t *testing.T) {
	unconfigured(t)
	for _, args := range []string{"info", "info -json", "info -default-config"} {
		var stderr bytes.Buffer
		require.Equal(t, exitFailed, run(strings.Fields(args), full{}, &stderr))
		require.Equal(t, "gompss info: full\n", stderr.String())
	}
}

func TestBuildInfo(t *testing.T) {
	b := build{Module: "unknown", Version: "unknown"}
	b.read(&debug.BuildInfo{})
	require.Equal(t, build{Module: "unknown", Version: "unknown"}, b)
	b.read(&debug.BuildInfo{
		Main:     debug.Module{Path: "m", Version: "v1.2.3"},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "t"}, {Key: "vcs.modified", Value: "true"}, {Key: "-tags", Value: "x"}},
	})
	require.Equal(t, build{Module: "m", Version: "v1.2.3", Revision: "abc", Time: "t", Modified: true}, b)
}

func TestRanges(t *testing.T) {
	for want, list := range map[string][]int{"none": nil, "5": {5}, "0-1": {0, 1}, "0-2,4,6-7": {0, 1, 2, 4, 6, 7}} {
		require.Equal(t, want, ranges(list))
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 bytes", 1023: "1023 bytes", 1024: "1 KiB", 3 << 29: "1.5 GiB", 1 << 62: "4 EiB"} {
		require.Equal(t, want, size(n))
	}
}
