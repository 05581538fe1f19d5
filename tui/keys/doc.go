// Package keys is the one table of all keys: what a key is called, what it does,
// where it works, why it does nothing now. Dispatch, the footer, the screen of
// keys, the table [keys] of the configuration and the documentation are made of
// it.
//
// A screen's package exports its rows as method expressions over its own type;
// the program concatenates them with Bind, so that the table needs no screen.
// Nothing of tui is imported here. The test of the table is in tui, where all
// rows are.
package keys
