package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestUnwritableTraceKeepsTheResult: a full disk costs the timeline, not what the run found out.
func TestUnwritableTraceKeepsTheResult(t *testing.T) {
	status, stdout, stderr := command(t, "-particles", "100", "-block", "10", "-steps", "2", "-trace", "/dev/full", "-quiet")
	assert.NotZero(t, status)
	assert.Contains(t, stdout, "checksum")
	assert.Contains(t, stderr, "no space left")
}
