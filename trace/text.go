package trace

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// WriteTo writes the summary as text for people. The error is that of w.
func (s *Summary) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, s.String())
	return int64(n), err
}

// String returns what WriteTo writes.
func (s *Summary) String() string {
	var b strings.Builder
	s.writeHead(&b)
	s.rowTable().write(&b)
	s.messageTable().write(&b)
	s.labelTable().write(&b)
	return b.String()
}

// writeHead writes the numbers of the whole run.
func (s *Summary) writeHead(b *strings.Builder) {
	fmt.Fprintf(b, "wall T %s   work W %s   span S %s   average parallelism W/S %.2f\n",
		short(s.Wall), short(s.Work), short(s.Span), s.Parallelism())
	if s.Workers > 0 {
		atLeast, atMost := s.Bounds(s.Workers)
		fmt.Fprintf(b, "on %s: at least max(W/P, S) = %s, greedy at most W/P + S = %s, T = %s",
			count(int64(s.Workers), "worker"), short(atLeast), short(atMost), short(s.Wall))
		if s.Wall > atMost {
			fmt.Fprintf(b, " (%s beyond)", short(s.Wall-atMost))
		}
		b.WriteByte('\n')
	}
	b.WriteString(count(int64(s.Tasks), "task"))
	if s.Unfinished > 0 {
		fmt.Fprintf(b, " (%d unfinished)", s.Unfinished)
	}
	fmt.Fprintf(b, ", %s\n", count(s.Events, "event"))
	if s.Lost > 0 {
		fmt.Fprintf(b, "%s LOST: the recording is incomplete, raise Config.Limit\n", count(s.Lost, "event"))
	}
}

// rowTable has a line per rank and one per row.
func (s *Summary) rowTable() (t textTable) {
	t.add("", "busy", "idle", "other")
	for _, rank := range s.Ranks {
		if rank.Workers == 0 {
			continue
		}
		t.add(fmt.Sprintf("rank %d", rank.Rank), percent(rank.Share))
		for _, row := range s.Rows {
			if row.Rank == rank.Rank {
				idle := share(row.Idle, s.Wall)
				t.add("  "+row.Name, percent(row.Share), percent(idle), percent(1-row.Share-idle))
			}
		}
	}
	return t
}

// messageTable has a line per rank, if there were messages.
func (s *Summary) messageTable() (t textTable) {
	t.add("messages", "sent", "bytes", "received", "bytes")
	all := int64(0)
	for _, rank := range s.Ranks {
		all += rank.Sent.Count + rank.Received.Count
		t.add(fmt.Sprintf("rank %d", rank.Rank), fmt.Sprint(rank.Sent.Count), size(rank.Sent.Bytes),
			fmt.Sprint(rank.Received.Count), size(rank.Received.Bytes))
	}
	if all == 0 {
		return nil
	}
	return t
}

// labelTable has a line per task type.
func (s *Summary) labelTable() (t textTable) {
	t.add("label", "tasks", "total", "mean", "min", "max", "share")
	for _, l := range s.Labels {
		name := l.Name
		if name == "" {
			name = "(no label)"
		}
		t.add(name, fmt.Sprint(l.Tasks), short(l.Total), short(l.Mean()), short(l.Min), short(l.Max), percent(l.Share))
	}
	return t
}

// textTable is lines of cells, the first line being the head.
type textTable [][]string

func (t *textTable) add(cells ...string) { *t = append(*t, cells) }

// write writes the table after an empty line, the first column aligned to the left and the others to the right; nothing
// if it has only a head.
func (t textTable) write(b *strings.Builder) {
	if len(t) < 2 {
		return
	}
	width := make([]int, len(t[0]))
	for _, line := range t {
		for i, cell := range line {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	b.WriteByte('\n')
	for _, line := range t {
		fmt.Fprintf(b, "%-*s", width[0], line[0])
		for i, cell := range line[1:] {
			fmt.Fprintf(b, "  %*s", width[i+1], cell)
		}
		b.WriteByte('\n')
	}
}

// short prints a time with four digits, or to the nanosecond.
func short(d time.Duration) string {
	unit := time.Nanosecond
	for d/unit >= 10000 {
		unit *= 10
	}
	return d.Round(unit).String()
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// size prints a number of bytes in powers of 1000.
func size(bytes int64) string {
	units := [...]string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}
	v, u := float64(bytes), 0
	for v >= 999.5 {
		v /= 1000
		u++
	}
	if u == 0 {
		return fmt.Sprintf("%d B", bytes)
	}
	return fmt.Sprintf("%.3g %s", v, units[u])
}
