//go:build race

package tasks

// recycling is off in race builds: the detector would remember what was ordered by way of the task that a piece of
// memory was before.
const recycling = false
