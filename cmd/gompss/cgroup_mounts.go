package main

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// group is the process's place in one hierarchy of control groups.
type group struct {
	controller string // "cpu" or "memory" of version 1; empty for version 2, which has all
	path       string
}

func (g group) version() string {
	if g.controller == "" {
		return "v2"
	}
	return "v1"
}

// parseGroups reads /proc/self/cgroup, lines "number:controllers:path". Version 1 comes first, as the file has it.
func parseGroups(text string) (groups []group) {
	for line := range strings.Lines(text) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) != 3 || !strings.HasPrefix(parts[2], "/") {
			continue
		}
		if parts[0] == "0" && parts[1] == "" {
			groups = append(groups, group{"", parts[2]})
		}
		for _, c := range strings.Split(parts[1], ",") {
			if c == "cpu" || c == "memory" {
				groups = append(groups, group{c, parts[2]})
			}
		}
	}
	return groups
}

// mount is where a hierarchy, or the part of it below root, can be seen.
type mount struct {
	root, point string
	version2    bool
	controllers []string // of version 1
}

// parseMounts reads the mounts of control groups from /proc/self/mountinfo, whose lines are
//
//	36 35 98:0 root point options [optional fields] - type source superoptions
func parseMounts(text string) (mounts []mount) {
	for line := range strings.Lines(text) {
		left, right, _ := strings.Cut(line, " - ")
		l, r := strings.Fields(left), strings.Fields(right)
		if len(l) < 6 || len(r) < 3 {
			continue
		}
		m := mount{root: unescape(l[3]), point: unescape(l[4])}
		switch r[0] {
		case "cgroup2":
			m.version2 = true
		case "cgroup":
			m.controllers = strings.Split(r[2], ",")
		default:
			continue
		}
		mounts = append(mounts, m)
	}
	return mounts
}

func (m mount) holds(g group) bool {
	return m.version2 && g.controller == "" || g.controller != "" && slices.Contains(m.controllers, g.controller)
}

// upward returns the directories of the group at p and of those above it, as far as the mount shows them. If it does not
// show p at all, as in a container that sees its own group as the mount's root, it returns the mount's root.
func (m mount) upward(p string) (dirs []string) {
	below, ok := strings.CutPrefix(p, strings.TrimSuffix(m.root, "/"))
	if !ok || below != "" && below[0] != '/' || slices.Contains(strings.Split(p, "/"), "..") {
		below = ""
	}
	for dir := path.Join(m.point, below); ; dir = path.Dir(dir) {
		dirs = append(dirs, dir)
		if dir == path.Clean(m.point) || dir == "/" {
			return dirs
		}
	}
}

// unescape undoes the kernel's octal escapes of spaces, tabs, new lines and backslashes.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
