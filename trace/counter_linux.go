//go:build amd64 || arm64

package trace

import (
	"bytes"
	"io"
	"os"
	"sync"
)

// counterTrusted tells whether the kernel keeps its own time by the cycle counter. On amd64 the processor must also say
// that the counter runs at a constant rate, in sleep states too; on arm64 the architecture promises that.
var counterTrusted = sync.OnceValue(func() bool {
	source, err := os.ReadFile("/sys/devices/system/clocksource/clocksource0/current_clocksource")
	if err != nil || string(bytes.TrimSpace(source)) != counterSource {
		return false
	}
	return len(counterFlags) == 0 || hasFlags(firstCPU(), counterFlags)
})

// firstCPU returns the beginning of /proc/cpuinfo. All processors have the same flags, and printing all of them is slow.
func firstCPU() []byte {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return nil
	}
	defer f.Close()
	text := make([]byte, 8<<10)
	n, _ := io.ReadFull(f, text)
	return text[:n]
}

// hasFlags tells whether the first "flags" line of cpuinfo names all of want.
func hasFlags(cpuinfo []byte, want []string) bool {
	for line := range bytes.Lines(cpuinfo) {
		if !bytes.HasPrefix(line, []byte("flags")) {
			continue
		}
		have := make(map[string]bool)
		for word := range bytes.FieldsSeq(line) {
			have[string(word)] = true
		}
		for _, flag := range want {
			if !have[flag] {
				return false
			}
		}
		return true
	}
	return false
}
