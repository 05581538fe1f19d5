package hub

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/session"
)

// memStore keeps in memory what an import stores, and checks after every
// write that the segments of each session cover its messages.
type memStore struct {
	t        *testing.T
	mu       sync.Mutex
	sources  []*Source
	issues   map[int64][]session.Issue
	sessions map[string]*memSession // by agent + file
	writes   int
	lists    int // how often all sources were listed
	asked    int // how many were looked up
	failAt   int // the write that fails; 0: none
	most     int // writes of a transaction; 0: all
	// before is called in front of each write with its number, from 1. It may
	// use the store.
	before func(n int)
	nextID int
	// retiredJudged are segments that left with a verdict.
	retiredJudged []string

	// Of cutting: writes and readings so far, the write that fails (0: none), and
	// what is called in front of each write with its number.
	cutWrites, cutTransactions int // sessions that were tried, and what was kept together
	readings, failCutsAt       int
	beforeCuts                 func(n int)

	// Of scoring: transactions so far, the first that fails (0: none), and what
	// is called in front of each with its number.
	scoreWrites, failScoresAt int
	beforeScores              func(n int)
}

type memSession struct {
	review.StoredSession
	messages []chat.Message
	chunks   []Chunk
	retired  []string
}

var errFull = errors.New("disk full")

func newMemStore(t *testing.T) *memStore {
	return &memStore{t: t, issues: map[int64][]session.Issue{}, sessions: map[string]*memSession{}}
}

func (s *memStore) Sources(_ context.Context, agent string) (map[string]*Source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lists++
	return s.of(agent), nil
}

// of returns the sources of an agent. The store is locked.
func (s *memStore) of(agent string) map[string]*Source {
	m := map[string]*Source{}
	for _, src := range s.sources {
		if src.AgentID == agent {
			c := *src
			c.State.Decoder = nil
			m[src.Path] = &c
		}
	}
	return m
}

func (s *memStore) Source(_ context.Context, id int64) (Source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, src := range s.sources {
		if src.ID == id {
			return *src, nil
		}
	}
	return Source{}, review.ErrNotFound
}

func (s *memStore) LoadSession(_ context.Context, agent, file string) (*review.StoredSession, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.sessions[agent+" "+file]
	if m == nil {
		return nil, review.ErrNotFound
	}
	c := m.StoredSession
	c.Segments = slices.Clone(m.Segments)
	c.Session.Messages = len(m.messages)
	if n := len(m.chunks); n > 0 {
		c.LastChunk = m.chunks[n-1].First
	}
	return &c, nil
}

func (s *memStore) SessionByID(ctx context.Context, id string) (*review.StoredSession, error) {
	s.mu.Lock()
	key := ""
	for k, m := range s.sessions {
		if m.ID == id {
			key = k
		}
	}
	s.mu.Unlock()
	agent, file, _ := strings.Cut(key, " ")
	return s.LoadSession(ctx, agent, file)
}

func (s *memStore) SourceSessions(_ context.Context, source int64) ([]Known, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Known
	for _, m := range s.sessions {
		if m.SourceID == source {
			marked := slices.ContainsFunc(m.Segments, func(r review.SegmentWrite) bool { return r.Verdict.Judged() || r.Note != "" })
			list = append(list, Known{
				ID: m.ID, File: m.File, NativeID: m.NativeID, Messages: len(m.messages), Trail: m.Trail, Segmented: m.Segmented, Marked: marked,
			})
		}
	}
	slices.SortFunc(list, func(a, b Known) int { return strings.Compare(a.File, b.File) })
	return list, nil
}

// Copies are looked for in a real store.

func (s *memStore) CopiedSessions(context.Context, int64) ([]Known, error) { return nil, nil }

func (s *memStore) Adopt(context.Context, string, int64) error { return nil }

func (s *memStore) Uncompared(context.Context, string) (from, to int64, err error) { return 0, 0, nil }

func (s *memStore) Compared(context.Context, string, int64) error { return nil }

func (s *memStore) Alike(context.Context, string, Likeness, int64, int64, *Group, int) ([]Group, error) {
	return nil, nil
}

func (s *memStore) Twins(context.Context, string, Group, int) ([]Twin, error) { return nil, nil }

func (s *memStore) WriteCopies(context.Context, []Copy) ([]Change, error) { return nil, nil }

func (s *memStore) TakePlace(context.Context, *SessionWrite, Copy) ([]Change, error) { return nil, nil }

func (s *memStore) Family(context.Context, string, *Group) (*Family, error) { return &Family{}, nil }

func (s *memStore) SourceFamily(context.Context, int64) (*Family, error) { return &Family{}, nil }

func (s *memStore) Shares(context.Context, int64) (elsewhere, here bool, err error) {
	return false, false, nil
}

func (s *memStore) Regroup(context.Context, *Regrouping) ([]Change, error) { return nil, nil }

func (s *memStore) HasCopy(context.Context, int64, string) (bool, error) { return false, nil }

func (s *memStore) Linked(context.Context, string) (map[string]int, error) { return nil, nil }

func (s *memStore) Chunk(_ context.Context, body int64, n int) ([]chat.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.sessions {
		for _, c := range m.chunks {
			if m.Body == body && c.First <= n && n <= c.Last {
				return chat.ReadChunk(c.Data)
			}
		}
	}
	return nil, nil
}

func (s *memStore) RecordedMessages(_ context.Context, body int64, from, to int) ([]chat.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.sessions {
		if m.Body == body {
			return slices.Clone(m.messages[from-1 : to]), nil
		}
	}
	return nil, review.ErrNotFound
}

func (s *memStore) Unread(_ context.Context, agent string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.of(agent)
	maps.DeleteFunc(all, func(_ string, src *Source) bool { return src.ModTime != 0 })
	return slices.Sorted(maps.Keys(all)), nil
}

func (s *memStore) FindSources(_ context.Context, agent string, paths []string, firsts map[string]int64) (map[string]*Source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.of(agent)
	s.asked += len(paths)
	maps.DeleteFunc(all, func(path string, src *Source) bool {
		most, alike := firsts[src.Proof.First]
		return !slices.Contains(paths, path) && (!alike || src.State.Offset > most)
	})
	return all, nil
}

func (s *memStore) MoveSource(_ context.Context, id int64, path string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.move(id, path)
}

func (s *memStore) move(id int64, path string) error {
	for _, src := range s.sources {
		if src.Path == path && src.ID != id {
			return review.ErrConflict
		}
	}
	for _, src := range s.sources {
		if src.ID != id {
			continue
		}
		for key, m := range s.sessions {
			if rest, ok := strings.CutPrefix(m.File, src.Path); ok && (rest == "" || rest[0] == '#') {
				delete(s.sessions, key)
				m.File = path + rest
				s.sessions[m.AgentID+" "+m.File] = m
			}
		}
		src.Path = path
	}
	return nil
}

func (s *memStore) SwapSources(_ context.Context, a, b int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	one, other := s.sources[a-1].Path, s.sources[b-1].Path
	return errors.Join(s.move(a, "between"), s.move(b, one), s.move(a, other))
}

func (s *memStore) Judged(_ context.Context, source int64) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, m := range s.sessions {
		if path := s.sources[source-1].Path; m.File != path && !strings.HasPrefix(m.File, path+"#") {
			continue
		}
		for _, seg := range m.Segments {
			if seg.Verdict.Judged() {
				n++
			}
		}
	}
	return n, nil
}
