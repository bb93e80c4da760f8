package deps

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Commutative tasks on one item run one at a time, in any order. The order engine lets all of them through (grant M);
// a token per item then sees to it that they exclude each other.
//
//   - A task asks for its tokens when nothing else holds it back (Node.admit), for all of them at once: either it gets
//     them all, or it takes none and waits at the first that is taken. So nobody holds one token while waiting for
//     another, and there is no deadlock.
//   - If the next in line needs no other token it inherits this one; otherwise it tries for all of its own again.
//   - Children of a task that has no weak access work under its token (the access is private): any kind of access to
//     the item is theirs at once, a taskwait for them is safe, and the token goes back (effect untoken) when the last
//     of them has let go. Among themselves they have tokens of their own: a token is named by item and scope, the
//     innermost enclosing private access. With a weak access on something else a child could be ordered after a task
//     that waits for the token; then the token goes back when the body is over and the children, commutative ones,
//     line up like everybody else.
//
// Tokens are found by address in shards with a lock each. An item has a token only while somebody holds it. From the
// first time that commutative items overlap without being equal, the bytes are compared instead: see region_token.go.
type Tokens struct {
	shards  [tokenShards]tokenShard
	regions bool // under every shard's lock
	byteTokens
}

// tokenShards is 64 so that a word can name a set of shards.
const tokenShards = 64

type tokenShard struct {
	mu    sync.Mutex
	taken *token
	spare *token
	_     [104]byte // one shard per pair of cache lines
}

type token struct {
	ptr     unsafe.Pointer
	scope   *access
	holder  *access // whose token it is
	held    bool    // false only while release looks for the next holder
	waiters list
	next    *token
}

// find returns the token of an item, nil if nobody holds it. The shard is locked.
//
//go:norace
func (s *tokenShard) find(ptr unsafe.Pointer, scope *access) *token {
	for t := s.taken; t != nil; t = t.next {
		if t.ptr == ptr && t.scope == scope {
			return t
		}
	}
	return nil
}

// take makes the token of an item held. The shard is locked and the token free.
//
//go:norace
func (s *tokenShard) take(x *access, scope *access) {
	ptr := x.ptr
	t := s.find(ptr, scope)
	if t == nil {
		if t = s.spare; t != nil {
			s.spare = t.next
		} else {
			t = new(token)
		}
		t.ptr, t.scope = ptr, scope
		t.next = s.taken
		s.taken = t
	}
	t.held, t.holder = true, x
}

// drop forgets a token that nobody holds or waits for. The shard is locked.
//
//go:norace
func (s *tokenShard) drop(t *token) {
	at := &s.taken
	for *at != t {
		at = &(*at).next
	}
	*at = t.next
	*t = token{next: s.spare}
	s.spare = t
}

//go:norace
func shardOf(ptr unsafe.Pointer) int { return int(hash(ptr) >> 8 & (tokenShards - 1)) }

// exclusive tells whether x needs a token.
//
//go:norace
func (x *access) exclusive() bool { return exclusive(atomic.LoadUint32(&x.flags)) }

// acquire takes all tokens of n, or puts n in line for one of them and reports false. n then comes out of the mailbox
// of whoever releases the last token it lacks.
//
//go:norace
func (k *Tokens) acquire(n *Node) bool {
	var shards uint64
	for i := range n.accs {
		if x := &n.accs[i]; x.exclusive() {
			shards |= 1 << shardOf(x.ptr)
		}
	}
	for s := shards; s != 0; s &= s - 1 { // ascending, so two tasks cannot wait for each other here
		k.shards[bits.TrailingZeros64(s)].mu.Lock()
	}
	if k.regions {
		k.unlock(shards)
		return k.acquireBytes(n)
	}
	free := true
	for i := range n.accs {
		if x := &n.accs[i]; x.exclusive() {
			if t := k.shards[shardOf(x.ptr)].find(x.ptr, x.scope()); t != nil && t.held {
				t.waiters.push(n)
				free = false
				break
			}
		}
	}
	if free {
		for i := range n.accs {
			if x := &n.accs[i]; x.exclusive() {
				k.shards[shardOf(x.ptr)].take(x, x.scope())
			}
		}
	}
	k.unlock(shards)
	return free
}

//go:norace
func (k *Tokens) unlock(shards uint64) {
	for s := shards; s != 0; s &= s - 1 {
		k.shards[bits.TrailingZeros64(s)].mu.Unlock()
	}
}

// release hands x's token to the next in line. A waiter that now has all it needs becomes ready in mb.
//
//go:norace
func (k *Tokens) release(x *access, mb *Mailbox) {
	ptr, scope := x.ptr, x.scope()
	s := &k.shards[shardOf(ptr)]
	s.mu.Lock()
	if k.regions {
		s.mu.Unlock()
		k.releaseBytes(x, mb)
		return
	}
	t := s.find(ptr, scope)
	for {
		w := t.waiters.pop()
		if w == nil {
			s.drop(t)
			break
		}
		if own := w.onlyToken(); own != nil {
			t.held, t.holder = true, own // it may have been let go for a waiter before
			mb.ready.push(w)
			break
		}
		// w needs other shards, which must be locked in order, so let this one go. Meanwhile anybody may take the
		// token, and with it the duty to serve the line.
		t.held = false
		s.mu.Unlock()
		if k.acquire(w) {
			mb.ready.push(w)
		}
		s.mu.Lock()
		if k.regions { // who stood behind w is in line there, and nobody else knows that this token is free
			s.mu.Unlock()
			k.serve(mb)
			return
		}
		if t = s.find(ptr, scope); t == nil || t.held {
			break
		}
	}
	s.mu.Unlock()
}

// onlyToken returns the access of n that needs a token if there is just one.
//
//go:norace
func (n *Node) onlyToken() *access {
	var only *access
	for i := range n.accs {
		if x := &n.accs[i]; x.exclusive() {
			if only != nil {
				return nil
			}
			only = x
		}
	}
	return only
}

// scope returns the innermost private access under which x's chain stands, nil for none.
//
//go:norace
func (x *access) scope() *access {
	if atomic.LoadUint32(&x.flags)&scoped == 0 {
		return nil
	}
	for p := x.node.parent; p != nil; p = p.parent {
		for i := range p.accs {
			if y := &p.accs[i]; atomic.LoadUint32(&y.flags)&private != 0 && x.overlaps(y) {
				return y
			}
		}
	}
	return nil
}

// overlaps tells whether two accesses have a byte in common.
//
//go:norace
func (x *access) overlaps(y *access) bool {
	a, b := x.span(), y.span()
	return a.lo < b.hi && b.lo < a.hi && share(a.lo, x.size, x.section(), b.lo, y.size, y.section())
}
