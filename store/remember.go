package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"winnow/core/lease"
	"winnow/core/memory"
	"winnow/core/review"
	"winnow/store/cycles"
	"winnow/store/memories"
	"winnow/store/sqlite"
)

// PutExtraction keeps what was found in a segment, nothing too, and that it was asked
// about: together, and only while the segment holds what was read. kept is false where
// it holds something else by now. As scores are, extractions are no entries of the
// journal.
func (s *Store) PutExtraction(ctx context.Context, x *memory.Extraction) (kept bool, err error) {
	err = s.write(ctx, sqlite.Machine, "keep memories", func(t *tx) error {
		if err := t.holds("extract", x.Token); err != nil {
			return err
		}
		kept, err = memories.Put(t.Tx, x, s.now(), s.ids.next)
		return err
	})
	return kept && err == nil, err
}

// holds checks that a lease is still the one whose token is named; "" names none.
func (t *tx) holds(name, token string) error {
	if token == "" {
		return nil
	}
	is, err := cycles.Holds(t.Rows, name, token)
	if err == nil && !is {
		err = lease.ErrLost
	}
	return err
}

// PassExtraction says that a segment needs not be asked about: its content was, by
// this extractor, as another segment. It is false if it was not.
func (s *Store) PassExtraction(ctx context.Context, seg *review.Segment, extractor string) (done bool, err error) {
	const what = "keep memories"
	if done, err = memories.Done(s.asks(ctx), memory.ContentKey(seg.Digest), extractor); err != nil || !done {
		return false, s.fail(what, err)
	}
	err = s.write(ctx, sqlite.Machine, what, func(t *tx) error { return memories.Mark(t.Tx, seg.ID, seg.Digest, extractor) })
	return err == nil, err
}

// PartExtraction is what an extractor was asked about a content, of which the rest is open.
func (s *Store) PartExtraction(ctx context.Context, content, extractor string) (memory.Part, error) {
	p, err := memories.PartOf(s.asks(ctx), content, extractor)
	return p, s.fail("look for what was asked", err)
}

// KnownMemories returns the memories of an agent and folder, whatever became of them.
func (s *Store) KnownMemories(ctx context.Context, agent, dir string) ([]memory.Memory, error) {
	list, err := memories.Known(s.asks(ctx), agent, dir)
	return list, s.fail("read memories", err)
}

// Memories returns a page of memories.
func (s *Store) Memories(ctx context.Context, q memory.Query) (memory.Page, error) {
	const what = "list memories"
	if q.Limit < 1 {
		return memory.Page{}, s.fail(what, fmt.Errorf("limit %d: must be at least 1", q.Limit))
	}
	once := func(text string, args ...any) *sqlite.Rows { return s.db.Once(ctx, text, args...) }
	p, err := memories.Page(s.asks(ctx), once, q)
	return p, s.fail(what, err)
}

// MemoryNumber is how many memories a filter lets through.
func (s *Store) MemoryNumber(ctx context.Context, f memory.Filter) (int, error) {
	n, err := memories.Number(func(text string, args ...any) *sqlite.Rows { return s.db.Once(ctx, text, args...) }, f)
	return n, s.fail("count memories", err)
}

// MemoryCounts returns how many memories there are by status and kind.
func (s *Store) MemoryCounts(ctx context.Context) ([]memory.Count, error) {
	list, err := memories.Counts(s.asks(ctx))
	return list, s.fail("count memories", err)
}

// MemoriesOf returns memories by their full ids, those there are, in that order.
func (s *Store) MemoriesOf(ctx context.Context, ids []string) ([]memory.Memory, error) {
	list, err := memories.List(s.asks(ctx), ids)
	return list, s.fail("read memories", err)
}

// Memory returns one memory by its id or a unique prefix of at least four characters:
// review.ErrNotFound, review.ErrAmbiguous.
func (s *Store) Memory(ctx context.Context, id string) (memory.Memory, error) {
	_, _, err := idRange(id)
	var list []memory.Memory
	if err == nil {
		var ids []string
		if ids, err = memories.WithPrefix(s.asks(ctx), id); err == nil {
			err = one("memory", id, len(ids))
		}
		if err == nil {
			list, err = memories.List(s.asks(ctx), ids)
		}
	}
	if err == nil && len(list) == 0 {
		err = one("memory", id, 0)
	}
	if err != nil {
		return memory.Memory{}, s.fail("memory", err)
	}
	return list[0], nil
}

