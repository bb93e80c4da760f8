// Package bench measures the runtime: the micro patterns M1–M8, which other runtimes are measured with too, and from
// there applications and peers. It is run by hand, with make bench, never by CI; CI only checks that every pattern does
// what it says.
//
// The tasks of a pattern are created by one body, in program order, and then waited for. A cell is 8 bytes. In timing
// mode a body does nothing; in check mode it increments its inout cell, and the sums must come out.
package bench
