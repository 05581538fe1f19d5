package tell

import (
	"time"

	"winnow/core/review"
)

// wasRow is the verdict that a segment had before its content changed, in JSON.
type wasRow struct {
	Verdict review.Verdict `json:"verdict"`
	By      string         `json:"by,omitzero"`
	At      time.Time      `json:"at,omitzero"`
}

func wasRowOf(s *review.Segment) *wasRow {
	if !s.Stale {
		return nil
	}
	return &wasRow{s.Was, s.WasBy, utc(s.WasAt)}
}

// StaleText says what a stale segment was, "" of another.
func StaleText(s *review.Segment, now time.Time) string {
	if !s.Stale {
		return ""
	}
	text := "~ was " + string(s.Was)
	if s.WasBy != "" {
		text += " by " + s.WasBy
	}
	if !s.WasAt.IsZero() {
		text += " on " + dayText(s.WasAt, now)
	}
	return text
}

// dayText writes a day as people say it, in UTC; the year is told where it is
// not this one.
func dayText(t, now time.Time) string {
	t = t.UTC()
	if t.Year() == now.UTC().Year() {
		return t.Format("2 January")
	}
	return t.Format("2 January 2006")
}
