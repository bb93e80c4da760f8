//go:build !race

package tasks

type edges struct{}

//go:norace
func (*cycle) linkBack() {}

//go:norace
func (*cycleNode) acquireEdges() {}
