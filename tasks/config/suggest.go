package config

import "strings"

// didYouMean returns "; did you mean KEY?" if some key's name is close to the wrong one, else nothing.
func didYouMean(wrong string) string {
	const longest = 64 // no name that long is a slip, and the search is quadratic
	if len(wrong) > longest {
		return ""
	}
	wrong = strings.ToLower(wrong)
	best, distance := "", longest
	for i := range keys {
		k := &keys[i]
		d := editDistance(wrong, k.name)
		if !strings.Contains(wrong, ".") {
			d = min(d, editDistance(wrong, k.word()))
		} else if _, word, _ := strings.Cut(wrong, "."); word == k.word() {
			d = min(d, 1) // the right word in the wrong section
		}
		if d < distance {
			best, distance = k.name, d
		}
	}
	if distance > max(1, len(wrong)/4) {
		return ""
	}
	return "; did you mean " + best + "?"
}

// editDistance is Levenshtein's: how many bytes are to be put in, taken out or replaced.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1) // distances of the prefix of a seen so far to every prefix of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
