package store

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/store/sqlite"
)

const summaryText = "[CONTEXT SUMMARY]: Please book the flight."

// roleLine is a line of a session, one message each.
func roleLine(role chat.Role, text string) string {
	return fmt.Sprintf(`{"role":%q,"content":%q}`, string(role), text)
}

// A summary in a user's role is no message of the user: not in counts, in the index,
// as the opening of the session or in its topic.
func TestSummariesAreNobodysMessages(t *testing.T) {
	f := newFolder(t)
	f.save("a.jsonl", roleLine(chat.User, summaryText), roleLine(chat.Assistant, "Done."), roleLine(chat.User, "Thanks. Now a hotel, please."), roleLine(chat.Assistant, "Which one?"))
	f.save("b.jsonl", roleLine(chat.User, "Thanks. Now a hotel, please."), roleLine(chat.Assistant, "Which one?"), roleLine(chat.User, `What is "[CONTEXT SUMMARY]:"?`))
	f.load()
	clean(t, f.s)
	a, b := f.sessions()["a.jsonl"], f.sessions()["b.jsonl"]
	if a.Turns != 1 || b.Turns != 2 {
		t.Errorf("%d and %d turns, want 1 and 2", a.Turns, b.Turns)
	}
	if a.Begins != b.Begins || a.Begins == 0 {
		t.Errorf("they begin with %d and %d", a.Begins, b.Begins)
	}
	if segments, err := f.s.SegmentsOf(t.Context(), a.ID); err != nil || len(segments) != 1 || !strings.HasPrefix(segments[0].Topic, "Thanks.") {
		t.Errorf("%+v, %v", segments, err)
	}
	heads, err := f.s.Heads(t.Context(), a.Body, 1, 4)
	if err != nil || !heads[0].Marks.Has(chat.MarkCompaction) || heads[2].Marks != 0 {
		t.Errorf("%+v, %v", heads, err)
	}
	whole, err := f.s.Messages(t.Context(), a.Body, 1, 1)
	if err != nil || whole[0].Marks != 0 || whole[0].Content != summaryText {
		t.Errorf("what was recorded is %+v, %v", whole, err)
	}
}

// What earlier versions kept of such messages is not wrong, and sessions that they
// imported grow on.
func TestSummariesAsEarlierVersionsKeptThem(t *testing.T) {
	f := newFolder(t)
	lines := []string{roleLine(chat.User, summaryText), roleLine(chat.Assistant, "Done."), roleLine(chat.User, "A hotel, please."), roleLine(chat.Assistant, "Which one?")}
	f.save("a.jsonl", lines...)
	f.load()
	set := func(turns int) {
		t.Helper()
		err := f.s.write(t.Context(), sqlite.Machine, "be earlier", func(tx *tx) error {
			if err := tx.do("UPDATE messages SET flags = flags & ~?", int64(chat.MarkCompaction)<<flagMarks); err != nil {
				return err
			}
			if err := tx.do("UPDATE task_segments SET turns = ?", turns); err != nil {
				return err
			}
			return tx.do("UPDATE trajectory_records SET turns = ?, opening = ?", turns, chat.Opening(&chat.Message{Content: summaryText}))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	set(2)
	clean(t, f.s)
	f.save("a.jsonl", append(lines, roleLine(chat.User, "The cheaper one."), roleLine(chat.Assistant, "Booked."))...)
	f.load()
	clean(t, f.s)
	if a := f.sessions()["a.jsonl"]; a.Messages != 6 || a.Turns != 3 {
		t.Errorf("%+v", a.Tally)
	}
	set(4)
	var found []string
	list, err := f.s.Check(t.Context())
	for i := range list {
		found = append(found, list[i].Rule)
	}
	if err != nil || len(found) != 1 || found[0] != "counts" {
		t.Errorf("%v, %v", found, err)
	}
}
