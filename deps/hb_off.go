//go:build !race

package deps

type hbRef = struct{}

// The order that a race build tells the detector; see hb_on.go.

func (x *access) hbFirst()            {}
func (x *access) hbAfter(*access)     {}
func (x *access) hbBelow(*access)     {}
func (x *access) hbAlsoAfter(*access) {}
func (x *access) hbAlsoBelow(*access) {}

// Acquire is for race builds; see hb_on.go.
func (n *Node) Acquire() {}

// Surrender is for race builds.
func (n *Node) Surrender() {}

// SurrenderItem is for race builds.
func (n *Node) SurrenderItem(Access) {}
