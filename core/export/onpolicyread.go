package export

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"winnow/core/edit"
	"winnow/core/export/onpolicy"
	"winnow/core/review"
	"winnow/core/session"
)

// pathReader makes the jobs of an export that trains each answer once, after exactly
// what its model saw. It holds one session at a time.
type pathReader struct {
	src     Source
	sealed  *redactions
	emitter *Emitter
	yield   func(job) error
}

// paths yields the jobs of the selected segments: those of a session follow each
// other.
func (r *pathReader) paths(ctx context.Context, opts *Options) error {
	if r.emitter.Tree() {
		return r.trees(ctx, opts)
	}
	var of []review.Segment // of one session
	err := opts.each(ctx, r.src, r.emitter, func(seg *review.Segment) error {
		if len(of) > 0 && of[0].SessionID != seg.SessionID {
			if err := r.family(ctx, of); err != nil {
				return err
			}
			of = nil
		}
		of = append(of, light(seg))
		return nil
	})
	if err != nil || len(of) == 0 {
		return err
	}
	return r.family(ctx, of)
}

// light returns a segment without what is large and not asked for any more.
func light(seg *review.Segment) review.Segment {
	own := *seg
	own.Analysis = ""
	return own
}

// trees yields a job for each session with its branches, in the order of the first
// segments. What is known of all segments is held meanwhile.
func (r *pathReader) trees(ctx context.Context, opts *Options) error {
	at := map[string]int{}         // session → tree
	var trees [][][]review.Segment // by session
	roots := map[string]int{}      // root → tree
	err := opts.each(ctx, r.src, r.emitter, func(seg *review.Segment) error {
		if i, met := at[seg.SessionID]; met {
			of := trees[i]
			k := slices.IndexFunc(of, func(list []review.Segment) bool { return list[0].SessionID == seg.SessionID })
			of[k] = append(of[k], light(seg))
			return nil
		}
		root, err := r.root(ctx, seg.SessionID)
		if err != nil {
			return err
		}
		i, met := roots[root]
		if !met {
			i = len(trees)
			roots[root], trees = i, append(trees, nil)
		}
		at[seg.SessionID] = i
		trees[i] = append(trees[i], []review.Segment{light(seg)})
		return nil
	})
	if err != nil {
		return err
	}
	for i := range trees {
		if err := r.family(ctx, trees[i]...); err != nil {
			return err
		}
		trees[i] = nil
	}
	return nil
}

// root returns the session that another one branches off, directly or not.
func (r *pathReader) root(ctx context.Context, id string) (string, error) {
	for range mostParents {
		sess, err := r.src.Session(ctx, id)
		if errors.Is(err, review.ErrNotFound) {
			return id, nil
		}
		if err != nil {
			return "", err
		}
		if sess.Origin.Kind != session.Branch || sess.Parent == "" || sess.Origin.At < 1 {
			return id, nil
		}
		id = sess.Parent
	}
	return id, nil
}

// family yields the jobs of segments by session: one for each row, or for all rows
// together where trees are written, and one for each segment that is in none.
func (r *pathReader) family(ctx context.Context, sessions ...[]review.Segment) error {
	var rows []*exactRow
	var out []LeftOut
	for _, of := range sessions {
		own, none, err := r.rows(ctx, of)
		if err != nil {
			return err
		}
		rows, out = append(rows, own...), append(out, none...)
	}
	if r.emitter.Tree() {
		return r.yield(newTreeJob(rows, out))
	}
	for i := range rows {
		if err := r.yield(&exactJob{exact: rows[i]}); err != nil {
			return err
		}
	}
	for i := range out {
		if err := r.yield(&exactJob{made: made{of: out[i], findings: []Finding{out[i].Finding}}}); err != nil {
			return err
		}
	}
	return nil
}

