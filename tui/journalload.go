package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/draw"
)

// journalMsg is an answer to a question of the journal screen.
type journalMsg interface{ forJournal() }

type (
	entriesCame = pageCame[logRow, int64]
	logsCame    struct{ entriesCame }
	loggedCame  struct {
		pageCame[review.NumberedChange, int]
	}
)

func (logsCame) forJournal()   {}
func (loggedCame) forJournal() {}

// askEntries asks for entries; an older question is forgotten.
func (a *App) askEntries(q pageAsk[int64]) tea.Cmd {
	j, lib := a.journal, a.journalLib
	j.seq++
	q.seq = j.seq
	query := review.JournalQuery{Segment: j.segment}
	if j.mine {
		query.Curator = a.curator
	}
	ask := askPage(j.ctx, &j.entries, q, func(ctx context.Context, after int64, back bool, limit int) ([]logRow, bool, error) {
		q := query
		q.After, q.Back, q.Limit = after, back, limit
		p, err := lib.JournalPage(ctx, q)
		rows := make([]logRow, len(p.Entries))
		for i, e := range p.Entries {
			rows[i] = logRow{e, namesOf(&e, p.Topics)}
		}
		return rows, p.More, err
	})
	return func() tea.Msg { return logsCame{ask().(entriesCame)} }
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
func (a *App) askChangesOf(q pageAsk[int]) tea.Cmd {
	v, lib := a.journal.entry, a.journalLib
	a.journal.seq++
	q.seq = a.journal.seq
	id := v.row.ID
	ask := askPage(v.ctx, &v.changes, q, func(ctx context.Context, after int, back bool, limit int) ([]review.NumberedChange, bool, error) {
		p, err := lib.Changes(ctx, review.ChangeQuery{Entry: id, After: after, Back: back, Limit: limit})
		return p.Changes, p.More, err
	})
	return func() tea.Msg { return loggedCame{ask().(pageCame[review.NumberedChange, int])} }
}

// refreshJournal reads again what is shown: somebody did something.
func (a *App) refreshJournal() tea.Cmd {
	if a.journal == nil {
		return nil
	}
	q := pageAsk[int64]{want: pageAgain}
	if s := a.journal.entries.selected(); s != nil {
		q.key = s.ID
	}
	return a.askEntries(q)
}

// followJournal sizes the lists for the next frame and asks for the rows that
// are needed next.
func (a *App) followJournal() tea.Cmd {
	j := a.journal
	if j == nil || a.tooSmall() {
		return nil
	}
	var cmds []tea.Cmd
	j.entries.resize(a.journalRows())
	if q, ok := j.entries.needs(); ok {
		cmds = append(cmds, a.askEntries(q))
	}
	if v := j.entry; v != nil {
		v.changes.resize(a.changeRows())
		if q, ok := v.changes.needs(); ok {
			cmds = append(cmds, a.askChangesOf(q))
		}
	}
	return tea.Batch(cmds...)
}

// tookJournal takes an answer. The one to a question nobody asks any more is
// dropped. Who looks at the newest entries sees those that come, the cursor
// stays on its own.
func (a *App) tookJournal(msg journalMsg) {
	j := a.journal
	if j == nil {
		return
	}
	var err error
	switch m := msg.(type) {
	case logsCame:
		newest := j.entries.atTop && j.entries.top == 0
		if !j.entries.took(m.entriesCame) {
			return
		}
		if err = m.err; newest && m.want == pageAgain {
			j.entries.top = 0
			j.entries.scroll()
		}
		a.renewEntry()
	case loggedCame:
		if j.entry != nil && j.entry.changes.took(m.pageCame) {
			err = m.err
		}
	}
	told := j.entry == nil && len(j.entries.rows) == 0 || j.entry != nil && len(j.entry.changes.rows) == 0
	if err != nil && !told && !errors.Is(err, context.Canceled) { // told is where they would be
		a.fail("the journal could not be read", err)
	}
}

// renewEntry puts the open entry in line with its row: it may be undone by now.
func (a *App) renewEntry() {
	j := a.journal
	for i := range j.entries.rows {
		if v := j.entry; v != nil && j.entries.rows[i].ID == v.row.ID {
			v.row = j.entries.rows[i]
		}
	}
}
