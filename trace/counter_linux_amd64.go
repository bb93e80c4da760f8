package trace

// counterSource is the kernel's name for the cycle counter, counterFlags what the processor must promise about it.
const counterSource = "tsc"

var counterFlags = []string{"constant_tsc", "nonstop_tsc"}

// cycles reads the time stamp counter. It does not wait for earlier instructions: an event may be some cycles early.
func cycles() uint64
