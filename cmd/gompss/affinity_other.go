//go:build !linux

package main

import (
	"errors"
	"runtime"
)

func affinity() ([]int, error) { return nil, errors.New("not known on " + runtime.GOOS) }
