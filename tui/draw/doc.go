// Package draw is what all screens draw with, the reader too: inks of a theme,
// drawing characters, text fitted into cells, parts of a line that has no room
// for all of them, boxes, numbers and sizes as text.
//
// It draws strings of terminal cells and keeps nothing between frames. Text
// that comes from outside has to be clean (core/clean) before it gets here. It
// imports themes and core, no other package of tui. Its results are tested where
// they show, by the goldens of tui and of the screens.
package draw
