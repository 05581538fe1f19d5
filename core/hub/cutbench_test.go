package hub

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/core/segment"
)

// shelf is a store of sessions to be cut that decodes chunks as a real one
// does, and forgets what is written.
type shelf struct {
	sessions []review.StoredSession
	chunks   map[int64][]Chunk
	bytes    int64 // of text
}

// newShelf is n sessions of about size bytes of text each, in words.
func newShelf(b *testing.B, n, size int) *shelf {
	rng := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 4000)
	for i := range words {
		words[i] = fmt.Sprintf("%c%x", 'a'+i%26, rng.IntN(1<<(8+i%16)))
	}
	s := &shelf{chunks: map[int64][]Chunk{}}
	for i := range n {
		body := int64(i + 1)
		t := newTracker("a", fmt.Sprintf("/s%06d", i))
		var text strings.Builder
		for written := 0; written < size; written += text.Len() {
			text.Reset()
			for range 40 + rng.IntN(400) {
				text.WriteString(words[rng.IntN(len(words))])
				text.WriteByte(' ')
			}
			m := chat.Message{Role: [...]chat.Role{chat.User, chat.Assistant, chat.Tool, chat.Assistant}[t.messages()%4], Content: text.String()}
			s.bytes += int64(text.Len())
			t.add(&m)
		}
		w, err := t.write()
		if err != nil {
			b.Fatal(err)
		}
		row := w.Session
		row.ID, row.Body = fmt.Sprint(body), body
		w.Segments[0].ID = "segment-" + row.ID
		s.sessions = append(s.sessions, review.StoredSession{Session: row, Trail: w.Trail, Segments: w.Segments})
		for _, c := range w.Chunks {
			c.Data = slices.Clone(c.Data)
			s.chunks[body] = append(s.chunks[body], c)
		}
	}
	return s
}

func (s *shelf) SessionsToCut(_ context.Context, q runs.CutQuery) ([]runs.CutRef, error) {
	var refs []runs.CutRef
	for i := range s.sessions {
		if m := &s.sessions[i]; m.File > q.After.File && len(refs) < q.Limit {
			refs = append(refs, runs.CutRef{ID: m.ID, File: m.File, Messages: m.Messages, Tokens: m.Tokens})
		}
	}
	return refs, nil
}

func (s *shelf) CountToCut(context.Context, runs.CutQuery) (sessions, messages, tokens int, err error) {
	return len(s.sessions), 0, 0, nil
}

func (s *shelf) SessionByID(_ context.Context, id string) (*review.StoredSession, error) {
	var n int
	if _, err := fmt.Sscan(id, &n); err != nil {
		return nil, review.ErrNotFound
	}
	c := s.sessions[n-1]
	return &c, nil
}

func (s *shelf) EachRecorded(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	return s.EachMessage(ctx, body, from, to, f)
}

func (s *shelf) EachMessage(_ context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	for _, c := range s.chunks[body] {
		if c.Last < from || c.First > to {
			continue
		}
		list, err := chat.ReadChunk(c.Data)
		if err != nil {
			return err
		}
		for i := range list {
			if n := list[i].N; n < from || n > to {
				continue
			}
			if err := f(&list[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *shelf) WriteCuts(_ context.Context, w *runs.CutWrite) (review.Entry, error) {
	if len(w.Segments)+len(w.Retire) == 0 {
		return review.Entry{}, errors.New("nothing was cut")
	}
	return review.Entry{}, nil
}

func (s *shelf) WriteAllCuts(ctx context.Context, list []*runs.CutWrite) error {
	for _, w := range list {
		if _, err := s.WriteCuts(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

// BenchmarkCut cuts sessions as large as ordinary ones, and one as large as
// nobody keeps in memory, with a cutter that reads everything once. Decoding
// alone is told beside it: it is most of the cost.
func BenchmarkCut(b *testing.B) {
	for _, c := range []struct {
		name    string
		n, size int
	}{{"ordinary", 200, 110 << 10}, {"large", 2, 12 << 20}} {
		s := newShelf(b, c.n, c.size)
		b.Run(c.name+"/decode", func(b *testing.B) {
			b.SetBytes(s.bytes)
			for b.Loop() {
				for i := range s.sessions {
					if err := s.EachMessage(b.Context(), s.sessions[i].Body, 1, s.sessions[i].Messages, func(*chat.Message) error { return nil }); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		for _, jobs := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/jobs=%d", c.name, jobs), func(b *testing.B) {
				b.SetBytes(s.bytes)
				b.ReportAllocs()
				for b.Loop() {
					g := &runs.Segmenter{Store: s, Cutter: &everyN{n: 16}, Jobs: jobs}
					if r, err := g.Run(b.Context()); err != nil || r.Changed != c.n {
						b.Fatal(r, err)
					}
				}
			})
		}
	}
}

var _ segment.Cutter = (*everyN)(nil)
