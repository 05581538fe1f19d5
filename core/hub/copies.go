package hub

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/review"
)

// Twin is a session that may be the same as another one.
type Twin struct {
	ID, File string
	Source   int64  // 0: none holds it any more
	Path     string // of that source
	Format   string
	NativeID string
	Messages int
	// Size counts the messages of the session and of the branches that were
	// forked off it: a tree that grew may have a shorter main path.
	Size   int
	Marked bool // a curator left something on it
	Born   int64
	review.Trail
}

// Group is what the members of a set of twins have in common.
type Group struct {
	By  Likeness
	Key any // opaque
}

// Likeness is why sessions may be the same.
type Likeness int

// The likenesses, in the order in which they are looked at.
const (
	ByNative Likeness = iota // native ids are equal
	ByTrace                  // all messages are equal, and there is no native id
	ByHead                   // they begin alike, at the same times, and there is no native id
)

// Copy says that a session is the same as another one, which stays.
type Copy struct {
	Twin
	Keep string // id of the other one
	// Gone says that the file of its source is not there any more.
	Gone bool
}

// twinBatch is how many groups, and members of one, are looked at at once.
const twinBatch = 256

// link finds the copies among the sessions of an agent that were written since
// it was last called.
func (r *run) link(ctx context.Context) error {
	from, to, err := r.im.Store.Uncompared(ctx, r.im.Agent)
	if err != nil || from == to {
		return err
	}
	if err := r.im.Store.Adopt(ctx, r.im.Agent, from); err != nil {
		return err
	}
	if err := r.linkFamilies(ctx, from, to); err != nil {
		return err
	}
	for by := ByTrace; by <= ByHead; by++ {
		if err := r.linkBy(ctx, by, from, to); err != nil {
			return err
		}
	}
	// Children may have lost their parents to copies of those.
	if err := r.im.Store.Adopt(ctx, r.im.Agent, from); err != nil {
		return err
	}
	return r.im.Store.Compared(ctx, r.im.Agent, to)
}

func (r *run) linkBy(ctx context.Context, by Likeness, from, to int64) error {
	for after := (*Group)(nil); ; {
		groups, err := r.im.Store.Alike(ctx, r.im.Agent, by, from, to, after, twinBatch)
		if err != nil {
			return err
		}
		var copies []Copy
		for i := range groups {
			if copies, err = r.linkGroup(ctx, &groups[i], copies); err != nil {
				return err
			}
		}
		if err := r.writeCopies(ctx, copies); err != nil {
			return err
		}
		if len(groups) < twinBatch {
			return nil
		}
		after = &groups[len(groups)-1]
	}
}

// writeCopies removes copies, and counts that.
func (r *run) writeCopies(ctx context.Context, copies []Copy) error {
	done, err := r.im.Store.WriteCopies(ctx, copies)
	if err == nil {
		r.count(done, false)
	}
	return err
}

// copied adds a copy to the report, unless its file is gone.
func (r *run) copied(c *Copy) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !c.Gone {
		r.report.Copies++
	}
}

// linkGroup adds the copies in a group to those that are to be written. Many
// are written at once.
func (r *run) linkGroup(ctx context.Context, g *Group, copies []Copy) ([]Copy, error) {
	for {
		list, err := r.im.Store.Twins(ctx, r.im.Agent, *g, twinBatch)
		if err != nil {
			return nil, err
		}
		found, err := r.compare(ctx, g.By, list)
		if err != nil {
			return nil, err
		}
		copies = append(copies, found...)
		if len(copies) >= twinBatch || len(list) == twinBatch {
			if err := r.writeCopies(ctx, copies); err != nil {
				return nil, err
			}
			copies = nil
		}
		if len(list) < twinBatch || len(found) == 0 {
			return copies, ctx.Err()
		}
	}
}

// compare returns those of some twins that are copies. One that takes the
// place of another is written at once.
func (r *run) compare(ctx context.Context, by Likeness, list []Twin) ([]Copy, error) {
	var copies []Copy
	for len(list) > 1 {
		same, rest, err := r.same(ctx, by, list)
		if err != nil {
			return nil, err
		}
		list = rest
		if len(same) < 2 {
			continue
		}
		found, err := r.merge(ctx, same)
		if err != nil {
			return nil, err
		}
		copies = append(copies, found...)
	}
	return copies, nil
}

// same splits some twins into those that are the same as the longest of them,
// which comes first, and the others.
func (r *run) same(ctx context.Context, by Likeness, list []Twin) (same, rest []Twin, err error) {
	longest := 0
	for i := range list {
		if list[i].Size > list[longest].Size {
			longest = i
		}
	}
	l := list[longest]
	same = []Twin{l}
	var prefixes map[int]chat.Trace
	if by == ByHead {
		if prefixes, err = r.prefixes(ctx, &l, list); err != nil {
			return nil, nil, err
		}
	}
	for i := range list {
		t := &list[i]
		if i == longest {
			continue
		}
		is := by == ByTrace || !t.Trace.IsZero() && prefixes[t.Messages] == t.Trace
		if is {
			same = append(same, *t)
		} else {
			rest = append(rest, *t)
		}
	}
	return same, rest, nil
}

