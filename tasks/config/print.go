package config

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// WriteTo writes the settings as TOML with the origin of each in a comment. [Settings.Read] accepts it.
func (s *Settings) WriteTo(w io.Writer) (int64, error) {
	return writeSections(w, func(b *bytes.Buffer, k *key) {
		v := s.get(k)
		fmt.Fprintf(b, "%-24s # %s\n", fmt.Sprintf("%s = %v", k.word(), v.Value), v.Origin)
	})
}

// WriteDefault writes a file with all keys, their defaults, and what they mean in comments. [Settings.Read] accepts it.
func WriteDefault(w io.Writer) error {
	intro := strings.NewReader("# GOmpSs: all keys, with their defaults.\n\n")
	if _, err := io.Copy(w, intro); err != nil {
		return err
	}
	_, err := writeSections(w, func(b *bytes.Buffer, k *key) {
		fmt.Fprintf(b, "# %s\n# %s.\n%s = %v\n", k.doc, capital(k.domain.String()), k.word(), k.initial)
	})
	return err
}

// writeSections writes what each makes of every key, under the headings of the sections.
func writeSections(w io.Writer, each func(*bytes.Buffer, *key)) (int64, error) {
	var b bytes.Buffer
	section := ""
	for i := range keys {
		if s := keys[i].section(); s != section {
			if section != "" {
				b.WriteByte('\n')
			}
			section = s
			fmt.Fprintf(&b, "[%s]\n", s)
		}
		each(&b, &keys[i])
	}
	return b.WriteTo(w)
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
