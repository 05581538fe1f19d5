package tell

import (
	"time"

	"winnow/core/review"
	"winnow/core/segment"
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

// ChangesRow is what changed since the verdict of a stale segment, in JSON.
type ChangesRow struct {
	Added   []spanRow `json:"added"`   // numbers of messages
	Removed []spanRow `json:"removed"` // numbers when the verdict was given
}

type spanRow struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// ChangesRowOf returns the row of a difference, nil if it is not known.
func ChangesRowOf(d segment.Difference) *ChangesRow {
	if d.Unknown {
		return nil
	}
	return &ChangesRow{spanRows(d.Added), spanRows(d.Removed)}
}

func spanRows(list []segment.Span) []spanRow {
	rows := make([]spanRow, len(list))
	for i, s := range list {
		rows[i] = spanRow(s)
	}
	return rows
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
