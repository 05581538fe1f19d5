package store

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/runs"
	corewords "winnow/core/words"
	"winnow/store/text"
)

// fillAll makes everything searchable.
func fillAll(t testing.TB, s *Store) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = s.IndexText(t.Context(), time.Hour); err != nil {
			t.Fatal(err)
		}
	}
}

// hits returns the ids of the segments that a search finds, in its order.
func hits(t testing.TB, s *Store, text filter.Text) (ids []string) {
	t.Helper()
	err := s.TextMatches(t.Context(), text, func(rows []int64) error {
		for _, row := range rows {
			var id string
			if err := s.db.Rows(t.Context(), "SELECT id FROM task_segments WHERE rowid = ?", row).One(&id); err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// spokenList returns two messages for each text.
func spokenList(texts ...string) (list []chat.Message) {
	for _, text := range texts {
		list = append(list, chat.Message{N: len(list) + 1, Role: chat.User, Content: text}, chat.Message{N: len(list) + 2, Role: chat.Assistant, Content: "ok"})
	}
	return list
}

// spoken returns a session of two messages for each text, in a segment each.
func spoken(file string, texts ...string) hub.ImportWrite {
	list := spokenList(texts...)
	w := write(file, list)
	w.Sessions[0].Segments = nil
	for i := range texts {
		w.Sessions[0].Segments = append(w.Sessions[0].Segments, seg(list, 2*i+1, 2*i+2, i))
	}
	return w
}

func TestSearchFinds(t *testing.T) {
	s := openTemp(t)
	ids := put(t, s, spoken("/a",
		"the user's login failed: 用户登录失败了", "call foo_bar() in /src/a.go:17", "dial tcp: Connection\n\trefused by host", "connection was refused",
		"Café in São Paulo 🚀", "hash 9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08 seen", "foo bar baz", "ｶﾞｲﾄﾞ の ＡＰＩ",
	), spoken("/b", "nothing", "登录 again, foobar"))
	fillAll(t, s)
	for _, c := range []struct {
		text filter.Text
		want string // numbers of ids
	}{
		{filter.Text{Value: "登录"}, "[0 9]"},
		{filter.Text{Value: "录失"}, "[0]"},
		{filter.Text{Value: "录"}, "[0 9]"},
		{filter.Text{Value: "了"}, "[0]"},
		{filter.Text{Value: "用户登录失败"}, "[0]"},
		{filter.Text{Value: "foo_bar"}, "[1]"},
		{filter.Text{Value: "FOO"}, "[1 6]"},
		{filter.Text{Value: "foo", Prefix: true}, "[1 6 9]"},
		{filter.Text{Value: "/src/a.go"}, "[1]"},
		{filter.Text{Value: "src/a.g"}, "[]"},
		{filter.Text{Value: "src/a.g", Prefix: true}, "[1]"},
		{filter.Text{Value: "connection refused", Phrase: true}, "[2]"},
		{filter.Text{Value: "CONNECTION  REFUSED", Phrase: true}, "[2]"},
		{filter.Text{Value: "connection"}, "[2 3]"},
		{filter.Text{Value: "conn"}, "[]"},
		{filter.Text{Value: "conn", Prefix: true}, "[2 3]"},
		{filter.Text{Value: "cafe"}, "[4]"},
		{filter.Text{Value: "são paulo", Phrase: true}, "[4]"},
		{filter.Text{Value: "🚀"}, "[4]"},
		{filter.Text{Value: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}, "[5]"},
		{filter.Text{Value: "ガイド"}, "[7]"},
		{filter.Text{Value: "api"}, "[7]"},
		{filter.Text{Value: "ok"}, "[0 1 2 3 4 5 6 7 8 9]"},
		{filter.Text{Value: `" OR passages:x* NEAR(`}, "[]"},
		{filter.Text{Value: "login' failed"}, "[]"},
	} {
		got := []int{}
		for _, id := range hits(t, s, c.text) {
			got = append(got, slices.Index(ids, id))
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%+v: segments %v, want %s", c.text, got, c.want)
		}
	}
	if err := s.TextMatches(t.Context(), filter.Text{Value: "++"}, nil); !errors.Is(err, corewords.ErrNoWord) {
		t.Errorf("nothing to search for: %v", err)
	}
	clean(t, s)
}

// searched are texts that tests search for, and how a naive search finds them.
var searched = []struct {
	text  filter.Text
	naive *regexp.Regexp
}{
	{filter.Text{Value: "connection"}, wholeWords(`connection`)},
	{filter.Text{Value: "conn", Prefix: true}, regexp.MustCompile(`(?i)(^|[^\pL\pN])conn`)},
	{filter.Text{Value: "connection refused", Phrase: true}, wholeWords(`connection\s+refused`)},
	{filter.Text{Value: "refused connection", Phrase: true}, wholeWords(`refused\s+connection`)},
	{filter.Text{Value: "foo_bar"}, wholeWords(`foo_bar`)},
	{filter.Text{Value: "bar"}, wholeWords(`bar`)},
	{filter.Text{Value: "/src/a.go"}, regexp.MustCompile(`(?i)/src/a\.go($|[^\pL\pN])`)},
	{filter.Text{Value: "登录"}, regexp.MustCompile(`登录`)},
	{filter.Text{Value: "录失败"}, regexp.MustCompile(`录失败`)},
	{filter.Text{Value: "败"}, regexp.MustCompile(`败`)},
	{filter.Text{Value: "terminal"}, wholeWords(`terminal`)},
}

func wholeWords(text string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[^\pL\pN])` + text + `($|[^\pL\pN])`)
}

// scanned returns the segments in whose messages a naive search finds a text:
// those of indexed messages, and all.
func scanned(t testing.TB, s *Store, naive *regexp.Regexp) (some, all map[string]bool) {
	t.Helper()
	some, all = map[string]bool{}, map[string]bool{}
	page, err := s.Segments(t.Context(), reviewAll(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	for i := range page.Segments {
		seg := &page.Segments[i]
		indexed := 0
		if err := s.db.Rows(t.Context(), "SELECT indexed FROM bodies WHERE id = ?", seg.Body).One(&indexed); err != nil {
			t.Fatal(err)
		}
		err := s.EachMessage(t.Context(), seg.Body, seg.Start, seg.End, func(m *chat.Message) error {
			corewords.Texts(m, func(text string) bool {
				if naive.MatchString(text) {
					all[seg.ID] = true
					some[seg.ID] = some[seg.ID] || m.N <= indexed
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	maps.DeleteFunc(some, func(_ string, yes bool) bool { return !yes })
	return some, all
}

// sameAsScan compares a search with a scan of all messages. What is not indexed
// may be missing.
func sameAsScan(t testing.TB, s *Store, where string) {
	t.Helper()
	for _, q := range searched {
		got := hits(t, s, q.text)
		seen := map[string]bool{}
		some, all := scanned(t, s, q.naive)
		for _, id := range got {
			if seen[id] || !all[id] {
				t.Fatalf("%s: %+v finds %s: twice %v, in its text %v", where, q.text, review.Short(id), seen[id], all[id])
			}
			seen[id] = true
		}
		for id := range some {
			if !seen[id] {
				t.Fatalf("%s: %+v does not find %s", where, q.text, review.Short(id))
			}
		}
	}
}

// author writes sessions line by line.
type author struct{ *rand.Rand }

func (a author) text() string {
	vocabulary := []string{"connection", "refused", "Foo_Bar", "bar", "/src/a.go", "用户登录失败", "the", "x1", "conn", "terminal"}
	var b strings.Builder
	for range 1 + a.IntN(12) {
		b.WriteString(vocabulary[a.IntN(len(vocabulary))] + []string{" ", "\n", ", ", " \t", "."}[a.IntN(5)])
	}
	return b.String()
}

func (a author) line() string {
	m := map[string]any{"role": []string{"user", "assistant", "assistant"}[a.IntN(3)], "content": a.text()}
	if m["role"] == "assistant" && a.IntN(3) == 0 {
		arguments, _ := json.Marshal(map[string]any{"cmd": a.text()})
		m["tool_calls"] = []any{map[string]any{"id": "c", "type": "function", "function": map[string]any{"name": "terminal", "arguments": string(arguments)}}}
	}
	line, err := json.Marshal(m, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return string(line)
}

// Whatever becomes of sessions while the index is filled piece by piece, a search
// finds what a scan of all messages finds.
func TestSearchFindsWhatAScanFinds(t *testing.T) {
	for seed := range searchSeeds {
		random := rand.New(rand.NewPCG(uint64(seed), 7))
		a := author{random}
		f := newFolder(t)
		f.s.textSizes = text.Sizes{Least: 100, Most: 1500, Passage: 400, Overlap: 100}
		files := make([][]string, 3)
		for step := range 14 {
			i := random.IntN(len(files))
			lines := slices.Clone(files[i])
			switch n := random.IntN(10); {
			case len(lines) == 0 || n < 4: // it grows
				for range 1 + random.IntN(12) {
					lines = append(lines, a.line())
				}
			case n < 6: // it is rewritten from somewhere on
				lines = lines[:random.IntN(len(lines))]
				lines = append(lines, a.line(), a.line())
			case n < 7: // it is another one
				lines = []string{a.line(), a.line(), a.line()}
			case n < 8 && len(lines) > 2:
				lines = slices.Delete(lines, 1, 2)
			}
			if files[i] = lines; len(lines) > 0 {
				f.save(fmt.Sprint(i, ".jsonl"), lines...)
				f.load()
			}
			if random.IntN(3) == 0 {
				machine := &runs.Segmenter{Store: f.s, Cutter: dice{random}, Jobs: 1, Again: true}
				if _, err := machine.Run(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if random.IntN(3) == 0 {
				page, err := f.s.Segments(t.Context(), reviewAll(100))
				if err != nil || len(page.Segments) == 0 {
					t.Fatal(len(page.Segments), err)
				}
				judge(t, f.s, "ann", review.Approved, page.Segments[random.IntN(len(page.Segments))].ID)
			}
			for range random.IntN(3) {
				if _, err := f.s.IndexText(t.Context(), 0); err != nil {
					t.Fatal(err)
				}
			}
			sameAsScan(t, f.s, fmt.Sprintf("seed %d, step %d", seed, step))
		}
		clean(t, f.s)
		fillAll(t, f.s)
		if done, all, err := f.s.IndexedShare(t.Context()); err != nil || done != all || all == 0 {
			t.Errorf("seed %d: %d of %d %v", seed, done, all, err)
		}
		sameAsScan(t, f.s, fmt.Sprintf("seed %d, filled", seed))
		f.s.background.Wait()
		clean(t, f.s)
	}
}

// A process that is killed while the index is filled loses nothing: the next one
// goes on.
func TestFillingGoesOnAfterAKill(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "w.db")
	s := openAt(t, path)
	s.textSizes = text.Sizes{Least: 300, Most: 300, Passage: 400, Overlap: 100}
	a := author{rand.New(rand.NewPCG(3, 4))}
	for i := range 6 {
		var texts []string
		for range 8 {
			texts = append(texts, strings.Repeat(a.text(), 1+i))
		}
		put(t, s, spoken(fmt.Sprint("/", i), texts...))
	}
	last := int64(-1)
	for more, n := true, 0; more; n++ {
		var err error
		if more, err = s.IndexText(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if n > 1000 {
			t.Fatal("it never ends")
		}
		if n%(96/searchSeeds) != 0 {
			continue
		}
		// What a process that is killed now leaves.
		left := filepath.Join(t.TempDir(), "w.db")
		for _, suffix := range []string{"", "-wal"} {
			data, err := os.ReadFile(path + suffix)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(left+suffix, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		again := openAt(t, left)
		again.textSizes = s.textSizes
		done, _, err := again.IndexedShare(t.Context())
		if err != nil || done < last {
			t.Fatalf("%d messages are indexed, there were %d %v", done, last, err)
		}
		last = done
		clean(t, again)
		sameAsScan(t, again, fmt.Sprint("killed after ", n))
		fillAll(t, again)
		sameAsScan(t, again, fmt.Sprint("filled after ", n))
		clean(t, again)
		if t.Failed() {
			return
		}
	}
	if last < 5 {
		t.Errorf("only %d messages were indexed piece by piece", last)
	}
}
