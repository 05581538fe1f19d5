package export

import (
	"context"
	"errors"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/export/pairs"
	"winnow/core/review"
	"winnow/core/session"
	"winnow/core/similar"
)

// kin is what is known of a session while runs that begin alike are looked for.
type kin struct {
	id      string
	body    int64
	begins  int64 // review.Session.Begins, of the messages as they are now
	began   int64 // as it was recorded, which is what its branches see; 0: it is the same
	parent  *kin  // that it branches off, nil for none
	at      int   // the message of it that the fork follows
	unknown bool  // it branches off, nobody knows where
	number  int   // among all, from 0

	segments []int // that were selected, by their numbers, in their order
	children []*kin
	over     []edit.Edit // over its messages, while its group is followed
	run      *pairs.Run  // stands before it, while its group is followed
}

// kinships finds the sessions of segments and those that they branch off.
type kinships struct {
	src  Source
	all  []*kin
	byID map[string]*kin
}

// of returns the kin of a segment's session.
func (k *kinships) of(ctx context.Context, seg *review.Segment) (*kin, error) {
	if one, met := k.byID[seg.SessionID]; met {
		return one, nil
	}
	sess, err := sessionOf(ctx, k.src, seg)
	if err != nil {
		return nil, err
	}
	return k.add(ctx, sess, 0)
}

// add adds a session and those that it branches off. depth is how many branch off
// it already.
func (k *kinships) add(ctx context.Context, sess *review.Session, depth int) (*kin, error) {
	one := &kin{id: sess.ID, body: sess.Body, begins: sess.Begins, number: len(k.all)}
	k.all, k.byID[sess.ID] = append(k.all, one), one
	edits, err := k.src.Edits(ctx, one.body, 1, sess.Messages)
	if err != nil {
		return nil, err
	}
	if one.begins == 0 || len(edits) > 0 {
		one.began = one.begins
		if one.begins, err = k.begin(ctx, one.body); err != nil {
			return nil, err
		}
	}
	if sess.Origin.Kind != session.Branch {
		return one, nil
	}
	if one.unknown = sess.Parent == "" || sess.Origin.At < 1 || depth == mostParents; one.unknown {
		return one, nil
	}
	parent, met := k.byID[sess.Parent]
	if !met {
		found, err := k.src.Session(ctx, sess.Parent)
		if errors.Is(err, review.ErrNotFound) {
			one.unknown = true
			return one, nil
		}
		if err != nil {
			return nil, err
		}
		if parent, err = k.add(ctx, &found, depth+1); err != nil {
			return nil, err
		}
	}
	if one.unknown = parent.unknown; one.unknown || parent.within(one) {
		one.unknown = true
		return one, nil
	}
	one.parent, one.at = parent, sess.Origin.At
	parent.children = append(parent.children, one)
	return one, nil
}

// within reports whether a session branches off another one: a damaged database
// may hold a circle of them.
func (one *kin) within(of *kin) bool {
	for at := one; at != nil; at = at.parent {
		if at == of {
			return true
		}
	}
	return false
}

// begin returns what a session begins with, of which nothing is stored: 0 if nobody
// asks anything in it.
func (k *kinships) begin(ctx context.Context, body int64) (int64, error) {
	for from := 1; ; from += promptBatch {
		messages, err := k.src.Messages(ctx, body, from, from+promptBatch-1)
		if err != nil {
			return 0, err
		}
		for i := range messages {
			if m := &messages[i]; m.Role == chat.User && !m.Summary() {
				return chat.Opening(m), nil
			}
		}
		if len(messages) < promptBatch {
			if over, err := behind(ctx, k.src, body, from+promptBatch-1); err != nil || over {
				return 0, err
			}
		}
	}
}

// groups returns the sessions that may begin alike: those that begin with the same
// question, and those that branch off them. Sessions are in the order in which
// they were added, as are the groups by their first ones.
func (k *kinships) groups() (groups [][]*kin) {
	sets := similar.NewSets(len(k.all))
	first := map[int64]int{}
	for i, one := range k.all {
		if one.parent != nil {
			sets.Join(one.parent.number, i)
		}
		for _, begin := range [...]int64{one.begins, one.began} {
			if begin == 0 {
				continue
			}
			if j, met := first[begin]; met {
				sets.Join(j, i)
			} else {
				first[begin] = i
			}
		}
	}
	at := map[int]int{}
	for i, one := range k.all {
		root := sets.Root(i)
		if _, met := at[root]; !met {
			at[root] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[root]] = append(groups[at[root]], one)
	}
	return groups
}

// last is the number of the last message of a session that matters: it is in a
// segment that was selected, or a branch follows it.
func (one *kin) last(segments []review.Segment) (n int) {
	for _, i := range one.segments {
		n = max(n, segments[i].End)
	}
	for _, child := range one.children {
		n = max(n, child.at)
	}
	return n
}

// path names the sessions that a session branches off, from the nearest on.
func (one *kin) path() (ids []string) {
	for at := one.parent; at != nil; at = at.parent {
		ids = append(ids, at.id)
	}
	return ids
}
