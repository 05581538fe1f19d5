// Package tell says what commands say of what is in a database and what was done to
// it: rows of JSON, the same in every command, and texts and tables for people.
//
// It gets what it says, and reads nothing itself; what it prints goes to the
// print.Output it is given. Why something failed, and which command goes on from
// there, the commands say. It imports core, store, cmd/winnow/print and models, and
// neither flags nor screens. Tests of texts are beside it; what whole commands print
// is in testdata/script.
package tell
