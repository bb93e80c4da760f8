package lint

import (
	"bytes"
	"go/format"
	"regexp"
	"testing"
)

func TestGofmt(t *testing.T) {
	for _, s := range sources(t) {
		if s.ast == nil {
			continue
		}
		if want, err := format.Source(s.text); err != nil || !bytes.Equal(want, s.text) {
			t.Errorf("%s: run make fmt", s.path)
		}
	}
}

// homes matches an absolute path into somebody's home or workplace.
var homes = regexp.MustCompile(`(^|[\s"'=(` + "`" + `])/(home/\w|Users/\w|root/|work/\w)`)

func TestNoPathOfADevelopersMachine(t *testing.T) {
	for _, s := range sources(t) {
		for i, line := range bytes.Split(s.text, []byte("\n")) {
			if homes.Match(line) {
				t.Errorf("%s:%d: %s", s.path, i+1, bytes.TrimSpace(line))
			}
		}
	}
}

func TestCgoOnlyBehindABuildTag(t *testing.T) {
	for _, s := range sources(t) {
		if s.ast != nil && s.imports("C") != "" && s.constraint() == nil {
			t.Errorf(`%s: import "C" without a build tag: the default build has no cgo`, s.path)
		}
	}
}
