// Package initial makes the initial conditions of the n-body example.
//
// Plummer and Random use N-body units: G = 1, total mass 1. They draw from a seeded PCG and use only operations that
// IEEE 754 rounds correctly (+ − × ÷ √, no product fused with a sum), so a seed gives the same bits on every machine.
// SolarSystem uses astronomical units, days and solar masses, in which G is [GaussianG].
package initial
