package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/store/proposals"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// compressionIn is the column task_segments.compression.
type compressionIn struct{ of *review.Compression }

// Scan implements sql.Scanner.
func (c compressionIn) Scan(v any) error {
	code, ok := v.(int64)
	if *c.of = proposals.Compression(code); !ok || code != 0 && *c.of == "" {
		return fmt.Errorf("task_segments.compression is %v", v)
	}
	return nil
}

// Propose keeps compressions for curators to accept, in the place of those that are
// there. What a person accepted, rejected or changed stays, also where it is stale:
// ChangeProposal replaces it so that it can be brought back. A proposal for a segment
// that left or holds other messages by now is not kept; one that says that the segment
// is under the target takes away what was proposed before. As scores are, they are no
// entries of the journal. They are written some at a time: after an error, the first
// ones are kept, and counted.
func (s *Store) Propose(ctx context.Context, list []proposal.Proposal) (done review.Proposing, err error) {
	for len(list) > 0 && err == nil {
		var n review.Proposing
		at := 0
		err = s.write(ctx, sqlite.Machine, "keep compressions", func(t *tx) error {
			n, at = review.Proposing{}, 0
			for at < len(list) && (at == 0 || !t.Enough()) {
				if err := proposals.Put(t.Tx, &list[at], &n); err != nil {
					return err
				}
				at++
			}
			return nil
		})
		if err == nil {
			done, list = done.Plus(n), list[at:]
		}
	}
	return done, err
}

// Proposals returns what is proposed for segments, those there are, in the order of
// the ids: also what is stale.
func (s *Store) Proposals(ctx context.Context, ids []string) ([]proposal.Proposal, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := proposals.List(s.asks(ctx), ids)
	return list, s.fail("read compressions", err)
}

// Draft returns what a model answered to a request, by its key.
func (s *Store) Draft(ctx context.Context, key string) (text string, ok bool, err error) {
	text, ok, err = proposals.Draft(s.asks(ctx), key)
	return text, ok, s.fail("read an answer", err)
}

// PutDraft keeps what a model answered to a request.
func (s *Store) PutDraft(ctx context.Context, key, model, text string) error {
	return s.writeUnseen(ctx, sqlite.Machine, "keep an answer", func(t *tx) error {
		return proposals.PutDraft(t.Tx, key, model, text, stamp.Of(s.now()))
	})
}

// JudgeProposals accepts or rejects proposals, or takes that back, in one transaction
// and as one entry of the journal. A segment without one refuses the whole
// (review.ErrNotFound), as does one that is to be accepted and is stale or failed, or
// that says something else than was seen (review.ErrConflict). What would change
// nothing is left out; if nothing is left, the entry has no ID and is not kept.
func (s *Store) JudgeProposals(ctx context.Context, c review.Compressing) (review.Entry, error) {
	const what = "judge compressions"
	e := review.Entry{Curator: c.Curator, At: s.now(), Action: review.ActCompress}
	switch {
	case c.Curator == "":
		return review.Entry{}, s.fail(what, errors.New("a verdict needs a curator: name one with --reviewer"))
	case c.To != proposal.Accepted && c.To != proposal.Rejected && c.To != proposal.Proposed:
		return review.Entry{}, s.fail(what, fmt.Errorf("a compression can't be made %q", c.To))
	}
	err := s.write(ctx, sqlite.Curator, what, func(t *tx) error {
		found, err := proposals.Find(t.Tx, c.IDs)
		if err != nil {
			return err
		}
		changes, err := t.judging(&c, found, stamp.Of(e.At))
		if err != nil || len(changes) == 0 {
			return err
		}
		return t.compress(&e, changes)
	})
	if err != nil {
		return review.Entry{}, err
	}
	s.tidy(len(e.Proposals))
	return e, nil
}

// judging finds what a judgement changes.
func (t *tx) judging(c *review.Compressing, found map[string]*proposals.Found, at string) (changes []proposals.Change, err error) {
	after := proposals.State{Status: c.To, Judge: c.Curator, Judged: at}
	if c.To == proposal.Proposed {
		after.Judge, after.Judged = "", ""
	}
	stale, failed, done := 0, 0, make(map[string]bool, len(c.IDs))
	for _, id := range c.IDs {
		f := found[id]
		switch {
		case f == nil:
			return nil, fmt.Errorf("compression of segment %q: %w", id, review.ErrNotFound)
		case done[id]:
			continue
		case f.Status == proposal.Failed:
			failed++
		case !f.Fits && c.To == proposal.Accepted:
			stale++
		case f.Status != c.To:
			after.Text = f.Text
			changes = append(changes, f.To(id, after))
		}
		done[id] = true
		if seen, ok := c.Seen[id]; ok {
			if err := t.seenProposal(f, &seen); err != nil {
				return nil, err
			}
		}
	}
	return changes, refusal(len(done), stale, failed)
}

