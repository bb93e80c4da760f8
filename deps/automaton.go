package deps

// The access automaton.
//
// Every access of every task has one word. Bits are only ever set, each by exactly one event, and step tells from the
// word before and after an event which messages that event owes to the neighbours. Nothing else decides an order.
//
// # Grants
//
// An access stands in a chain: the accesses of sibling tasks to one item, in the order of their creation. What an
// access receives from the one before it is a grant:
//
//	W  all        everything before is complete
//	R  readers    everything before is complete but readers at the end
//	C  concurrent everything before is complete but concurrents at the end
//	M  commutative everything before is complete but commutatives at the end
//
// R, C and M are early grants: they let one more of the same class join. W comes last, once. W includes the others.
//
// While its task may still use the item, an access passes on only the early grant of its own class. Once the task has
// given the item up (done), the access is transparent: what arrives is passed on. If children of the task used the
// item, their chain stands in its place: the first child receives what the access receives (down), and the last
// child's next is the access itself, which receives the chain's grants as up bits and passes those on. The result is
// the order that a flat program would have, and a successor waits neither for the whole task nor for other items.
//
// "A writer may still appear": a weak inout whose body still runs passes nothing on, although no child holds it back
// now, because done is missing.
//
// # Delivery
//
// A grant is delivered by whoever's event made it due, after the event, so a W could overtake an R still under way and
// its target be gone. Therefore an early grant is confirmed (ack) by the deliverer after it has arrived, and W is due
// only when no early grant is under way. An event that makes W due while none is under way sends W alone.
//
// The last message an access owes is W to its next. Whoever takes it from step is the last to touch the access.
type word = uint32

const (
	// From the predecessor, or from the parent's access for the first child.
	inR word = 1 << iota
	inC
	inM
	inW
	// From the last child, once the parent has given the item up.
	upR
	upC
	upM
	upW
	// Early grants to next that have arrived.
	nextAckR
	nextAckC
	nextAckM
	// Early grants to the first child that have arrived.
	downAckR
	downAckC
	downAckM

	done   // the task gave the item up: its body is over, or it released the item
	leaf   // set with done: no child chain stands in the access's place
	linked // next is known
	nested // the first child is known and receives grants from here

	// Fixed before the access is published, but for the last three, which are set with linked or done.
	classR     // in
	classC     // concurrent
	classM     // commutative; none of the three: out, inout
	isWeak     // the task itself never waits for the item
	overwrites // out: the old value is not read
	private    // a strong commutative whose children work under its token (see Tokens)
	scoped     // stands below a private access
	toParent   // next is the parent's access: grants arrive there as up bits
	terminal   // there is no next: nobody is to be told but the memory's owner
	freed      // set with done by Release: how the task ends does not mark the item
	split      // the word is dead: fragments have words of their own (see fragments.go)
	reducing   // contributes to a scope; it is in no chain and uses no other bits but isWeak, done and freed (scope.go)
	combining  // the access of a scope's combination
)

const (
	early     = inR | inC | inM
	upShift   = 4
	ackShift  = 8
	downShift = 11
	clsShift  = 18
)

// effect is a set of messages and actions that an event makes due.
type effect = uint32

const (
	toNext  effect       = 1 << (4 * iota) // × early or inW: grants to next (bits 0..3)
	toChild                                // × early or inW: grants to the first child (bits 4..7)
	start                                  // the task need not wait for this access any longer
	untoken = start << 1                   // a commutative task is done with the item: the next may have it
)

// step returns what becomes due when set is added to old. It is a pure function; over the life of an access each
// message comes out exactly once, in whatever order the events arrive (see TestStepAnyOrder).
//
//go:norace
func step(old, set word) effect {
	now := old | set
	var e effect

	before, after := outgoing(old), outgoing(now)
	if now&private != 0 {
		before, after = outgoingPrivate(old), outgoingPrivate(now)
	}
	e |= due(before, after, old>>ackShift, now>>ackShift)

	before, after = incoming(old), incoming(now)
	e |= due(before, after, old>>downShift, now>>downShift) * toChild

	if now&isWeak == 0 {
		if satisfied(now) && !satisfied(old) {
			e |= start
		}
		if now&classM != 0 && returned(now) && !returned(old) {
			e |= untoken
		}
	}
	return e
}

// due returns which of the grants in after are to be sent now, given those that were there before and the early ones
// acknowledged before and now.
//
//go:norace
func due(before, after, ackBefore, ackNow word) word {
	if after&inW != 0 && before&early&^ackNow == 0 {
		if before&inW != 0 && before&early&^ackBefore == 0 {
			return 0 // W was sent by an earlier event
		}
		return inW
	}
	return (after &^ before) & early
}

// outgoing returns the grants that next is entitled to, unless the access is private. It is small enough to be inlined.
//
//go:norace
func outgoing(f word) word {
	if f&linked == 0 {
		return 0
	}
	var g word
	if f&done != 0 {
		g = f
		if f&leaf == 0 { // the chain below started from this access's grants: its grants speak for what was before, too
			g = f >> upShift
		}
		g &= early | inW
	}
	if class := f >> clsShift & early; f&(class|inW) != 0 {
		g |= class
	}
	if f&terminal != 0 {
		g &= inW
	}
	return g
}

// outgoingPrivate is outgoing for an access with private set: the chain below may have started on the token alone.
//
//go:norace
func outgoingPrivate(f word) word {
	if f&linked == 0 || f&done == 0 || f&leaf != 0 {
		return outgoing(f)
	}
	var g word
	up := f >> upShift & (early | inW)
	if f&inW != 0 {
		g = up
	}
	if up&inW != 0 {
		up |= early
	}
	g |= up & f & early
	if class := f >> clsShift & early; f&(class|inW) != 0 {
		g |= class
	}
	if f&terminal != 0 {
		g &= inW
	}
	return g
}

// incoming returns the grants that the first child is entitled to.
//
//go:norace
func incoming(f word) word {
	if f&nested == 0 {
		return 0
	}
	return f & (early | inW)
}

// satisfied tells whether the task itself may use the item.
//
//go:norace
func satisfied(f word) bool { return f&(f>>clsShift&early|inW) != 0 }

// surrendered tells whether neither the task nor its children use the item any more.
//
//go:norace
func surrendered(f word) bool { return f&done != 0 && f&(leaf|upW) != 0 }

// returned tells whether a strong commutative access has no more use for its token.
//
//go:norace
func returned(f word) bool {
	if f&private != 0 {
		return surrendered(f)
	}
	return f&done != 0
}

// complete tells whether the access owes nobody anything but W to a next that is not there yet. No event but linked
// can follow.
//
//go:norace
func complete(f word) bool { return f&inW != 0 && surrendered(f) }
