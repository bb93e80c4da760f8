// Traceoff measures what the trace calls cost a whole task while nothing is recorded: it builds the micro benchmarks
// twice, as they are and without the calls (tag notrace), and runs the two in turns on one core. Where valgrind is
// installed it also counts instructions, which unlike times do not depend on what else the machine does.
//
//	go run ./bench/traceoff -rounds 15
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gompss/gompss/bench"
)

var (
	rounds = flag.Int("rounds", 21, "runs of each build and pattern")
	times  = flag.Int("times", 5, "executions of the pattern in a run")
	names  = flag.String("patterns", "M1,M2,M5", "patterns, by name")
)

// build is one of the two binaries.
type build struct {
	what, tags, file string
}

func main() {
	flag.Parse()
	if err := measure(strings.Split(*names, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "traceoff:", err)
		os.Exit(1)
	}
}

func measure(patterns []string) error {
	dir, err := os.MkdirTemp("", "traceoff")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	builds := [2]build{{what: "off", file: filepath.Join(dir, "off")}, {what: "without", tags: "notrace", file: filepath.Join(dir, "without")}}
	for _, b := range builds {
		out, err := exec.Command("go", "test", "-c", "-tags", b.tags, "-o", b.file, "github.com/gompss/gompss/bench").CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	fmt.Printf("%-4s %-22s %9s %9s %9s\n", "", "a task", builds[0].what, builds[1].what, "cost")
	for _, p := range patterns {
		if err := compare(p, builds); err != nil {
			return err
		}
	}
	return nil
}

// compare prints both builds' times for one pattern and, if it can count them, their instructions.
func compare(pattern string, builds [2]build) error {
	var ns [2][]float64
	for round := range 2 * *rounds {
		i := (round + round/2) % 2 // 0 1 1 0: neither is always the one that runs second
		v, err := timed(builds[i], pattern)
		if err != nil {
			return err
		}
		ns[i] = append(ns[i], v)
	}
	var median, least [2]float64
	for i := range ns {
		slices.Sort(ns[i])
		median[i], least[i] = ns[i][len(ns[i])/2], ns[i][0]
	}
	line(pattern, fmt.Sprintf("ns, median of %d", *rounds), median)
	line(pattern, "ns, least", least)

	tool, err := exec.LookPath("valgrind")
	if err != nil {
		return nil
	}
	var count [2]float64
	for i, b := range builds {
		if count[i], err = counted(tool, b, pattern); err != nil {
			return err
		}
	}
	line(pattern, "instructions", count)
	return nil
}

func line(pattern, what string, v [2]float64) {
	fmt.Printf("%-4s %-22s %9.2f %9.2f %+9.2f\n", pattern, what, v[0], v[1], v[0]-v[1])
}

func arguments(pattern string, times int) []string {
	return []string{"-test.run=^$", "-test.cpu=1", fmt.Sprintf("-test.bench=^BenchmarkMicro$/^%s$/^workers=1$", pattern),
		fmt.Sprintf("-test.benchtime=%dx", times)}
}

var perTask = regexp.MustCompile(`([0-9.]+) ns/task`)

func timed(b build, pattern string) (float64, error) {
	return number(exec.Command(b.file, arguments(pattern, *times)...), perTask)
}

var instructions = regexp.MustCompile(`I +refs: +([0-9,]+)`)

// counted takes the difference of a long and a short run, so what is not the pattern's own falls out. (Of a run of one
// execution package testing makes another number of executions.)
func counted(valgrind string, b build, pattern string) (float64, error) {
	const short, long = 2, 6
	i := slices.IndexFunc(bench.Micro, func(p bench.Pattern) bool { return p.Name == pattern })
	if i < 0 {
		return 0, fmt.Errorf("no pattern is called %q", pattern)
	}
	var n [2]float64
	for j, times := range []int{short, long} {
		tool := []string{"--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", b.file}
		v, err := number(exec.Command(valgrind, append(tool, arguments(pattern, times)...)...), instructions)
		if err != nil {
			return 0, err
		}
		n[j] = v
	}
	return (n[1] - n[0]) / float64((long-short)*bench.Micro[i].Tasks), nil
}

// number runs cmd and returns the number that it prints where found matches.
func number(cmd *exec.Cmd, found *regexp.Regexp) (float64, error) {
	cmd.Env = append(os.Environ(), "GOGC=off") // when the collector runs is nothing to compare
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%w\n%s", err, out)
	}
	m := found.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("%v printed no figure:\n%s", cmd, out)
	}
	return strconv.ParseFloat(strings.ReplaceAll(string(m[1]), ",", ""), 64)
}
