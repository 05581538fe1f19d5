// Package boundaries is the screen on which a curator cuts a session by hand: one
// line for each message, and where its segments begin. What is changed stays in a
// draft until it is kept.
//
// It needs of the program what Program says: to write a cut, and to name segments
// as the list does. Most of its tests are those of tui (boundaries_test.go and
// those beside it).
package boundaries
