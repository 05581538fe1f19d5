package edit

import (
	"slices"

	"winnow/core/amend"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Rows returns the keys of the screen.
func Rows() []keys.Row[*Screen] {
	after := func(key, name, help, foot string, run func(*Screen), why func(*Screen) string) keys.Row[*Screen] {
		return keys.Key(key, name, help, foot, keys.InCompare, keys.Do(run), why)
	}
	return []keys.Row[*Screen]{
		screen.Key("enter", "change", "do what is chosen: change a field in $VISUAL or $EDITOR, drop, insert, bring back", "do it", (*Screen).change, (*Screen).noChange),
		screen.Key("tab", "type", "type the field here, in a line", "type here", (*Screen).typeIt, (*Screen).noTyping),
		screen.Key("b", "bring-back", "bring back what was recorded", "bring back", by(isBack), without(isBack, "nothing is edited here")),
		screen.Key("x", "drop-message", "drop the message, take out one that was added", "drop", by(isDrop), without(isDrop, "it is dropped already")),
		screen.Key("v", "mark-range", "mark one end of a range to be dropped, or take the mark away", "range", (*Screen).mark, (*Screen).noMark),
		screen.Key("i", "insert", "insert a message after it", "insert", by(isInsert), without(isInsert, "nothing can be inserted here")),
		screen.Key("q esc E", keys.Back, "leave the message as it is", "back", (*Screen).Back, nil),
		after("enter", "keep", "keep the change", "keep", (*Screen).keep, (*Screen).noKeep),
		after("r", "redact", "make it a redaction, or a fix again: what it takes out is in no training data", "redact", (*Screen).redact, (*Screen).noRedact),
		after("n", "note", "say what it is for: a note in the journal", "note", (*Screen).noteIt, nil),
		after("e", "again", "change the text again", "again", (*Screen).again, (*Screen).noAgain),
		after("x", "drop", "drop a message whose text is empty", "drop", (*Screen).dropIt, (*Screen).noDrop),
		after("c", "whole-call", "drop a call together with its results", "drop both", (*Screen).dropCall, (*Screen).noDropCall),
		after("t", "train", "train on an answer that is inserted, or not", "train", (*Screen).train, (*Screen).noTrain),
		after("q esc", keys.Back, "don't keep it; the text stays in a file", "don't keep", (*Screen).Back, nil),
	}
}

func isBack(c *choice) bool   { return c.do == amend.Revert || c.do == amend.Theirs }
func isDrop(c *choice) bool   { return c.do == amend.Drop }
func isInsert(c *choice) bool { return c.do == amend.Insert }

// by does the first choice of a kind.
func by(is func(*choice) bool) func(*Screen) {
	return func(s *Screen) {
		s.cur = max(0, s.first(is))
		s.change()
	}
}

// without says that there is no choice of a kind.
func without(is func(*choice) bool, reason string) func(*Screen) string {
	return func(s *Screen) string { return keys.Reason(s.first(is) < 0, reason) }
}

func (s *Screen) first(is func(*choice) bool) int {
	return slices.IndexFunc(s.choices, func(c choice) bool { return is(&c) })
}
