// Package config reads a runtime's [tasks.Config] from a file and the environment, as OmpSs-2 programs are configured.
//
//	cfg, err := config.Load()
//	if err != nil {
//		return err
//	}
//	rt, err := tasks.New(cfg)
//
// Nothing is read unless a program asks: [tasks.New] looks at no file and no variable, and what a program puts into the
// Config after [Load] stands.
//
// # Sources
//
// A later one wins, key by key:
//
//  1. the defaults, which are those of the zero [tasks.Config]
//  2. one file in TOML: the one that GOMPSS_CONFIG names, which must exist; without that variable ./gompss.toml, if it
//     is there
//  3. GOMPSS_CONFIG_OVERRIDE, a list such as "scheduler.workers=4,throttle.tasks=1000"
//
// A variable that is set to nothing counts as not set. Under Nanos6 the three are called NANOS6_CONFIG, ./nanos6.toml and
// NANOS6_CONFIG_OVERRIDE.
//
// # Keys
//
// "gompss info -default-config" prints all keys with their defaults, as a file to start from, and "gompss info" the
// values in force and where each came from. A key that does not exist, a value of the wrong type and one out of range
// are errors that name the source, the line and the key; all of them are reported together.
package config
