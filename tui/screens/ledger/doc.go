// Package ledger is the screen that tells what became of the imported files: each
// with the lines that were read, skipped, bad or unfinished, why, and the bytes of
// a line as they lie in the file.
//
// It needs nothing of the program but its Seat. Its tests are beside it; they run
// it alone (screentest). How it looks within the program is in the goldens of tui.
package ledger
