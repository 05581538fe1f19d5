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
)

func TestPassageIDs(t *testing.T) {
	last := int64(-1)
	for _, p := range []passage{
		{1, 1, 1, 0}, {1, 1, 64, 0}, {1, 1, 1, 1}, {1, 1, 1, passageParts}, {1, 2, 2, 0}, {1, maxIndexed, maxIndexed, 1},
		{2, 1, 3, 0}, {maxBody, maxIndexed, maxIndexed + 63, 0}, {maxBody, maxIndexed, maxIndexed, passageParts},
	} {
		id := p.id()
		if id <= last {
			t.Errorf("%+v has id %d, the one before %d", p, id, last)
		}
		if got := passageOf(id); got != p {
			t.Errorf("%+v comes back as %+v", p, got)
		}
		if id < passagesFrom(p.body, p.first) || id > lastPassage(p.body) || id >= passagesFrom(p.body, p.first+1) && p.first < maxIndexed {
			t.Errorf("%+v is not in its range", p)
		}
		last = id
	}
	if checkBody(maxBody) != nil || checkBody(maxBody+1) == nil {
		t.Error("bodies without a place are taken, or others not")
	}
}

// passagesOf lists the passages of a body.
func passagesOf(t testing.TB, s *Store, body int64) string {
	t.Helper()
	rows, err := s.db.Readers.Query(t.Context(), "SELECT id FROM passages_docsize WHERE id BETWEEN ? AND ? ORDER BY id", passagesFrom(body, 0), lastPassage(body))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	var id int64
	err = sqlite.Each(rows, func() error {
		err := rows.Scan(&id)
		p := passageOf(id)
		text := fmt.Sprintf("%d-%d", p.first, p.last)
		if p.part > 0 {
			text = fmt.Sprintf("%d.%d", p.first, p.part)
		}
		list = append(list, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
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
	f := &filler{store: s, fillSizes: s.fillSizes, out: make(chan []passageRow, 9)}
	f.size.Store(1 << 20)
	if err := f.read(t.Context()); err != nil {
		t.Fatal(err)
	}
	st, err := s.LoadSession(t.Context(), "default", "/a")
	if err != nil {
		t.Fatal(err)
	}
	list[6].Content = "new"
	w := seg(list, 1, 7, 0)
	w.ID = st.Segments[0].ID
	put(t, s, grow(t, s, "/a", list, w))
	if missed, err := s.fill(t.Context(), f, <-f.out); err != nil || !missed {
		t.Errorf("missed %v, %v", missed, err)
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
	f := &filler{store: s, fillSizes: s.fillSizes, out: make(chan []passageRow)}
	var failed error
	go func() {
		defer close(f.out)
		failed = f.read(t.Context())
	}()
	<-f.out // messages 1 to 4: message 5 is read already
	err := s.write(t.Context(), sqlite.Machine, "drop", func(tx *tx) error {
		_, err := tx.Exec("UPDATE bodies SET dropped = 2 WHERE id = 1")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for rows := range f.out {
		for _, row := range rows {
			if row.body == 2 {
				n++
			}
			if row.body == 2 && strings.Contains(row.words, "old") {
				t.Errorf("words of another body: %s", row.words)
			}
		}
	}
	if failed != nil || n == 0 {
		t.Errorf("%d passages of the other body, %v", n, failed)
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
	s.fillSizes = fillSizes{least: 50, most: 2000, passage: 500, overlap: 50}
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
	if parts < 40 || parts > passageParts {
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

// A search looks at the messages that the index names, and at no other.
func TestSearchesUseIndexes(t *testing.T) {
	s := openTemp(t)
	for name, text := range map[string]string{
		"match": matchSQL, "stale": staleTextSQL, "segments": segmentsOfSQL, "unindexed": unindexedSQL, "before": beforeSQL, "remove": removeSQL,
		"outdated": outdatedSQL,
	} {
		args := make([]any, params(text))
		for i := range args {
			args[i] = "1"
		}
		rows, err := s.db.Readers.DB.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+text, args...)
		if err != nil {
			t.Fatal(name, err)
		}
		var plan []string
		err = sqlite.Each(rows, func() error {
			var id, parent, unused int
			plan = append(plan, "")
			return rows.Scan(&id, &parent, &unused, &plan[len(plan)-1])
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range plan {
			virtual := strings.Contains(step, "VIRTUAL TABLE INDEX") && !strings.HasSuffix(step, "VIRTUAL TABLE INDEX 0:")
			if strings.HasPrefix(step, "SCAN") && !virtual && !strings.Contains(step, "USING") || strings.Contains(step, "TEMP B-TREE") && name != "segments" || strings.Contains(step, "AUTOMATIC") {
				t.Errorf("%s: %s", name, strings.Join(plan, "; "))
			}
		}
	}
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
