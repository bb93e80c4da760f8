package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

func (r *report) writeJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

func (r *report) writeText(w io.Writer) error {
	var b bytes.Buffer
	line := func(name string, format string, a ...any) {
		fmt.Fprintf(&b, "  %-18s %s\n", name, fmt.Sprintf(format, a...))
	}

	b.WriteString("cores\n")
	line("GOMAXPROCS", "%d", r.Cores.GOMAXPROCS)
	line("usable at start", "%d", r.Cores.NumCPU)
	switch {
	case r.Cores.Unknown != "":
		line("affinity", "unknown: %s", r.Cores.Unknown)
	default:
		line("affinity", "%s (%d)", ranges(r.Cores.Affinity), len(r.Cores.Affinity))
	}
	if r.Wrong == "" {
		line("slots of a runtime", "%d", r.Slots)
	}

	l := &r.Limits
	fmt.Fprintf(&b, "limits of the control group (%s)\n", l.Version)
	if l.CPU == nil {
		line("cpu", "none")
	} else {
		line("cpu", "%.4g cores (%s)", l.CPU.Cores, l.CPU.From)
	}
	if l.Memory == nil {
		line("memory", "none")
	} else {
		line("memory", "%s (%s)", size(l.Memory.Bytes), l.Memory.From)
	}
	for _, problem := range l.Unknown {
		line("unknown", "%s", problem)
	}

	b.WriteString("build\n")
	line("go", "%s %s", r.Build.Go, r.Build.Platform)
	line("module", "%s %s", r.Build.Module, r.Build.Version)
	revision := r.Build.Revision
	if revision == "" {
		revision = "not recorded"
	} else if r.Build.Modified {
		revision += ", modified"
	}
	line("revision", "%s", revision)
	line("race detector", "%s", yes(r.Build.Race, "on", "off"))
	line("tracing", "%s", yes(r.Build.Tracing, "built in", "left out"))

	parts := func(title string, list []part) {
		fmt.Fprintln(&b, title)
		for _, p := range list {
			line(p.Name, "%s", yes(p.Built, "built in", "not built"))
		}
		if len(list) == 0 {
			b.WriteString("  none built in\n")
		}
	}
	parts("transports", r.Transports)
	parts("devices", r.Devices)

	b.WriteString("configuration\n")
	if r.Wrong != "" {
		b.WriteString("  wrong, see the error\n")
	}
	for _, s := range r.Configuration {
		line(s.Key, "%-8v %s", s.Value, s.Origin)
	}
	_, err := b.WriteTo(w)
	return err
}

func yes(v bool, then, otherwise string) string {
	if v {
		return then
	}
	return otherwise
}

// ranges writes ascending numbers as the kernel does: 0-3,8.
func ranges(list []int) string {
	if len(list) == 0 {
		return "none"
	}
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		text := strconv.Itoa(list[i])
		if j > i {
			text += "-" + strconv.Itoa(list[j])
		}
		parts = append(parts, text)
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// size writes bytes in the largest unit that fits.
func size(n uint64) string {
	unit, rest := 0, float64(n)
	for rest >= 1024 && unit < 6 {
		rest /= 1024
		unit++
	}
	return fmt.Sprintf("%.4g %s", rest, [...]string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}[unit])
}
