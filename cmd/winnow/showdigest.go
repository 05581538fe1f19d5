package main

import (
	"context"
	"fmt"

	"winnow/core/chat"
	"winnow/core/digest"
)

// digestWidth is the width of a digest where there is no terminal: as wide as a
// text is read well.
const digestWidth = 110

// showDigest prints the digest of the messages.
func (p *cli) showDigest(ctx context.Context, s *database, it *shown, width int) error {
	var d digest.Draft
	err := it.each(ctx, s, func(m *chat.Message) error {
		d.Take(m)
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading messages: %w", err)
	}
	if width == 0 {
		width = p.out.Width(digestWidth)
	}
	lead := ""
	if g := it.segment; g != nil && (g.Start > 1 || g.End < it.session.Messages) {
		segments, err := s.SegmentsOf(ctx, it.session.ID)
		if err != nil {
			return fmt.Errorf("the segments of session %s: %w", it.session.ID, err)
		}
		lead = digest.Part(g.Index, len(segments))
	}
	for _, g := range d.Lay(digest.Layout{Width: width, Zone: p.env.zone, Lead: lead}) {
		for _, row := range g.Rows {
			p.out.Printf("%s\n", row)
		}
	}
	return nil
}

// given counts the flags that are set.
func given(flags ...bool) (n int) {
	for _, set := range flags {
		if set {
			n++
		}
	}
	return n
}
