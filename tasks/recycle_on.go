//go:build !race

package tasks

// recycling tells whether tasks are used again.
const recycling = true
