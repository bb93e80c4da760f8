// Package snapshot reads and writes the state of all particles as comma-separated text, one particle a line:
//
//	x,y,z,vx,vy,vz,mass
//	# comments and blank lines are skipped
//	0.5,0,0,0,0.5,0,0.5
//
// The header line is optional and is always written. Numbers are written with the fewest digits that read back to the
// same float64, so reading what was written gives the same bits.
package snapshot

// columns in the order of a line.
var columns = [...]string{"x", "y", "z", "vx", "vy", "vz", "mass"}
