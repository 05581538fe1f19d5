package tui

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/review"
	room "winnow/tui/review"
)

// cutInto gives the segment at i of a library other segments in its place.
func cutInto(l *fakeLibrary, i int, starts ...int) {
	was := l.segments[i]
	l.segments = append(l.segments[:i:i], l.segments[i+1:]...)
	for k, from := range starts {
		s := was
		s.ID, s.Start, s.Index = fmt.Sprintf("%08x-0000-4000-8000-000000000000", 0xc0+0x10*k+0x1000*i), from, k
		if k+1 < len(starts) {
			s.End = starts[k+1] - 1
		}
		s.Messages, s.Topic = s.End-s.Start+1, fmt.Sprint("Piece ", k)
		l.segments = append(l.segments, s)
	}
}

// cutLibrary is in natural order by file, as cut rows must find their place.
func cutLibrary(n int) *fakeLibrary {
	lib := small(n)
	for i := range lib.segments {
		lib.segments[i].ID = fmt.Sprintf("%08x-0000-4000-8000-000000000000", 0x1000*i)
		lib.segments[i].End, lib.segments[i].Messages = 20, 20
	}
	return lib
}

func TestSelectionGoesToTheSegmentThatHoldsTheMessage(t *testing.T) {
	lib := cutLibrary(30)
	x := start(t, lib, 140, 20)
	for range 12 {
		x.press("j")
	}
	line := x.app.List.Cur - x.app.List.Top
	x.press("tab")
	x.pane.number = 9
	opens := x.pane.opens
	lib.change(func(l *fakeLibrary) { cutInto(l, 12, 1, 5, 9, 15) })
	x.tick()
	if s := x.app.List.Selected(); s.Topic != "Piece 2" || s.Start != 9 {
		t.Errorf("selected: %s %d–%d", s.Topic, s.Start, s.End)
	}
	if got := x.app.List.Cur - x.app.List.Top; got != line {
		t.Errorf("the row jumped from line %d to %d", line, got)
	}
	if x.pane.seg.Start != 9 || x.pane.opens != opens+1 {
		t.Errorf("the reader shows %d–%d after %d opens", x.pane.seg.Start, x.pane.seg.End, x.pane.opens-opens)
	}
}

func TestRowsCutAboveMoveNothing(t *testing.T) {
	lib := cutLibrary(30)
	x := start(t, lib, 140, 20)
	for range 12 {
		x.press("j")
	}
	id, line, opens := x.selected(), x.app.List.Cur-x.app.List.Top, x.pane.opens
	lib.change(func(l *fakeLibrary) { cutInto(l, 3, 1, 5, 9, 15) })
	x.tick()
	if got := x.app.List.Cur - x.app.List.Top; x.selected() != id || got != line || x.pane.opens != opens {
		t.Errorf("selected %s on line %d, %d opens; was %s on %d", x.selected(), got, x.pane.opens-opens, id, line)
	}
}

// TestNoteTypedOnASegmentThatIsCut: it goes to the segment that was read.
func TestNoteTypedOnASegmentThatIsCut(t *testing.T) {
	lib := cutLibrary(3)
	x := start(t, lib, 140, 20)
	x.press("tab")
	x.pane.number = 6
	x.press("n")
	x.write("half")
	lib.change(func(l *fakeLibrary) { cutInto(l, 0, 1, 5, 9) })
	x.tick()
	x.write(" done")
	x.press("enter")
	if s := lib.find(x.app.List.Selected().ID); s.Note != "half done" || s.Start != 5 {
		t.Errorf("note %q on %d–%d\n%s", s.Note, s.Start, s.End, x.screen())
	}
	x.press("n")
	x.write(" more")
	x.press("ctrl+c") // put away
	lib.change(func(l *fakeLibrary) {
		cutInto(l, 1, 5, 6)
	})
	x.tick()
	x.press("n")
	if got := x.app.field.Input.Value(); got != "half done more" {
		t.Errorf("the draft is %q", got)
	}
}

// TestNoteKeptBeforeTheCutIsSeen: it can't be written, and is not lost.
func TestNoteKeptBeforeTheCutIsSeen(t *testing.T) {
	lib := cutLibrary(3)
	x := start(t, lib, 140, 20)
	x.press("n")
	x.write("mine")
	lib.change(func(l *fakeLibrary) { cutInto(l, 0, 1, 5) })
	x.press("enter")
	x.wants("was not saved")
	x.tick()
	x.press("n")
	if got := x.app.field.Input.Value(); got != "mine" || x.app.List.Selected().Topic != "Piece 0" {
		t.Errorf("the draft is %q, on %s", got, x.app.List.Selected().Topic)
	}
}

