package trace

// counterSource is the kernel's name for the generic timer, which needs no promise of the processor.
const counterSource = "arch_sys_counter"

var counterFlags []string

// cycles reads the generic timer's virtual count.
func cycles() uint64
