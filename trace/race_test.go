//go:build race

package trace

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// That two goroutines are traced must not look like an order between them, or tracing would hide the missing dependency
// between two tasks from the race detector. The test runs itself as a process in which two goroutines write a variable
// with nothing but tracing and time between them, and wants the report.
func TestTracingOrdersNothing(t *testing.T) {
	const name = "TRACE_TEST_UNORDERED_WRITES"
	if os.Getenv(name) != "" {
		unorderedWrites()
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestTracingOrdersNothing$")
	cmd.Env = append(os.Environ(), name+"=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "DATA RACE") {
		t.Errorf("the race went unseen: %v\n%s", err, out)
	}
	if strings.Contains(string(out), "trace.(*") {
		t.Errorf("a report about the recorder itself:\n%s", out)
	}
}

func unorderedWrites() {
	r := New(Config{})
	shared := r.Shared("messages")
	data := 0
	traced := func() {
		row := r.Stream("worker")
		label := r.Label("task")
		row.Emit(TaskStart, label, r.NextTask(1))
		row.Publish()
		shared.Emit2(MsgSend, label, r.NextMessage(1), 0)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		data++
		traced()
	})
	time.Sleep(50 * time.Millisecond)
	wg.Go(func() {
		traced()
		data++
	})
	wg.Wait()
}
