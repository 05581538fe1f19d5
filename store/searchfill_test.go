package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/store/sqlite"
	"winnow/store/text"
)

// passagesOf lists the passages of a body.
func passagesOf(t testing.TB, s *Store, body int64) string {
	t.Helper()
	found, err := sqlite.Column[int64](s.db.Rows(t.Context(), "SELECT id FROM passages_docsize WHERE id >> 35 = ? ORDER BY id", body))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, id := range found {
		first, tail := id>>9&(1<<26-1), id&511
		if tail < 64 {
			list = append(list, fmt.Sprintf("%d-%d", first, first+tail))
		} else {
			list = append(list, fmt.Sprintf("%d.%d", first, tail-63))
		}
	}
	return strings.Join(list, " ")
}

func TestPassagesAreTurnsAndGrowWithThem(t *testing.T) {
	s := openTemp(t)
	list := talk(80, "x")
	for i := 8; i < len(list); i++ {
		list[i] = chat.Message{N: i + 1, Role: chat.Assistant, Content: "step"}
	}
	list[8].Role = chat.User
	put(t, s, write("/a", list[:6]))
	steps := []struct {
		upTo int
		want string
	}{
		{6, "1-4 5-6"}, {8, "1-4 5-8"}, {9, "1-4 5-8 9-9"}, {12, "1-4 5-8 9-12"}, {80, "1-4 5-8 9-72 73-80"},
	}
	for _, step := range steps {
		if step.upTo > 6 {
			w := seg(list, 1, step.upTo, 0)
			st, err := s.LoadSession(t.Context(), "default", "/a")
			if err != nil {
				t.Fatal(err)
			}
			w.ID = st.Segments[0].ID
			put(t, s, grow(t, s, "/a", list[:step.upTo], w))
		}
		fillAll(t, s)
		if got := passagesOf(t, s, 1); got != step.want {
			t.Errorf("passages of %d messages: %s, want %s", step.upTo, got, step.want)
		}
		clean(t, s)
	}
}

// What came between the reading of messages and the writing of their passages is
// never covered up by it.
func TestPassagesOfChangedMessagesAreNotWritten(t *testing.T) {
	s := openTemp(t)
	list := talk(7, "old")
	put(t, s, write("/a", list))
	st, err := s.LoadSession(t.Context(), "default", "/a")
	if err != nil {
		t.Fatal(err)
	}
	list[6].Content = "new"
	w := seg(list, 1, 7, 0)
	w.ID = st.Segments[0].ID
	index := s.index()
	write := index.Write
	index.Write = func(ctx context.Context, f func(*sqlite.Tx) error) error {
		put(t, s, grow(t, s, "/a", list, w))
		return write(ctx, f)
	}
	if more, err := index.Fill(t.Context(), time.Hour); err != nil || !more {
		t.Errorf("more %v, %v", more, err)
	}
	if got := passagesOf(t, s, st.Body); got != "" {
		t.Errorf("written: %s", got)
	}
	fillAll(t, s)
	if got := hits(t, s, filter.Text{Value: "new"}); len(got) != 1 {
		t.Errorf("%d segments with what is there now", len(got))
	}
	if got := hits(t, s, filter.Text{Value: "old 7"}); len(got) != 0 {
		t.Errorf("%d segments with what was there", len(got))
	}
	clean(t, s)
}