// rows returns the rows of segments of one session, and the segments that none of
// them holds, each with the reason.
func (r *pathReader) rows(ctx context.Context, of []review.Segment) (rows []*exactRow, out []LeftOut, err error) {
	sess, err := sessionOf(ctx, r.src, &of[0])
	if err != nil {
		return nil, nil, err
	}
	last := 0
	for i := range of {
		last = max(last, of[i].End)
	}
	by, path, sessions, err := r.pathOf(ctx, sess, last)
	if err != nil {
		return nil, nil, fmt.Errorf("session of segment %s: %w", of[0].Short(), err)
	}
	if path == nil {
		for i := range of {
			out = append(out, leftOutOf(&of[i], fork, unknownFork))
		}
		return nil, out, nil
	}
	if sess.Tools == "" && len(sessions) > 0 { // not recorded there: they begin alike
		parent, err := r.src.Session(ctx, sessions[0])
		if err != nil {
			return nil, nil, err
		}
		sess.Tools = parent.Tools
	}
	met, lost := make([]bool, len(of)), make([]bool, len(of))
	for _, row := range path.Rows(judgeOf(of), r.sealed.in, r.emitter.Tree()) {
		for _, i := range row.Lost {
			lost[i] = true
		}
		if len(row.Messages) == 0 {
			continue
		}
		for i := range row.Messages {
			if m := &row.Messages[i]; m.Recorded != nil && r.sealed.in(m.Recorded) {
				m.Recorded = nil
			}
		}
		one := &exactRow{Row: row, session: sess, segments: of, before: sessions, by: by}
		one.of = one.trains()
		for _, i := range one.of {
			met[i] = true
		}
		rows = append(rows, one)
	}
	for i := range of {
		switch {
		case lost[i]:
			out = append(out, leftOutOf(&of[i], sealed, "answers come after a message that says what was redacted elsewhere: winnow redact finds it here, too"))
		case met[i]:
		default:
			out = append(out, leftOutOf(&of[i], OutUnsampled, "no answer that is trained was given by a model to exactly what stands before it"))
		}
	}
	return rows, out, nil
}

func leftOutOf(seg *review.Segment, check, detail string) LeftOut {
	return LeftOut{Segment: seg.ID, SessionFile: seg.SessionFile, Finding: Finding{Check: check, Detail: detail}}
}

// judgeOf tells of the messages of a session in which of its segments they are, and
// which are not switched off there.
func judgeOf(of []review.Segment) onpolicy.Judge {
	masked := map[int]bool{}
	for i := range of {
		for _, place := range of[i].Masked {
			masked[of[i].Start+place-1] = true
		}
	}
	order := make([]int, len(of))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return of[a].Start - of[b].Start })
	return func(n int) (int, bool) {
		k, _ := slices.BinarySearchFunc(order, n, func(i, n int) int { return of[i].End - n })
		if k == len(order) || of[order[k]].Start > n {
			return -1, false
		}
		return order[k], !masked[n]
	}
}

// pathOf lays out what a model saw up to message last of a session: its own messages
// as they are now, after those before its fork as recorded but for what is redacted.
// It returns no path where nobody knows what stands before the fork, and the ids of
// the sessions that it branches off, from the nearest on.
func (r *pathReader) pathOf(ctx context.Context, sess *review.Session, last int) (by map[edit.Place]string, path *onpolicy.Path, sessions []string, err error) {
	if r.emitter.Tree() {
		by = map[edit.Place]string{}
	}
	own, whole, err := r.partOf(ctx, sess.Body, last, by)
	if err == nil && !whole {
		err = errNotStored
	}
	if err != nil {
		return nil, nil, nil, err
	}
	own.Own = true
	parts := []onpolicy.Part{own}
	for at := sess; at.Origin.Kind == session.Branch; {
		if at.Parent == "" || at.Origin.At < 1 || len(parts) > mostParents {
			return nil, nil, nil, nil
		}
		parent, err := r.src.Session(ctx, at.Parent)
		if errors.Is(err, review.ErrNotFound) {
			return nil, nil, nil, nil
		}
		if err != nil {
			return nil, nil, nil, err
		}
		part, whole, err := r.partOf(ctx, parent.Body, at.Origin.At, by)
		if err != nil || !whole {
			return nil, nil, nil, err
		}
		part.Edits = slices.DeleteFunc(part.Edits, func(e edit.Edit) bool { return !takesOut(&e) })
		parts, sessions = append(parts, part), append(sessions, parent.ID)
		at = &parent
	}
	slices.Reverse(parts)
	return by, onpolicy.Lay(parts...), sessions, nil
}

// partOf reads the first messages of a session, and reports whether all are stored. by,
// if not nil, gets who made the edits.
func (r *pathReader) partOf(ctx context.Context, body int64, last int, by map[edit.Place]string) (p onpolicy.Part, whole bool, err error) {
	if p.Recorded, err = r.src.RecordedMessages(ctx, body, 1, last); err != nil {
		return p, false, err
	}
	if p.Edits, err = r.src.Edits(ctx, body, 0, last); err != nil {
		return p, false, err
	}
	if p.Contexts, err = r.src.Contexts(ctx, body, 1, last); err != nil {
		return p, false, err
	}
	if by != nil && len(p.Edits) > 0 {
		list, err := r.src.EditedBy(ctx, body, 0, last)
		if err != nil {
			return p, false, err
		}
		for _, e := range list {
			by[edit.Place{Body: body, N: e.N, Part: e.Part}] = e.By
		}
	}
	return p, len(p.Recorded) == last, nil
}
