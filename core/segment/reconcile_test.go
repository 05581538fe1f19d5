package segment

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/review"
)

// session is messages of one letter each, so that segments are words.
func session(text string) []chat.Message {
	list := make([]chat.Message, len(text))
	for i := range text {
		role := chat.Assistant
		if i > 0 && text[i-1] < 'a' || text[i] < 'a' { // capitals ask
			role = chat.User
		}
		list[i] = chat.Message{N: i + 1, Role: role, Content: text[i : i+1]}
	}
	return list
}

// cutUp makes pieces with prints of the words of a text.
func cutUp(by review.CutBy, words ...string) []Piece {
	list := session(strings.Join(words, ""))
	var pieces []Piece
	next := 1
	for _, w := range words {
		pieces = append(pieces, printed(list, Piece{Cut: Cut{Start: next, End: next + len(w) - 1}, By: by}))
		next += len(w)
	}
	return pieces
}

// printed fills in what the messages of a piece tell.
func printed(list []chat.Message, p Piece) Piece {
	h := chat.NewHasher()
	p.Tally = review.Tally{}
	for i := p.Start - 1; i < p.End; i++ {
		h.Add(&list[i])
		p.Tally.Add(&list[i])
	}
	p.Print = h.Print()
	return p
}

// stored makes the rows of a session, numbered s1, s2…, that lie in body 1.
func stored(by review.CutBy, words ...string) []review.Segment {
	out := Reconcile(nil, cutUp(by, words...), false)
	rows := make([]review.Segment, len(out.Rows))
	for i := range out.Rows {
		rows[i] = out.Rows[i].Segment
		rows[i].ID, rows[i].Body = fmt.Sprintf("s%d", i+1), 1
	}
	return rows
}

func judged(s *review.Segment, v review.Verdict) {
	s.Verdict, s.Reviewer, s.ReviewedAt = v, "ann", time.Date(2026, 5, 3, 12, 0, len(s.ID), 0, time.UTC)
}

// show lists rows as "s1 1-2 approved", new ones as "new".
func show(rows []Row) []string {
	var list []string
	for i := range rows {
		r := &rows[i]
		text := r.ID
		if r.ID == "" {
			text = "new"
		}
		text += fmt.Sprintf(" %d-%d", r.Start, r.End)
		if r.Verdict.Judged() {
			text += " " + string(r.Verdict)
		}
		if r.Stale {
			text += " was " + string(r.Was)
		}
		list = append(list, text)
	}
	return list
}