// The words of a body that is given up while it is read are in no passage of
// the next one.
func TestABodyThatIsGivenUpLeavesNoWords(t *testing.T) {
	s := openTemp(t)
	put(t, s, write("/a", talk(12, "old")))
	put(t, s, write("/b", talk(2, "new")))
	index := s.index()
	index.Sizes = text.Sizes{Least: 1, Most: 1, Passage: 100, Overlap: 1}
	read := index.Chunk
	chunks := 0
	index.Chunk = func(ctx context.Context, body int64, n int) (chat.Chunk, error) {
		if chunks++; chunks == 3 {
			err := s.write(ctx, sqlite.Machine, "drop", func(t *tx) error {
				_, err := t.Exec("UPDATE bodies SET dropped = 2 WHERE id = 1")
				return err
			})
			if err != nil {
				return chat.Chunk{}, err
			}
		}
		return read(ctx, body, n)
	}
	if _, err := index.Fill(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{"old": "/a", "new": "/b"} {
		for _, id := range hits(t, s, filter.Text{Value: word}) {
			if g := segment(t, s, id); g.SessionFile != want {
				t.Errorf("%s is found in %s", word, g.SessionFile)
			}
		}
	}
	if chunks < 4 || len(hits(t, s, filter.Text{Value: "new"})) != 1 {
		t.Errorf("%d chunks were read", chunks)
	}
}

func TestADamagedBodyKeepsNoOtherFromBeingFound(t *testing.T) {
	s := openTemp(t)
	put(t, s, write("/a", talk(6, "old")))
	put(t, s, write("/b", talk(2, "new")))
	change(t, s.Path(), "UPDATE chunks SET data = x'00ff' WHERE id = ?", messageID(1, 4))
	if _, err := s.IndexText(t.Context(), time.Hour); !errors.Is(err, chat.ErrCorruptChunk) {
		t.Errorf("filling: %v", err)
	}
	if got := hits(t, s, filter.Text{Value: "new"}); len(got) != 1 {
		t.Errorf("what is not damaged is found in %d segments", len(got))
	}
}

// What was rewritten is not found in its old form, even before the index is
// filled again.
func TestRewrittenMessagesAreNotFoundAsTheyWere(t *testing.T) {
	s := openTemp(t)
	list := talk(8, "old")
	put(t, s, write("/a", list))
	fillAll(t, s)
	st, err := s.LoadSession(t.Context(), "default", "/a")
	if err != nil {
		t.Fatal(err)
	}
	list[6].Content = "error: other"
	list[7].Content = "other"
	w := seg(list, 1, 8, 0)
	w.ID = st.Segments[0].ID
	put(t, s, grow(t, s, "/a", list, w))
	if got := hits(t, s, filter.Text{Value: "8"}); len(got) != 0 {
		t.Errorf("found as it was: %q", got)
	}
	if got := hits(t, s, filter.Text{Value: "1"}); len(got) != 1 {
		t.Errorf("what did not change is found in %d segments", len(got))
	}
	fillAll(t, s)
	if got := hits(t, s, filter.Text{Value: "other"}); len(got) != 1 {
		t.Errorf("found as it is in %d segments", len(got))
	}
	clean(t, s)
}

func TestALongMessageIsFoundByAllOfIt(t *testing.T) {
	s := openTemp(t)
	s.textSizes = text.Sizes{Least: 50, Most: 2000, Passage: 500, Overlap: 50}
	var b strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&b, "word%d ", i)
	}
	list := talk(3, "x")
	list[1].Content, list[1].Reasoning = b.String(), strings.Repeat("长文本", 1000)
	list[1].ToolCalls = []chat.ToolCall{{Name: "last_call", Arguments: `{"a":"the end"}`}}
	put(t, s, write("/a", list))
	for n := 0; ; n++ { // in pieces, each by a reader of its own
		more, err := s.IndexText(t.Context(), 0)
		if err != nil || n > 5000 {
			t.Fatal(n, err)
		}
		if !more {
			break
		}
		if n%10 == 0 {
			clean(t, s)
		}
	}
	for i := 0; i < 1500; i += 7 {
		text := filter.Text{Value: fmt.Sprintf("word%d word%d", i, min(i+1, 1499)), Phrase: true}
		if len(hits(t, s, text)) != 1 {
			t.Fatalf("%q is not found", text.Value)
		}
	}
	for _, text := range []string{"last_call", "the end", "文本长文", "x 3"} {
		if len(hits(t, s, filter.Text{Value: text})) != 1 {
			t.Errorf("%q is not found", text)
		}
	}
	if got := hits(t, s, filter.Text{Value: "word1500"}); len(got) != 0 {
		t.Error("what is not there is found")
	}
	parts := strings.Count(passagesOf(t, s, 1), ".")
	if parts < 40 || parts > 448 {
		t.Errorf("%d parts", parts)
	}
}

func TestPassagesOfADroppedBodyAreRemoved(t *testing.T) {
	s := openTemp(t)
	list := talk(600, "old")
	id := put(t, s, write("/a", list))[0]
	fillAll(t, s)
	old := rewrite(t, s, talk(4, "new"), id)
	if got := hits(t, s, filter.Text{Value: "old"}); len(got) != 0 {
		t.Errorf("found in what nobody sees any more: %q", got)
	}
	s.background.Wait()
	if got := passagesOf(t, s, old); got != "" {
		t.Errorf("left: %s", got)
	}
	fillAll(t, s)
	clean(t, s)
}

func TestASearchIsCancelled(t *testing.T) {
	s := openTemp(t)
	var texts []string
	for i := range 200 {
		texts = append(texts, fmt.Sprint("alpha beta ", i))
	}
	put(t, s, spoken("/a", texts...))
	fillAll(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err := s.TextMatches(ctx, filter.Text{Value: "alpha beta", Phrase: true}, func(rows []int64) error {
		n += len(rows)
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || n == 0 || n >= 200 {
		t.Errorf("%d found, %v", n, err)
	}
	enough := errors.New("enough")
	if err := s.TextMatches(t.Context(), filter.Text{Value: "alpha"}, func([]int64) error { return enough }); !errors.Is(err, enough) {
		t.Error(err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	put(t, s, spoken("/b", "gamma"))
	if _, err := s.IndexText(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("filling: %v", err)
	}
	if got := hits(t, s, filter.Text{Value: "beta"}); len(got) != 200 || !slices.IsSortedFunc(got, func(a, b string) int {
		return segment(t, s, a).Start - segment(t, s, b).Start
	}) {
		t.Errorf("%d found", len(got))
	}
}
