package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/session"
	"winnow/store/sqlite"
)

// ticking is a clock that moves on by a second at every look.
type ticking struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *ticking { return &ticking{now: time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)} }

func (c *ticking) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Second)
	return c.now
}

// emptyDatabase is a database without any rows. Making one takes a second with
// the race detector, and most tests begin with one.
var emptyDatabase = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "winnow")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "winnow.db")
	s, err := Open(context.Background(), path, Options{Clock: newClock().Now})
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// openAt opens a database for the length of a test, an empty one if there is none.
func openAt(t testing.TB, path string) *Store {
	t.Helper()
	left, err := os.ReadDir(filepath.Dir(path))
	if err == nil && !slices.ContainsFunc(left, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), filepath.Base(path)) }) {
		data, err := emptyDatabase()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(t.Context(), path, Options{Clock: newClock().Now, Curator: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func openTemp(t testing.TB) *Store {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "winnow.db"))
}

// WriteImport applies all writes in one transaction, or none of them.
func (s *Store) WriteImport(ctx context.Context, writes []hub.ImportWrite) ([]hub.Change, error) {
	_, done, err := s.writeUntil(ctx, writes, func(*sqlite.Tx) bool { return false })
	return done, err
}

// talk returns n messages: the user asks, the assistant calls a tool, the tool
// answers, the assistant answers.
func talk(n int, word string) []chat.Message {
	list := make([]chat.Message, n)
	for i := range list {
		m := &list[i]
		*m = chat.Message{N: i + 1, Content: fmt.Sprintf("%s %d", word, i+1), SourceLine: int64(i + 1), SourceOffset: int64(100 * i)}
		switch i % 4 {
		case 0:
			m.Role = chat.User
		case 1:
			m.Role, m.Reasoning = chat.Assistant, "because"
			m.ToolCalls = []chat.ToolCall{{ID: fmt.Sprint("c", i), Name: "terminal", Arguments: `{"n": 1.0}`}}
		case 2:
			m.Role, m.Name, m.ToolCallID = chat.Tool, "terminal", fmt.Sprint("c", i-1)
			if i%8 == 6 {
				m.Content = "error: no such file"
			}
		case 3:
			m.Role, m.Timestamp = chat.Assistant, "2026-05-03T10:00:00Z"
		}
	}
	return list
}

// pack returns messages as chunks of at most size messages.
func pack(list []chat.Message, size int) []hub.Chunk {
	var chunks []hub.Chunk
	for len(list) > 0 {
		part := list[:min(size, len(list))]
		list = list[len(part):]
		c := hub.Chunk{First: part[0].N, Last: part[len(part)-1].N}
		var packed []byte
		for i := range part {
			packed = chat.AppendMessage(packed, &part[i])
			c.Heads = append(c.Heads, review.HeadOf(&part[i]))
		}
		c.Raw, c.Data = len(packed), chat.Compress(nil, packed)
		chunks = append(chunks, c)
	}
	return chunks
}

// seg returns a segment over messages from..to of list.
func seg(list []chat.Message, from, to, index int) review.SegmentWrite {
	run := list[from-1 : to]
	w := review.SegmentWrite{Segment: review.Segment{
		Index: index, Start: from, End: to, Digest: chat.DigestOf(run), Nth: 1,
		CutBy: review.CutProvisional, Topic: run[0].Content,
	}}
	h := chat.NewHasher()
	for i := range run {
		w.Tally.Add(&run[i])
		if i == len(run)-1 {
			w.HashState, _ = h.MarshalBinary()
		}
		h.Add(&run[i])
	}
	return w
}

// write returns an import of one session, in one segment, in one source.
func write(file string, list []chat.Message) hub.ImportWrite {
	sw := hub.SessionWrite{
		Session: review.Session{AgentID: "default", File: file, Format: "openai", Title: "a session"},
		Trail:   review.Trail{Held: 1},
		Chunks:  pack(list, 3),
	}
	for i := range list {
		sw.Session.Tally.Add(&list[i])
	}
	sw.Segments = []review.SegmentWrite{seg(list, 1, len(list), 0)}
	return hub.ImportWrite{
		Source: hub.Source{
			AgentID: "default", Path: file, Format: "openai", Size: 1000, ModTime: 5, Sessions: 1, Proof: hub.Proof{First: "f"},
			State: session.State{Offset: 1000, Lines: 3, Counts: session.Counts{Read: 2, Skipped: 1}},
		},
		Sessions: []hub.SessionWrite{sw},
	}
}

// put imports and returns the segments' ids.
func put(t testing.TB, s *Store, writes ...hub.ImportWrite) (ids []string) {
	t.Helper()
	if _, err := s.WriteImport(t.Context(), writes); err != nil {
		t.Fatal(err)
	}
	for i := range writes {
		for j := range writes[i].Sessions {
			for k := range writes[i].Sessions[j].Segments {
				ids = append(ids, writes[i].Sessions[j].Segments[k].ID)
			}
		}
	}
	return ids
}

func judge(t testing.TB, s *Store, curator string, v review.Verdict, ids ...string) review.Entry {
	t.Helper()
	e, err := s.Judge(t.Context(), review.Judgement{Curator: curator, IDs: ids, Verdict: v})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func verdictOf(t testing.TB, s *Store, id string) review.Verdict {
	t.Helper()
	return segment(t, s, id).Verdict
}

func segment(t testing.TB, s *Store, id string) review.Segment {
	t.Helper()
	got, err := s.Segment(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func reviewAll(limit int) review.Query { return review.Query{Limit: limit} }