func expect(t *testing.T, out Outcome, want ...string) {
	t.Helper()
	if got := show(out.Rows); !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

func TestRowsStayWhereNothingChanged(t *testing.T) {
	old := stored(review.CutModel, "Ab", "Cde", "Ab")
	judged(&old[0], review.Approved)
	out := Reconcile(old, cutUp(review.CutModel, "Ab", "Cde", "Ab"), false)
	expect(t, out, "s1 1-2 approved", "s2 3-5", "s3 6-7")
	for i := range out.Rows {
		if out.Rows[i].Changed {
			t.Errorf("row %d is to be written again: %+v", i, out.Rows[i])
		}
	}
	if len(out.Retired) > 0 || out.Rows[2].Nth != 2 {
		t.Errorf("retired %v, number %d", out.Retired, out.Rows[2].Nth)
	}
}

// A and B are done, C is cut short, then the file grows.
func TestSecondDayReplacesWhatWasCutShort(t *testing.T) {
	score := 0.9
	for _, again := range []bool{false, true} {
		old := stored(review.CutModel, "Ab", "Cd", "E", "fGh")
		old[3].CutBy = review.CutProvisional
		old[0].Score, old[0].Labeled, old[0].Analysis = &score, true, "{}"
		judged(&old[0], review.Approved)
		judged(&old[1], review.Rejected)
		if again {
			judged(&old[2], review.Approved)
			old[2].Note, old[2].Tags = "short", []string{"x"}
		}
		if free := Free(old, again); !again && !slices.Equal(free, []Span{{5, 8}}) || again && !slices.Equal(free, []Span{{1, 8}}) {
			t.Fatalf("again %v: %v is free", again, free)
		}
		out := Reconcile(old, cutUp(review.CutModel, "Ab", "Cd", "Ef", "Gh"), false)
		third := "new 5-6"
		if again {
			third += " was approved"
		}
		expect(t, out, "s1 1-2 approved", "s2 3-4 rejected", third, "new 7-8")
		if r := out.Rows[0]; r.Changed || r.Score != &score || !r.Labeled || r.Analysis != "{}" || r.Reviewer != "ann" {
			t.Errorf("A changed: %+v", r)
		}
		if len(out.Retired) != 2 {
			t.Errorf("retired %v", out.Retired)
		}
		r := out.Rows[2]
		if r.Verdict != review.Pending || r.Stale != again {
			t.Errorf("C is %s, stale %v", r.Verdict, r.Stale)
		}
		if again && (r.WasBy != "ann" || r.WasBody != 1 || r.WasStart != 5 || r.WasEnd != 5 || r.Note != "short" || !slices.Equal(r.Tags, []string{"x"})) {
			t.Errorf("C lost something: %+v", r)
		}
		want := "nothing that was decided changes"
		if again {
			want = "1 approved segment becomes stale"
		}
		if got := out.Effects().String(); got != want {
			t.Errorf("announced %q, want %q", got, want)
		}
	}
}

// However often the same is cut, equal segments keep their numbers.
func TestEqualSegmentsHaveStableFingerprints(t *testing.T) {
	old := stored(review.CutModel, "Ab", "Ab", "C", "Ab")
	seen := map[string]bool{}
	for i := range old {
		seen[old[i].Fingerprint] = true
	}
	if len(seen) != 4 {
		t.Fatalf("%d fingerprints for 4 segments", len(seen))
	}
	for range 3 {
		out := Reconcile(old, cutUp(review.CutModel, "Ab", "Ab", "C", "Ab"), false)
		for i := range out.Rows {
			if r := &out.Rows[i]; r.Changed || r.Fingerprint != old[i].Fingerprint || r.Nth != old[i].Nth {
				t.Fatalf("run again, segment %d is another: %+v", i, r)
			}
		}
	}
}

func TestWhoCutARowThatStays(t *testing.T) {
	const was, is = "old topic", "new topic"
	for _, c := range []struct {
		row   review.CutBy
		named bool
		piece review.CutBy
		by    review.CutBy
		topic string
	}{
		{review.CutProvisional, false, review.CutModel, review.CutModel, is},
		{review.CutProvisional, false, review.CutOffline, review.CutOffline, is},
		{review.CutProvisional, false, review.CutSingle, review.CutSingle, is},
		{review.CutProvisional, true, review.CutModel, review.CutModel, was},
		{review.CutSingle, false, review.CutOffline, review.CutOffline, is},
		{review.CutOffline, false, review.CutModel, review.CutModel, is},
		{review.CutOffline, false, review.CutOffline, review.CutOffline, is},
		{review.CutOffline, false, review.CutSingle, review.CutOffline, is},
		{review.CutModel, false, review.CutModel, review.CutModel, was},
		{review.CutModel, false, review.CutOffline, review.CutModel, was},
		{review.CutCurator, false, review.CutModel, review.CutCurator, was},
		{review.CutCurator, true, review.CutOffline, review.CutCurator, was},
	} {
		old := stored(c.row, "Ab")
		old[0].Topic, old[0].Named = was, c.named
		judged(&old[0], review.Approved)
		pieces := cutUp(c.piece, "Ab")
		pieces[0].Topic = is
		r := Reconcile(old, pieces, false).Rows[0]
		if r.CutBy != c.by || r.Topic != c.topic || r.Named != c.named || r.ID != "s1" || r.Verdict != review.Approved {
			t.Errorf("%+v: %s %q, named %v", c, r.CutBy, r.Topic, r.Named)
		}
		if want := r.CutBy != c.row || r.Topic != was; r.Changed != want {
			t.Errorf("%+v: changed %v", c, r.Changed)
		}
	}
	old := stored(review.CutOffline, "Ab", "Cd")
	old[0].Topic = was
	for _, hand := range []bool{false, true} {
		r := Reconcile(old, cutUp(review.CutModel, "Ab", "Cd"), hand).Rows[0]
		by, topic := review.CutModel, was
		if hand { // a draft says all of it
			by, topic = review.CutOffline, ""
		}
		if r.CutBy != by || r.Topic != topic {
			t.Errorf("hand %v, no topic: %s %q", hand, r.CutBy, r.Topic)
		}
	}
	out := Reconcile(old, cutUp(review.CutModel, "Abc", "D"), true)
	if out.Rows[0].CutBy != review.CutCurator || out.Rows[1].CutBy != review.CutCurator {
		t.Errorf("by hand: %+v", out.Rows)
	}
}

func TestSeveralRowsWithOneHeir(t *testing.T) {
	old := stored(review.CutModel, "Ab", "Cde", "Fgh", "Ij", "K")
	judged(&old[0], review.Approved)
	judged(&old[1], review.Rejected)
	judged(&old[2], review.Unsure)
	old[0].Note, old[1].Note, old[2].Note, old[3].Note = "one", "two\nlines", "one", "two"
	old[0].Tags, old[2].Tags, old[3].Tags = []string{"x"}, []string{"y", "x"}, []string{"z"}
	old[4].Stale, old[4].Was, old[4].WasBy, old[4].WasBody, old[4].WasStart, old[4].WasEnd = true, review.Approved, "bob", 9, 4, 7
	old[3].Topic, old[3].Named = "mine", true
	out := Reconcile(old, cutUp(review.CutModel, "AbCdeFghIj", "K"), false)
	expect(t, out, "new 1-10 was rejected", "s5 11-11 was approved")
	r := &out.Rows[0]
	if r.Note != "one\ntwo\nlines" || !slices.Equal(r.Tags, []string{"x", "y", "z"}) || r.Topic != "mine" || !r.Named {
		t.Errorf("note %q, tags %v, topic %q", r.Note, r.Tags, r.Topic)
	}
	if r.WasBody != 1 || r.WasStart != 3 || r.WasEnd != 5 || r.WasBy != "ann" {
		t.Errorf("it was %+v", r)
	}
	want := "1 rejected segment becomes stale; 2 verdicts (1 approved, 1 unsure) stay in the journal only"
	if got := out.Effects().String(); got != want {
		t.Errorf("announced %q, want %q", got, want)
	}
	// What was stale already hands on what it was.
	out = Reconcile(old[4:5], []Piece{{Cut: Cut{Start: 11, End: 11}, Print: cutUp("", "X")[0].Print}}, false)
	r = &out.Rows[0]
	if r.ID != "" || r.Was != review.Approved || r.WasBy != "bob" || r.WasBody != 9 || r.WasStart != 4 || r.WasEnd != 7 {
		t.Errorf("it was %+v", r)
	}
}

func TestEffectsForPeople(t *testing.T) {
	for want, e := range map[string]Effects{
		"nothing that was decided changes":                                             {Kept: Counts{3, 0, 0}},
		"1 approved segment becomes stale":                                             {Stale: Counts{1, 0, 0}, Into: 1},
		"3 segments (2 approved, 1 rejected) become stale":                             {Stale: Counts{2, 1, 0}, Into: 3},
		"2 approved segments become 1 stale one":                                       {Stale: Counts{2, 0, 0}, Into: 1},
		"4 segments (1 approved, 2 rejected, 1 unsure) become 2 stale ones":            {Stale: Counts{1, 2, 1}, Into: 2},
		"1 approved verdict stays in the journal only":                                 {Lost: Counts{1, 0, 0}},
		"2 verdicts (1 approved, 1 unsure) stay in the journal only":                   {Lost: Counts{1, 0, 1}},
		"what was noted on 1 segment stays in the journal only":                        {Left: 1},
		"1 unsure segment becomes stale; 2 rejected verdicts stay in the journal only": {Stale: Counts{0, 0, 1}, Into: 1, Lost: Counts{0, 2, 0}},
	} {
		if got := e.String(); got != want {
			t.Errorf("%+v: %q, want %q", e, got, want)
		}
	}
}
