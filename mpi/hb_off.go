//go:build !race

package mpi

import "github.com/gompss/gompss/mpi/internal/transport"

// See hb_on.go. Outside race builds there is nothing to show.

const recycling = true

type (
	shadow struct{}
	omens  struct{}
)

func (p *process) post(*transport.Op)         {}
func (p *process) observed(*transport.Result) {}
func (p *process) observedFailure()           {}

func (v view) postCopied(*transport.Op) {}

func (w *world) failing() {}
func (w *world) ended()   {}

func (r *Request) withSend(*transport.Op)   {}
func (r *Request) observed()                {}
func (r *Request) hooking()                 {}
func (r *Request) tell(hook func(*Request)) { hook(r) }

func (k *collective) posted()              {}
func (k *collective) show()                {}
func (k *collective) learn()               {}
func (k *collective) first() *transport.Op { return k.run() }
func (k *collective) next() *transport.Op  { return k.advance() }
