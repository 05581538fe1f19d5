// Package versions is the screen that shows what a session was after each entry of the
// journal, and what stands beside it: branches, sub-agents, sessions that begin alike.
//
// It has two levels: the tree, and the messages in which two of its rows differ. It
// needs of the program what Program says: where one reads, to go elsewhere, and to
// have a session reverted through the queue of writes.
package versions
