// Package list holds lists that may be longer than memory should be: the rows that
// are there, which of them are on screen, the one under the cursor, and the
// questions for the next ones.
//
// Span is such a run of rows with its cursor; Paged fills one page by page from
// whatever can tell rows after and before a key. It draws nothing and imports
// only motions (tui/keys) and questions (tui/screen).
package list
