// Package export is the screen of exports: options on one side, on the other what
// they would do, before anything is written.
//
// It needs of the program what Program says; an export that runs is the program's,
// as it goes on when the screen is closed. Form is what was asked for last, which
// outlives the screen, too. Most of its tests are those of tui (export_test.go).
package export
