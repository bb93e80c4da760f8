package trace

// The arg of a message event, in one word:
//
//	bits 63..48  peer   65535 = none, any, or too large
//	bits 47..32  tag    65535 = any, internal, or too large
//	bits 31..0   size   below 2 GiB in bytes; with bit 31 set, in KiB, rounded up
const (
	unknown16 = 1<<16 - 1
	sizeInKiB = 1 << 31
)

// PackMessage returns the arg of [MsgSend] and [MsgRecv] events: the other rank, the tag, and the size in bytes.
//
// Peers and tags from 0 to 65534 are exact; others, such as AnySource and AnyTag, read back as -1. Sizes are exact below
// 2 GiB, rounded up to whole KiB above, and end at 2 TiB. Safe for concurrent use, costs about 1 ns.
//
//go:norace
func PackMessage(peer, tag, bytes int) uint64 {
	return pack16(peer)<<48 | pack16(tag)<<32 | packSize(uint64(max(bytes, 0)))
}

// UnpackMessage is the inverse of [PackMessage].
func UnpackMessage(arg uint64) (peer, tag, bytes int) {
	return unpack16(arg >> 48), unpack16(arg >> 32), int(min(unpackSize(arg), uint64(maxInt)))
}

const maxInt = int(^uint(0) >> 1)

//go:norace
func pack16(v int) uint64 {
	if v < 0 || v >= unknown16 {
		return unknown16
	}
	return uint64(v)
}

//go:norace
func packSize(bytes uint64) uint64 {
	if bytes < sizeInKiB {
		return bytes
	}
	return sizeInKiB | min((bytes-1)>>10+1, sizeInKiB-1)
}

func unpack16(v uint64) int {
	if v &= unknown16; v != unknown16 {
		return int(v)
	}
	return -1
}

func unpackSize(arg uint64) uint64 {
	size := arg & (1<<32 - 1)
	if size < sizeInKiB {
		return size
	}
	return (size &^ sizeInKiB) << 10
}