// JudgeMemories decides on memories, or changes them, in one transaction and as one
// entry of the journal. An unknown one refuses the whole (review.ErrNotFound), as does
// one that says something else than was seen (review.ErrConflict). What would change
// nothing is left out; if nothing is left, the entry has no ID and is not kept. flagged
// are memories that would have been approved but have flags and are some of several.
//
// Where one is approved that corrects another, that one is archived.
func (s *Store) JudgeMemories(ctx context.Context, j memory.Judgement) (e review.Entry, flagged []string, err error) {
	const what = "judge memories"
	if err := checkMemories(&j); err != nil {
		return review.Entry{}, nil, s.fail(what, err)
	}
	err = s.write(ctx, sqlite.Curator, what, func(t *tx) error {
		e, flagged = review.Entry{Curator: j.Curator, At: s.now(), Action: review.ActMemory}, nil
		changes, left, err := t.judgingMemories(&j, e)
		if flagged = left; err != nil || len(changes) == 0 {
			return err
		}
		return t.remember(&e, changes)
	})
	if err != nil {
		return review.Entry{}, nil, err
	}
	s.tidy(len(e.Memories))
	return e, flagged, nil
}

func checkMemories(j *memory.Judgement) error {
	switch {
	case j.Curator == "":
		return errors.New("a verdict needs a curator: name one with --reviewer")
	case j.Status == "" && j.Note == nil && len(j.TagsOn)+len(j.TagsOff) == 0 && j.Words == nil:
		return errors.New("a judgement of memories that changes nothing")
	case j.Best != "" && (j.Status == "" || !slices.Contains(j.IDs, j.Best)):
		return errors.New("the best of some memories is one of them, and the others get a status")
	case j.Words != nil && len(j.IDs) != 1:
		return fmt.Errorf("words are for one memory, not for %d", len(j.IDs))
	}
	if j.Status != "" {
		if _, ok := memory.ParseStatus(string(j.Status)); !ok {
			return fmt.Errorf("a memory can't be made %q", j.Status)
		}
	}
	for _, tag := range j.TagsOn {
		if memory.Derived(tag) {
			return fmt.Errorf("tag %q follows from what the memory is of: nobody gives it", tag)
		}
		if err := review.CheckTag(tag); err != nil {
			return err
		}
	}
	return nil
}

// judgingMemories finds what a judgement changes.
func (t *tx) judgingMemories(j *memory.Judgement, e review.Entry) (changes []memories.Change, flagged []string, err error) {
	found, err := memories.Find(t.Tx, j.IDs)
	if err != nil {
		return nil, nil, err
	}
	done := map[string]bool{}
	for _, id := range j.IDs {
		f := found[id]
		if f == nil {
			return nil, nil, fmt.Errorf("memory %q: %w", id, review.ErrNotFound)
		}
		if done[id] {
			continue
		}
		done[id] = true
		if seen, ok := j.Seen[id]; ok && !seen.Shows(&f.Seen) {
			return nil, nil, conflict("memory " + review.Short(id) + " changed while you were reading it: look again")
		}
		c, left, err := memories.Judge(f, j, e.At)
		if err != nil {
			return nil, nil, err
		}
		if left && j.Best != "" {
			return nil, []string{id}, nil
		}
		if left {
			flagged = append(flagged, id)
		}
		if c == nil {
			continue
		}
		changes = append(changes, *c)
	}
	changes, err = t.correcting(j, changes, e)
	return changes, flagged, err
}

// correcting adds to changes that approve memories those of the ones that they correct,
// which may be among them: what is rejected stays so.
func (t *tx) correcting(j *memory.Judgement, changes []memories.Change, e review.Entry) ([]memories.Change, error) {
	at := map[string]int{}
	for i := range changes {
		at[changes[i].ID] = i
	}
	for i := range len(changes) {
		c := changes[i]
		old := c.After.Supersedes
		if old == "" || j.StatusOf(c.ID) != memory.Approved {
			continue
		}
		if n, among := at[old]; among {
			if j.StatusOf(old) != memory.Rejected {
				memories.ReplacedToo(&changes[n], c.ID)
			}
			continue
		}
		more, err := t.replaced(old, c.ID, e)
		if err != nil {
			return nil, err
		}
		if more != nil {
			at[old] = len(changes)
			changes = append(changes, *more)
		}
	}
	return changes, nil
}

