package export

import (
	"context"
	"fmt"
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/export/pairs"
	"winnow/core/review"
)

// pairFinder finds the preference pairs of an export: it selects segments of both
// verdicts, and follows the sessions that begin alike. It holds what is known of
// the segments, and the sums of one group of sessions at a time.
type pairFinder struct {
	src      Source
	opts     *Options
	segments []review.Segment
	kin      kinships
	why      map[int]Finding // why a segment is in no pair, by its number
	more     int             // pairs beyond those wanted of their prompts
	opposed  int             // pairs that are there the other way round, too
}

// newPairFinder selects the segments.
func newPairFinder(ctx context.Context, src Source, e *Emitter, opts *Options) (*pairFinder, error) {
	f := &pairFinder{src: src, opts: opts, kin: kinships{src: src, byID: map[string]*kin{}}, why: map[int]Finding{}}
	err := opts.each(ctx, src, e, func(seg *review.Segment) error {
		own := *seg
		own.Analysis = "" // large, and nothing asks for it any more
		one, err := f.kin.of(ctx, &own)
		if err != nil {
			return err
		}
		one.segments = append(one.segments, len(f.segments))
		f.segments = append(f.segments, own)
		return nil
	})
	return f, err
}

// each yields the pairs, group by group: those of forks of an approved and a
// rejected run, and those of answers that a curator rewrote.
func (f *pairFinder) each(ctx context.Context, yield func(*pairing) error) error {
	r := pairReader{src: f.src}
	for _, group := range f.kin.groups() {
		found, err := f.forks(ctx, group)
		if err != nil {
			return err
		}
		f.more, f.opposed = f.more+found.More, f.opposed+found.Opposed
		for _, p := range found.Pairs {
			w, err := r.read(ctx, f.side(p.Chosen), f.side(p.Rejected), p)
			if err != nil {
				return err
			}
			w.group = group[0].id
			if err := yield(w); err != nil {
				return err
			}
		}
		if err := f.rewritten(ctx, &r, group, found.Pairs, yield); err != nil {
			return err
		}
	}
	return nil
}

// forks follows the sessions of a group and returns the pairs among them.
func (f *pairFinder) forks(ctx context.Context, group []*kin) (pairs.Found, error) {
	var good, bad bool
	for _, one := range group {
		for _, i := range one.segments {
			good, bad = good || judged(&f.segments[i]) == review.Approved, bad || judged(&f.segments[i]) == review.Rejected
			f.why[i] = reasonOf(pairs.Apart)
			if one.unknown {
				f.why[i] = Finding{Check: fork, Detail: unknownFork}
			}
		}
	}
	if !good || !bad {
		return pairs.Found{}, nil
	}
	var forks pairs.Forks
	for _, one := range group {
		if one.parent != nil || one.unknown {
			continue
		}
		one.run = &pairs.Run{}
		if err := f.follow(ctx, &forks, one); err != nil {
			return pairs.Found{}, err
		}
	}
	most := f.opts.Pairs
	if most == 0 {
		most = MostPairs
	}
	found := forks.Find(most, f.opts.Seed)
	for i, why := range found.Why {
		f.why[int(i)] = reasonOf(why)
	}
	return found, nil
}

// followBatch is how many messages are read at once: enough to make the asking
// cheap, little enough to stay out of the way of memory.
const followBatch = 32

// follow adds the messages of a session, and then those of its branches, each of
// which goes on from the run that was left where it forks.
func (f *pairFinder) follow(ctx context.Context, forks *pairs.Forks, one *kin) error {
	last := one.last(f.segments)
	var err error
	if one.over, err = f.src.Edits(ctx, one.body, 1, last); err != nil {
		return err
	}
	if err := f.forkEdited(ctx, one); err != nil {
		return err
	}
	for from := 1; from <= last; from += followBatch {
		to := min(from+followBatch-1, last)
		messages, err := f.src.Messages(ctx, one.body, from, to)
		if err != nil {
			return err
		}
		if len(messages) != to-from+1 && len(one.over) == 0 {
			return fmt.Errorf("session %s: messages %d to %d are not all stored: run winnow doctor", review.Short(one.id), from, to)
		}
		for i := range messages {
			f.step(forks, one, &messages[i])
			for _, child := range one.children {
				if child.at == from+i && len(one.over) == 0 {
					child.run = one.run.Fork()
				}
			}
		}
	}
	one.run, one.over = nil, nil
	for _, child := range one.children {
		if err := f.follow(ctx, forks, child); err != nil {
			return err
		}
	}
	return nil
}

