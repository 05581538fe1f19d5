package main

import (
	"context"
	"fmt"
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

// staleText says what a stale segment was, "" of another.
func (p *cli) staleText(s *review.Segment) string {
	if !s.Stale {
		return ""
	}
	text := "~ was " + string(s.Was)
	if s.WasBy != "" {
		text += " by " + s.WasBy
	}
	if !s.WasAt.IsZero() {
		text += " on " + p.dayText(s.WasAt)
	}
	return text
}

// changesRow is what changed since the verdict of a stale segment, in JSON.
type changesRow struct {
	Added   []spanRow `json:"added"`   // numbers of messages
	Removed []spanRow `json:"removed"` // numbers when the verdict was given
}

type spanRow struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func changesRowOf(d segment.Difference) *changesRow {
	if d.Unknown {
		return nil
	}
	return &changesRow{spanRows(d.Added), spanRows(d.Removed)}
}

func spanRows(list []segment.Span) []spanRow {
	rows := make([]spanRow, len(list))
	for i, s := range list {
		rows[i] = spanRow(s)
	}
	return rows
}

// since tells what changed since the verdict of a stale segment.
func (s *database) since(ctx context.Context, g *review.Segment) (segment.Difference, error) {
	d, err := segment.Since(ctx, g, s.EachMessage)
	if err != nil {
		return d, fmt.Errorf("what changed in segment %s: %w", g.Short(), err)
	}
	return d, nil
}

// staleLine says of a stale segment what it was and what changed since.
func (p *cli) staleLine(ctx context.Context, s *database, g *review.Segment) (string, error) {
	text := p.staleText(g)
	if text == "" {
		return "", nil
	}
	d, err := s.since(ctx, g)
	if changed := d.String(); err == nil && changed != "" {
		text += ": " + changed
	}
	return text, err
}

// dayText writes a day as people say it, in UTC; the year is told where it is
// not this one.
func (p *cli) dayText(t time.Time) string {
	t = t.UTC()
	if t.Year() == p.env.now().UTC().Year() {
		return t.Format("2 January")
	}
	return t.Format("2 January 2006")
}
