package desk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store"
)

// TestRevertLeavesRedactions brings back what was recorded: of the whole session without
// what was redacted, of a message that is named all the same.
func TestRevertLeavesRedactions(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	const line = `{"messages":[{"role":"user","content":"I am Rosalind"},{"role":"assistant","content":"hello"},{"role":"user","content":"bye"}]}` + "\n"
	if err := os.WriteFile(file, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), filepath.Join(dir, "w.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := (&hub.Importer{Store: s, Clock: time.Now, Agent: "default"}).Import(t.Context(), []string{file}, nil); err != nil {
		t.Fatal(err)
	}
	sessions, err := s.Sessions(t.Context(), "", 2)
	if err != nil || len(sessions) != 1 {
		t.Fatal(sessions, err)
	}
	id := sessions[0].ID
	says := func(n int, text string, why edit.Why) review.EditChange {
		return review.EditChange{Session: id, N: n, Op: edit.Set, Why: why, Message: chat.Message{Role: chat.User, Content: text}}
	}
	made := []review.EditChange{says(1, "I am [name]", edit.Redact), says(3, "goodbye", edit.Fix)}
	if _, err := s.Edit(t.Context(), review.Editing{Curator: "ann", Changes: made}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		messages, want []int
		redactions     int
	}{{nil, []int{3}, 1}, {[]int{1}, []int{1}, 1}, {[]int{3}, []int{3}, 0}} {
		back, err := versioned{s}.BackTo(t.Context(), id, 0, c.messages...)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for i := range back.Changes {
			got = append(got, back.Changes[i].N)
		}
		if !slices.Equal(got, c.want) || back.Redactions != c.redactions {
			t.Errorf("messages %v are brought back with %d redactions, want %v, %d", got, back.Redactions, c.want, c.redactions)
		}
	}
}
