// Package journal is the screen that tells what was done, by whom and when, the
// newest first; an entry of several segments opens to all of them.
//
// It needs of the program what Program says: to go to a segment, and to take an
// entry back. Its tests are those of tui (journal_test.go), as most of what it
// does is done to the list.
package journal