// forkEdited gives the branches of an edited session their runs: they see it as it
// was recorded, but for what is redacted.
func (f *pairFinder) forkEdited(ctx context.Context, one *kin) error {
	for _, child := range one.children {
		if len(one.over) == 0 {
			return nil
		}
		sess, err := f.src.Session(ctx, child.id)
		if err != nil {
			return err
		}
		before, err := recordedPrefix(ctx, f.src, &sess)
		if err != nil {
			return err
		}
		child.run = &pairs.Run{}
		for i := range before.messages {
			child.run.Next(&before.messages[i])
		}
	}
	return nil
}

// step adds a message of a session, if it is in a segment that was selected. What a
// curator put in there is only seen by those after it.
func (f *pairFinder) step(forks *pairs.Forks, one *kin, m *chat.Message) {
	if m.Part > 0 {
		one.run.Next(m)
		return
	}
	n := m.N
	s := pairs.Step{Before: one.run.At(), Asked: one.run.Asked()}
	s.Sum = one.run.Next(m)
	at, in := slices.BinarySearchFunc(one.segments, n, func(i, n int) int {
		switch seg := &f.segments[i]; {
		case seg.End < n:
			return -1
		case seg.Start > n:
			return 1
		}
		return 0
	})
	if !in {
		return
	}
	seg := one.segments[at]
	s.Place = pairs.Place{Segment: int32(seg), N: int32(n)}
	s.Kind, s.Approved = SideOf(&f.segments[seg], m, one.over)
	forks.Add(s)
}

// SideOf says what a message of a segment that was approved or rejected may be in a
// pair; over are the edits over its session.
func SideOf(seg *review.Segment, m *chat.Message, over []edit.Edit) (kind pairs.Kind, approved bool) {
	kind = kindOfAnswer(seg, m, m.N)
	if kind == pairs.Answer && judged(seg) == review.Rejected && overwritten(over, m.N) {
		kind = pairs.Unfit
	}
	return kind, judged(seg) == review.Approved
}

// kindOfAnswer says whether message n may stand on the side of its segment. What a
// curator switched off never does, nor what nobody trains. A rejected answer must
// be the model's own, as it was written.
func kindOfAnswer(seg *review.Segment, m *chat.Message, n int) pairs.Kind {
	const altered = chat.MarkMalformedCall | chat.MarkRepaired
	switch out := newMessage(m); {
	case m.Role != chat.Assistant:
		return pairs.Other
	case !out.Train, out.blank(), slices.Contains(seg.Masked, n-seg.Start+1):
		return pairs.Unfit
	case judged(seg) == review.Rejected && m.Marks&altered != 0:
		return pairs.Unfit
	}
	return pairs.Answer
}

// overwritten reports whether answer n is none that a model gave to what stands before
// it now: a curator wrote it, or something of that. What is only redacted before it
// changes nothing that it could have known better.
func overwritten(over []edit.Edit, n int) bool {
	return slices.ContainsFunc(over, func(e edit.Edit) bool {
		return !e.Clash && (e.N < n && !takesOut(&e) || e.N == n && e.Part == 0)
	})
}

// side is where an answer is.
func (f *pairFinder) side(p pairs.Place) pairSide {
	seg := &f.segments[p.Segment]
	return pairSide{segment: seg, n: int(p.N), path: f.kin.byID[seg.SessionID].path()}
}
