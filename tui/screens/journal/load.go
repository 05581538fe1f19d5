package journal

import (
	"context"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/list"
	"winnow/tui/screen"
)

// fetchEntries reads entries, of whom and of what they are shown now.
func (j *Screen) fetchEntries() list.Fetch[logRow, int64] {
	lib, query := j.lib, review.JournalQuery{Segment: j.segment}
	if j.mine {
		query.Curator = j.program.Curator()
	}
	return func(ctx context.Context, after int64, back bool, limit int) ([]logRow, bool, error) {
		q := query
		q.After, q.Back, q.Limit = after, back, limit
		p, err := lib.JournalPage(ctx, q)
		rows := make([]logRow, len(p.Entries))
		for i, e := range p.Entries {
			rows[i] = logRow{e, namesOf(&e, p.Topics)}
		}
		return rows, p.More, err
	}
}

// namesOf are the names of the segments that an entry shows.
func namesOf(e *review.Logged, topics map[string]string) map[string]string {
	names := map[string]string{}
	ids := make([]string, 0, len(e.Changes)+1)
	for i := range e.Changes {
		ids = append(ids, e.Changes[i].Segment)
	}
	if e.Recut != nil && len(e.Recut.After) > 0 {
		ids = append(ids, e.Recut.After[0].ID)
	}
	for _, id := range ids {
		if topic := topics[id]; topic != "" {
			names[id] = draw.Head(topic)
		}
	}
	return names
}

// fetchChangesOf reads what an entry changed.
func (j *Screen) fetchChangesOf(id int64) list.Fetch[review.NumberedChange, int] {
	lib := j.lib
	return func(ctx context.Context, after int, back bool, limit int) ([]review.NumberedChange, bool, error) {
		p, err := lib.Changes(ctx, review.ChangeQuery{Entry: id, After: after, Back: back, Limit: limit})
		return p.Changes, p.More, err
	}
}

// Changed reads again what is shown: somebody did something. Who looks at the newest
// entries sees those that come, the cursor stays on its own.
func (j *Screen) Changed(int64) { j.entries.Renew() }

// Awaits has keys wait for the rows of the level that is open.
func (j *Screen) Awaits() bool {
	return j.entries.Awaited() || j.entry != nil && j.entry.changes.Awaited()
}

// Follow sizes the lists for the next frame and asks for the rows that are
// needed next.
func (j *Screen) Follow(f screen.Frame) {
	j.width, j.height = f.Width, f.Height
	j.entries.Follow(&j.Seat, f.Height-1, j.fetchEntries(), func() { // less the heads of the columns
		if j.entry != nil || len(j.entries.Rows) > 0 {
			j.fail(j.entries.Failed())
		}
		j.renewEntry()
	})
	if v := j.entry; v != nil {
		v.changes.Follow(&j.Seat, f.Height-entryTitle, j.fetchChangesOf(v.row.ID), func() {
			if len(v.changes.Rows) > 0 { // else it is told in their place
				j.fail(v.changes.Failed())
			}
		})
	}
}

func (j *Screen) fail(err error) { j.Fail("the journal could not be read", err) }

// renewEntry puts the open entry in line with its row: it may be undone by now.
func (j *Screen) renewEntry() {
	for i := range j.entries.Rows {
		if v := j.entry; v != nil && j.entries.Rows[i].ID == v.row.ID {
			v.row = j.entries.Rows[i]
		}
	}
}
