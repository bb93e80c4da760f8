//go:build race

package gravity

import (
	"runtime"
	"unsafe"
)

func raceRead[F Float](s []F) {
	runtime.RaceReadRange(unsafe.Pointer(&s[0]), len(s)*int(unsafe.Sizeof(s[0])))
}

func raceWrite[F Float](s []F) {
	runtime.RaceWriteRange(unsafe.Pointer(&s[0]), len(s)*int(unsafe.Sizeof(s[0])))
}
