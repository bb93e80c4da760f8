package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// limits are what the process's control group and the groups above it allow. A limit is the smallest on the way up.
type limits struct {
	Version string    `json:"version"` // "v2", "v1", "v1 and v2", or "none"
	CPU     *cpuLimit `json:"cpu,omitempty"`
	Memory  *memLimit `json:"memory,omitempty"`
	Unknown []string  `json:"unknown,omitempty"` // files that could not be read or understood
}

type cpuLimit struct {
	Cores float64 `json:"cores"` // quota over period
	From  string  `json:"from"`  // the file
}

type memLimit struct {
	Bytes uint64 `json:"bytes"`
	From  string `json:"from"`
}

// readLimits reads the limits of the process whose root directory root is. What cannot be read is noted, not fatal: a
// container may show anything.
func readLimits(root fs.FS) limits {
	l := limits{Version: "none"}
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if errors.Is(err, fs.ErrNotExist) {
		return l // not Linux, or no /proc
	}
	mountinfo, err2 := fs.ReadFile(root, "proc/self/mountinfo")
	if err := errors.Join(err, err2); err != nil {
		l.Unknown = append(l.Unknown, err.Error())
		return l
	}
	mounts := parseMounts(string(mountinfo))
	var versions []string
	for _, g := range parseGroups(string(groups)) {
		for _, m := range mounts {
			if !m.holds(g) {
				continue
			}
			if v := g.version(); len(versions) == 0 || versions[len(versions)-1] != v {
				versions = append(versions, v)
			}
			for _, dir := range m.upward(g.path) {
				l.readGroup(root, g, dir)
			}
			break // the same hierarchy may be mounted again elsewhere
		}
	}
	if len(versions) > 0 {
		l.Version = strings.Join(versions, " and ")
	}
	return l
}

// readGroup takes the limits that the group's directory sets.
func (l *limits) readGroup(root fs.FS, g group, dir string) {
	if g.controller == "" || g.controller == "cpu" {
		name, cores, err := g.cpu(root, dir)
		if err != nil {
			l.Unknown = append(l.Unknown, err.Error())
		} else if cores > 0 && (l.CPU == nil || cores < l.CPU.Cores) {
			l.CPU = &cpuLimit{cores, name}
		}
	}
	if g.controller == "" || g.controller == "memory" {
		name, bytes, err := g.memory(root, dir)
		if err != nil {
			l.Unknown = append(l.Unknown, err.Error())
		} else if bytes != noMemoryLimit && (l.Memory == nil || bytes < l.Memory.Bytes) {
			l.Memory = &memLimit{bytes, name}
		}
	}
}

// cpu returns how many cores the group may use, 0 if there is no limit, and the file that says so.
func (g group) cpu(root fs.FS, dir string) (name string, cores float64, err error) {
	var quota, period string
	if g.controller == "" {
		name = path.Join(dir, "cpu.max")
		text, err := read(root, name)
		if err != nil || text == "" {
			return name, 0, err
		}
		quota, period, _ = strings.Cut(text, " ")
		if period == "" {
			period = "100000" // the kernel's default
		}
	} else {
		name = path.Join(dir, "cpu.cfs_quota_us")
		if quota, err = read(root, name); err != nil || quota == "" {
			return name, 0, err
		}
		if period, err = read(root, path.Join(dir, "cpu.cfs_period_us")); err != nil {
			return name, 0, err
		}
	}
	if quota == "max" || quota == "-1" {
		return name, 0, nil
	}
	q, err1 := strconv.ParseUint(quota, 10, 63)
	p, err2 := strconv.ParseUint(strings.TrimSpace(period), 10, 63)
	if err1 != nil || err2 != nil || q == 0 || p == 0 {
		return name, 0, fmt.Errorf("%s: quota %q and period %q are not two positive numbers", name, quota, period)
	}
	return name, float64(q) / float64(p), nil
}

// Version 1 writes "no limit" as the largest multiple of a page; nothing has that much memory.
const noMemoryLimit = 1 << 62

// memory returns how many bytes the group may use, noMemoryLimit if there is no limit, and the file that says so.
func (g group) memory(root fs.FS, dir string) (name string, bytes uint64, err error) {
	name = path.Join(dir, "memory.max")
	if g.controller != "" {
		name = path.Join(dir, "memory.limit_in_bytes")
	}
	text, err := read(root, name)
	if err != nil || text == "" || text == "max" {
		return name, noMemoryLimit, err
	}
	bytes, err = strconv.ParseUint(text, 10, 64)
	if err != nil {
		return name, 0, fmt.Errorf("%s: %q is not a number of bytes", name, text)
	}
	return name, min(bytes, noMemoryLimit), nil
}

// read returns a small file without the spaces round it, or nothing if it is not there: the topmost group has no limits.
func read(root fs.FS, name string) (string, error) {
	text, err := fs.ReadFile(root, strings.TrimPrefix(name, "/"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}
