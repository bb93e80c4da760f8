package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// fixture splits a file into the parts that lines "-- name --" begin.
func fixture(text string) fstest.MapFS {
	files := fstest.MapFS{}
	var current *fstest.MapFile
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(name, " --") {
			current = &fstest.MapFile{}
			files[strings.TrimSuffix(name, " --")] = current
		} else if current != nil {
			current.Data = append(current.Data, line...)
		}
	}
	return files
}

func TestLimits(t *testing.T) {
	names, err := filepath.Glob("testdata/cgroup/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			files := fixture(string(text))
			got, err := json.MarshalIndent(readLimits(files), "", "  ")
			require.NoError(t, err)
			require.Equal(t, string(files["want"].Data), string(got)+"\n")
		})
	}
}

// denied is a file system that has everything and shows nothing.
type denied struct{}

func (denied) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

func TestLimitsThatMayNotBeRead(t *testing.T) {
	l := readLimits(denied{})
	require.Nil(t, l.CPU)
	require.Nil(t, l.Memory)
	require.Contains(t, strings.Join(l.Unknown, "\n"), "proc/self/cgroup: permission denied")
}

// FuzzLimits: whatever the kernel shows, reading it ends, and a limit is a number that somebody can use.
func FuzzLimits(f *testing.F) {
	f.Add("0::/a/b\n", "31 23 0:27 / /c rw - cgroup2 cgroup2 rw\n", "1000 1000", "12")
	f.Add("4:cpu,memory:/../a\n", `31 23 0:27 /../.. /c\040d rw - cgroup cgroup rw,cpu,memory`+"\n", "-1", "max")
	f.Fuzz(func(t *testing.T, groups, mounts, cpu, memory string) {
		file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
		l := readLimits(fstest.MapFS{
			"proc/self/cgroup": file(groups), "proc/self/mountinfo": file(mounts),
			"c/cpu.max": file(cpu), "c/memory.max": file(memory),
			"c/cpu.cfs_quota_us": file(cpu), "c/cpu.cfs_period_us": file("100000"), "c/memory.limit_in_bytes": file(memory),
		})
		if l.CPU != nil {
			require.Positive(t, l.CPU.Cores)
		}
		if l.Memory != nil {
			require.Less(t, l.Memory.Bytes, uint64(noMemoryLimit))
		}
	})
}

func TestUnescape(t *testing.T) {
	for in, want := range map[string]string{`/a\040b`: "/a b", `\134\011`: "\\\t", `\9`: `\9`, `\999x`: `\999x`, `\777`: `\777`, `a\`: `a\`, "": ""} {
		require.Equal(t, want, unescape(in), in)
	}
}
