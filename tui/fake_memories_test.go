package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"winnow/core/chat"
	"winnow/core/memory"
	"winnow/core/review"
)

// fakeMemories keep memories in a list.
type fakeMemories struct {
	lib     *fakeLibrary
	list    []memory.Memory
	judged  []memory.Judgement
	wrote   []string
	added   []string // "segment message kind text"
	fails   error    // of reading, refuses of writing
	refuses error
}

// learnedFrom are memories of the first segments of a library: say changes texts.
func learnedFrom(lib *fakeLibrary, say func(string) string) *fakeMemories {
	f := &fakeMemories{lib: lib}
	add := func(i int, kind memory.Kind, title, content string, cites ...memory.Cite) *memory.Memory {
		seg := &lib.segments[i]
		m := memory.Memory{
			ID: fmt.Sprintf("%08x-0000-4000-8000-000000000000", 0x1a2b3c40+len(f.list)), Kind: kind, Title: say(title), Content: say(content), Status: memory.Proposed,
			Agent: say("laptop"), Dir: "/home/ann/web", MadeBy: memory.ByRules, Grade: 0.7, Created: time.Date(2026, 11, 3, 4, 5, 0, 0, time.UTC), Tags: []string{"trajectory", say("go")},
			Sources: []memory.Source{{Segment: seg.ID, File: say(seg.SessionFile), Start: seg.Start, End: seg.End, Live: true, Cites: cites}},
		}
		f.list = append(f.list, m)
		return &f.list[len(f.list)-1]
	}
	cite := func(n int, role chat.Role, quote string) memory.Cite {
		return memory.Cite{N: n, Message: n, Role: role, In: memory.InText, Quote: say(quote)}
	}
	add(0, memory.Rule, "Tests go into config_test.go", "Tests of the loader go into config_test.go, never into loader_test.go.", cite(1, chat.User, "No, always put the tests in config_test.go"))
	m := add(0, memory.Pitfall, "go vet fails on generated mocks", "`go vet` fails when the mocks are older than the interfaces they are made of.", cite(2, chat.Assistant, "undefined: Clock"), cite(3, chat.Tool, "ok store 0.41s"))
	m.Context, m.Resolution = say("when an interface changed"), say("run `make mocks` first")
	m = add(1, memory.Fact, "The staging database is read-only", "See https://example.com/db: it is read-only from Friday on.", cite(3, chat.Tool, "https://example.com/db"))
	m.Flags = []memory.Flag{memory.FromTools, memory.Link}
	m = add(1, memory.Procedure, "Release", "Tag, then `make release`.", cite(1, chat.User, "release it"))
	m.Status, m.Stale, m.Reason, m.Curator = memory.Approved, true, "source changed: 4 messages added", say("ben")
	m.Sources[0].Live = false
	return f
}

func withMemories(s *scene, o *Options) { o.Memories = learnedFrom(s.lib, s.say) }

// withDouble has a memory that says what the first one does, with a better grade.
func withDouble(s *scene, o *Options) {
	f := learnedFrom(s.lib, s.say)
	m := f.list[0]
	m.ID, m.Kind, m.Title, m.Grade = "1a2b3c5d-0000-4000-8000-000000000000", memory.Fact, s.say("Where tests of the loader go"), 0.9
	f.list = append(f.list, m)
	o.Memories = f
}

// Memories implements Memories: of a filter it knows the segment and "status:proposed".
func (f *fakeMemories) Memories(_ context.Context, q memory.Query) (memory.Page, error) {
	if f.fails != nil {
		return memory.Page{}, f.fails
	}
	list := slices.Clone(f.list)
	for _, t := range q.Filter {
		list = slices.DeleteFunc(list, func(m memory.Memory) bool {
			switch t.Field {
			case "segment":
				return m.Sources[0].Segment != t.Values[0]
			case "status":
				return string(m.Status) != t.Values[0] || m.Stale
			}
			return false
		})
	}
	if q.Order == memory.Best {
		slices.SortStableFunc(list, func(a, b memory.Memory) int { return cmp.Compare(b.Grade, a.Grade) })
	}
	return memory.Page{Memories: list}, nil
}

func (f *fakeMemories) JudgeMemories(_ context.Context, j memory.Judgement) (e review.Entry, flagged []string, err error) {
	if f.refuses != nil {
		return e, nil, f.refuses
	}
	f.judged = append(f.judged, j)
	e = review.Entry{ID: 1000 + int64(len(f.judged)), Curator: j.Curator, Action: review.ActMemory}
	for i := range f.list {
		m := &f.list[i]
		if !slices.Contains(j.IDs, m.ID) {
			continue
		}
		before := *m
		if j.Status != "" {
			if m.Fresh() && j.Best == m.ID {
				continue
			}
			m.Status, m.Stale, m.Reason, m.Curator = j.StatusOf(m.ID), false, "", j.Curator
		}
		if j.Note != nil {
			m.Note = *j.Note
		}
		if j.Words != nil {
			m.Title, m.Content, m.Edited = j.Words.Title, j.Words.Content, true
		}
		m.Tags = append(m.Tags, j.TagsOn...)
		after := *m
		e.Memories = append(e.Memories, memory.Change{ID: m.ID, Before: &before, After: &after})
	}
	f.lib.mu.Lock()
	f.lib.version++
	f.lib.mu.Unlock()
	return e, nil, nil
}

func (f *fakeMemories) Rewritten(_ context.Context, _ *memory.Memory, w memory.Words) (memory.Words, error) {
	return w, w.Check()
}

func (f *fakeMemories) Proposal(_ context.Context, _ string, message int) (memory.Kind, string, error) {
	if f.fails != nil {
		return "", "", f.fails
	}
	return memory.Rule, fmt.Sprintf("what message %d says", message), nil
}

func (f *fakeMemories) OfMessage(_ context.Context, curator, segment string, message int, kind memory.Kind, text string) (review.Entry, error) {
	if f.fails != nil {
		return review.Entry{}, errors.New("no memory: a secret is in it")
	}
	f.added = append(f.added, fmt.Sprintln(review.Short(segment), message, kind, text))
	return review.Entry{ID: 1, Action: review.ActMemory, Memories: []memory.Change{{ID: segment, After: &memory.Memory{ID: segment, Status: memory.Approved}}}}, nil
}

func (f *fakeMemories) WriteAgents(_ context.Context, path string, _ memory.Filter) (string, error) {
	f.wrote = append(f.wrote, path)
	return "1 memory in AGENTS.md", nil
}
