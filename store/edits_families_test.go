package store

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// both are the messages of a session, as they were recorded and as they are now: what
// stands in each place, by part.
type both struct {
	recorded []chat.Message
	now      []map[int]string
}

// madeOf is an edit that was made of a message.
type madeOf struct {
	op   edit.Op
	text string
}

// in reports whether the edit is in force where that stands.
func (m madeOf) in(now map[int]string) bool {
	itself, there := now[0]
	switch m.op {
	case edit.Set:
		return itself == m.text
	case edit.Drop:
		return !there
	}
	for _, text := range now {
		if text == m.text {
			return true
		}
	}
	return m.text == ""
}

// words are what was recorded, one word a message.
func (b both) words() string {
	words := make([]string, len(b.recorded))
	for i := range b.recorded {
		words[i] = wordsOf(&b.recorded[i])
	}
	return strings.Join(words, " ")
}

// all returns the messages of all sessions, by id.
func (l *life) all() map[string]both {
	l.t.Helper()
	ids, err := sqlite.Column[string](l.s.db.Rows(l.t.Context(), "SELECT id FROM trajectory_records WHERE source_agent_id = ?", l.agent))
	if err != nil {
		l.t.Fatal(err)
	}
	all := map[string]both{}
	for _, id := range ids {
		st, err := l.s.SessionByID(l.t.Context(), id)
		if err != nil {
			l.t.Fatal(err)
		}
		var b both
		for range st.Messages {
			b.now = append(b.now, map[int]string{})
		}
		if b.recorded, err = l.s.RecordedMessages(l.t.Context(), st.Body, 1, st.Messages); err == nil {
			err = l.s.EachMessage(l.t.Context(), st.Body, 1, st.Messages, func(m *chat.Message) error {
				b.now[m.N-1][m.Part] = m.Content
				return nil
			})
		}
		if err != nil || len(b.recorded) != st.Messages {
			l.t.Fatalf("%d of %d messages: %v", len(b.recorded), st.Messages, err)
		}
		all[id] = b
	}
	return all
}

// waiting are the texts of edits whose recorded message is another one by now, as a
// result that has the name of its tool since its call is known.
func (l *life) waiting() map[string]bool {
	l.t.Helper()
	const text = "SELECT " + editColumns + " FROM edits WHERE clash = 1"
	list, err := editsIn(l.s.db.Rows(l.t.Context(), text))
	if err != nil {
		l.t.Fatal(err)
	}
	texts := map[string]bool{}
	for i := range list {
		texts[list[i].Message.Content] = true // "" of what is dropped
	}
	return texts
}

// edit edits some messages, and remembers what by what was recorded.
func (l *life) edit(r *rand.Rand, made map[string]madeOf) {
	var changes []review.EditChange
	all := l.all()
	ids := slices.SortedFunc(maps.Keys(all), func(a, b string) int { return strings.Compare(all[a].words(), all[b].words()) })
	for _, id := range ids {
		b := all[id]
		for n := range b.recorded {
			if r.IntN(6) > 0 {
				continue
			}
			m := b.recorded[n]
			m.Content = fmt.Sprint(l.agent, " edited ", len(made), "-", n)
			c := review.EditChange{Session: id, N: n + 1, Op: edit.Set, Why: edit.Fix, Message: m}
			switch r.IntN(5) {
			case 0:
				c.Op, c.Message, m.Content = edit.Drop, chat.Message{}, ""
			case 1:
				c.Op = edit.Add
			}
			made[wordsOf(&b.recorded[n])] = madeOf{c.Op, m.Content}
			changes = append(changes, c)
		}
	}
	if len(changes) > 0 {
		_, err := l.s.Edit(l.t.Context(), review.Editing{Curator: "ann", Changes: changes})
		if errors.Is(err, review.ErrConflict) { // nothing would be left of a segment
			for i := range changes {
				c := &changes[i]
				delete(made, wordsOf(&all[c.Session].recorded[c.N-1]))
			}
		} else if err != nil {
			l.t.Fatal(err)
		}
	}
}

// TestEditsInFamilies: files that share messages are imported in any order, with edits
// in between. What is recorded in the end is what it is without edits, and each
// message that still says what it said when it was edited is edited.
func TestEditsInFamilies(t *testing.T) {
	s := openTemp(t)
	dir := t.TempDir()
	for seed := range families(t) {
		g := &talks{Rand: rand.New(rand.NewPCG(uint64(seed), 1))}
		files := g.files()
		var want []string
		for way := range 2 {
			l := &life{t: t, s: s, agent: fmt.Sprintf("edits %d-%d", seed, way), dir: filepath.Join(dir, strconv.Itoa(seed), strconv.Itoa(way)), given: map[string]string{}}
			if err := os.MkdirAll(l.dir, 0o700); err != nil {
				t.Fatal(err)
			}
			made := map[string]madeOf{}
			for _, n := range g.Perm(len(files)) {
				l.load(l.write(n, files[n][:1+g.IntN(len(files[n]))]))
				if way == 1 {
					l.edit(g.Rand, made)
				}
			}
			for n, f := range files {
				l.load(l.write(n, f))
			}
			l.load(l.dir)
			var recorded []string
			edited := map[string]bool{}
			waiting := l.waiting()
			for _, b := range l.all() {
				for i := range b.recorded {
					words := wordsOf(&b.recorded[i])
					edited[words] = edited[words] || made[words].in(b.now[i]) || waiting[made[words].text]
				}
				recorded = append(recorded, b.words())
			}
			if slices.Sort(recorded); way == 0 {
				want = recorded
			} else if !slices.Equal(recorded, want) {
				t.Errorf("seed %d: recorded is %q, without edits %q", seed, recorded, want)
			}
			for words, m := range made {
				if there, known := edited[words]; known && !there {
					t.Errorf("seed %d: %q is not %v any more", seed, words, m)
				}
			}
			if clean(t, s); t.Failed() {
				t.FailNow()
			}
		}
	}
}
