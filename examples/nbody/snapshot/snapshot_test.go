package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gompss/gompss/examples/nbody/gravity"
	"github.com/gompss/gompss/examples/nbody/initial"
)

func TestWrittenParticlesReadBackToTheSameBits(t *testing.T) {
	ps := append(initial.Plummer(500, 3), initial.SolarSystem()...)
	ps = append(ps, gravity.Particle{X: math.MaxFloat64, Y: math.SmallestNonzeroFloat64, Z: math.Copysign(0, -1), VX: 1.0 / 3})
	var file bytes.Buffer
	require.NoError(t, Write(&file, ps))
	got, err := ReadAll(&file)
	require.NoError(t, err)
	assert.Equal(t, ps, got)
	assert.Equal(t, gravity.Checksum(ps), gravity.Checksum(got), "the sign of zero counts")
}

func TestReadTakesHeaderCommentsAndSpaces(t *testing.T) {
	want := []gravity.Particle{{X: 1, Y: 2, Z: 3, VX: 4, VY: 5, VZ: 6, Mass: 7}, {X: -1e-3, Mass: 0}}
	for name, file := range map[string]string{
		"bare":      "1,2,3,4,5,6,7\n-1e-3,0,0,0,0,0,0\n",
		"header":    "x,y,z,vx,vy,vz,mass\n1,2,3,4,5,6,7\n-1e-3,0,0,0,0,0,0",
		"Excel":     "\ufeffX, Y, Z, VX, VY, VZ, Mass\r\n1,2,3,4,5,6,7\r\n-1e-3,0,0,0,0,0,0\r\n",
		"decorated": "# two particles\n\nx,y,z,vx,vy,vz,mass\n  # first\n 1, 2,3 ,4,5,6,7\n\n-1e-3,0,0,0,0,0,0\n#end",
	} {
		got, err := ReadAll(iotest.OneByteReader(strings.NewReader(file)))
		assert.NoError(t, err, name)
		assert.Equal(t, want, got, name)
	}
	for _, file := range []string{"", "\n\n", "# nothing", "x,y,z,vx,vy,vz,mass\n"} {
		got, err := ReadAll(strings.NewReader(file))
		assert.NoError(t, err)
		assert.Empty(t, got)
	}
}

func TestBadLinesAreNamed(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"1,2,3,4,5,6,7\n1,2,3\n", "line 2: 3 values, want 7 (x,y,z,vx,vy,vz,mass)"},
		{"1,2,3,4,5,6,7,\n", "line 1: 8 values, want 7 (x,y,z,vx,vy,vz,mass)"},
		{"# c\n1,2,zwei,4,5,6,7", `line 2: z: "zwei" is not a number`},
		{"1,2,,4,5,6,7", `line 1: z: "" is not a number`},
		{"1,2,3,NaN,5,6,7", `line 1: vx: "NaN" is not finite`},
		{"1,2,3,4,-Inf,6,7", `line 1: vy: "-Inf" is not finite`},
		{"1,2,3,4,5,1e999,7", `line 1: vz: "1e999" is beyond float64`},
		{"1,2,3,4,5,6,-7", "line 1: mass: -7 is negative"},
		{"x,z,y,vx,vy,vz,mass", `line 1: header "x,z,y,vx,vy,vz,mass": want x,y,z,vx,vy,vz,mass`},
		{"1,2,3,4,5,6,7\nx,y,z,vx,vy,vz,mass", `line 2: x: "x" is not a number`},
		{"1,2,3,4,5,6," + strings.Repeat("7", maxLine), "line 1: longer than 65536 bytes"},
		{strings.Repeat("x", 50), `line 1: header "` + strings.Repeat("x", 40) + `…": want x,y,z,vx,vy,vz,mass`},
	} {
		ps, err := ReadAll(strings.NewReader(c.file))
		assert.EqualError(t, err, c.want)
		assert.Nil(t, ps)
	}
}

func TestManyBadLinesAreCounted(t *testing.T) {
	_, err := ReadAll(strings.NewReader(strings.Repeat("bad,bad,1\n", 25)))
	require.Error(t, err)
	lines := strings.Split(err.Error(), "\n")
	assert.Len(t, lines, 11)
	assert.Contains(t, lines[9], "line 10:")
	assert.Equal(t, "and 15 more", lines[10])
}

func TestParticlesStopsWhenAskedAndReportsTheReader(t *testing.T) {
	broken := errors.New("broken disk")
	r := io.MultiReader(strings.NewReader("1,2,3,4,5,6,7\nbad,1\n1,2,3,4,5,6,7\n"), iotest.ErrReader(broken))
	var lineErr *LineError
	n := 0
	for _, err := range Particles(r) {
		if n++; n == 2 {
			require.ErrorAs(t, err, &lineErr)
			assert.Equal(t, 2, lineErr.Line)
			break
		}
		require.NoError(t, err)
	}
	assert.Equal(t, 2, n)

	_, err := ReadAll(io.MultiReader(strings.NewReader("1,2,3,4,5,6,7\n"), iotest.ErrReader(broken)))
	assert.ErrorIs(t, err, broken)
	assert.ErrorContains(t, err, "after line 1")
}

func TestWriteReportsTheWriter(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	assert.ErrorIs(t, Write(w, make([]gravity.Particle, 1000)), io.ErrClosedPipe)
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("x,y,z,vx,vy,vz,mass\n1,2,3,4,5,6,7\n"))
	f.Add([]byte("# c\r\n\r\n1e-320,0x1p-3,-0,1_0,5,6,7\nnan,inf,,,,,\n"))
	f.Add([]byte("\xef\xbb\xbf1,2,3,4,5,6,-0"))
	f.Fuzz(func(t *testing.T, file []byte) {
		ps, err := ReadAll(bytes.NewReader(file))
		if err != nil {
			assert.Nil(t, ps)
			return
		}
		for i, p := range ps {
			for _, v := range []float64{p.X, p.Y, p.Z, p.VX, p.VY, p.VZ, p.Mass} {
				assert.False(t, math.IsNaN(v) || math.IsInf(v, 0), fmt.Sprint(i, p))
			}
			assert.GreaterOrEqual(t, p.Mass, 0.0)
		}
		var again bytes.Buffer
		require.NoError(t, Write(&again, ps))
		got, err := ReadAll(&again)
		require.NoError(t, err)
		assert.Equal(t, gravity.Checksum(ps), gravity.Checksum(got))
	})
}
