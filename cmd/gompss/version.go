package main

import (
	"runtime"
	"runtime/debug"

	"github.com/gompss/gompss/internal/race"
	"github.com/gompss/gompss/internal/tracing"
)

// build says what this program was built from.
type build struct {
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Module   string `json:"module"`
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // empty if the build did not record it
	Time     string `json:"time,omitempty"`     // of the revision
	Modified bool   `json:"modified,omitempty"`
	Race     bool   `json:"race"`
	Tracing  bool   `json:"tracing"` // false with the tag notrace
}

func thisBuild() build {
	b := build{
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Module: "unknown", Version: "unknown", Race: race.Enabled, Tracing: tracing.Built,
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.read(info)
	}
	return b
}

func (b *build) read(info *debug.BuildInfo) {
	if info.Main.Path != "" {
		b.Module = info.Main.Path
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
}
