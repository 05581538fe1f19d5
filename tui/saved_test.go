package tui

import (
	"errors"
	"testing"

	"winnow/core/review"
	room "winnow/tui/review"
)

func TestSavedFiltersAreANumberAway(t *testing.T) {
	saved := &fakeSaved{filters: []room.SavedFilter{{Number: 2, Name: "good\x1b[2J", Text: "score>=0.9"}, {Number: 3, Name: "broken", Text: "scroe:1"}}}
	x := start(t, sampleLibrary(), 160, 24, func(o *Options) { o.Saved = saved })
	x.press("2")
	x.wants("4 of 11  score≥0.90", "filtered by 2 good␛[2J")
	x.press("2")
	x.wants("already")
	x.press("3")
	x.wants("saved filter 3 broken", "column 1", "score≥0.90")
	x.press("4")
	x.wants("no filter is saved as 4: W saves the current one")
	x.press("0")
	x.wants("11 segments")
	x.press("0 W")
	x.wants("no filter is set: the list shows all segments")
	x.typed("status:pending type:code")
	x.press("enter W")
	x.wants("save filter as (1-9, name)")
	if f := x.app.field.Input; f.Value() != "" || f.Placeholder != "1 pending·code" {
		t.Errorf("offered %q, typed %q", f.Placeholder, f.Value())
	}
	x.write("code to do")
	x.press("enter")
	x.wants("saved: 1 code to do")
	if len(saved.filters) != 3 || saved.filters[2] != (room.SavedFilter{Number: 1, Name: "code to do", Text: "status:pending type:code"}) {
		t.Errorf("saved %+v", saved.filters)
	}
	x.press("W enter")
	x.wants("saved: 1 code to do")
	save := func(typed, said string) {
		t.Helper()
		x.press("W")
		x.write(typed)
		x.press("enter")
		x.wants(said)
	}
	save("2", "saved: 2 code to do, in place of score>=0.9")
	save("3good code", "saved: 3 good code, in place of scroe:1")
	save(" 4  more code", "saved: 4 more code")
	save("12 code", "not saved: choose a number from 1 to 9")
	save("0", "not saved: choose a number from 1 to 9")
	saved.breaks = errors.New("filters.toml:3: bad\nline")
	save("5 more", "saved: 5 more")
	x.press("1")
	x.wants("saved filters: filters.toml:3: bad line")
}

// TestSavingWhereAllKeysAreTaken: without a number, none is replaced.
func TestSavingWhereAllKeysAreTaken(t *testing.T) {
	saved := &fakeSaved{}
	for n := range 9 {
		saved.filters = append(saved.filters, room.SavedFilter{Number: n + 1, Name: "", Text: "score>=0.9"})
	}
	x := start(t, sampleLibrary(), 120, 24, filtered("status:pending"), func(o *Options) { o.Saved = saved })
	x.press("W")
	x.write("code")
	x.press("enter")
	x.wants("not saved: all numbers are taken")
	x.press("W")
	x.write("7 code")
	x.press("enter")
	x.wants("saved: 7 code, in place of score>=0.9")
}

// TestFiltersWorkInTheReader, as typing one does.
func TestFiltersWorkInTheReader(t *testing.T) {
	saved := &fakeSaved{filters: []room.SavedFilter{{Number: 2, Name: "good", Text: "score>=0.9"}}}
	x := start(t, sampleLibrary(), 120, 24, func(o *Options) { o.Saved = saved })
	x.press("tab 2")
	x.wants("4 of 11  score≥0.90")
	if s := x.app.List.Selected(); x.app.Focus != room.OnReader || x.app.Opened.ID != s.ID {
		t.Errorf("the reader shows %s", x.app.Opened.Short())
	}
	x.press("[")
	x.wants("score≥0.85")
	x.press("W")
	x.wants("save filter as (1-9, name) 1 ")
	x.press("esc 0")
	x.wants("11 segments")
}

// TestKeysWaitForASavedFilter: the verdict after its number is for what it
// shows.
func TestKeysWaitForASavedFilter(t *testing.T) {
	lib := sampleLibrary()
	saved := &fakeSaved{filters: []room.SavedFilter{{Number: 1, Name: "", Text: "status:unsure"}}}
	x := start(t, lib, 80, 24, func(o *Options) { o.Saved = saved })
	x.hold = true
	x.press("1 a")
	x.release()
	if lib.verdictOf(0) != review.Pending || lib.verdictOf(3) != review.Approved {
		t.Errorf("stored: %s %s", lib.verdictOf(0), lib.verdictOf(3))
	}
}

func TestSavedFiltersAreOfferedOnAnEmptyLine(t *testing.T) {
	saved := &fakeSaved{filters: []room.SavedFilter{{Number: 1, Name: "good", Text: "score>=0.9"}}}
	x := start(t, sampleLibrary(), 80, 24, func(o *Options) { o.Saved = saved })
	x.press("/ tab")
	x.wants("1 good", "score>=0.9", "status:")
	x.press("enter")
	if got := x.app.field.Input.Value(); got != "score>=0.9 " {
		t.Errorf("typed %q", got)
	}
}
