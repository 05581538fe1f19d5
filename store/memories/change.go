package memories

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/memory"
	"winnow/store/sqlite"
)

// Change is what is done to a memory; a nil side: it is not there.
type Change struct {
	ID            string
	Before, After *State
}

// Found is a memory and what its sources say.
type Found struct {
	State
	Seen    memory.Memory
	Sources []From
	live    bool
}

// Find returns memories by id.
func Find(t *sqlite.Tx, ids []string) (map[string]*Found, error) {
	states, of, holders, err := read(t.Rows, ids)
	if err != nil {
		return nil, err
	}
	all := make(map[string]*Found, len(states))
	for i := range states {
		f := &Found{State: states[i], Sources: of[states[i].ID]}
		f.Seen = f.seen(f.Sources, holders)
		f.live = slices.ContainsFunc(f.Seen.Sources, func(o memory.Source) bool { return o.Live })
		all[f.ID] = f
	}
	return all, nil
}

// Judge is the change that a judgement makes of a memory; none if it says what is so.
// flagged reports that the memory would have been approved, but has flags and is one of
// several.
func Judge(f *Found, j *memory.Judgement, at time.Time) (c *Change, flagged bool, err error) {
	after := f.State
	after.Tags = retagged(f.Tags, j)
	if j.Note != nil {
		after.Note = *j.Note
	}
	if w := j.Words; w != nil {
		after.Kind, after.Title, after.Content, after.Context, after.Resolution, after.Flags = w.Kind, w.Title, w.Content, w.Context, w.Resolution, w.Flags
		if !after.Says(&f.Memory) {
			after.Edited = true
			after.Identify()
		}
	}
	bulk := j.Bulk || len(j.IDs) > 1
	to := j.StatusOf(f.ID)
	switch {
	case to == "":
	case to == memory.Approved && bulk && len(f.Flags) > 0 && (f.Status != memory.Approved || f.Seen.Stale):
		return nil, true, nil
	case to == f.Status && (to != memory.Approved || after.Alone || f.live):
	default:
		after.Status, after.Reason, after.Alone = to, "", to == memory.Approved && !f.live
		after.Curator, after.Reviewed = j.Curator, at
		if to == memory.Proposed {
			after.Curator, after.Reviewed = "", time.Time{}
		}
	}
	before, err := plain(&f.State)
	if err != nil {
		return nil, false, err
	}
	text, err := plain(&after)
	if err != nil || text == before {
		return nil, false, err
	}
	was := f.State
	after.Updated = at
	return &Change{ID: f.ID, Before: &was, After: &after}, false, nil
}

// Reflag adds the flags of sources that came after a time.
func (s *State) Reflag(sources []memory.Source, since time.Time) {
	if slices.ContainsFunc(sources, func(o memory.Source) bool { return o.Added.After(since) }) {
		m := s.Memory
		m.Sources = sources
		s.Flags = memory.FlagsAgain(&m)
	}
}

// retagged are own tags after a judgement.
func retagged(tags []string, j *memory.Judgement) []string {
	kept := slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return slices.Contains(j.TagsOff, tag) })
	return own(append(kept, j.TagsOn...))
}

// Replaced is the change of a memory in whose place another one comes; nil where it
// says nothing any more.
func Replaced(f *Found, by string, at time.Time) *Change {
	if f.Status != memory.Proposed && f.Status != memory.Approved {
		return nil
	}
	was, after := f.State, f.State
	after.Updated = at
	c := &Change{ID: f.ID, Before: &was, After: &after}
	ReplacedToo(c, by)
	return c
}

// ReplacedToo has a change leave a memory archived, in whose place another one comes.
func ReplacedToo(c *Change, by string) {
	c.After.Status, c.After.Alone, c.After.Reason = memory.Archived, false, "replaced by "+short(by)
}

