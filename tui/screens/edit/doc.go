// Package edit is the screen on which a curator changes a recorded message: which
// field of it, then its text in an editor or in a line, then the text before and
// after with what the change does, before it is kept.
//
// What was recorded stays: the screen writes an edit (package core/edit). A text is
// written by hand, so it is never lost: what is not kept stays in a file, whose name
// is told.
package edit
