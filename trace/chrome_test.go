package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func chromeJSON(t testing.TB, r *Recorder) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := r.WriteChrome(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestChromeGolden(t *testing.T) {
	text := chromeJSON(t, small(t).Recorder)
	golden(t, "small.json", text)
	checkChrome(t, text, true)
}

func TestChromeOfRealTimes(t *testing.T) {
	checkChrome(t, chromeJSON(t, recordTasks(1000)), true)
}

func TestChromeOfNothing(t *testing.T) {
	checkChrome(t, chromeJSON(t, nil), true)
	checkChrome(t, chromeJSON(t, New(Config{})), true)
}

func TestChromeShowsLoss(t *testing.T) {
	r := New(Config{Limit: 1})
	s := r.Stream("a")
	for range chunkCells + 3 {
		s.Emit(Mark, 0, 1)
	}
	text := chromeJSON(t, r)
	checkChrome(t, text, true)
	for _, want := range []string{`"name":"3 events lost"`, `"lost":3`} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("no %s", want)
		}
	}
}

// More messages in flight than there are lanes.
func TestChromeLanes(t *testing.T) {
	s := newScript()
	m := s.on("messages")
	for id := range uint64(lanes + 6) {
		m.at(100+10*id, MsgSend, "", id+1, PackMessage(0, 0, 10))
		m.at(101+10*id, MsgRecv, "", id+1001, PackMessage(0, 0, 10))
	}
	for id := range uint64(lanes + 6) {
		m.at(2000+10*id, MsgSendDone, "", id+1)
		m.at(3000+10*id, MsgRecvDone, "", id+1, id+1001)
	}
	text := chromeJSON(t, s.Recorder)
	found := checkChrome(t, text, true)
	if found.slices != lanes {
		t.Errorf("%d slices for %d lanes", found.slices, lanes)
	}
	if !bytes.Contains(text, []byte(`"messagesNotDrawn":76`)) {
		t.Error("the messages without a lane are not counted")
	}
	sum := s.Summary().Ranks[0]
	if want := (Messages{lanes + 6, 10 * (lanes + 6)}); sum.Sent != want || sum.Received != want {
		t.Errorf("sent %v, received %v, want %v", sum.Sent, sum.Received, want)
	}
}

type failingWriter struct{ left int }

var errFull = errors.New("full")

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestChromeReturnsTheWritersError(t *testing.T) {
	r := recordTasks(1000)
	for _, left := range []int{0, 100_000} {
		if err := r.WriteChrome(&failingWriter{left}); !errors.Is(err, errFull) {
			t.Errorf("after %d bytes: %v", left, err)
		}
	}
	if _, err := r.Summary().WriteTo(&failingWriter{}); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

func TestChromeTimes(t *testing.T) {
	c := &chrome{}
	for ns, want := range map[int64]string{0: "0.000", 7: "0.007", 1050: "1.050", 12345678901234: "12345678901.234", math.MaxInt64: "9223372036854775.807"} {
		if c.line = c.line[:0]; string(c.micros(ns).line) != want {
			t.Errorf("%d ns: %s", ns, c.line)
		}
	}
}

// chromeEvent is the part of the format that we use. Unknown fields are errors.
type chromeEvent struct {
	Phase string         `json:"ph"`
	Pid   *int           `json:"pid"`
	Tid   *int           `json:"tid"`
	Ts    json.Number    `json:"ts"`
	Dur   json.Number    `json:"dur"`
	Name  string         `json:"name"`
	Cat   string         `json:"cat"`
	ID    int64          `json:"id"`
	Bind  string         `json:"bp"`
	Scope string         `json:"s"`
	Args  map[string]any `json:"args"`
}

type thread struct{ pid, tid int }

type chromeSlice struct{ from, to int64 }

type found struct{ slices, flows int }

var threeDecimals = regexp.MustCompile(`^[0-9]+\.[0-9]{3}$`)

// checkChrome checks a trace against the format and against what chrome.go promises: slices on a thread nest, every arrow
// has one beginning and one end, forward in time, every process and thread with a slice has a name. With exact,
// both ends of arrows lie within slices.
func checkChrome(t testing.TB, text []byte, exact bool) found {
	t.Helper()
	var file struct {
		Unit   string           `json:"displayTimeUnit"`
		Events []chromeEvent    `json:"traceEvents"`
		Other  map[string]int64 `json:"otherData"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		t.Fatalf("not the JSON we want: %v", err)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Fatal("text after the JSON")
	}

	nanos := func(n json.Number) int64 {
		if !threeDecimals.MatchString(n.String()) {
			t.Fatalf("time %q", n)
		}
		v, err := json.Number(strings.Replace(n.String(), ".", "", 1)).Int64()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	type end struct {
		where thread
		at    int64
	}
	onThread := map[thread][]chromeSlice{}
	names := map[thread]bool{}
	starts, ends := map[int64]end{}, map[int64]end{}
	for _, e := range file.Events {
		if e.Pid == nil || e.Tid == nil || e.Name == "" {
			t.Fatalf("event without pid, tid or name: %+v", e)
		}
		where := thread{*e.Pid, *e.Tid}
		switch e.Phase {
		case "M":
			if e.Name == "thread_name" || e.Name == "process_name" {
				if names[where] || e.Args["name"] == "" {
					t.Errorf("%v named twice or without a name", where)
				}
				names[where] = true
			}
		case "X":
			from := nanos(e.Ts)
			onThread[where] = append(onThread[where], chromeSlice{from, from + nanos(e.Dur)})
		case "s", "f":
			side := starts
			if e.Phase == "f" {
				side = ends
				if e.Bind != "e" {
					t.Error("arrow does not end in the enclosing slice")
				}
			}
			if _, twice := side[e.ID]; twice {
				t.Errorf("arrow %d has two ends of one kind", e.ID)
			}
			side[e.ID] = end{where, nanos(e.Ts)}
		case "i":
			nanos(e.Ts)
		default:
			t.Errorf("phase %q", e.Phase)
		}
	}

	result := found{flows: len(starts)}
	for where, all := range onThread {
		result.slices += len(all)
		if !names[where] || !names[thread{where.pid, 0}] {
			t.Errorf("thread %v or its process has no name", where)
		}
		checkNesting(t, where, all)
	}
	if len(starts) != len(ends) {
		t.Errorf("%d beginnings of arrows, %d ends", len(starts), len(ends))
	}
	for id, s := range starts {
		f, ok := ends[id]
		if !ok {
			t.Errorf("arrow %d has no end", id)
			continue
		}
		if !exact {
			continue
		}
		if f.at < s.at {
			t.Errorf("arrow %d goes back in time", id)
		}
		for _, e := range []end{s, f} {
			if !slices.ContainsFunc(onThread[e.where], func(x chromeSlice) bool { return x.from <= e.at && e.at <= x.to }) {
				t.Errorf("arrow %d hangs in the air at %d on %v", id, e.at, e.where)
			}
		}
	}
	return result
}

func checkNesting(t testing.TB, where thread, all []chromeSlice) {
	t.Helper()
	slices.SortFunc(all, func(a, b chromeSlice) int {
		if a.from != b.from {
			return int(a.from - b.from)
		}
		return int(b.to - a.to)
	})
	var open []int64 // ends of the slices that enclose the present one
	for _, x := range all {
		for len(open) > 0 && open[len(open)-1] <= x.from {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && open[len(open)-1] < x.to {
			t.Errorf("slices on %v overlap at %d", where, x.from)
		}
		open = append(open, x.to)
	}
}