// TestHeirFarAwayInTheOrder: where rows are sorted by something else than
// place, the library is asked where the message went.
func TestHeirFarAwayInTheOrder(t *testing.T) {
	lib := cutLibrary(900)
	for i := range lib.segments {
		lib.segments[i].Tokens = 1000 + i
	}
	e := &fakeEditor{lib: lib}
	x := start(t, lib, 140, 20, func(o *Options) { o.Editor, o.Order = e, review.LeastToken })
	first := x.selected()
	lib.change(func(l *fakeLibrary) {
		cutInto(l, 0, 1, 5)
		for i := range l.segments {
			if l.segments[i].SessionID == "s0" {
				l.segments[i].Tokens = 1_000_000 + i
			}
		}
	})
	x.tick()
	if s := x.app.List.Selected(); s.SessionID != "s0" || s.Start != 1 || s.Short() == first {
		t.Errorf("selected %s of %s", s.Short(), s.SessionID)
	}
}

// cutsAfterUndo is a library where a segment is cut at once when its verdict is
// taken back.
type cutsAfterUndo struct{ *fakeLibrary }

func (l cutsAfterUndo) Undo(ctx context.Context, curator string) (review.Entry, error) {
	e, err := l.fakeLibrary.Undo(ctx, curator)
	l.change(func(l *fakeLibrary) {
		cutInto(l, slices.IndexFunc(l.segments, func(s review.Segment) bool { return s.ID == e.Changes[0].Segment }), 1, 5)
	})
	return e, err
}

// TestKeysAfterAnUndoGoToTheHeir: of the segment that was cut before the screen
// could go back to it; to the next one if nobody can tell the heir.
func TestKeysAfterAnUndoGoToTheHeir(t *testing.T) {
	for editor, want := range map[bool]string{true: "ruppp", false: "pppru"} {
		lib := cutLibrary(4)
		x := start(t, lib, 140, 20, func(o *Options) {
			o.Library = cutsAfterUndo{lib}
			if editor {
				o.Editor = &fakeEditor{lib: lib}
			}
		})
		x.hold = true
		x.press("a u r f")
		x.release()
		if got := lib.verdictsOf(); got != want {
			t.Errorf("editor %v: verdicts %s, want %s\n%s", editor, got, want, x.screen())
		}
	}
}

// TestAVerdictIsForWhatWasDrawn: a key that is pressed just when a reload put
// another segment in the place of the selected one is not for that one; a key
// that is pressed later is.
func TestAVerdictIsForWhatWasDrawn(t *testing.T) {
	for name, change := range map[string]func(*fakeLibrary){
		"cut": func(l *fakeLibrary) { cutInto(l, 1, 1, 5, 9) },
		"grown": func(l *fakeLibrary) {
			s := &l.segments[1]
			s.End, s.Messages, s.Digest = 25, 25, chat.Digest{Fingerprint: "grown"}
		},
	} {
		for _, later := range []time.Duration{0, room.Reaction} {
			lib := &shownLibrary{fakeLibrary: cutLibrary(4)}
			now := someday
			x := start(t, lib.fakeLibrary, 140, 20, func(o *Options) {
				o.Library, o.Now = lib, func() time.Time { return now }
			})
			x.press("j")
			drawn := *x.app.List.Selected()
			lib.change(change)
			x.tick()
			if later > 0 {
				drawn = *x.app.List.Selected()
			}
			now = now.Add(later)
			x.press("a r")
			if len(lib.shown) != 2 || lib.shown[0] == nil || lib.shown[0].ID != drawn.ID || lib.shown[0].End != drawn.End || lib.shown[0].Digest != drawn.Digest {
				t.Fatalf("%s, after %v: judged %+v, drawn was %s %d–%d", name, later, lib.shown, drawn.ID, drawn.Start, drawn.End)
			}
			if second := lib.shown[1]; second == nil || later == 0 && second.SessionID == drawn.SessionID {
				t.Errorf("%s, after %v: the second verdict is for %+v", name, later, second)
			}
		}
	}
}

// shownLibrary keeps what verdicts were given on.
type shownLibrary struct {
	*fakeLibrary
	shown []*review.Segment
}

func (l *shownLibrary) Judge(ctx context.Context, j review.Judgement) (review.Entry, error) {
	l.shown = append(l.shown, j.Shown)
	return l.fakeLibrary.Judge(ctx, j)
}

// TestTagsPutAwayOnASegmentThatIsCut: they go to the segment that holds the
// message that was read, as notes do.
func TestTagsPutAwayOnASegmentThatIsCut(t *testing.T) {
	lib := cutLibrary(3)
	x := start(t, lib, 140, 20)
	x.press("t")
	x.write("half")
	x.press("ctrl+c") // put away
	lib.change(func(l *fakeLibrary) { cutInto(l, 0, 1, 5) })
	x.tick()
	x.press("t")
	x.wants("tags half")
	x.write("more")
	lib.change(func(l *fakeLibrary) { cutInto(l, 0, 1, 3) })
	x.tick()
	x.press("ctrl+c t")
	x.wants("tags half more")
}
