package tui

import (
	"strings"
	"testing"
)

func TestCompletionsHaveCountsAndAreTyped(t *testing.T) {
	lib := sampleLibrary()
	lib.segments[0].Tags = []string{"keep", "two words"}
	lib.segments[1].Tags = []string{"keep", "evil\x1b[2J", "q\"uote"}
	x := start(t, lib, 120, 24)
	x.typed("sta")
	x.wants("status:", "verdict")
	x.press("tab enter")
	if got := x.app.field.Input.Value(); got != "status:" {
		t.Fatalf("typed %q", got)
	}
	x.pause()
	x.wants("pending   8", "approved  1")
	x.press("down enter")
	if got := x.app.field.Input.Value(); got != "status:pending " {
		t.Errorf("typed %q", got)
	}
	x.pause()
	x.wants("8 of 11  pending")
	x.write("tag:")
	x.pause()
	x.wants("keep", "two words", "q\"uote")
	if strings.Contains(x.screen(), "evil") {
		t.Error("offered what nobody can type")
	}
	x.write("two")
	x.pause()
	x.press("tab enter")
	if got := x.app.field.Input.Value(); got != `status:pending tag:"two words" ` {
		t.Errorf("typed %q", got)
	}
	x.pause()
	x.wants("1 of 11  pending·tag:\"two words\"")
	x.write("tag:q")
	x.pause()
	x.press("shift+tab enter")
	if got := x.app.field.Input.Value(); !strings.HasSuffix(got, `tag:"q\"uote" `) {
		t.Errorf("typed %q", got)
	}
}

func TestEscClosesTheChoiceFirst(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.typed("s")
	x.press("tab esc")
	if x.app.field == nil || x.app.field.Popup.Cur != -1 {
		t.Fatal("esc closed the line")
	}
	x.press("esc")
	if x.app.field != nil {
		t.Error("the line is open")
	}
}

// TestEnterOnAnUnfinishedFilterSaysWhatIsMissing: also where completions show.
func TestEnterOnAnUnfinishedFilterSaysWhatIsMissing(t *testing.T) {
	for _, text := range []string{"score>=", "status:", "tag:", "turns>"} {
		x := start(t, sampleLibrary(), 80, 24)
		x.typed(text)
		x.press("enter")
		if x.app.field == nil || !strings.Contains(x.screen(), "^ ") {
			t.Errorf("%s: nothing is said\n%s", text, x.screen())
		}
	}
}

func TestPopupIsAtMostEightLines(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.press("/ tab")
	for range 40 {
		x.press("tab")
		n := 0
		for _, l := range x.lines() {
			if strings.Count(l, "│") == 2 {
				n++
			}
		}
		if n < 2 || n > 8 {
			t.Fatalf("%d lines:\n%s", n, x.screen())
		}
		c := x.app.field.Popup.Items[x.app.field.Popup.Cur]
		x.wants(c.Label)
		checkSize(t, x, 80, 24)
	}
}
