package journal

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/list"
	"winnow/tui/screen"
)

type (
	logsCame   = list.Page[logRow, int64]
	loggedCame = list.Page[review.NumberedChange, int]
)

// askEntries asks for entries; an older question is forgotten.
func (j *Screen) askEntries(q list.Ask[int64]) tea.Cmd {
	lib := j.lib
	query := review.JournalQuery{Segment: j.segment}
	if j.mine {
		query.Curator = j.program.Curator()
	}
	return j.entries.Ask(j.Ctx, q, func(ctx context.Context, after int64, back bool, limit int) ([]logRow, bool, error) {
		q := query
		q.After, q.Back, q.Limit = after, back, limit
		p, err := lib.JournalPage(ctx, q)
		rows := make([]logRow, len(p.Entries))
		for i, e := range p.Entries {
			rows[i] = logRow{e, namesOf(&e, p.Topics)}
		}
		return rows, p.More, err
	})
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

// askChangesOf asks for what the open entry changed.
func (j *Screen) askChangesOf(q list.Ask[int]) tea.Cmd {
	v, lib := j.entry, j.lib
	id := v.row.ID
	return v.changes.Ask(v.ctx, q, func(ctx context.Context, after int, back bool, limit int) ([]review.NumberedChange, bool, error) {
		p, err := lib.Changes(ctx, review.ChangeQuery{Entry: id, After: after, Back: back, Limit: limit})
		return p.Changes, p.More, err
	})
}

// Changed reads again what is shown: somebody did something.
func (j *Screen) Changed(int64) tea.Cmd { return j.askEntries(j.entries.Again()) }

// Follow sizes the lists for the next frame and asks for the rows that are
// needed next.
func (j *Screen) Follow(f screen.Frame) tea.Cmd {
	var cmds []tea.Cmd
	j.width, j.height = f.Width, f.Height
	j.entries.Resize(f.Height - 1) // the heads of the columns
	if q, ok := j.entries.Needs(); ok {
		cmds = append(cmds, j.askEntries(q))
	}
	if v := j.entry; v != nil {
		v.changes.Resize(f.Height - entryTitle)
		if q, ok := v.changes.Needs(); ok {
			cmds = append(cmds, j.askChangesOf(q))
		}
	}
	return tea.Batch(cmds...)
}

// Update takes an answer. The one to a question that is not asked any more is
// dropped. Who looks at the newest entries sees those that come, the cursor
// stays on its own.
func (j *Screen) Update(msg tea.Msg) tea.Cmd {
	var err error
	switch m := msg.(type) {
	case logsCame:
		newest := j.entries.AtTop && j.entries.Top == 0
		if !j.entries.Take(m) {
			return nil
		}
		if err = m.Err; newest && m.Want == list.Again {
			j.entries.Top = 0
			j.entries.Scroll()
		}
		j.renewEntry()
	case loggedCame:
		if j.entry != nil && j.entry.changes.Take(m) {
			err = m.Err
		}
	}
	told := j.entry == nil && len(j.entries.Rows) == 0 || j.entry != nil && len(j.entry.changes.Rows) == 0
	if err != nil && !told && !errors.Is(err, context.Canceled) { // told is where they would be
		j.Fail("the journal could not be read", err)
	}
	return nil
}

// renewEntry puts the open entry in line with its row: it may be undone by now.
func (j *Screen) renewEntry() {
	for i := range j.entries.Rows {
		if v := j.entry; v != nil && j.entries.Rows[i].ID == v.row.ID {
			v.row = j.entries.Rows[i]
		}
	}
}
