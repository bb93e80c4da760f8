package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/gompss/gompss/tasks/config"
)

var infoCommand = &command{
	name:    "info",
	summary: "shows the machine, the build and the configuration",
	details: `Info prints what a program started here would find: the cores it may use, the limits of its
control group, how many slots a runtime gets, and each key of the configuration with its origin.
`,
	prepare: func(flags *flag.FlagSet) func([]string, io.Writer, io.Writer) error {
		asJSON := flags.Bool("json", false, "print JSON")
		defaults := flags.Bool("default-config", false, "print a configuration file with all keys and their defaults, and nothing else")
		return func(args []string, stdout, _ io.Writer) error {
			switch {
			case len(args) > 0:
				return usageError(fmt.Sprintf("unexpected argument %q", args[0]))
			case *asJSON && *defaults:
				return usageError("-default-config is TOML, not JSON")
			case *defaults:
				return config.WriteDefault(stdout)
			}
			return info(*asJSON, stdout)
		}
	},
}

// info prints the report. If the configuration is wrong it prints everything else and returns the error.
func info(asJSON bool, stdout io.Writer) error {
	r, wrong := gather()
	write := r.writeText
	if asJSON {
		write = r.writeJSON
	}
	return errors.Join(wrong, write(stdout))
}

// report is what info shows.
type report struct {
	Cores         cores     `json:"cores"`
	Limits        limits    `json:"limits"`
	Slots         int       `json:"slots,omitempty"` // of a runtime with this configuration; 0 if that is wrong
	Build         build     `json:"build"`
	Transports    []part    `json:"transports"`
	Devices       []part    `json:"devices"`
	Configuration []setting `json:"configuration"` // empty if it is wrong
	Wrong         string    `json:"configuration_error,omitempty"`
}

// cores are what the Go runtime and the kernel say.
type cores struct {
	GOMAXPROCS int    `json:"gomaxprocs"`
	NumCPU     int    `json:"numcpu"`             // usable when the process started
	Affinity   []int  `json:"affinity,omitempty"` // the numbers in the mask
	Unknown    string `json:"affinity_error,omitempty"`
}

// part is something that may be built in.
type part struct {
	Name  string `json:"name"`
	Built bool   `json:"built"`
}

type setting struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Origin string `json:"origin"`
}

// gather returns the report on this process, and what is wrong with the configuration.
func gather() (*report, error) {
	r := &report{
		Cores:         cores{GOMAXPROCS: runtime.GOMAXPROCS(0), NumCPU: runtime.NumCPU()},
		Limits:        readLimits(os.DirFS("/")),
		Build:         thisBuild(),
		Transports:    []part{{"in-process", true}, {"native", false}},
		Devices:       []part{},
		Configuration: []setting{},
	}
	mask, err := affinity()
	r.Cores.Affinity = mask
	if err != nil {
		r.Cores.Unknown = err.Error()
	}
	if err := r.configure(); err != nil {
		r.Wrong = err.Error()
		return r, err
	}
	return r, nil
}

// configure fills in what the file and the environment ask for.
func (r *report) configure() error {
	s, err := config.Resolve()
	if err != nil {
		return err
	}
	cfg, err := s.Tasks()
	if err != nil {
		return err
	}
	if cfg, err = cfg.Effective(); err != nil {
		return err
	}
	r.Slots = cfg.Workers
	for v := range s.All() {
		r.Configuration = append(r.Configuration, setting(v))
	}
	return nil
}
