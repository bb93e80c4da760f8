// Package tutorial checks that docs/tutorial.md shows the programs of this folder as they are, and what they print.
package tutorial

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// block is a fenced block of tutorial.md. The line before names the file that it shows, as a link.
type block struct{ language, file, text string }

var link = regexp.MustCompile(`\]\((tutorial/[^)]*)\)[^)]*$`)

func blocks(t *testing.T) (all []block) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "tutorial.md"))
	require.NoError(t, err)
	var before string
	var in *block
	for line := range strings.Lines(string(text)) {
		language, fence := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "```")
		switch {
		case fence && in == nil:
			in = &block{language: language}
			if m := link.FindStringSubmatch(before); m != nil {
				in.file = filepath.FromSlash(strings.TrimPrefix(m[1], "tutorial/"))
			}
		case fence:
			all = append(all, *in)
			in = nil
		case in != nil:
			in.text += line
		case strings.TrimSpace(line) != "":
			before = line
		}
	}
	require.Nil(t, in, "a block has no end")
	return all
}

func TestBlocksAreTheFiles(t *testing.T) {
	shown := map[string]bool{}
	for _, b := range blocks(t) {
		if !assert.NotEmpty(t, b.file, "the line before a block names no file:\n%s", b.text) {
			continue
		}
		shown[b.file] = true
		text, err := os.ReadFile(b.file)
		require.NoError(t, err)
		want := string(text)
		if b.language == "text" && strings.HasSuffix(b.file, ".go") {
			want = output(want)
		}
		assert.Equal(t, strings.TrimRight(want, "\n"), strings.TrimRight(b.text, "\n"), "%s", b.file)
	}
	programs, err := filepath.Glob("*/main.go")
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	for _, file := range programs {
		assert.True(t, shown[file], "%s is not in tutorial.md", file)
		if example := filepath.Join(filepath.Dir(file), "example_test.go"); exists(example) {
			assert.True(t, shown[example], "the output of %s is not in tutorial.md", file)
		}
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// output returns what the Example in source prints.
func output(source string) string {
	_, comment, _ := strings.Cut(source, "// Output:")
	comment = strings.TrimSuffix(strings.TrimSpace(comment), "}")
	var b strings.Builder
	for line := range strings.Lines(comment) {
		b.WriteString(strings.TrimPrefix(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "//")), " ") + "\n")
	}
	return strings.TrimSpace(b.String())
}
