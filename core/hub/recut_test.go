package hub

import (
	"errors"
	"strings"
	"testing"

	"winnow/core/review"
	"winnow/core/runs"
	"winnow/core/segment"
)

// edit is the session at path as a curator looks at it, with a draft of it.
func (b *bench) edit(path string) (runs.Edit, *segment.Draft) {
	m := b.session(path)
	e := runs.Edit{Session: m.ID, Known: m.Rows(), Curator: "ann", Action: review.ActCut}
	return e, segment.NewDraft(e.Known)
}

// recut does to a session what do does to a draft of it.
func (b *bench) recut(path string, do func(*segment.Draft) error) error {
	b.t.Helper()
	e, d := b.edit(path)
	if err := do(d); err != nil {
		b.t.Fatal(err)
	}
	e.Pieces = d.Pieces()
	announced := d.Outcome()
	want := announced.Effects().String()
	_, err := runs.Recut(b.t.Context(), b.store, e)
	b.store.verify()
	b.store.verifyCuts()
	if err == nil {
		rows := b.session(path).Rows()
		pieces := make([]segment.Piece, len(rows))
		for i := range rows {
			pieces[i] = segment.PieceOf(&rows[i])
		}
		if out := segment.Reconcile(e.Known, pieces, true); out.Effects().String() != want {
			b.t.Errorf("announced was %q, it is %q", want, out.Effects().String())
		}
	}
	return err
}

func TestRecutByHand(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(12, 20))
	b.load()
	b.cut(&everyN{n: 4}, false)
	m := b.session(path)
	b.judge(path, 0)
	first, third := m.Segments[0].ID, m.Segments[2].ID
	if err := b.recut(path, func(d *segment.Draft) error { return d.Split(7) }); err != nil {
		t.Fatal(err)
	}
	if places(m) != "1-4 5-6 7-8 9-12" || m.Segments[0].ID != first || m.Segments[3].ID != third || m.Segments[0].Verdict != review.Approved {
		t.Fatalf("%s", places(m))
	}
	for i, by := range []review.CutBy{review.CutOffline, review.CutCurator, review.CutCurator, review.CutOffline} {
		if m.Segments[i].CutBy != by {
			t.Errorf("segment %d is cut by %s, want %s", i, m.Segments[i].CutBy, by)
		}
	}
	if topic := m.Segments[2].Topic; !strings.HasPrefix(topic, "message 7") {
		t.Errorf("the part that was split off is called %q", topic)
	}
	if err := b.recut(path, func(d *segment.Draft) error { return d.Move(5, 4) }); err != nil {
		t.Fatal(err)
	}
	if s := m.Segments[0]; places(m) != "1-3 4-6 7-8 9-12" || s.ID == first || s.Verdict != review.Pending || !s.Stale || s.Was != review.Approved {
		t.Fatalf("%s: %+v", places(m), s)
	}
	if err := b.recut(path, func(d *segment.Draft) error { return d.Merge(9) }); err != nil {
		t.Fatal(err)
	}
	if s := m.Segments[2]; places(m) != "1-3 4-6 7-12" || s.ID == third || s.CutBy != review.CutCurator {
		t.Fatalf("%s: %+v", places(m), s)
	}
	// Machines leave all of it alone, and cut what comes after it.
	b.write("s", talk(16, 20))
	b.load()
	b.cut(&everyN{n: 3}, true)
	if places(m) != "1-3 4-6 7-12 13-15 16-16" {
		t.Error(places(m))
	}
}

// A topic alone needs no message to be read.
func TestRenamingReadsNothing(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(12, 20))
	b.load()
	b.cut(&everyN{n: 4}, false)
	m := b.session(path)
	before, was := b.store.readings, m.Segments[1]
	if err := b.recut(path, func(d *segment.Draft) error { return d.Rename(5, "what it is about") }); err != nil {
		t.Fatal(err)
	}
	s := m.Segments[1]
	if s.Topic != "what it is about" || !s.Named || s.ID != was.ID || s.CutBy != was.CutBy || b.store.readings != before {
		t.Errorf("%+v, %d readings", s, b.store.readings-before)
	}
	b.cut(&everyN{n: 4, by: review.CutModel, answer: func(c []segment.Cut) []segment.Cut {
		for i := range c {
			c[i].Topic = "a machine's"
		}
		return c
	}}, true)
	if m.Segments[1].Topic != "what it is about" || m.Segments[0].Topic != "a machine's" {
		t.Errorf("topics are %q and %q", m.Segments[0].Topic, m.Segments[1].Topic)
	}
}

// A name that is taken back leaves the one that the text gives.
func TestNameTakenBack(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(12, 20))
	b.load()
	b.cut(&everyN{n: 4}, false)
	for _, name := range []string{"a name", ""} {
		if err := b.recut(path, func(d *segment.Draft) error { return d.Rename(5, name) }); err != nil {
			t.Fatal(err)
		}
	}
	if s := b.session(path).Segments[1]; !strings.HasPrefix(s.Topic, "message 5") || s.Named {
		t.Errorf("%q, named %v", s.Topic, s.Named)
	}
}

