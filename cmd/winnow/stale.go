package main

import (
	"context"
	"fmt"

	"winnow/cmd/winnow/tell"
	"winnow/core/review"
	"winnow/core/segment"
)

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
	text := tell.StaleText(g, p.env.now())
	if text == "" {
		return "", nil
	}
	d, err := s.since(ctx, g)
	if changed := d.String(); err == nil && changed != "" {
		text += ": " + changed
	}
	return text, err
}
