package main

import "testing"

// Undo and redo name what was undone as the entries of the journal have it.
func TestUndoOnTheScreenSaysWhatWasUndone(t *testing.T) {
	b := talksBench(t, "one", "two")
	b.drive(func(d *driven) {
		for _, step := range []struct{ keys, says string }{
			{"g a", "approved"}, {"u", "approval undone: pending again"}, {"U", "approval redone: approved"},
			{"g r", "rejected"}, {"u", "rejection undone: approved again"}, {"u", "approval undone: pending again"},
		} {
			d.press(step.keys)
			d.rest()
			d.wants(step.says)
		}
	})
}
