package export

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// A format that has no place for training marks says so, and how many messages
// are trained that should not be.
func TestMarksThatAFormatCannotCarryAreCounted(t *testing.T) {
	marking := Marking()
	for _, e := range ofSamples() {
		l := &library{}
		l.add(nil, user("a"), says("b"), user("c"), says("d"), user("e"), says("f"))
		l.segments[0].Masked = []int{2}
		can := slices.Contains(marking, e.Name)
		if told := strings.Contains(e.Losses, "training marks"); told == can {
			t.Errorf("%s: marks are carried: %t, but its losses are %q", e.Name, can, e.Losses)
		}
		for _, c := range []struct {
			train Train
			off   int
		}{{TrainAll, 1}, {TrainLast, 2}} {
			for _, opts := range []Options{{Check: true}, {Path: filepath.Join(t.TempDir(), "out.jsonl")}} {
				opts.As, opts.Train, opts.KeepNoReasoning = e.Name, c.train, true
				want := 0
				if !can {
					want = c.off
				}
				if r := run(t, l, opts); r.Written != 1 || r.Unmarked != want {
					t.Errorf("%s, train %q: %d of %d samples, %d unmarked, want %d", e.Name, c.train, r.Written, r.Candidates, r.Unmarked, want)
				}
			}
		}
	}
}

// A mark counts places from 1, to the last message; one that lies outside of
// the segment is none, and one on another's message changes nothing.
func TestMarksCountPlacesFromOne(t *testing.T) {
	messages := []chat.Message{says("hello"), user("q"), says("a"), user("r"), says("b")}
	for _, c := range []struct {
		masked  []int
		trained string
	}{
		{nil, "1 3 5"}, {[]int{1}, "3 5"}, {[]int{3}, "1 5"}, {[]int{5}, "1 3"}, {[]int{1, 3, 5}, ""}, {[]int{0, 6, 99, -1}, "1 3 5"}, {[]int{2, 4}, "1 3 5"},
	} {
		s := New(&review.Segment{Start: 11, End: 15, Masked: c.masked}, &review.Session{}, messages)
		var trained []string
		for i := range s.Messages {
			if s.Messages[i].Train {
				trained = append(trained, strconv.Itoa(i+1))
			}
		}
		if got := strings.Join(trained, " "); got != c.trained {
			t.Errorf("masked %v: %q is trained, want %q", c.masked, got, c.trained)
		}
	}
}
