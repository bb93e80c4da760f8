// Trace: record a run, and read where its time went.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/gompss/gompss/deps"
	"github.com/gompss/gompss/tasks"
	"github.com/gompss/gompss/trace"
)

var (
	load = tasks.NewType("load", 0)
	work = tasks.NewType("work", 0)
	save = tasks.NewType("save", 1)
)

func main() {
	for _, disk := range []func(*int) deps.Access{deps.InOut[int], deps.Commutative[int]} {
		rec, err := run(disk)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(rec.Summary())
		if len(os.Args) > 1 {
			if err := write(os.Args[1], rec); err != nil {
				log.Fatal(err)
			}
		}
	}
}

// run loads, transforms and saves six files. disk says how loading and saving use the disk.
func run(disk func(*int) deps.Access) (*trace.Recorder, error) {
	rec := trace.New(trace.Config{})
	rt, err := tasks.New(tasks.Config{Workers: 2, Trace: rec})
	if err != nil {
		return nil, err
	}
	err = rt.Run(context.Background(), func(t *tasks.Task) error {
		var files [6]int
		var d int
		for i := range files {
			tasks.Spawn(t, func() { compute(time.Millisecond) }, load, disk(&d), deps.Out(&files[i]))
			tasks.Spawn(t, func() { compute(4 * time.Millisecond) }, work, deps.InOut(&files[i]))
			tasks.Spawn(t, func() { compute(time.Millisecond) }, save, disk(&d), deps.In(&files[i]))
		}
		return nil
	})
	return rec, errors.Join(err, rt.Close()) // after Close the recording is whole
}

// compute keeps a core busy.
func compute(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

// write makes a timeline for https://ui.perfetto.dev.
func write(name string, rec *trace.Recorder) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(rec.WriteChrome(f), f.Close())
}
