package store

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/core/runs"
	carry "winnow/core/segment"
)

// TestScoresAreOfTheCurrentView: what is dropped at the ends of segments, added in
// front of the first message and after the last, is measured as it stands there.
func TestScoresAreOfTheCurrentView(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	session := sessionOf(t, s, ids[0])
	scored := func() map[string]string {
		t.Helper()
		r, err := (&runs.Scorer{Store: s}).Run(t.Context())
		if err != nil || len(r.Failed) > 0 {
			t.Fatalf("%+v %v", r, err)
		}
		all := map[string]string{}
		for _, id := range ids {
			all[id] = analysisOf(t, s, id)
		}
		return all
	}
	before := scored()
	e := amend(t, s, "ann", drops(session, 1, ""), puts(session, 0, chat.User, "Be brief."), drops(session, 4, ""), drops(session, 9, ""), drops(session, 12, ""),
		puts(session, 12, chat.Assistant, "So be it."), puts(session, 16, chat.User, "Thanks, this is great!"))
	if len(e.Changes) != 3 || segment(t, s, ids[0]).Labeled || !segment(t, s, ids[1]).Labeled {
		t.Errorf("changes %+v", e.Changes)
	}
	after := scored()
	for i, id := range ids {
		g := segment(t, s, id)
		messages, err := s.Messages(t.Context(), g.Body, g.Start, g.End)
		if err != nil {
			t.Fatal(err)
		}
		a := metric.Measure(metric.Config{}, g.Start, messages)
		if want := a.Encode(); after[id] != want || (after[id] == before[id]) != (i == 1) {
			t.Errorf("segment %d: %s\nwant %s\nwas %s", i, after[id], want, before[id])
		}
	}
	undo(t, s, "ann")
	if again := scored(); fmt.Sprint(again) != fmt.Sprint(before) {
		t.Errorf("taken back: %v\nwas %v", again, before)
	}
	clean(t, s)
}

func analysisOf(t *testing.T, s *Store, id string) string { return segment(t, s, id).Analysis }

// asks is a cutter that notes what it is shown.
type asks struct{ shown []string }

func (a *asks) Cut(ctx context.Context, text carry.Text) ([]carry.Cut, error) {
	err := text.Each(ctx, text.From, text.To, func(m *chat.Message) error {
		a.shown = append(a.shown, fmt.Sprintf("%d %.3s", m.N, m.Content))
		return nil
	})
	return []carry.Cut{{Start: text.From, End: text.To}}, err
}

func (a *asks) By() review.CutBy { return review.CutOffline }

// TestCuttersSeeOneMessageForEachPlace: a dropped one is empty, what is added is no
// place of its own.
func TestCuttersSeeOneMessageForEachPlace(t *testing.T) {
	s := openTemp(t)
	session := sessionOf(t, s, four(t, s)[0])
	list := []review.EditChange{puts(session, 0, chat.User, "in front"), puts(session, 16, chat.User, "at the end"), puts(session, 7, chat.User, "between")}
	for _, n := range []int{1, 2, 6, 15, 16} {
		list = append(list, drops(session, n, edit.Fix))
	}
	amend(t, s, "ann", list...)
	var a asks
	cuts, err := runs.Propose(t.Context(), s, session, &a)
	if err != nil || len(cuts) != 1 {
		t.Fatalf("%+v %v", cuts, err)
	}
	want := "1 |2 |3 x 3|4 x 4|5 x 5|6 |7 err|8 x 8|9 x 9|10 x 1|11 x 1|12 x 1|13 x 1|14 x 1|15 |16 "
	if got := strings.Join(a.shown, "|"); got != want {
		t.Errorf("shown %s, want %s", got, want)
	}
}
