// Package chk will provide checkpoint and restart after the OpenCHK model: the program says what its state is, and the
// library where, how and when it is saved.
//
// Planned; there is no code here yet. The model:
//
//   - A program declares the data that make up its state, once, and then stores and loads them as a whole. The loop is the
//     same in a first run and in one that is restarted: load finds nothing in the former.
//   - Levels trade cost for safety: the memory or disk of the node, a copy on a partner node, an erasure code over a group
//     of nodes, the shared file system. Each store says its level; load takes the newest one that is complete.
//   - Storing is a task that reads the state. So it waits for the tasks that write it, and later writers wait for it, and
//     nobody else does. Differential checkpoints write only the blocks that changed.
//   - A checkpoint counts from the moment it is complete on all ranks. Until then the one before is kept.
//
// All data are written with checksums, and a damaged checkpoint is never loaded in silence.
package chk
