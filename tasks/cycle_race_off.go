//go:build !race

package tasks

type edges struct{}

//go:norace
func (*cycle) linkBack() {}

//go:norace
func (*cycleNode) acquireEdges() {}

//go:norace
func (*cycle) startLetIn() {}

//go:norace
func (*cycleNode) nextLetIn() {}

//go:norace
func (*cycleNode) acquireLetIn() {}

//go:norace
func (*cycleNode) surrenderLetIn() {}
