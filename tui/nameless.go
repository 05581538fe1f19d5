package tui

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/reader"
	room "winnow/tui/review"
	"winnow/tui/rows"
)

// namingKeys are the actions that show what was recorded as it was, or what models did
// and made: names of models are in there.
var namingKeys = map[string]bool{
	"raw": true, "source": true, "ledger": true, "versions": true, "preview": true, "compression": true, "memories": true, "pipeline": true,
}

// hideNames takes the names of models out of what is shown.
func (o *Options) hideNames() {
	o.Library = nameless{o.Library}
	if o.Clusters != nil {
		o.Clusters = namelessClusters{o.Clusters}
	}
	if o.Edited != nil {
		o.Edited = namelessEdits{o.Edited}
	}
	o.Likely = nil // it says "by" whom
	if o.Statistics != nil {
		o.Statistics = namelessStatistics{o.Statistics}
	}
}

// penOf returns the pen that draws the program: with names hidden, no filter tells one that
// a saved one holds.
func penOf(o *Options) *draw.Pen {
	p := draw.NewPen(o.ASCII)
	if o.Blind {
		g := *p.G
		g.Nameless, p.G = true, &g
	}
	return p
}

// withoutNames turns off what could tell the name of a model.
func (a *App) withoutNames() {
	for i := range a.keys.Rows {
		if b := &a.keys.Rows[i]; namingKeys[b.Name] {
			b.Unless(func() string { return "not while the names of models are hidden" })
		}
	}
}

// nameless is a library that does not tell which model wrote or judged something.
type nameless struct{ rows.Library }

// unnamed is a segment without the models that wrote and judged it.
func unnamed(s review.Segment) review.Segment {
	s.Model = ""
	var a map[string]json.RawMessage
	if s.Analysis == "" || json.Unmarshal([]byte(s.Analysis), &a) != nil || a["model"] == nil {
		return s
	}
	delete(a, "model")
	text, err := json.Marshal(a)
	if s.Analysis = ""; err == nil {
		s.Analysis = string(text)
	}
	return s
}

// unnamedAll is unnamed for many: those that are given stay as they are.
func unnamedAll(list []review.Segment) []review.Segment {
	list = slices.Clone(list)
	for i := range list {
		list[i] = unnamed(list[i])
	}
	return list
}

// Segments implements rows.Library.
func (l nameless) Segments(ctx context.Context, q review.Query) (review.Page, error) {
	p, err := l.Library.Segments(ctx, q)
	p.Segments = unnamedAll(p.Segments)
	return p, err
}

// Segment implements rows.Library.
func (l nameless) Segment(ctx context.Context, id string) (review.Segment, error) {
	s, err := l.Library.Segment(ctx, id)
	return unnamed(s), err
}

// Session implements rows.Library.
func (l nameless) Session(ctx context.Context, id string) (review.Session, error) {
	s, err := l.Library.Session(ctx, id)
	s.Model, s.Metadata = "", ""
	return s, err
}

// Values implements rows.Library: no model is offered.
func (l nameless) Values(ctx context.Context, f filter.Field, prefix string, within filter.Node, limit int) ([]filter.Candidate, error) {
	if f == filter.Model {
		return nil, nil
	}
	return l.Library.Values(ctx, f, prefix, within, limit)
}

// Messages implements rows.Library.
func (l nameless) Messages(ctx context.Context, body int64, from, to int) ([]chat.Message, error) {
	list, err := l.Library.Messages(ctx, body, from, to)
	return unsigned(list), err
}

// EachMessage implements rows.Library.
func (l nameless) EachMessage(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	return l.Library.EachMessage(ctx, body, from, to, unsignedTo(f))
}

// unsigned are messages without the models that wrote them: those that are given stay as
// they are.
func unsigned(list []chat.Message) []chat.Message {
	list = slices.Clone(list)
	for i := range list {
		list[i].Model = ""
	}
	return list
}

// unsignedTo calls f for messages without the models that wrote them.
func unsignedTo(f func(*chat.Message) error) func(*chat.Message) error {
	return func(m *chat.Message) error {
		one := *m
		one.Model = ""
		return f(&one)
	}
}

// namelessEdits do not tell which model wrote what was edited.
type namelessEdits struct{ reader.Edits }

// RecordedMessages implements reader.Edits.
func (e namelessEdits) RecordedMessages(ctx context.Context, body int64, from, to int) ([]chat.Message, error) {
	list, err := e.Edits.RecordedMessages(ctx, body, from, to)
	return unsigned(list), err
}

// EachRecorded implements reader.Edits.
func (e namelessEdits) EachRecorded(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	return e.Edits.EachRecorded(ctx, body, from, to, unsignedTo(f))
}

type namelessClusters struct{ room.Clusters }

// AlikeSegments implements room.Clusters.
func (c namelessClusters) AlikeSegments(ctx context.Context, cluster int64, within filter.Node) ([]review.Segment, error) {
	list, err := c.Clusters.AlikeSegments(ctx, cluster, within)
	return unnamedAll(list), err
}

type namelessStatistics struct{ of Statistics }

// Statistics implements statistics.Library.
func (s namelessStatistics) Statistics(ctx context.Context, n filter.Node, at metric.Thresholds, zone *time.Location) (review.Statistics, error) {
	st, err := s.of.Statistics(ctx, n, at, zone)
	st.Models = nil
	return st, err
}
