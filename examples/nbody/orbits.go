package main

import (
	"math"

	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/examples/nbody/initial"
)

// orbits watches planets go round the Sun and measures their sidereal periods.
type orbits struct {
	planets []*orbit
}

// newOrbits watches Earth and Jupiter in the particles of [initial.SolarSystem].
func newOrbits() *orbits {
	o := &orbits{}
	for body, name := range initial.Bodies {
		if name == "Earth" || name == "Jupiter" {
			o.planets = append(o.planets, &orbit{name: name, body: body})
		}
	}
	return o
}

// observe takes note of where the planets stand at a time in days. The Sun is particle 0 of b.
func observe[F gravity.Float](o *orbits, time float64, b *gravity.Block[F]) {
	for _, p := range o.planets {
		p.add(time, math.Atan2(float64(b.Y[p.body]-b.Y[0]), float64(b.X[p.body]-b.X[0])))
	}
}

// orbit is the motion of one planet in ecliptic longitude as seen from the Sun.
type orbit struct {
	name string
	body int // index among the particles

	seen        bool
	start, time float64 // of the first and the last observation
	last        float64 // longitude in radians, −π … π
	turned      float64 // angle since start, radians
	revolutions int
	returned    float64 // time of the last return to the first longitude
}

// add takes the next observation, less than half a revolution after the one before. The time of a return to the first
// longitude is found on the straight line between two observations; it errs by up to λ″·dt²/8, where λ″ ≈ 2·e·n² is the
// change of the angular speed n.
func (o *orbit) add(time, longitude float64) {
	if !o.seen {
		o.seen, o.start, o.time, o.last = true, time, time, longitude
		return
	}
	step := math.Remainder(longitude-o.last, 2*math.Pi)
	if full := 2 * math.Pi * float64(o.revolutions+1); step > 0 && o.turned+step >= full {
		o.revolutions++
		o.returned = o.time + (time-o.time)*(full-o.turned)/step
	}
	o.turned += step
	o.time, o.last = time, longitude
}

// period is the mean over all complete revolutions, in days; ok is false before the first.
func (o *orbit) period() (days float64, ok bool) {
	if o.revolutions == 0 {
		return 0, false
	}
	return (o.returned - o.start) / float64(o.revolutions), true
}
