package review

import (
	"context"
	"maps"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// loadTotals reads the counts of the header. If a verdict was given meanwhile, the
// next poll asks again, also if they were read after the write.
func (r *Room) loadTotals() tea.Cmd {
	epoch := r.writes.Epoch()
	return r.askNow(func(ctx context.Context, lib rows.Library) work.Show {
		t, err := lib.Totals(ctx)
		t.ByVerdict = maps.Clone(t.ByVerdict) // ours to change
		return Showing(func() {
			switch {
			case err != nil:
				r.Fail("counting", err)
			case epoch == r.writes.Epoch() && !r.writes.Writing():
				r.Totals = t
			default:
				r.app.Reread()
			}
		})
	})
}

// maxTitles bounds the memory for titles of sessions.
const maxTitles = 4096

// askTitles asks for the titles of the sessions on screen whose segments have
// no topic.
func (r *Room) askTitles() tea.Cmd {
	var ids []string
	for _, s := range r.List.Visible() {
		if s.Topic != "" {
			continue
		}
		if _, known := r.titles[s.SessionID]; !known {
			if len(r.titles) >= maxTitles {
				clear(r.titles)
			}
			r.titles[s.SessionID] = ""
			ids = append(ids, s.SessionID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return r.askNow(func(ctx context.Context, lib rows.Library) work.Show {
		titles := map[string]string{}
		for _, id := range ids {
			if s, err := lib.Session(ctx, id); err == nil {
				titles[id] = rows.TitleOf(r.G, &s)
			}
		}
		return Showing(func() { maps.Copy(r.titles, titles) })
	})
}

// Title names a segment that has no topic: by its session's title, else by
// its file; a later part of a session by where it begins, too.
func (r *Room) Title(s *review.Segment) string {
	title := r.titles[s.SessionID]
	if title == "" {
		title = rows.FileTitle(s)
	}
	if s.Start > 1 {
		title += " " + r.G.Dot + " from " + draw.Grouped(s.Start)
	}
	return title
}
