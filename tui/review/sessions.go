package review

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/rows"
	"winnow/tui/work"
)

// askSessions asks for what the rows on screen show of their sessions.
func (r *Room) askSessions() tea.Cmd {
	shown := r.List.Visible()
	r.widest.Take(shown)
	w := r.W
	if r.Wide() {
		w = r.ListWidth()
	}
	c := rows.ColumnsFor(w, r.rowContent(shown))
	ids := r.sessions.Lacking(shown, c.Dated())
	if len(ids) == 0 {
		return nil
	}
	return r.askNow(func(ctx context.Context, lib rows.Library) work.Show {
		found := rows.ReadSessions(ctx, lib, r.G, ids)
		return Showing(func() { r.sessions.Take(found) })
	})
}
