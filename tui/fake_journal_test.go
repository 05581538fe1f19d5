package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"winnow/core/review"
	"winnow/tui/screen/screentest"
)

// fakeJournal is a journal in memory, the newest entry first. It counts what it
// is asked.
type fakeJournal struct {
	mu      sync.Mutex
	entries []review.Logged
	topics  map[string]string
	pages   int
	undone  []int64
	fail    error
	refuse  error // of an undo
}

func (j *fakeJournal) JournalPage(ctx context.Context, q review.JournalQuery) (p review.JournalPage, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.pages++
	if err := ctx.Err(); err != nil {
		return p, err
	}
	rows := slices.DeleteFunc(slices.Clone(j.entries), func(e review.Logged) bool {
		of := slices.ContainsFunc(e.Changes, func(c review.Change) bool { return c.Segment == q.Segment })
		return q.Curator != "" && e.Curator != q.Curator || q.Segment != "" && !of
	})
	at, found := slices.BinarySearchFunc(rows, q.After, func(e review.Logged, id int64) int { return int(id - e.ID) })
	p.Entries, p.More = screentest.After(rows, at, found, q.After == 0, q.Back, q.Limit)
	p.Entries, p.Topics = slices.Clone(p.Entries), j.topics
	return p, j.fail
}

func (j *fakeJournal) Changes(_ context.Context, q review.ChangeQuery) (p review.ChangePage, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	i := slices.IndexFunc(j.entries, func(e review.Logged) bool { return e.ID == q.Entry })
	rows := make([]review.NumberedChange, j.entries[i].Count)
	for n := range rows {
		c := j.entries[i].Changes[0]
		c.Segment = fmt.Sprintf("%08x-0000-4000-8000-000000000000", n)
		rows[n] = review.NumberedChange{N: n + 1, Change: c, Topic: j.topics[c.Segment]}
	}
	p.Changes, p.More = screentest.After(rows, q.After-1, true, q.After == 0, q.Back, q.Limit)
	return p, j.fail
}

func (j *fakeJournal) UndoEntry(_ context.Context, curator string, id int64) (review.Entry, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.refuse != nil {
		return review.Entry{}, j.refuse
	}
	i := slices.IndexFunc(j.entries, func(e review.Logged) bool { return e.ID == id })
	if i < 0 {
		return review.Entry{}, errors.New("no such entry")
	}
	j.entries[i].Undone = true
	j.undone = append(j.undone, id)
	e := review.Entry{ID: j.entries[0].ID + 1, At: someday, Curator: curator, Action: review.ActUndo, Target: id, Changes: j.entries[i].Changes}
	j.entries = append([]review.Logged{{Entry: e, Count: 1}}, j.entries...)
	return e, nil
}

// add puts an entry on top.
func (j *fakeJournal) add(e review.Logged) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries = append([]review.Logged{e}, j.entries...)
}

// sampleJournal has entries of every kind.
func sampleJournal() *fakeJournal {
	segments := sampleSegments()
	id := func(i int) string { return segments[i].ID }
	j := &fakeJournal{topics: map[string]string{}}
	for _, s := range segments {
		j.topics[s.ID] = s.Topic
	}
	pending := review.Mark{Verdict: review.Pending}
	approved := review.Mark{Verdict: review.Approved, Reviewer: "ann", ReviewedAt: someday}
	change := func(i int, before, after review.Mark) review.Change {
		return review.Change{Segment: id(i), Before: before, After: after}
	}
	at := someday.Add(-3 * time.Hour)
	put := func(curator string, action review.Action, target int64, count int, changes ...review.Change) *review.Logged {
		at = at.Add(7 * time.Minute)
		j.add(review.Logged{Entry: review.Entry{ID: int64(len(j.entries) + 1), At: at, Curator: curator, Action: action, Target: target, Changes: changes}, Count: max(count, len(changes))})
		return &j.entries[0]
	}
	put("ann", review.ActJudge, 0, 0, change(0, pending, approved))
	put("ann", review.ActNote, 0, 0, change(1, pending, review.Mark{Verdict: review.Pending, Note: "look at the volumes again"}))
	put("bob", review.ActJudge, 0, 0, change(2, pending, review.Mark{Verdict: review.Rejected, Reviewer: "bob", ReviewedAt: someday}))
	put("ann", review.ActJudge, 0, 1204, change(0, pending, approved), change(1, pending, approved), change(2, pending, approved))
	tags := review.TagText([]string{"good", "docker"})
	put("ann", review.ActJudge, 0, 0, change(1, pending, review.Mark{Verdict: review.Pending, Tags: tags}))
	put("bob", review.ActMask, 0, 0, change(3, pending, review.Mark{Verdict: review.Pending, Masked: "2"}))
	split := put("ann", review.ActSplit, 0, 0)
	split.Recut = &review.Recut{Before: segments[4:5], After: []review.Segment{segments[4], segments[5]}}
	put("", review.ActRetire, 0, 0, review.Change{Segment: "deadbeef-0000-4000-8000-000000000000", Before: approved})
	put("ann", review.ActUndo, 1, 0, change(0, approved, pending))
	j.entries[len(j.entries)-1].Undone = true
	put("eve\x1b]0;x\x07", review.ActNote, 0, 0, change(8, pending, review.Mark{Verdict: review.Pending, Note: "\x1b[2J\u202enote\r\n" + string(make([]byte, 9000))}))
	return j
}
