// Package record is two screens that stand in place of the reader: Preview shows
// the training record that the selected segment becomes, Raw a message as it was
// recorded. Both are a page: a text that is asked for, below a few lines about it,
// with a find of its own.
//
// They need of the program what Program says. Their own tests are here; what they
// do together with list and reader is in tui (record_test.go).
package record
