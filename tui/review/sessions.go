package review

import (
	"context"
	"maps"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// maxSessions bounds the memory for what is known of sessions.
const maxSessions = 4096

// sessionFacts are what rows show of their session where they have nothing of their
// own.
type sessionFacts struct {
	title   string
	started time.Time // zero if nobody recorded it
}

// askSessions asks for the sessions on screen whose segments have no topic, or no
// time where the list shows some.
func (r *Room) askSessions() tea.Cmd {
	shown := r.List.Visible()
	r.widest.Take(shown)
	w := r.W
	if r.Wide() {
		w = r.ListWidth()
	}
	c := rows.ColumnsFor(w, r.rowContent(shown))
	var ids []string
	for _, s := range shown {
		if s.Topic != "" && (!c.Dated() || !s.Recorded.IsZero()) {
			continue
		}
		if _, known := r.sessions[s.SessionID]; !known {
			if len(r.sessions) >= maxSessions {
				clear(r.sessions)
			}
			r.sessions[s.SessionID] = sessionFacts{}
			ids = append(ids, s.SessionID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return r.askNow(func(ctx context.Context, lib rows.Library) work.Show {
		found := map[string]sessionFacts{}
		for _, id := range ids {
			if s, err := lib.Session(ctx, id); err == nil {
				started, _ := chat.ParseTime(s.Started)
				found[id] = sessionFacts{rows.TitleOf(r.G, &s), started}
			}
		}
		return Showing(func() { maps.Copy(r.sessions, found) })
	})
}

// when is the time that a row shows: of its first message that has one, else of its
// session; zero if nobody recorded any. Lists sort what has none by when it came.
func (r *Room) when(s *review.Segment) time.Time {
	if !s.Recorded.IsZero() {
		return s.Recorded
	}
	return r.sessions[s.SessionID].started
}
