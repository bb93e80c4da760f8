package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A source heats the rim of the plate, which is a square from (0,0), top left, to (1,1): at its centre to the given
// temperature, and less the farther away, down to nothing at its radius. The rest of the rim is kept at zero.
type source struct{ x, y, radius, temperature float64 }

var defaultSources = []source{{0, 0, 0.75, 1}, {0.5, 1, 0.4, 0.7}, {1, 0.3, 0.2, 0.9}}

// parseSource reads x,y,radius,temperature.
func parseSource(text string) (source, error) {
	fields := strings.Split(text, ",")
	if len(fields) != 4 {
		return source{}, fmt.Errorf("%q is not x,y,radius,temperature", text)
	}
	var v [4]float64
	for i, f := range fields {
		var err error
		if v[i], err = strconv.ParseFloat(strings.TrimSpace(f), 64); err != nil || math.IsNaN(v[i]) || math.IsInf(v[i], 0) {
			return source{}, fmt.Errorf("%q is not a number", f)
		}
	}
	s := source{v[0], v[1], v[2], v[3]}
	if !(s.radius > 0) {
		return source{}, fmt.Errorf("the radius %v is not positive", s.radius)
	}
	if inside := min(s.x, s.y, 1-s.x, 1-s.y); inside >= s.radius {
		return source{}, fmt.Errorf("%q does not reach the rim of the plate", text)
	}
	return s, nil
}

// temperature returns that of a point of the rim. Where sources overlap, the hotter one counts.
func temperature(sources []source, x, y float64) (hottest float64) {
	for _, s := range sources {
		dx, dy := (x-s.x)/s.radius, (y-s.y)/s.radius
		// The conversions keep compilers from joining products and sums: all processors are to give the same bits.
		if d := float64(dx*dx) + float64(dy*dy); d < 1 {
			hottest = max(hottest, s.temperature*(1-d))
		}
	}
	return hottest
}
