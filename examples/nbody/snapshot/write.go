package snapshot

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/gompss/gompss/examples/nbody/gravity"
)

// Write writes the header and then ps, a line each.
func Write(w io.Writer, ps []gravity.Particle) error {
	out := bufio.NewWriter(w) // keeps the first error until Flush
	out.WriteString(strings.Join(columns[:], ",") + "\n")
	var line []byte
	for _, p := range ps {
		line = line[:0]
		for i, v := range [...]float64{p.X, p.Y, p.Z, p.VX, p.VY, p.VZ, p.Mass} {
			if i > 0 {
				line = append(line, ',')
			}
			line = strconv.AppendFloat(line, v, 'g', -1, 64)
		}
		out.Write(append(line, '\n'))
	}
	return out.Flush()
}
