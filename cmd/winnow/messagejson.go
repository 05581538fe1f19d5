package main

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/segment"
)

// row returns the JSON object of what is shown, without its messages: "messages"
// is their list here, so their number is "message_count".
func (it *shown) row(ctx context.Context, s *database) ([]byte, error) {
	if it.segment == nil {
		row := tell.SessionOf(&it.session)
		n := row.Messages
		row.Messages = 0
		return print.Marshal(struct {
			tell.Session
			Tools        jsontext.Value `json:"tools,omitzero"`    // as recorded
			Metadata     jsontext.Value `json:"metadata,omitzero"` // as recorded
			MessageCount int            `json:"message_count"`
		}{row, tell.RecordedJSON(it.session.Tools), tell.RecordedJSON(it.session.Metadata), n})
	}
	row := tell.SegmentOf(it.segment)
	n := row.Messages
	row.Messages = 0
	var changes *segment.Difference
	if it.segment.Stale {
		d, err := s.since(ctx, it.segment)
		if err != nil {
			return nil, err
		}
		if !d.Unknown {
			changes = &d
		}
	}
	return print.Marshal(struct {
		tell.Segment
		Analysis     jsontext.Value      `json:"analysis,omitzero"` // as stored
		Changes      *segment.Difference `json:"changes,omitzero"`  // since it was judged
		MessageCount int                 `json:"message_count"`
	}{row, tell.RecordedJSON(it.segment.Analysis), changes, n})
}
