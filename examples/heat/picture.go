package main

import (
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
)

// writePicture writes one pixel for each cell.
func writePicture(file string, cells []float64, rows, cols int) error {
	hottest := 0.0
	for _, t := range cells {
		hottest = max(hottest, t)
	}
	img := image.NewRGBA(image.Rect(0, 0, cols, rows))
	for i, t := range cells {
		if hottest > 0 {
			t /= hottest
		}
		img.SetRGBA(i%cols, i/cols, glow(t))
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, img), f.Close())
}

// glow maps 0 to 1 to the colours of hot metal: black, red, yellow, white.
func glow(t float64) color.RGBA {
	part := func(from float64) uint8 { return uint8(255 * min(max(3*t-from, 0), 1)) }
	return color.RGBA{part(0), part(1), part(2), 255}
}
