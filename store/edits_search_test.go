package store

import (
	"slices"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/filter"
	"winnow/core/review"
)

func TestSearchFindsWhatStandsThereNow(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	session := sessionOf(t, s, ids[0])
	index := func() {
		t.Helper()
		for more := true; more; {
			var err error
			if more, err = s.IndexText(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	found := func(word string) (ids []string) {
		t.Helper()
		page, err := s.Segments(t.Context(), review.Query{Filter: filter.Text{Value: word}, Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		for i := range page.Segments {
			ids = append(ids, page.Segments[i].ID)
		}
		return ids
	}
	index()
	if got := found("error"); len(got) != 2 {
		t.Fatalf("found in %d", len(got))
	}
	amend(t, s, "ann", says(t, s, session, 7, "harmless pangolin", edit.Redact))
	if got := found("error"); slices.Contains(got, ids[1]) {
		t.Errorf("what was redacted is found in %q before it is indexed", got)
	}
	index()
	if got := found("error"); !slices.Equal(got, []string{ids[3]}) {
		t.Errorf("what was redacted is found in %q", got)
	}
	if got := found("pangolin"); !slices.Equal(got, []string{ids[1]}) {
		t.Errorf("what stands there is found in %q", got)
	}
	undo(t, s, "ann")
	index()
	if got := found("pangolin"); len(got) > 0 {
		t.Errorf("what was taken back is found in %q", got)
	}
	clean(t, s)
	// Two at one place, and none.
	amend(t, s, "ann", drops(session, 7, ""), puts(session, 0, chat.User, "armadillo"), puts(session, 16, chat.User, "echidna"), puts(session, 16, chat.User, "a platypus"))
	index()
	for word, want := range map[string][]string{"error": ids[3:], "armadillo": ids[:1], "echidna": ids[3:], "platypus": ids[3:]} {
		if got := found(word); !slices.Equal(got, want) {
			t.Errorf("%s is found in %q, want %q", word, got, want)
		}
	}
	clean(t, s)
}
