package show

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/chat"
	"winnow/core/metric"
	"winnow/core/outcome"
	"winnow/core/segment"
)

// JSON prints the row with its messages as one object. Messages are
// written one by one: a session may be larger than memory.
func (p *Printer) JSON(ctx context.Context, it *Subject) error {
	row, err := p.row(ctx, it)
	if err != nil {
		return err
	}
	if err := p.Out.RawJSON(append(row[:len(row)-1], `,"messages":[`...)); err != nil {
		return err
	}
	untrained, err := p.untrained(ctx, it)
	if err != nil {
		return err
	}
	keeps, err := p.keeps(ctx, it)
	if err != nil {
		return err
	}
	var buf []byte
	var follow outcome.Follower
	first := true
	err = it.Each(ctx, p.Store, func(m *chat.Message) error {
		buf = buf[:0]
		if !first {
			buf = append(buf, ',')
		}
		first = false
		buf = chat.AppendJSON(buf, m)
		if found, _ := follow.Add(m); m.Role == chat.Tool {
			buf = append(append(buf[:len(buf)-1], `,"outcome":"`...), found.Outcome.String()...)
			buf = append(append(append(buf, `","evidence":"`...), found.Evidence...), `"}`...)
		}
		if m.Summary() {
			buf = append(buf[:len(buf)-1], `,"summary":true}`...)
		}
		if untrained(m) {
			buf = append(buf[:len(buf)-1], `,"train":false}`...)
		}
		if buf, err = it.marks.AppendJSON(buf, m); err != nil {
			return err
		}
		if runs, known := keeps[m.N]; known && m.Part == 0 {
			buf = append(append(append(buf[:len(buf)-1], `,"keeps":`...), runs...), '}')
		}
		return p.Out.RawJSON(buf)
	})
	if err != nil {
		return fmt.Errorf("reading messages: %w", err)
	}
	return p.Out.RawJSON([]byte("]}\n"))
}

// row returns the JSON object of what is shown, without its messages: "messages"
// is their list here, so their number is "message_count": of those that were recorded.
func (p *Printer) row(ctx context.Context, it *Subject) ([]byte, error) {
	if it.Segment == nil {
		row := tell.SessionOf(&it.Session)
		n := row.Messages
		row.Messages = 0
		return print.Marshal(struct {
			tell.Session
			Tools        jsontext.Value `json:"tools,omitzero"`    // as recorded
			Metadata     jsontext.Value `json:"metadata,omitzero"` // as recorded
			Dropped      []int          `json:"dropped,omitempty"` // messages
			MessageCount int            `json:"message_count"`
		}{row, tell.RecordedJSON(it.Session.Tools), tell.RecordedJSON(it.Session.Metadata), it.marks.Numbers(), n})
	}
	row := tell.SegmentOf(it.Segment)
	n := row.Messages
	row.Messages = 0
	var changes *segment.Difference
	if it.Segment.Stale {
		d, err := tell.Since(ctx, p.Store.EachMessage, it.Segment)
		if err != nil {
			return nil, err
		}
		if !d.Unknown {
			changes = &d
		}
	}
	forMemory, forTraining := p.eligible(it.Segment.Analysis)
	return print.Marshal(struct {
		tell.Segment
		Analysis     jsontext.Value      `json:"analysis,omitzero"` // as stored
		ForMemory    *bool               `json:"is_memory_eligible,omitempty"`
		ForTraining  *bool               `json:"is_sft_eligible,omitempty"`
		Changes      *segment.Difference `json:"changes,omitzero"`  // since it was judged
		Dropped      []int               `json:"dropped,omitempty"` // messages
		MessageCount int                 `json:"message_count"`
	}{row, tell.RecordedJSON(it.Segment.Analysis), forMemory, forTraining, changes, it.marks.Numbers(), n})
}

// eligible tells what a segment is fit for by its analysis and the configured thresholds,
// nil where it has none that can be read: the doctor tells of those.
func (p *Printer) eligible(analysis string) (memory, training *bool) {
	if analysis == "" {
		return nil, nil
	}
	a, err := metric.Parse(analysis)
	if err != nil {
		return nil, nil
	}
	m, t := a.Eligible(p.Thresholds)
	return &m, &t
}

// keeps returns which earlier messages the compactions of a subject left in the
// model's sight, as JSON, by the number of the compaction; those that the recorder
// did not tell are not among them.
func (p *Printer) keeps(ctx context.Context, it *Subject) (map[int]string, error) {
	contexts, err := p.Store.Contexts(ctx, it.Body, it.From, it.To)
	known := make(map[int]string)
	for _, c := range contexts {
		if c.Known {
			runs := make([]string, len(c.Keeps))
			for i, run := range c.Keeps {
				runs[i] = fmt.Sprintf("[%d,%d]", run[0], run[1])
			}
			known[c.N] = "[" + strings.Join(runs, ",") + "]"
		}
	}
	return known, err
}
