package runs

import (
	"context"
	"testing"

	"winnow/core/chat"
	"winnow/core/memory"
	"winnow/core/review"
	"winnow/core/session"
)

// oneSegment is a session of one segment.
type oneSegment struct {
	of       review.Session
	messages []chat.Message
}

func (o *oneSegment) Session(context.Context, string) (review.Session, error) { return o.of, nil }

func (o *oneSegment) Messages(_ context.Context, _ int64, from, to int) ([]chat.Message, error) {
	return o.messages[from-1 : to], nil
}

// TestParentsAreNoUsers has a rule that a user states, and the same words of an agent
// that hands work to another.
func TestParentsAreNoUsers(t *testing.T) {
	const said = "Always run `make mocks` before `go vet`."
	lib := &oneSegment{messages: []chat.Message{{N: 1, Role: chat.User, Content: said}, {N: 2, Role: chat.Assistant, Content: "It is done."}}}
	for kind, want := range map[session.Kind]memory.Drop{"": memory.Kept, session.Subagent: memory.NoUserWords} {
		lib.of.Origin.Kind = kind
		e, err := EvidenceOf(t.Context(), lib, &review.Segment{Start: 1, End: 2}, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := memory.Candidate{Kind: memory.Rule, Title: "Mocks", Content: said, Cites: []memory.Cite{{N: 1, Quote: said}}}
		if _, drop := memory.Gate(c, e, nil); drop != want {
			t.Errorf("%q: %q, want %q", kind, drop, want)
		}
	}
}
