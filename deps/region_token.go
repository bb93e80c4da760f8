package deps

import (
	"sync"
	"sync/atomic"
)

// Tokens of commutative items that may overlap without being equal. An address does not name such a token, so from the
// first time that a region is cut (compareRegions) all tokens that are held stand in one list under one lock, and who
// asks for a token compares bytes. Programs whose items are equal or disjoint never come here.
//
// The rules are the same: all tokens of a task together or none, and nobody waits while it holds one. An item that
// reaches over several scopes has a token for the bytes in each. Who cannot have them all stands in one line, which is
// looked through from the front whenever a token is given back.
type byteTokens struct {
	on      atomic.Bool // Tokens.regions for those who have no lock
	mu      sync.Mutex
	held    *byteToken
	spare   *byteToken
	waiters list
}

type byteToken struct {
	holder *access
	span   span
	scope  *access
	next   *byteToken
}

// compareRegions switches from addresses to bytes, for good.
//
//go:norace
func (k *Tokens) compareRegions() {
	if k.on.Load() {
		return
	}
	for i := range k.shards {
		k.shards[i].mu.Lock()
	}
	if !k.regions {
		k.regions = true
		k.on.Store(true)
		k.mu.Lock()
		for i := range k.shards {
			for t := k.shards[i].taken; t != nil; t = t.next {
				if t.held {
					k.held = k.tokensOf(t.holder, k.held)
				}
				for w := t.waiters.pop(); w != nil; w = t.waiters.pop() {
					k.waiters.push(w)
				}
			}
			k.shards[i].taken = nil
		}
		k.mu.Unlock()
	}
	for i := range k.shards {
		k.shards[i].mu.Unlock()
	}
}

//go:norace
func (k *byteTokens) acquireBytes(n *Node) bool {
	k.mu.Lock()
	ok := k.takeBytes(n)
	if !ok {
		k.waiters.push(n)
	}
	k.mu.Unlock()
	return ok
}

// takeBytes takes all tokens of n if they are free.
//
//go:norace
func (k *byteTokens) takeBytes(n *Node) bool {
	var mine *byteToken
	for i := range n.accs {
		if x := &n.accs[i]; x.exclusive() {
			mine = k.tokensOf(x, mine)
		}
	}
	for m := mine; m != nil; m = m.next {
		for t := k.held; t != nil; t = t.next {
			if t.scope == m.scope && t.span.lo < m.span.hi && m.span.lo < t.span.hi {
				for mine != nil {
					mine = k.free(mine)
				}
				return false
			}
		}
	}
	for mine != nil {
		next := mine.next
		mine.next = k.held
		k.held = mine
		mine = next
	}
	return true
}

//go:norace
func (k *byteTokens) free(t *byteToken) (next *byteToken) {
	next = t.next
	*t = byteToken{next: k.spare}
	k.spare = t
	return next
}

// tokensOf puts the tokens that x needs in front of a list.
//
//go:norace
func (k *byteTokens) tokensOf(x *access, before *byteToken) *byteToken {
	var outer *Node
	if atomic.LoadUint32(&x.flags)&scoped != 0 {
		outer = x.node.parent
	}
	for i := 0; i < runs(x.section()); i++ {
		before = k.tokensIn(x, outer, x.run(i), before)
	}
	return before
}

// tokensIn is tokensOf for the bytes in r, which are in no scope of a task inside n.
//
//go:norace
func (k *byteTokens) tokensIn(x *access, n *Node, r span, before *byteToken) *byteToken {
	if r.lo >= r.hi {
		return before
	}
	for ; n != nil; n = n.parent {
		for i := range n.accs {
			y := &n.accs[i]
			if atomic.LoadUint32(&y.flags)&private == 0 || !share(r.lo, r.hi-r.lo, nil, uintptr(y.ptr), y.size, y.section()) {
				continue
			}
			for j := 0; j < runs(y.section()); j++ {
				q := y.run(j).and(r)
				if q.lo >= q.hi {
					continue
				}
				before = k.tokensIn(x, n, span{r.lo, q.lo}, before)
				before = k.newToken(x, q, y, before)
				r.lo = q.hi
			}
			return k.tokensIn(x, n, r, before)
		}
	}
	return k.newToken(x, r, nil, before)
}

//go:norace
func (k *byteTokens) newToken(x *access, r span, scope *access, before *byteToken) *byteToken {
	t := k.spare
	if t != nil {
		k.spare = t.next
	} else {
		t = new(byteToken)
	}
	*t = byteToken{holder: x, span: r, scope: scope, next: before}
	return t
}

//go:norace
func (k *byteTokens) releaseBytes(x *access, mb *Mailbox) {
	k.mu.Lock()
	for at := &k.held; *at != nil; {
		if t := *at; t.holder == x {
			*at = k.free(t)
		} else {
			at = &t.next
		}
	}
	k.mu.Unlock()
	k.serve(mb)
}

// serve lets those in line go who can.
//
//go:norace
func (k *byteTokens) serve(mb *Mailbox) {
	k.mu.Lock()
	for w := k.waiters.take(); w != nil; {
		next := w.Link
		w.Link = nil
		if k.takeBytes(w) {
			mb.ready.push(w)
		} else {
			k.waiters.push(w)
		}
		w = next
	}
	k.mu.Unlock()
}