// prefixes returns the traces that a session had when it was as long as the
// others.
func (r *run) prefixes(ctx context.Context, l *Twin, others []Twin) (map[int]chat.Trace, error) {
	want, last := map[int]chat.Trace{}, 0
	for i := range others {
		if n := others[i].Messages; n <= l.Messages {
			want[n], last = chat.Trace{}, max(last, n)
		}
	}
	s, err := r.im.Store.SessionByID(ctx, l.ID)
	if err != nil {
		return nil, gone(err)
	}
	var trace chat.Trace
	var packed []byte
	for n := 1; n <= last; n++ {
		list, err := r.im.Store.Chunk(ctx, s.Body, n)
		if err != nil || len(list) == 0 {
			return nil, gone(err)
		}
		for i := range list {
			if list[i].N != n {
				continue
			}
			packed = chat.AppendMessage(packed[:0], &list[i])
			trace = trace.With(packed)
			if _, ok := want[n]; ok {
				want[n] = trace
			}
			n++
		}
		n--
	}
	return want, nil
}

// gone passes over what somebody else removed meanwhile: it will be compared
// again if it comes back.
func gone(err error) error {
	if errors.Is(err, review.ErrNotFound) || errors.Is(err, review.ErrConflict) {
		return nil
	}
	return err
}

// merge makes one session of several that are the same, of which the first is
// the longest. The one that a curator left something on stays, else the oldest;
// if it is not the longest, it takes its place and its messages.
func (r *run) merge(ctx context.Context, same []Twin) ([]Copy, error) {
	keep := &same[0]
	for i := range same {
		if t := &same[i]; t.Marked != keep.Marked && t.Marked || t.Marked == keep.Marked && older(t, keep) {
			keep = t
		}
	}
	place := &same[0]
	for i := range same {
		t := &same[i]
		if t.Size < same[0].Size || t.Messages < same[0].Messages {
			continue
		}
		if here, there := r.present(t), r.present(place); here != there && here || here == there && place != keep && (t == keep || older(t, place)) {
			place = t
		}
	}
	stays := keep
	if place != keep {
		var err error
		if stays, err = r.takePlace(ctx, keep, place); err != nil {
			return nil, err
		}
	}
	var copies []Copy
	for i := range same {
		if t := &same[i]; t != keep && t != place || t == keep && t != stays {
			copies = append(copies, Copy{Twin: *t, Keep: stays.ID, Gone: !r.present(t)})
			r.copied(&copies[len(copies)-1])
		}
	}
	return copies, nil
}

// takePlace gives one session the place and the messages of another, which
// leaves; what it had before is a copy now. It returns the one that stays: the
// other one, where it is, if only that was judged meanwhile.
func (r *run) takePlace(ctx context.Context, keep, place *Twin) (stays *Twin, err error) {
	store := r.im.Store
	for try := 0; ; try++ {
		k, err := store.SessionByID(ctx, keep.ID)
		if err != nil {
			return keep, gone(err)
		}
		p, err := store.SessionByID(ctx, place.ID)
		if err != nil {
			return keep, gone(err)
		}
		if !keep.Marked && !judged(k) && judged(p) {
			return place, nil
		}
		w, err := takeOver(ctx, store, k, p)
		if err != nil {
			return nil, err
		}
		for i := range p.Segments { // which leave
			w.Verdicts[p.Segments[i].ID] = p.Segments[i].Verdict
		}
		lost := Copy{Twin: *keep, Keep: keep.ID, Gone: !r.present(keep)}
		done, err := store.TakePlace(ctx, &w, lost)
		if errors.Is(err, review.ErrConflict) && try < tries {
			continue // judged meanwhile
		}
		if err == nil {
			r.copied(&lost)
			r.count(done, true)
		}
		return keep, gone(err)
	}
}

func judged(s *review.StoredSession) bool {
	return slices.ContainsFunc(s.Segments, func(r review.SegmentWrite) bool { return r.Verdict.Judged() })
}

func older(a, b *Twin) bool {
	return a.Born < b.Born || a.Born == b.Born && a.File < b.File
}

// present reports whether the file that holds a session is there. Standard
// input is not a file that could be gone.
func (r *run) present(t *Twin) bool { return r.presentAt(t.Source, t.Path) }

func (r *run) presentAt(source int64, path string) bool {
	if source == 0 {
		return false
	}
	if strings.HasPrefix(path, "stdin:") {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	there, known := r.there[path]
	if !known {
		_, err := os.Stat(path)
		there = !errors.Is(err, fs.ErrNotExist)
		if r.there == nil {
			r.there = map[string]bool{}
		}
		r.there[path] = there
	}
	return there
}
