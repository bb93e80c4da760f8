package snapshot

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/gompss/gompss/examples/nbody/gravity"
)

const (
	maxLine   = 64 << 10 // bytes; a longer line is no particle
	maxErrors = 10       // bad lines that ReadAll names
)

// LineError says what is wrong with one line.
type LineError struct {
	Line   int // counted from 1, comments included
	Reason string
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// Particles reads r line by line, in constant memory, and yields the particles in order. A bad line yields a *LineError
// and reading goes on with the next one; an error of r itself, or a line without end, is the last thing yielded.
func Particles(r io.Reader) iter.Seq2[gravity.Particle, error] {
	return func(yield func(gravity.Particle, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(make([]byte, 0, 4096), maxLine)
		number, headerAllowed := 0, true
		for lines.Scan() {
			number++
			line := lines.Bytes()
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte("\ufeff")) // a byte order mark, as spreadsheets leave it
			}
			line = bytes.TrimSpace(line)
			if len(line) == 0 || line[0] == '#' {
				continue
			}
			fields := strings.Split(string(line), ",")
			if headerAllowed && isHeader(fields) {
				headerAllowed = false
				if reason := checkHeader(fields); reason != "" && !yield(gravity.Particle{}, &LineError{number, reason}) {
					return
				}
				continue
			}
			headerAllowed = false
			p, reason := parse(fields)
			if reason != "" {
				if !yield(gravity.Particle{}, &LineError{number, reason}) {
					return
				}
			} else if !yield(p, nil) {
				return
			}
		}
		if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
			yield(gravity.Particle{}, &LineError{number + 1, fmt.Sprintf("longer than %d bytes", maxLine)})
		} else if err != nil {
			yield(gravity.Particle{}, fmt.Errorf("after line %d: %w", number, err))
		}
	}
}

// ReadAll returns all particles of r. If any line is bad, it returns none and the errors of the first ten bad lines
// joined, with a count of the others. An error of r itself is always among them.
func ReadAll(r io.Reader) ([]gravity.Particle, error) {
	var ps []gravity.Particle
	var bad []error
	more := 0
	for p, err := range Particles(r) {
		_, badLine := errors.AsType[*LineError](err)
		switch {
		case err == nil:
			ps = append(ps, p)
		case len(bad) < maxErrors || !badLine:
			bad = append(bad, err)
		default:
			more++
		}
	}
	if more > 0 {
		bad = append(bad, fmt.Errorf("and %d more", more))
	}
	if bad != nil {
		return nil, errors.Join(bad...)
	}
	return ps, nil
}

// isHeader tells whether a line consists of words: no field is a number, and at least one is something.
func isHeader(fields []string) bool {
	words := false
	for _, f := range fields {
		f = strings.TrimSpace(f)
		if _, err := strconv.ParseFloat(f, 64); err == nil || errors.Is(err, strconv.ErrRange) {
			return false
		}
		words = words || f != ""
	}
	return words
}

// checkHeader refuses other names and another order, which would silently swap columns.
func checkHeader(fields []string) (reason string) {
	want := strings.Join(columns[:], ",")
	for i := range fields {
		fields[i] = strings.ToLower(strings.TrimSpace(fields[i]))
	}
	if got := strings.Join(fields, ","); got != want {
		return fmt.Sprintf("header %s: want %s", abbreviate(got), want)
	}
	return ""
}

func parse(fields []string) (p gravity.Particle, reason string) {
	if len(fields) != len(columns) {
		return p, fmt.Sprintf("%d values, want %d (%s)", len(fields), len(columns), strings.Join(columns[:], ","))
	}
	values := [...]*float64{&p.X, &p.Y, &p.Z, &p.VX, &p.VY, &p.VZ, &p.Mass}
	for i, f := range fields {
		f = strings.TrimSpace(f)
		v, err := strconv.ParseFloat(f, 64)
		switch {
		case errors.Is(err, strconv.ErrRange):
			return p, fmt.Sprintf("%s: %s is beyond float64", columns[i], abbreviate(f))
		case err != nil:
			return p, fmt.Sprintf("%s: %s is not a number", columns[i], abbreviate(f))
		case math.IsNaN(v) || math.IsInf(v, 0):
			return p, fmt.Sprintf("%s: %s is not finite", columns[i], abbreviate(f))
		}
		*values[i] = v
	}
	if p.Mass < 0 {
		return p, fmt.Sprintf("mass: %v is negative", p.Mass)
	}
	return p, ""
}

func abbreviate(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return strconv.Quote(s)
}
