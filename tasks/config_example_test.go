package tasks_test

import (
	"fmt"

	"github.com/gompss/gompss/tasks"
)

func ExampleConfig_Effective() {
	cfg, err := tasks.Config{Workers: 2}.Effective()
	fmt.Println(cfg.Workers, "slots, throttle", cfg.Throttle, err)
	_, err = tasks.Config{Workers: -1}.Effective()
	fmt.Println(err)
	// Output:
	// 2 slots, throttle 512 <nil>
	// tasks: Config.Workers is -1, want 0 to 65536
}
