package tell

import (
	"slices"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

// TestMarks: what was dropped is told in runs, each where it was, and no name reaches
// the terminal as it is.
func TestMarks(t *testing.T) {
	by := []review.EditedBy{
		{N: 1, Op: edit.Drop, By: "ann"}, {N: 2, Op: edit.Drop, By: "ann"}, {N: 3, Op: edit.Drop, By: "b\x1b[2J"}, {N: 3, Part: 1, Op: edit.Add, By: "ann"},
		{N: 4, Op: edit.Drop, By: "ann"}, {N: 6, Op: edit.Set, By: "\u202eeve"}, {N: 7, Op: edit.Drop, Clash: true, By: "ann"}, {N: 8, Op: edit.Drop, By: "ann"},
	}
	k := MarksOf(nil, by, true)
	if got := k.Numbers(); !slices.Equal(got, []int{1, 2, 3, 4, 8}) {
		t.Errorf("dropped %v", got)
	}
	for _, c := range []struct {
		m       *chat.Message
		dropped []string
		text    string
	}{
		{&chat.Message{N: 3, Part: 1}, []string{"dropped by ann: messages 1-2", "dropped by b␛[2J: message 3"}, "E ann"},
		{&chat.Message{N: 5}, []string{"dropped by ann: message 4"}, ""},
		{&chat.Message{N: 6}, nil, "E <U+202E>eve"},
		{&chat.Message{N: 7}, nil, "E recorded text changed"},
		{nil, []string{"dropped by ann: message 8"}, ""},
	} {
		if got := k.Dropped(c.m); !slices.Equal(got, c.dropped) {
			t.Errorf("before %+v: %q, want %q", c.m, got, c.dropped)
		}
		if c.m != nil && k.Text(c.m) != c.text {
			t.Errorf("%+v is marked %q, want %q", c.m, k.Text(c.m), c.text)
		}
	}
}
