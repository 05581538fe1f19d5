package store

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/edit"
	"winnow/core/memory"
	"winnow/core/review"
)

// memoriesTold is what people see of all memories.
func memoriesTold(t testing.TB, s *Store) string {
	t.Helper()
	p, err := s.Memories(t.Context(), memory.Query{Filter: memory.AnyStatus(), Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i := range p.Memories {
		m := p.Memories[i]
		m.Updated = m.Created
		fmt.Fprintf(&text, "%+v\n", m)
	}
	return text.String()
}

// rememberer judges segments and memories, edits both and cuts sessions at random.
type rememberer struct {
	*somebody
	said  int
	fates map[string]int // how many times any memory had which
}

func (l *rememberer) act(t testing.TB) {
	rows := segmentsOf(t, l.s, l.session)
	g := rows[l.random.IntN(len(rows))].ID
	all := allMemories(t, l.s)
	texts := slices.Sorted(maps.Keys(all))
	m := all[texts[l.random.IntN(len(texts))]]
	l.said++
	j := memory.Judgement{Curator: l.name, IDs: []string{m.ID}}
	var err error
	switch n := l.random.IntN(20); {
	case n < 4:
		_, err = l.s.Judge(t.Context(), review.Judgement{Curator: l.name, IDs: []string{g}, Verdict: review.Verdicts[l.random.IntN(4)]})
	case n < 9:
		j.Status = memory.Statuses[l.random.IntN(4)]
		if l.random.IntN(2) == 0 {
			j.IDs = append(j.IDs, all[texts[l.random.IntN(len(texts))]].ID)
		}
		_, _, err = l.s.JudgeMemories(t.Context(), j)
	case n < 11:
		j.Words = &memory.Words{Kind: memory.Pitfall, Title: m.Title, Content: fmt.Sprint("said ", l.said), Context: "x"}
		_, _, err = l.s.JudgeMemories(t.Context(), j)
	case n < 13:
		j.TagsOn, j.TagsOff, j.Note = []string{fmt.Sprint("tag", l.random.IntN(3))}, []string{fmt.Sprint("tag", l.random.IntN(3))}, ptr(fmt.Sprint("note", l.random.IntN(3)))
		_, _, err = l.s.JudgeMemories(t.Context(), j)
	case n < 14:
		seg, _ := l.s.Segment(t.Context(), g)
		_, err = l.s.AddMemory(t.Context(), l.name, memoryOf(&seg, fmt.Sprint("added ", l.said)))
	case n < 17:
		_, err = l.s.Edit(t.Context(), review.Editing{Curator: l.name, Changes: []review.EditChange{says(t, l.s, l.session.id, 1+l.random.IntN(len(l.session.list)), fmt.Sprint("mended ", l.said), edit.Fix)}})
	default:
		action, pieces := edited(l.random, rows)
		w := cutWrite(t, l.s, l.session, review.CutCurator, pieces)
		w.Curator, w.Action = l.name, action
		_, err = l.s.WriteCuts(t.Context(), w)
	}
	if err != nil && !errors.Is(err, review.ErrConflict) {
		t.Fatal(err)
	}
	for _, m := range allMemories(t, l.s) {
		word, _, _ := strings.Cut(fate(m), ":")
		l.fates[word]++
	}
}

// TestMemoriesComeBack: whatever a curator does to memories, and to the segments that
// they are from, undo leads back to the start, step by step, and redo to the end.
func TestMemoriesComeBack(t *testing.T) {
	const acts = 100 / min(slower, 2)
	s := openTemp(t)
	fates := map[string]int{}
	for seed := range uint64(12 / slower) {
		random := rand.New(rand.NewPCG(seed, 36))
		l := &rememberer{somebody: &somebody{"ann", s, random, newSession(t, s, random, int(seed))}, fates: fates}
		for i, g := range segmentsOf(t, s, l.session) {
			approve(t, s, g.ID)
			extract(t, s, extractionOf(t, s, g.ID, fmt.Sprint("learned ", seed, i), fmt.Sprint("known ", seed, i)))
		}
		states := []string{memoriesTold(t, s)}
		begin, err := s.Journal(t.Context(), 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		last := begin[0].ID
		for range acts {
			l.act(t)
			now, err := s.Journal(t.Context(), 0, 1)
			if err != nil {
				t.Fatal(err)
			}
			if now[0].ID != last {
				states, last = append(states, memoriesTold(t, s)), now[0].ID
			}
		}
		if len(states) < acts*6/10 {
			t.Errorf("seed %d: %d acts only", seed, len(states)-1)
		}
		for i := len(states) - 2; i >= 0; i-- {
			if _, err := s.Undo(t.Context(), "ann"); err != nil {
				t.Fatalf("seed %d, undo to %d: %v", seed, i, err)
			}
			if got := memoriesTold(t, s); got != states[i] {
				t.Fatalf("seed %d, back at %d:\n%s\nwant\n%s", seed, i, got, states[i])
			}
		}
		for i := 1; i < len(states); i++ {
			if _, err := s.Redo(t.Context(), "ann"); err != nil {
				t.Fatalf("seed %d, redo to %d: %v", seed, i, err)
			}
			if got := memoriesTold(t, s); got != states[i] {
				t.Fatalf("seed %d, forward at %d:\n%s\nwant\n%s", seed, i, got, states[i])
			}
		}
	}
	for _, word := range []string{"proposed", "approved", "rejected", "archived", "stale"} {
		if fates[word] == 0 {
			t.Errorf("no memory was ever %s", word)
		}
	}
	clean(t, s)
}
