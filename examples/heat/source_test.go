package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTemperature(t *testing.T) {
	s := []source{{0.5, 0, 0.5, 2}, {0, 0, 0.25, 1}}
	assert.Equal(t, 2.0, temperature(s, 0.5, 0), "the centre")
	assert.Equal(t, 1.5, temperature(s, 0.25, 0), "half way")
	assert.Equal(t, 1.0, temperature(s, 0, 0), "where only the other source reaches")
	assert.Zero(t, temperature(s, 1, 0), "the end of the radius")
	assert.Equal(t, 1.28, temperature(s, 0.2, 0), "the hotter of two")
}

func TestParseSource(t *testing.T) {
	s, err := parseSource("0.5, 1,0.3,20")
	assert.NoError(t, err)
	assert.Equal(t, source{0.5, 1, 0.3, 20}, s)
	for text, complaint := range map[string]string{
		"1,2,3":         "is not x,y,radius,temperature",
		"a,0,1,1":       `"a" is not a number`,
		"NaN,0,1,1":     `"NaN" is not a number`,
		"0,0,0,1":       "the radius 0 is not positive",
		"0.5,0.5,0.4,1": "does not reach the rim",
	} {
		_, err := parseSource(text)
		assert.ErrorContains(t, err, complaint)
	}
}
