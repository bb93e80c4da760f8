package config_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/tasks/config"
)

// The user's file and environment first, then what the program itself insists on.
func ExampleLoad() {
	os.Setenv(config.OverrideVariable, "scheduler.workers=3,throttle.tasks=1000")
	defer os.Unsetenv(config.OverrideVariable)

	cfg, err := config.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg.Workers = 2 // say, from a flag: it stands
	rt, err := tasks.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer rt.Close()
	fmt.Println(rt.Workers(), "slots, throttle", cfg.Throttle)
	// Output: 2 slots, throttle 1000
}

func ExampleResolve() {
	os.Setenv(config.OverrideVariable, "throttle.tasks=1000")
	defer os.Unsetenv(config.OverrideVariable)

	s, err := config.Resolve()
	if err != nil {
		fmt.Println(err)
		return
	}
	for v := range s.All() {
		if v.Key == "throttle.tasks" {
			fmt.Println(v.Value, "from", v.Origin)
		}
	}
	// Output: 1000 from GOMPSS_CONFIG_OVERRIDE
}

func ExampleSettings_Read() {
	var s config.Settings
	err := s.Read(strings.NewReader(`
[scheduler]
workers = 4
wrokers = 5
`), "my.toml")
	fmt.Println(err)
	// Output: my.toml:4: scheduler.wrokers: no such key; did you mean scheduler.workers?
}

func ExampleSettings_Override() {
	var s config.Settings
	if err := s.Override("scheduler.workers=1, scheduler.serial=true", "-config"); err != nil {
		fmt.Println(err)
		return
	}
	cfg, err := s.Tasks()
	fmt.Println(cfg.Workers, cfg.Serial, err)
	// Output: 1 true <nil>
}

func ExampleSettings_Tasks() {
	var s config.Settings
	s.Override("scheduler.workers=2,scheduler.serial=true", "-config")
	_, err := s.Tasks()
	fmt.Println(err)
	// Output: config: tasks: Config.Serial needs Workers 1, not 2, and no Pick (scheduler.workers = 2 from -config, scheduler.serial = true from -config)
}

func ExampleSettings_All() {
	var s config.Settings
	s.Override("throttle.tasks=99", "-config")
	for v := range s.All() {
		if v.Origin != "default" {
			fmt.Println(v.Key, v.Value, v.Origin)
		}
	}
	// Output: throttle.tasks 99 -config
}

func ExampleSettings_WriteTo() {
	var s config.Settings
	s.Override("scheduler.workers=8", "-config")
	var b strings.Builder
	s.WriteTo(&b)
	lines := strings.SplitAfter(b.String(), "\n")
	fmt.Print(lines[0], lines[1])
	// Output:
	// [scheduler]
	// workers = 8              # -config
}

func ExampleWriteDefault() {
	var b strings.Builder
	config.WriteDefault(&b)
	_, text, _ := strings.Cut(b.String(), "\n\n") // without the title
	lines := strings.SplitAfter(text, "\n")
	fmt.Print(strings.Join(lines[:4], ""))
	// Output:
	// [scheduler]
	// # Slots: task bodies that may run at once. 0 is one for each core the program may use.
	// # An integer from 0 to 65536.
	// workers = 0
}
