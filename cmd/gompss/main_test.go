package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// gompss runs the tool in this process.
func gompss(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = run(args, &out, &err)
	return status, out.String(), err.String()
}

const usageText = `usage: gompss <command> [flags]

  info   shows the machine, the build and the configuration
  help   how to use a command: gompss help <command>
`

func TestHelpGoesToStdout(t *testing.T) {
	for _, args := range []string{"help", "-h", "-help", "--help"} {
		status, stdout, stderr := gompss(t, args)
		require.Equal(t, exitOK, status)
		require.Equal(t, usageText, stdout)
		require.Empty(t, stderr)
	}
}

func TestHelpOfACommand(t *testing.T) {
	for _, args := range []string{"help info", "info -h", "info --help"} {
		status, stdout, stderr := gompss(t, strings.Fields(args)...)
		require.Equal(t, exitOK, status, args)
		require.Contains(t, stdout, "usage: gompss info [flags]\n")
		require.Contains(t, stdout, "  -default-config\n")
		require.Contains(t, stdout, "  -json\n")
		require.Empty(t, stderr)
	}
}

func TestWrongCommandLines(t *testing.T) {
	for args, want := range map[string]string{
		"":                           usageText,
		"inof":                       "gompss: no command \"inof\"\n\n" + usageText,
		"-x":                         "gompss: no command \"-x\"\n\n" + usageText,
		"help inof":                  "gompss: no command \"inof\"\n\n" + usageText,
		"help info json":             "gompss help: unexpected argument \"json\"\n\n" + usageText,
		"info -x":                    "gompss info: flag provided but not defined: -x\n\nusage: gompss info",
		"info -json=perhaps":         "gompss info: invalid boolean value \"perhaps\" for -json: parse error\n\nusage: gompss info",
		"info cores":                 "gompss info: unexpected argument \"cores\"\n\nusage: gompss info",
		"info -json -default-config": "gompss info: -default-config is TOML, not JSON\n\nusage: gompss info",
	} {
		status, stdout, stderr := gompss(t, strings.Fields(args)...)
		require.Equal(t, exitUsage, status, args)
		require.Empty(t, stdout, args)
		require.Truef(t, strings.HasPrefix(stderr, want), "%s: %s", args, stderr)
	}
}

func TestAFailedCommandShowsNoUsage(t *testing.T) {
	c := &command{name: "c", prepare: func(*flag.FlagSet) func([]string, io.Writer, io.Writer) error {
		return func([]string, io.Writer, io.Writer) error { return errors.New("no luck") }
	}}
	var out, err bytes.Buffer
	require.Equal(t, exitFailed, c.run(nil, &out, &err))
	require.Empty(t, out.String())
	require.Equal(t, "gompss c: no luck\n", err.String())
}
