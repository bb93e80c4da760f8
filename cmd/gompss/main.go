// Gompss is the command-line tool of GOmpSs.
//
//	gompss info                    cores, limits, build and configuration, as a program started here would find them
//	gompss info -json              the same for programs
//	gompss info -default-config    a configuration file with all keys and their defaults
//	gompss help [command]          how to use it
//
// The exit status is 0, 1 if a command failed, 2 if the command line is wrong.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// Exit statuses.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// command is a sub-command; each is in a file of its own.
type command struct {
	name    string
	summary string // one line
	details string // what help says beyond the flags; ends in a new line

	// prepare declares the command's flags and returns what runs once they are parsed. An error of type usageError is one
	// of the command line.
	prepare func(*flag.FlagSet) func(args []string, stdout, stderr io.Writer) error
}

// commands are in the order of the help.
var commands = []*command{infoCommand}

// usageError says what is wrong with a command line.
type usageError string

func (e usageError) Error() string { return string(e) }

// run is the program without the process around it. It returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		usage(stderr)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		return help(args[1:], stdout, stderr)
	}
	c := find(args[0])
	if c == nil {
		return unknown(args[0], stderr)
	}
	return c.run(args[1:], stdout, stderr)
}

func (c *command) run(args []string, stdout, stderr io.Writer) int {
	flags, do := c.parser()
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		c.usage(stdout)
		return exitOK
	}
	if err != nil {
		err = usageError(err.Error())
	} else {
		err = do(flags.Args(), stdout, stderr)
	}
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(stderr, "gompss %s: %v\n", c.name, err)
	if u := usageError(""); errors.As(err, &u) {
		fmt.Fprintln(stderr)
		c.usage(stderr)
		return exitUsage
	}
	return exitFailed
}

// parser returns the command's flags, which print nothing by themselves, and what to do after parsing.
func (c *command) parser() (*flag.FlagSet, func([]string, io.Writer, io.Writer) error) {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags, c.prepare(flags)
}

func help(args []string, stdout, stderr io.Writer) int {
	switch len(args) {
	case 0:
		usage(stdout)
		return exitOK
	case 1:
		if c := find(args[0]); c != nil {
			c.usage(stdout)
			return exitOK
		}
		return unknown(args[0], stderr)
	default:
		fmt.Fprintf(stderr, "gompss help: unexpected argument %q\n\n", args[1])
		usage(stderr)
		return exitUsage
	}
}

func unknown(name string, stderr io.Writer) int {
	fmt.Fprintf(stderr, "gompss: no command %q\n\n", name)
	usage(stderr)
	return exitUsage
}

func find(name string) *command {
	for _, c := range commands {
		if c.name == name {
			return c
		}
	}
	return nil
}

func usage(w io.Writer) {
	fmt.Fprint(w, "usage: gompss <command> [flags]\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-6s %s\n", c.name, c.summary)
	}
	fmt.Fprintf(w, "  %-6s %s\n", "help", "how to use a command: gompss help <command>")
}

func (c *command) usage(w io.Writer) {
	fmt.Fprintf(w, "usage: gompss %s [flags]\n\n%s\n", c.name, c.details)
	flags, _ := c.parser()
	flags.SetOutput(w)
	flags.PrintDefaults()
}
