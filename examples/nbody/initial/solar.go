package initial

import (
	"math"

	"github.com/gompss/gompss/examples/nbody/gravity"
)

// GaussianG is the gravitational constant in AU³/(solar mass · day²): the square of Gauss's k = 0.01720209895.
const GaussianG = 0.01720209895 * 0.01720209895

// Bodies names the particles of [SolarSystem] in order. Earth stands for the barycentre of Earth and Moon, with the
// mass of both.
var Bodies = []string{"Sun", "Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"}

// elements of an orbit about the Sun, in the mean ecliptic and equinox of J2000.
type elements struct {
	a            float64 // semi-major axis, AU
	e            float64 // eccentricity
	inclination  float64 // degrees
	longitude    float64 // mean longitude L, degrees
	perihelion   float64 // longitude of perihelion ϖ, degrees
	node         float64 // longitude of the ascending node Ω, degrees
	inverseOfSun float64 // mass of the Sun over that of the planet with its moons
}

// planets at J2000.0 (JD 2451545.0 TDB).
//
// Elements: E. M. Standish, "Keplerian Elements for Approximate Positions of the Major Planets", Jet Propulsion
// Laboratory, table 1 (valid 1800–2050), values without their rates. They are a best fit over 250 years; taken as the
// ellipse of one day, they miss what planets do to each other over weeks to centuries, which shows in the fifth digit of
// an inner planet's motion and in the fourth of Jupiter's and Saturn's.
//
// Masses: International Astronomical Union, working group on numerical standards, report of 1994.
var planets = []elements{
	{0.38709927, 0.20563593, 7.00497902, 252.25032350, 77.45779628, 48.33076593, 6023600},
	{0.72333566, 0.00677672, 3.39467605, 181.97909950, 131.60246718, 76.67984255, 408523.71},
	{1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0, 328900.56},
	{1.52371034, 0.09339410, 1.84969142, -4.55343205, -23.94362959, 49.55953891, 3098708},
	{5.20288700, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909, 1047.3486},
	{9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448, 3497.898},
	{19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.95427630, 74.01692503, 22902.98},
	{30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574, 19412.24},
}

// SolarSystem returns the Sun and the eight planets at J2000.0, x and y in the ecliptic, x towards the equinox, in the
// frame of their centre of mass. Units: AU, day, solar mass.
func SolarSystem() []gravity.Particle {
	ps := []gravity.Particle{{Mass: 1}}
	for _, el := range planets {
		ps = append(ps, el.particle())
	}
	gravity.Centre(ps)
	return ps
}

// particle is the state of the two-body problem of Sun and planet, the Sun at rest in the origin.
func (el elements) particle() gravity.Particle {
	mass := 1 / el.inverseOfSun
	sinNode, cosNode := sincosDegrees(el.node)
	sinPeri, cosPeri := sincosDegrees(el.perihelion - el.node) // argument of perihelion ω
	sinIncl, cosIncl := sincosDegrees(el.inclination)

	// In the plane of the orbit, perihelion on the first axis.
	meanAnomaly := (el.longitude - el.perihelion) * (math.Pi / 180)
	sinE, cosE := math.Sincos(eccentricAnomaly(meanAnomaly, el.e))
	minor := math.Sqrt(1 - el.e*el.e)
	motion := math.Sqrt(GaussianG*(1+mass)/el.a) / (1 - el.e*cosE)
	p, q := el.a*(cosE-el.e), el.a*minor*sinE
	vp, vq := -motion*sinE, motion*minor*cosE

	turn := func(p, q float64) (x, y, z float64) {
		u, w := p*cosPeri-q*sinPeri, p*sinPeri+q*cosPeri // from perihelion to the node
		return u*cosNode - w*cosIncl*sinNode, u*sinNode + w*cosIncl*cosNode, w * sinIncl
	}
	body := gravity.Particle{Mass: mass}
	body.X, body.Y, body.Z = turn(p, q)
	body.VX, body.VY, body.VZ = turn(vp, vq)
	return body
}

// eccentricAnomaly solves Kepler's equation M = E − e·sin E by Newton's method; angles in radians. The first guess
// leaves an error of order e², which every round squares: five are plenty for the planets.
func eccentricAnomaly(meanAnomaly, e float64) float64 {
	anomaly := meanAnomaly + e*math.Sin(meanAnomaly)
	for range 5 {
		sin, cos := math.Sincos(anomaly)
		anomaly -= (anomaly - e*sin - meanAnomaly) / (1 - e*cos)
	}
	return anomaly
}

func sincosDegrees(a float64) (sin, cos float64) { return math.Sincos(a * (math.Pi / 180)) }
