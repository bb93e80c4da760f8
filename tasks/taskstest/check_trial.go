package taskstest

import (
	"bytes"
	"slices"
	"unsafe"

	"github.com/gompss/gompss/deps"
)

// A trial is a run like the first one in which some bytes have other values whenever the bodies of one class run, and
// their own again whenever these do not. If the run then does what the first one did, those bodies do not depend on
// the bytes.
//
// Words that look like pointers are left alone, and so are the two behind each, which may be a length and a capacity:
// a body may go wrong, but memory must stay sound.
type trial struct {
	who     class
	which   func(l *life) []deps.Access // which bytes, for one task
	variant int
	patches map[*life][]*patch
	left    bool // some bytes could not be given another value
	touched bool // a task of the class ran with other values
	wrote   bool // a body changed some of the bytes
	kept    bool // a body was over and had not changed all of them
}

// patch is a run of bytes with other values.
type patch struct {
	bytes   []byte
	own     []byte // what is there
	other   []byte // what the body sees
	changed []bool // by the body
}

// variants is how many other values are tried: one off, and for words that may be floating-point zeros some number
// between one and two.
const variants = 3

// enter puts the other values in place.
func (t *trial) enter(l *life) {
	if l.class != t.who || l.combines {
		return
	}
	all := t.patches[l]
	if all == nil {
		for _, a := range t.which(l) {
			for i := range a.Runs() {
				p, n := a.Run(i)
				b := unsafe.Slice((*byte)(p), int(n))
				all = append(all, &patch{bytes: b, own: make([]byte, n), other: make([]byte, n), changed: make([]bool, n)})
			}
		}
		if all == nil {
			return
		}
		t.patches[l] = all
	}
	t.touched = true
	for _, p := range all {
		copy(p.own, p.bytes)
		if !disturb(p.own, p.other, uintptr(unsafe.Pointer(&p.bytes[0])), t.variant) {
			t.left = true
		}
		for i := range p.bytes {
			if p.changed[i] {
				p.other[i] = p.own[i]
			}
		}
		copy(p.bytes, p.other)
	}
}

// leave puts the own values back, except where the body wrote.
func (t *trial) leave(l *life) {
	for _, p := range t.patches[l] {
		for i := 0; i < len(p.bytes); {
			end := min(i+t.unit(&p.bytes[i]), len(p.bytes))
			if !bytes.Equal(p.bytes[i:end], p.other[i:end]) {
				t.wrote = true
				for k := i; k < end; k++ {
					p.changed[k] = true
				}
			}
			for ; i < end; i++ {
				if !p.changed[i] {
					p.bytes[i] = p.own[i]
				}
			}
		}
	}
}

// unit returns how many bytes from p on count as changed if one of them is. A value that the body wrote may have a byte in
// common with the other value; and of a word, the body may have written one byte. Each variant is wrong about one of
// the two.
func (t *trial) unit(p *byte) int {
	if t.variant == 0 {
		return 1
	}
	return 4 - int(uintptr(unsafe.Pointer(p))%4)
}

// end looks at what the bodies have left as it was.
func (t *trial) end() {
	for _, all := range t.patches {
		for _, p := range all {
			for i := range p.own {
				if p.other[i] != p.own[i] && !p.changed[i] {
					t.kept = true
				}
			}
		}
	}
}

// disturb fills other with values that are not those of own, which begins at address at. It reports false if some bytes
// have the same values as before.
func disturb(own, other []byte, at uintptr, variant int) (all bool) {
	copy(other, own)
	all = true
	skip := 0
	for i := 0; i < len(own); {
		if (at+uintptr(i))%8 != 0 || len(own)-i < 8 {
			if skip > 0 {
				all = false
			} else {
				other[i] ^= 1 << (variant % 8)
			}
			i++
			continue
		}
		w := *(*uint64)(unsafe.Pointer(&own[i]))
		switch {
		case pointerLike(w):
			skip, all = 2, false
		case skip > 0:
			skip--
			all = false
		default:
			v := otherWord(w, variant)
			for k := range 8 {
				other[i+k] = byte(v >> (8 * k))
				if !littleEndian {
					other[i+k] = byte(v >> (56 - 8*k))
				}
			}
		}
		i += 8
	}
	return all
}

var littleEndian = func() bool { x := uint16(1); return *(*byte)(unsafe.Pointer(&x)) == 1 }()

// pointerLike tells whether a word may be an address: of code and data of the program, or of its heap.
func pointerLike(w uint64) bool {
	return w >= 0x400000 && w < 0x4000000 || w >= 1<<36 && w < 1<<48
}

// otherWord returns another value for a word: for what looks like one or two floating-point numbers, ones that differ by
// a good part; for what looks like text, other letters; for numbers, their neighbours.
func otherWord(w uint64, variant int) uint64 {
	switch e := w >> 52 & 0x7ff; {
	case w == 0:
		return [variants]uint64{1, 0x3ff9c3a55a3c96e1, 0x3fc9a5b73fd1e3c9}[variant]
	case e > 0x380 && e < 0x480:
		return w ^ [variants]uint64{1<<51 | 1<<22, 1<<50 | 1<<21, 1<<51 | 1<<50 | 1<<22}[variant]
	case w < 1<<31 || ^w < 1<<31:
		return w ^ [variants]uint64{1, 2, 3}[variant]
	}
	return w ^ 0x0101010101010101<<variant
}

// without returns the bytes of a that none of the given accesses has, as accesses of the same kind.
func without(a deps.Access, others []deps.Access) (rest []deps.Access) {
	for i := range a.Runs() {
		p, n := a.Run(i)
		left := []span{{uintptr(p), uintptr(p) + n}}
		for _, o := range others {
			for _, s := range spansOf(o) {
				var next []span
				for _, l := range left {
					for _, x := range []span{{l.lo, min(l.hi, s.lo)}, {max(l.lo, s.hi), l.hi}} {
						if !x.empty() && !slices.Contains(next, x) {
							next = append(next, x)
						}
					}
				}
				left = next
			}
		}
		for _, l := range left {
			rest = append(rest, deps.InOutSlice(unsafe.Slice((*byte)(unsafe.Add(p, l.lo-uintptr(p))), int(l.hi-l.lo))))
		}
	}
	return rest
}
