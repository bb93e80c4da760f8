// Gotest runs go test with its arguments and prints one line for each package, the output of what failed, and the skipped
// tests with their reasons. It appends the latter to the file named by $SKIPS, if set.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// event is a line of go test -json; see go doc test2json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

// report gathers the events of one run.
type report struct {
	output map[[2]string][]string // by package and test; "" is the package itself
	tests  map[string]int         // by package
	total  int
	skips  []string
}

func main() {
	name := os.Getenv("GO")
	if name == "" {
		name = "go"
	}
	cmd := exec.Command(name, append([]string{"test", "-json"}, os.Args[1:]...)...)
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		os.Exit(1)
	}

	r := &report{output: map[[2]string][]string{}, tests: map[string]int{}}
	for lines := bufio.NewReader(pipe); ; {
		line, err := lines.ReadBytes('\n')
		var e event
		if json.Unmarshal(line, &e) == nil {
			r.add(e)
		} else {
			os.Stdout.Write(line) // go test reports some failures to build in plain words
		}
		if err != nil {
			break
		}
	}
	err = cmd.Wait()

	for _, s := range r.skips {
		fmt.Println("skipped:", s)
	}
	if path := os.Getenv("SKIPS"); path != "" && len(r.skips) > 0 {
		if f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0); err == nil {
			fmt.Fprintln(f, "skipped:", strings.Join(r.skips, "\nskipped: "))
			f.Close()
		}
	}
	fmt.Printf("%d tests ran, %d skipped\n", r.total, len(r.skips))
	if err != nil {
		os.Exit(1)
	}
}

func (r *report) add(e event) {
	key := [2]string{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Print(e.Output)
	case "output":
		r.output[key] = append(r.output[key], e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.endPackage(e)
		} else {
			r.endTest(e, key)
			delete(r.output, key)
		}
	}
}

func (r *report) endTest(e event, key [2]string) {
	switch e.Action {
	case "fail":
		fmt.Print(strings.Join(r.output[key], ""))
		r.count(e)
	case "pass":
		r.count(e)
	case "skip":
		r.skips = append(r.skips, fmt.Sprintf("%s %s: %s", e.Package, e.Test, reason(r.output[key])))
	}
}

func (r *report) count(e event) {
	r.tests[e.Package]++
	r.total++
}

func (r *report) endPackage(e event) {
	if e.Action == "fail" {
		for key, lines := range r.output { // of the package itself, and of tests that a panic or the time limit cut off
			if key[0] == e.Package {
				fmt.Print(strings.Join(lines, ""))
			}
		}
	} else if e.Action == "pass" {
		fmt.Printf("ok  \t%s\t%d tests, %.1fs\n", e.Package, r.tests[e.Package], e.Elapsed)
	}
	for key := range r.output {
		if key[0] == e.Package {
			delete(r.output, key)
		}
	}
}

// place is where t.Skip was called, which go test puts before the reason.
var place = regexp.MustCompile(`^\s*\S+_test\.go:\d+: `)

// reason is what a test that skipped itself said last.
func reason(output []string) string {
	for i := len(output) - 1; i >= 0; i-- {
		if place.MatchString(output[i]) {
			return strings.TrimSpace(place.ReplaceAllString(output[i], ""))
		}
	}
	return "no reason given"
}