// plain is what curators decided on a memory, to be compared: flags follow from its
// words and sources.
func plain(s *State) (string, error) {
	if s == nil {
		return "", nil
	}
	p := *s
	p.Sources, p.From, p.Flags, p.Stale, p.Grade, p.Updated, p.Created = nil, nil, nil, false, 0, time.Time{}, time.Time{}
	p.Tags = own(p.Tags)
	text, err := json.Marshal(&p, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	return string(text), err
}

// Same reports whether a memory is as a side of a change has it.
func Same(f *Found, side *State) (bool, error) {
	var is *State
	if f != nil {
		is = &f.State
	}
	var texts [2]string
	var errs [2]error
	texts[0], errs[0] = plain(is)
	texts[1], errs[1] = plain(side)
	return texts[0] == texts[1], errors.Join(errs[:]...)
}

const (
	journalSQL = "INSERT INTO journal_memories (entry, n, memory_id, before, after) VALUES (?, ?, ?, ?, ?)"
	changesSQL = "SELECT n, memory_id, before, after FROM journal_memories WHERE entry = ? ORDER BY n"
	removedSQL = "SELECT before FROM journal_memories WHERE memory_id = ? AND after = '' ORDER BY entry DESC LIMIT 1"
)

// The statements that take a memory away.
var removeSQL = [...]string{"DELETE FROM memory_tags WHERE memory_id = ?", "DELETE FROM memory_sources WHERE memory_id = ?", "DELETE FROM memories WHERE id = ?"}

// Apply makes changes, and notes them under an entry. Those that make room for others
// are made first. A *Duplicate says that two would say the same.
func Apply(t *sqlite.Tx, entry int64, changes []Change) error {
	for i := range changes {
		c := &changes[i]
		var texts [2]string
		var errs [2]error
		texts[0], errs[0] = side(c.Before)
		texts[1], errs[1] = side(c.After)
		err := errors.Join(errs[:]...)
		if err == nil {
			_, err = t.Exec(journalSQL, entry, i, c.ID, texts[0], texts[1])
		}
		if err != nil {
			return err
		}
	}
	order := slices.Clone(changes)
	slices.SortStableFunc(order, func(a, b Change) int { return holds(&a) - holds(&b) })
	for i := range order {
		if err := order[i].make(t); sqlite.IsDuplicate(err) {
			return twice(t, &order[i], err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// holds is 0 for a change after which nobody is kept from saying what the memory said.
func holds(c *Change) int {
	if c.After == nil || c.After.Status == memory.Archived {
		return 0
	}
	return 1
}

func (c *Change) make(t *sqlite.Tx) error {
	if c.After == nil {
		for _, text := range removeSQL {
			if _, err := t.Exec(text, c.ID); err != nil {
				return err
			}
		}
		return nil
	}
	if err := put(t, c.After); err != nil || c.Before != nil {
		return err
	}
	for i := range c.After.From {
		if err := putSource(t, c.ID, &c.After.From[i]); err != nil {
			return err
		}
	}
	return nil
}

// Leave has a change that takes a memory away keep what it is by now: sources that were
// found since, and what follows from them.
func (c *Change) Leave(f *Found) {
	was := f.State
	was.From = f.Sources
	c.Before = &was
}

// Return has a change that brings a memory back bring it as it was when it was taken away.
func (c *Change) Return(t *sqlite.Tx) error {
	var text string
	found, err := t.Rows(removedSQL, c.ID).Maybe(&text)
	if err != nil || !found {
		return err
	}
	was, err := sideOf(text)
	if err == nil && was != nil && len(was.From) > 0 {
		c.After.From, c.After.Flags, c.After.Grade, c.After.Updated = was.From, was.Flags, was.Grade, was.Updated
	}
	return err
}

// side is one side of a change as the journal keeps it.
func side(s *State) (string, error) {
	if s == nil {
		return "", nil
	}
	text, err := json.Marshal(s, jsontext.AllowInvalidUTF8(true))
	return string(text), err
}

// sideOf is the other way round.
func sideOf(text string) (*State, error) {
	if text == "" {
		return nil, nil
	}
	var s State
	err := json.Unmarshal([]byte(text), &s, jsontext.AllowInvalidUTF8(true))
	return &s, err
}

// Changes returns what an entry did.
func Changes(ask Asks, entry int64) ([]Change, error) {
	var list []Change
	err := eachChange(ask(changesSQL, entry), nil, func(_ int, c Change) { list = append(list, c) })
	return list, err
}

// eachChange reads rows of n, memory_id, before, after; first is where the columns
// before them go.
func eachChange(rows *sqlite.Rows, first []any, f func(n int, c Change)) error {
	var n int
	var id, before, after string
	for range rows.Into(append(first, &n, &id, &before, &after)...) {
		c := Change{ID: id}
		var errs [2]error
		c.Before, errs[0] = sideOf(before)
		c.After, errs[1] = sideOf(after)
		if err := errors.Join(errs[:]...); err != nil {
			return fmt.Errorf("memories in the journal: %w", err)
		}
		f(n, c)
	}
	return rows.Err()
}

// Tell is what a caller sees of a change.
func (c *Change) Tell() memory.Change {
	told := memory.Change{ID: c.ID}
	if c.Before != nil {
		told.Before = &c.Before.Memory
	}
	if c.After != nil {
		told.After = &c.After.Memory
	}
	return told
}

// Tell is what a caller sees of changes.
func Tell(changes []Change) []memory.Change {
	list := make([]memory.Change, len(changes))
	for i := range changes {
		list[i] = changes[i].Tell()
	}
	return list
}

const changesOfSQL = "SELECT entry, n, memory_id, before, after FROM journal_memories WHERE entry IN (SELECT value FROM json_each(?)) AND n < ? ORDER BY entry, n"

// ChangesOf returns what entries did, a JSON list of their numbers, at most of each.
func ChangesOf(ask Asks, entries string, most int) (map[int64][]memory.Change, error) {
	of := map[int64][]memory.Change{}
	var entry int64
	err := eachChange(ask(changesOfSQL, entries, most), []any{&entry}, func(_ int, c Change) { of[entry] = append(of[entry], c.Tell()) })
	return of, err
}

// The pages of an entry's changes, forwards and backwards.
const (
	changesAfterSQL  = "SELECT n + 1, memory_id, before, after FROM journal_memories WHERE entry = ? AND n >= ? ORDER BY n LIMIT ?"
	changesBeforeSQL = "SELECT n + 1, memory_id, before, after FROM journal_memories WHERE entry = ? AND n < ? ORDER BY n DESC LIMIT ?"
)

// ChangePage calls f with changes of an entry and their numbers: up to limit from
// number at (counted from 0) on, or with back before it, the last one first.
func ChangePage(ask Asks, entry int64, at, limit int, back bool, f func(n int, c memory.Change)) error {
	text := changesAfterSQL
	if back {
		text = changesBeforeSQL
	}
	return eachChange(ask(text, entry, at, limit), nil, func(n int, c Change) { f(n, c.Tell()) })
}

// Became says what happened to a memory that an entry left otherwise.
func Became(f *Found, was *State) string {
	switch {
	case f == nil:
		return "is gone"
	case was == nil:
		return "is there again"
	case !f.Says(&was.Memory):
		return "says something else since"
	case f.Status != was.Status && f.Curator != "":
		return strings.TrimSpace("was " + string(f.Status) + " by " + f.Curator + " since")
	}
	return "was changed since"
}
