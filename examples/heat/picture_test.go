package main

import (
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPicture(t *testing.T) {
	file := filepath.Join(t.TempDir(), "heat.png")
	require.NoError(t, writePicture(file, []float64{0, 1, 2, 6, 0, 0}, 2, 3))
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	img, err := png.Decode(f)
	require.NoError(t, err)
	assert.Equal(t, 3, img.Bounds().Dx())
	assert.Equal(t, 2, img.Bounds().Dy())
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA) }
	assert.Equal(t, color.RGBA{0, 0, 0, 255}, at(0, 0))
	assert.Equal(t, color.RGBA{255, 0, 0, 255}, at(2, 0), "a third of the hottest")
	assert.Equal(t, color.RGBA{255, 255, 255, 255}, at(0, 1))
	assert.NoError(t, writePicture(file, make([]float64, 6), 2, 3), "a cold plate")
}