// refusal names the proposals of a judgement that can't be judged.
func refusal(all, stale, failed int) error {
	of := fmt.Sprintf("%d of %d compressions", stale+failed, all)
	if all == 1 {
		of = "the compression"
	}
	switch {
	case stale+failed == 0:
		return nil
	case failed == 0:
		return conflict(of + " can't be accepted: the messages are others by now; have it made again")
	case stale == 0:
		return conflict(of + " can't be judged: it failed, and there is nothing to accept")
	}
	return conflict(fmt.Sprintf("%s can't be accepted: %d of other messages, %d that failed", of, stale, failed))
}

// seenProposal checks that a proposal is as a curator saw it.
func (t *tx) seenProposal(f *proposals.Found, seen *proposal.Proposal) error {
	same, err := proposals.Said(t.Tx, f.Text, seen)
	if err == nil && (!same || f.Status != seen.Status) {
		err = conflict("the compression of segment " + review.Short(seen.Segment) + " changed while you were reading it: look again")
	}
	return err
}

// ChangeProposal puts a proposal in which a curator wrote a text or moved an end, or
// that a curator had made in another way, in the place of the one that was read, as an
// entry of the journal. It is to be judged anew. It is a review.ErrConflict if another
// one is there by now, or if it is of other messages than the segment holds.
func (s *Store) ChangeProposal(ctx context.Context, curator string, read, to *proposal.Proposal) (review.Entry, error) {
	const what = "change a compression"
	e := review.Entry{Curator: curator, At: s.now(), Action: review.ActCompress}
	if curator == "" {
		return review.Entry{}, s.fail(what, errors.New("a change needs a curator: name one with --reviewer"))
	}
	if read.Segment != to.Segment {
		return review.Entry{}, s.fail(what, errors.New("it is of another segment than the one that was read"))
	}
	err := s.write(ctx, sqlite.Curator, what, func(t *tx) error {
		found, err := proposals.Find(t.Tx, []string{to.Segment})
		if err != nil {
			return err
		}
		f := found[to.Segment]
		if f == nil {
			return fmt.Errorf("compression of segment %q: %w", to.Segment, review.ErrNotFound)
		}
		if err = t.seenProposal(f, read); err == nil && f.Now != to.Content {
			err = refusal(1, 1, 0)
		}
		if err != nil {
			return err
		}
		c, err := proposals.Replace(t.Tx, f, to)
		if err != nil {
			return err
		}
		return t.compress(&e, []proposals.Change{c})
	})
	return e, err
}

// compress writes changes of proposals with their entry.
func (t *tx) compress(e *review.Entry, changes []proposals.Change) error {
	err := t.newAction(e)
	if err == nil {
		err = proposals.Apply(t.Tx, e.ID, changes)
	}
	if err == nil {
		e.Proposals, err = proposals.Tell(t.Rows, changes)
	}
	return err
}

// uncompressing checks that the proposals an entry changed are as it left or found
// them, so that what it did can be taken back or given again; nil if it has none.
func (t *tx) uncompressing(e *review.Entry) (apply func() error, err error) {
	changes, err := proposals.Changes(t.Rows, e.Target)
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	ids := make([]string, len(changes))
	for i := range changes {
		c := &changes[i]
		if ids[i] = c.Segment; e.Action == review.ActUndo {
			c.Before, c.After = c.After, c.Before
		}
	}
	found, err := proposals.Find(t.Tx, ids)
	if err != nil {
		return nil, err
	}
	for i := range changes {
		c := &changes[i]
		f := found[c.Segment]
		if f == nil {
			return nil, &since{segment: c.Segment, what: "was replaced"}
		}
		if f.State != c.Before {
			return nil, conflict("the compression of segment " + review.Short(c.Segment) + " " + becameOf(&f.State, &c.Before))
		}
		*c = f.To(c.Segment, c.After)
	}
	return func() error {
		err := proposals.Apply(t.Tx, e.ID, changes)
		if err == nil {
			e.Proposals, err = proposals.Tell(t.Rows, changes)
		}
		return err
	}, nil
}

// becameOf says what happened to a proposal that an entry left otherwise.
func becameOf(is, was *proposals.State) string {
	switch {
	case is.Text != was.Text:
		return "was made anew since"
	case is.Judge != "":
		return fmt.Sprintf("was %s by %s since", is.Status, is.Judge)
	}
	return cmp.Or(string(is.Status), "there") + " again"
}
