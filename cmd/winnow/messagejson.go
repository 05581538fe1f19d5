package main

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/cmd/winnow/print"
	"winnow/core/chat"
)

// row returns the JSON object of what is shown, without its messages: "messages"
// is their list here, so their number is "message_count".
func (it *shown) row(ctx context.Context, s *database) ([]byte, error) {
	if it.segment == nil {
		row := sessionRowOf(&it.session)
		n := row.Messages
		row.Messages = 0
		return print.Marshal(struct {
			sessionRow
			Tools        jsontext.Value `json:"tools,omitzero"`    // as recorded
			Metadata     jsontext.Value `json:"metadata,omitzero"` // as recorded
			MessageCount int            `json:"message_count"`
		}{row, recordedJSON(it.session.Tools), recordedJSON(it.session.Metadata), n})
	}
	row := rowOf(it.segment)
	n := row.Messages
	row.Messages = 0
	var changes *changesRow
	if it.segment.Stale {
		d, err := s.since(ctx, it.segment)
		if err != nil {
			return nil, err
		}
		changes = changesRowOf(d)
	}
	return print.Marshal(struct {
		segmentRow
		Analysis     jsontext.Value `json:"analysis,omitzero"` // as stored
		Changes      *changesRow    `json:"changes,omitzero"`  // since it was judged
		MessageCount int            `json:"message_count"`
	}{row, analysisJSON(it.segment), changes, n})
}

// recordedJSON returns what a source told as JSON, as a JSON text if it is none.
func recordedJSON(text string) jsontext.Value {
	if text == "" {
		return nil
	}
	if v := jsontext.Value(text); v.IsValid(jsontext.AllowInvalidUTF8(true)) {
		return v
	}
	return chat.AppendString(nil, text)
}
