package desk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/cmd/winnow/config"
	"winnow/core/compress"
	"winnow/core/hub"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/core/token"
	"winnow/store"
)

// TestCompressionsToReview looks at a segment that has a proposal, counted as that was,
// and tells which may be accepted at once.
func TestCompressionsToReview(t *testing.T) {
	dir := t.TempDir()
	for i := range 4 {
		var b strings.Builder
		b.WriteString(`{"messages":[{"role":"user","content":"read them all"}`)
		for k := range 12 {
			fmt.Fprintf(&b, `,{"role":"assistant","content":"part %d of %d, %s"},{"role":"user","content":"go on"}`, k, i, strings.Repeat("as it stands there ", 40))
		}
		b.WriteString("]}\n")
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("s%d.jsonl", i)), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := store.Open(t.Context(), filepath.Join(dir, "w.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := (&hub.Importer{Store: s, Clock: time.Now, Agent: "default"}).Import(t.Context(), []string{dir}, nil); err != nil {
		t.Fatal(err)
	}
	c := compressions{Desk: &Desk{Store: s, Config: &config.Config{}}, offline: true}
	ids, err := s.IDs(t.Context(), review.Query{})
	if err != nil || len(ids) != 4 {
		t.Fatal(ids, err)
	}
	before := markOf(t, c, ids[0])
	for i, id := range ids {
		l, err := c.Look(t.Context(), id)
		if err != nil || l.Proposal != nil || l.Model != "" || l.Options.Price.Name() != token.Estimated || len(l.Conversation.Messages) < 20 {
			t.Fatalf("%v: %d messages, model %q, %+v", err, len(l.Conversation.Messages), l.Model, l.Options)
		}
		l.Options.Target, l.Options.Price = 1000, compress.Plain{Each: 1}
		p := proposal.Make(t.Context(), id, l.Segment.Digest, l.Conversation, l.Options)
		switch i {
		case 1:
			p.Findings = []compress.Finding{{Check: compress.Dangling, N: 2, Detail: "of it"}}
		case 2:
			p.Over = true
		}
		p.Summary = 111
		if n, err := s.Propose(t.Context(), []proposal.Proposal{p}); err != nil || n.Written != 1 {
			t.Fatal(n, err)
		}
	}
	if _, err := s.JudgeProposals(t.Context(), review.Compressing{Curator: "ann", IDs: ids[3:], To: proposal.Rejected}); err != nil {
		t.Fatal(err)
	}
	after := markOf(t, c, ids[0])
	if before == after || after != markOf(t, c, ids[0]) || after == markOf(t, c, ids[1]) {
		t.Errorf("marks %q, %q", before, after)
	}
	w, err := c.Waiting(t.Context(), review.Query{})
	if err != nil || len(w.IDs) != 1 || w.IDs[0] != ids[0] || w.Found != 1 || w.Over != 1 {
		t.Errorf("%v: %+v", err, w)
	}
	if same, err := c.Still(t.Context(), w); err != nil || len(same) != 1 || same[ids[0]].Summary != 111 {
		t.Errorf("%v: %+v", err, same)
	}
	l, err := c.Look(t.Context(), ids[0])
	if err != nil {
		t.Fatal(err)
	}
	other := *l.Proposal
	other.Target++
	if n, err := s.Propose(t.Context(), []proposal.Proposal{other}); err != nil || n.Written != 1 {
		t.Fatal(n, err)
	}
	if same, err := c.Still(t.Context(), w); err != nil || len(same) != 0 {
		t.Errorf("%v: another one is taken for the one that was counted: %+v", err, same)
	}
	if l, err := c.Look(t.Context(), ids[0]); err != nil || l.Proposal == nil || l.Options.Summary != 111 || !l.Proposal.Fits(l.Conversation) {
		t.Errorf("%v: %d tokens a text", err, l.Options.Summary)
	}
}

func markOf(t *testing.T, c compressions, id string) string {
	t.Helper()
	mark, err := c.Mark(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return mark
}