// replaced is the change of a memory that another one corrects, nil for none.
func (t *tx) replaced(old, by string, e review.Entry) (*memories.Change, error) {
	found, err := memories.Find(t.Tx, []string{old})
	if err != nil || found[old] == nil {
		return nil, err
	}
	return memories.Replaced(found[old], by, e.At), nil
}

// AddMemory keeps a memory that a curator made of a segment, which is approved by that,
// or proposed if it has flags. It is a review.ErrConflict if the segment holds something
// else than what was quoted, is rejected or private, and if another memory says the same. Of the
// sources of the memory, the first one's segment, digest and cites count.
func (s *Store) AddMemory(ctx context.Context, curator string, m memory.Memory) (review.Entry, error) {
	const what = "add a memory"
	e := review.Entry{Curator: curator, At: s.now(), Action: review.ActMemory}
	switch {
	case curator == "":
		return review.Entry{}, s.fail(what, errors.New("a memory made by hand needs a curator: name one with --reviewer"))
	case len(m.Sources) == 0:
		return review.Entry{}, s.fail(what, errors.New("a memory needs a segment that it is from"))
	}
	err := s.write(ctx, sqlite.Curator, what, func(t *tx) error {
		from := &m.Sources[0]
		h, found, err := memories.Hold(t.Tx, from.Segment)
		switch {
		case err != nil:
			return err
		case !found:
			return fmt.Errorf("segment %q: %w", from.Segment, review.ErrNotFound)
		case h.Source.Detail != from.Detail:
			return conflict("segment " + review.Short(from.Segment) + " changed while you were reading it: look again")
		case h.Verdict == string(review.Rejected):
			return conflict("segment " + review.Short(from.Segment) + " is rejected: nothing is to be learned from it")
		case h.Private:
			return conflict("segment " + review.Short(from.Segment) + " is private: nothing is to be learned from it")
		}
		if m.ID, err = s.ids.next(); err != nil {
			return err
		}
		m.MadeBy, m.Created, m.Updated = memory.ByCurator, e.At, e.At
		m.Status = memory.Proposed
		if len(m.Flags) == 0 {
			m.Status, m.Curator, m.Reviewed = memory.Approved, curator, e.At
		}
		m.Identify()
		return t.remember(&e, []memories.Change{memories.Add(m, &h)})
	})
	if err != nil {
		return review.Entry{}, err
	}
	return e, nil
}

// remember writes changes of memories with their entry.
func (t *tx) remember(e *review.Entry, changes []memories.Change) error {
	err := t.newAction(e)
	if err == nil {
		err = t.applyMemories(e, changes)
	}
	return err
}

func (t *tx) applyMemories(e *review.Entry, changes []memories.Change) error {
	err := memories.Apply(t.Tx, e.ID, changes)
	if twice, ok := errors.AsType[*memories.Duplicate](err); ok {
		return conflict(twice.Error())
	}
	e.Memories = memories.Tell(changes)
	return err
}

// forgetting checks that the memories an entry changed are as it left or found them,
// so that what it did can be taken back or given again; nil if it has none.
func (t *tx) forgetting(e *review.Entry) (apply func() error, err error) {
	changes, err := memories.Changes(t.Rows, e.Target)
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	ids := make([]string, len(changes))
	for i := range changes {
		c := &changes[i]
		if ids[i] = c.ID; e.Action == review.ActUndo {
			c.Before, c.After = c.After, c.Before
		}
	}
	found, err := memories.Find(t.Tx, ids)
	if err != nil {
		return nil, err
	}
	for i := range changes {
		c := &changes[i]
		f := found[c.ID]
		same, err := memories.Same(f, c.Before)
		if err != nil {
			return nil, err
		}
		if !same {
			return nil, conflict("memory " + review.Short(c.ID) + " " + memories.Became(f, c.Before))
		}
		switch {
		case c.Before == nil:
			err = c.Return(t.Tx)
		case c.After == nil:
			c.Leave(f)
		default:
			c.After.Reflag(f.Seen.Sources, c.Before.Updated)
		}
		if err != nil {
			return nil, err
		}
	}
	return func() error { return t.applyMemories(e, changes) }, nil
}
