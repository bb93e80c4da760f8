package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/gompss/gompss/tasks"
)

// Where [Load] and [Resolve] look.
const (
	FileVariable     = "GOMPSS_CONFIG"          // names the file
	OverrideVariable = "GOMPSS_CONFIG_OVERRIDE" // holds a list for [Settings.Override]
	DefaultFile      = "gompss.toml"            // in the working directory, when FileVariable is not set
)

// Load returns the Config that the file and the environment ask for. Its errors are those of [Resolve] and
// [Settings.Tasks].
func Load() (tasks.Config, error) {
	s, err := Resolve()
	if err != nil {
		return tasks.Config{}, err
	}
	return s.Tasks()
}

// Resolve returns the settings of the file and the environment with the origin of each, for programs that show them. It
// looks at both and returns what is wrong in either.
func Resolve() (*Settings, error) {
	s := new(Settings)
	err := s.readFile()
	if err := errors.Join(err, s.Override(os.Getenv(OverrideVariable), OverrideVariable)); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Settings) readFile() error {
	path := os.Getenv(FileVariable)
	named := path != ""
	if !named {
		path = DefaultFile
	}
	f, err := os.Open(path)
	switch {
	case err == nil:
		defer f.Close()
		return s.Read(f, path)
	case named:
		return fmt.Errorf("%s: %w", FileVariable, err)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	default:
		return fmt.Errorf("config: %w", err)
	}
}