// A segment that begins elsewhere is called after its own first prompt, and so
// is one whose name, whoever gave it, is given up.
func TestTopicFollowsTheFirstPrompt(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(12, 20))
	b.load()
	b.cut(&everyN{n: 4, by: review.CutModel, answer: func(c []segment.Cut) []segment.Cut {
		for i := range c {
			c[i].Topic = "a machine's"
		}
		return c
	}}, false)
	for _, c := range []struct {
		do   func(*segment.Draft) error
		want string
	}{
		{func(d *segment.Draft) error { return d.Move(5, 7) }, "a machine's|message 7|a machine's"},
		{func(d *segment.Draft) error { return d.Rename(10, "") }, "a machine's|message 7|message 9"},
		{func(d *segment.Draft) error { d.Split(3); return d.Merge(7) }, "a machine's|message 3|message 9"},
	} {
		if err := b.recut(path, c.do); err != nil {
			t.Fatal(err)
		}
		var topics []string
		for _, s := range b.session(path).Segments {
			topics = append(topics, strings.Join(strings.Fields(s.Topic)[:2], " "))
		}
		if got := strings.Join(topics, "|"); got != c.want {
			t.Errorf("topics %q, want %q", got, c.want)
		}
	}
	if err := b.recut(path, func(d *segment.Draft) error { return d.Rename(10, "") }); !errors.Is(err, review.ErrNothing) {
		t.Errorf("the title that it has: %v", err)
	}
}

// What recorders write in the user's place names a segment only if no user says
// anything in it.
func TestTopicIsWhatAUserSays(t *testing.T) {
	b := newBench(t)
	stop := line("user", "[Request interrupted by user]")
	path := b.write("s", line("user", "one")+line("assistant", "a")+stop+line("user", "two")+line("assistant", "b")+stop+line("assistant", "c")+line("assistant", "d"))
	b.load()
	b.cut(&everyN{n: 8}, false)
	for _, at := range []int{3, 6, 8} {
		if err := b.recut(path, func(d *segment.Draft) error { return d.Split(at) }); err != nil {
			t.Fatal(err)
		}
	}
	var topics []string
	for _, s := range b.session(path).Segments {
		topics = append(topics, s.Topic)
	}
	if got, want := strings.Join(topics, "|"), "one|two|[Request interrupted by user]|"; got != want {
		t.Errorf("topics %q, want %q", got, want)
	}
}

func TestRecutRefuses(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(12, 20))
	b.load()
	b.cut(&everyN{n: 4}, false)
	nothing := func(*segment.Draft) error { return nil }
	if err := b.recut(path, nothing); !errors.Is(err, review.ErrNothing) {
		t.Errorf("no change: %v", err)
	}
	for name, do := range map[string]struct {
		change func(*review.SegmentWrite)
		edit   func(*runs.Edit)
		want   error
	}{
		"judged meanwhile":  {change: func(s *review.SegmentWrite) { s.Verdict, s.Reviewer = review.Rejected, "bob" }, want: review.ErrConflict},
		"noted meanwhile":   {change: func(s *review.SegmentWrite) { s.Note = "look here" }, want: review.ErrConflict},
		"changed meanwhile": {change: func(s *review.SegmentWrite) { s.Detail = "0123456789abcdef" }, want: review.ErrConflict},
		"another one":       {change: func(s *review.SegmentWrite) { s.ID = "other" }, want: review.ErrConflict},
		"fewer seen":        {edit: func(e *runs.Edit) { e.Known = e.Known[1:] }, want: review.ErrConflict},
		"a gap":             {edit: func(e *runs.Edit) { e.Pieces[0].End-- }},
		"too long":          {edit: func(e *runs.Edit) { e.Pieces[len(e.Pieces)-1].End++ }},
		"nothing":           {edit: func(e *runs.Edit) { e.Pieces = nil }},
		"nobody":            {edit: func(e *runs.Edit) { e.Curator = "" }},
		"no such session":   {edit: func(e *runs.Edit) { e.Session = "none" }, want: review.ErrNotFound},
	} {
		e, d := b.edit(path)
		if err := d.Split(6); err != nil {
			t.Fatal(err)
		}
		e.Pieces = d.Pieces()
		if do.edit != nil {
			do.edit(&e)
		}
		s := &b.session(path).Segments[1]
		was := *s
		if do.change != nil {
			do.change(s)
		}
		_, err := runs.Recut(t.Context(), b.store, e)
		if err == nil || do.want != nil && !errors.Is(err, do.want) {
			t.Errorf("%s: %v", name, err)
		}
		if places(b.session(path)) != "1-4 5-8 9-12" {
			t.Fatalf("%s: now %s", name, places(b.session(path)))
		}
		*s = was
	}
}
