// Gompss is the command-line tool of GOmpSs. It has no subcommand yet.
//
// Planned: run starts a program on several ranks; trace summarises and converts a recorded trace; chk lists and verifies
// checkpoints; machine shows the cores, memories and devices that the runtime sees.
//
// Until then it prints its usage and exits with status 2.
package main

import (
	"fmt"
	"os"
)

const usage = `usage: gompss <command> [arguments]

There is no command yet. Planned: run, trace, chk, machine.
`

func main() {
	fmt.Fprint(os.Stderr, usage)
	os.Exit(2)
}
