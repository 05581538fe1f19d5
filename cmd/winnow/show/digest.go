package show

import (
	"context"
	"fmt"

	"winnow/core/chat"
	"winnow/core/digest"
)

// digestWidth is the width of a digest where there is no terminal: as wide as a
// text is read well.
const digestWidth = 110

// Digest prints the digest of the messages.
func (p *Printer) Digest(ctx context.Context, it *Subject, width int) error {
	var d digest.Draft
	err := it.Each(ctx, p.Store, func(m *chat.Message) error {
		d.Take(m)
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading messages: %w", err)
	}
	if width == 0 {
		width = p.Out.Width(digestWidth)
	}
	lead := ""
	if g := it.Segment; g != nil && (g.Start > 1 || g.End < it.Session.Messages) {
		segments, err := p.Store.SegmentsOf(ctx, it.Session.ID)
		if err != nil {
			return fmt.Errorf("the segments of session %s: %w", it.Session.ID, err)
		}
		lead = digest.Part(g.Index, len(segments))
	}
	for _, g := range d.Lay(digest.Layout{Width: width, Zone: p.Zone, Lead: lead}) {
		for _, row := range g.Rows {
			p.Out.Printf("%s\n", row)
		}
	}
	return nil
}
