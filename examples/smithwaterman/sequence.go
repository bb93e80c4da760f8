package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// A sequence is a name and letters, which are capitals.
type sequence struct{ name, letters string }

// sequences reads or makes up the two sequences that are asked for.
func sequences(cfg *config) (a, b sequence, err error) {
	if len(cfg.inputs) == 0 {
		a, b = related(cfg.n, cfg.m, cfg.seed)
		return a, b, nil
	}
	var all []sequence
	for _, name := range cfg.inputs {
		text, err := os.ReadFile(name)
		if err != nil {
			return a, b, err
		}
		read, err := parseFASTA(name, string(text))
		if err != nil {
			return a, b, err
		}
		all = append(all, read...)
	}
	if len(all) != 2 {
		return a, b, fmt.Errorf("%s: two sequences are needed, not %d", strings.Join(cfg.inputs, ", "), len(all))
	}
	return all[0], all[1], nil
}

// parseFASTA returns the sequences of a file. A line that begins with > begins a sequence, and its first word is the name;
// letters before the first such line are a sequence named as the file.
func parseFASTA(file, text string) ([]sequence, error) {
	var all []sequence
	var letters strings.Builder
	finish := func() error {
		if len(all) == 0 {
			return nil
		}
		last := &all[len(all)-1]
		last.letters = strings.ToUpper(letters.String())
		letters.Reset()
		if n := len(last.letters); n == 0 || n > maxLetters {
			return fmt.Errorf("%s: sequence %s has %d letters; 1 to %d are allowed", file, last.name, n, maxLetters)
		}
		return nil
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		header, isHeader := strings.CutPrefix(line, ">")
		switch {
		case line == "":
			continue
		case isHeader:
			if err := finish(); err != nil {
				return nil, err
			}
			name := fmt.Sprintf("#%d", len(all)+1)
			if words := strings.Fields(header); len(words) > 0 {
				name = words[0]
			}
			all = append(all, sequence{name: name})
			continue
		case len(all) == 0:
			all = append(all, sequence{name: filepath.Base(file)})
		}
		if i := strings.IndexFunc(line, noLetter); i >= 0 {
			return nil, fmt.Errorf("%s:%d: %q is no letter of a sequence", file, number, []rune(line[i:])[0])
		}
		letters.WriteString(line)
	}
	return all, finish()
}

// noLetter tells whether a sequence may not have r: letters, * for a stop and - for a gap are what FASTA has.
func noLetter(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '*' && r != '-'
}

// related makes up two sequences of n and m letters. Half of the shorter one is in both, with one letter in ten replaced.
func related(n, m int, seed uint64) (a, b sequence) {
	random := rand.New(rand.NewPCG(seed, 0))
	letter := func() byte { return "ACGT"[random.IntN(4)] }
	first, second := make([]byte, n), make([]byte, m)
	for _, s := range [][]byte{first, second} {
		for i := range s {
			s[i] = letter()
		}
	}
	common := min(n, m) / 2
	from, to := random.IntN(n-common+1), random.IntN(m-common+1)
	copy(second[to:], first[from:from+common])
	for i := range common {
		if random.IntN(10) == 0 {
			second[to+i] = letter()
		}
	}
	return sequence{"made up", string(first)}, sequence{"made up", string(second)}
}
