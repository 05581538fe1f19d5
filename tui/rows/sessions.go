package rows

import (
	"context"
	"maps"
	"time"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/tui/draw"
)

// maxSessions bounds the memory for what is known of sessions.
const maxSessions = 4096

// Sessions are what rows show of their session where they have nothing of their own:
// its title, and when it began. The zero Sessions know nothing.
type Sessions struct{ known map[string]sessionFacts }

type sessionFacts struct {
	title   string
	started time.Time // zero if nobody recorded it
}

// Lacking returns the ids of sessions that rows lack: of those without a topic, and
// where dates are shown, of those without a time. They are asked for once.
func (k *Sessions) Lacking(shown []review.Segment, dated bool) (ids []string) {
	for i := range shown {
		s := &shown[i]
		if s.Topic != "" && (!dated || !s.Recorded.IsZero()) {
			continue
		}
		if _, known := k.known[s.SessionID]; known {
			continue
		}
		if k.known == nil || len(k.known) >= maxSessions {
			k.known = map[string]sessionFacts{}
		}
		k.known[s.SessionID] = sessionFacts{}
		ids = append(ids, s.SessionID)
	}
	return ids
}

// ReadSessions reads what rows show of sessions.
func ReadSessions(ctx context.Context, lib Library, g *draw.Glyphs, ids []string) Sessions {
	found := map[string]sessionFacts{}
	for _, id := range ids {
		if s, err := lib.Session(ctx, id); err == nil {
			started, _ := chat.ParseTime(s.Started)
			found[id] = sessionFacts{TitleOf(g, &s), started}
		}
	}
	return Sessions{found}
}

// Take adds what was read.
func (k *Sessions) Take(found Sessions) {
	if k.known == nil {
		k.known = map[string]sessionFacts{}
	}
	maps.Copy(k.known, found.known)
}

// Retry has those asked for again that had no title: it may stand further down in a
// source.
func (k *Sessions) Retry() {
	maps.DeleteFunc(k.known, func(_ string, s sessionFacts) bool { return s.title == "" })
}

// Title is what the session of a row is called, "" if that is not known.
func (k *Sessions) Title(s *review.Segment) string { return k.known[s.SessionID].title }

// When is the time that a row shows: of its first message that has one, else of its
// session; zero if nobody recorded any. Lists sort what has none by when it came.
func (k *Sessions) When(s *review.Segment) time.Time {
	if !s.Recorded.IsZero() {
		return s.Recorded
	}
	return k.known[s.SessionID].started
}

// Day renders a time in the room that a list has for dates, whose zone is that of now.
// A year has all its digits: it is not taken for a day.
func (c *Columns) Day(t, now time.Time, none string) string {
	if t.IsZero() {
		return none
	}
	t = t.In(now.Location())
	switch past := t.Year() != now.Year(); {
	case past && c.of[date] == shortDate:
		return t.Format("Jan 2006")
	case past:
		return t.Format("2 Jan 2006")
	case c.of[date] == shortDate:
		return t.Format("2 Jan")
	}
	return t.Format("2 Jan 15:04")
}
