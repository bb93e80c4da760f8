package trace

import "strconv"

// How one line of Chrome JSON is put together: begin, slice, flow or meta start the line in c.line, text and int go on,
// end writes it. No allocation per line.

// begin starts an event of the given phase.
func (c *chrome) begin(phase string, pid, tid int, at int64) {
	c.text(`{"ph":"`).text(phase).text(`","pid":`).int(int64(pid)).text(`,"tid":`).int(int64(tid)).text(`,"ts":`).micros(at)
}

// slice starts an X event.
func (c *chrome) slice(pid, tid int, from, to int64) {
	c.begin("X", pid, tid, from)
	c.text(`,"dur":`).micros(to - from)
}

// flow writes one end of the arrow number c.flows.
func (c *chrome) flow(phase string, pid, tid int, at int64, category string) {
	c.begin(phase, pid, tid, at)
	c.text(`,"id":`).int(c.flows)
	if phase == "f" {
		c.text(`,"bp":"e"`)
	}
	c.text(`,"name":"`).text(category).text(`","cat":"`).text(category).text(`"}`).end()
}

// meta starts a metadata event, up to the inside of its args.
func (c *chrome) meta(what string, pid, tid int) *chrome {
	return c.text(`{"ph":"M","pid":`).int(int64(pid)).text(`,"tid":`).int(int64(tid)).
		text(`,"name":"`).text(what).text(`","args":{`)
}

// name adds the event's name: the label, or the given word where there is none.
func (c *chrome) name(l Label, otherwise string) {
	c.text(`,"name":`).text(c.label(l, otherwise))
}

// label returns the quoted text of a label.
func (c *chrome) label(l Label, otherwise string) string {
	switch {
	case l == 0:
		return `"` + otherwise + `"`
	case int(l) < len(c.labels):
		return c.labels[l]
	}
	return quote(c.seen.name(l))
}

func (c *chrome) text(s string) *chrome {
	c.line = append(c.line, s...)
	return c
}

func (c *chrome) int(v int64) *chrome {
	c.line = strconv.AppendInt(c.line, v, 10)
	return c
}

// micros appends a time in nanoseconds, not negative, as microseconds with three decimals.
func (c *chrome) micros(ns int64) *chrome {
	c.line = strconv.AppendInt(c.line, ns/1000, 10)
	ns %= 1000
	c.line = append(c.line, '.', byte('0'+ns/100), byte('0'+ns/10%10), byte('0'+ns%10))
	return c
}

func (c *chrome) end() {
	if c.lines++; c.lines > 1 {
		c.out.WriteByte(',')
	}
	c.out.WriteByte('\n')
	c.out.Write(c.line) // an error stays in out until Flush
	c.line = c.line[:0]
}
