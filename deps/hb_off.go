//go:build !race

package deps

type hbRef = struct{}

func newOrder() hbRef { return hbRef{} }

// Acquire is for race builds; see hb_on.go.
func (n *Node) Acquire() {}

// Surrender is for race builds.
func (n *Node) Surrender() {}

// SurrenderItem is for race builds.
func (n *Node) SurrenderItem(Access) {}
