package store

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/store/facets"
	"winnow/store/filtersql"
	"winnow/store/stamp"
)

// facetColumns is how a row of facets is read, in the order of facetScan.dest;
// the cluster follows, which no index of task_segments has. The curator is the first
// argument. Times are read as text: the driver takes its time to recognise one.
const facetColumns = "s.rowid, s.id, s.body, s.start_line, coalesce(s.recorded, ''), s.created_at || '', coalesce(s.reviewed_at || '', ''), " +
	"s.score, s.stale + 2 * (s.reasonings > 0) + 4 * (s.media > 0) + 8 * (" + filtersql.Edited + ") + 16 * s.edits + (128 << s.compression & 7936), " +
	"s.turns, s.messages, s.tool_calls, s.tool_fails, s.tokens, s.measures, s.errors, s.exits, " +
	"s.agent_id, s.verdict, s.task_type, s.cut_by, s.reviewer, s.note, s.flags, s.tools, s.tags, s.topic, s.place, " + likelyFacet + ", (SELECT " + seenCount + seenOfS + "), "

// likelyFacet is 0 where nothing was learned.
const likelyFacet = "coalesce((SELECT value FROM likely WHERE segment = s.id), 0.0)"

// facetScan reads one row after another into the same row. The driver
// gives each value as int64, float64, string or []byte; asking for anything
// else, or even for those, takes database/sql a multiple of the time.
type facetScan struct {
	row    facets.Row
	values [31]any
	dest   []any // of values
}

func newFacetScan() *facetScan {
	c := &facetScan{row: facets.Row{Metrics: make([]uint16, len(metric.Names()))}}
	for i := range c.values {
		c.dest = append(c.dest, &c.values[i])
	}
	return c
}

func (c *facetScan) int(column int) int64 {
	n, _ := c.values[column].(int64)
	return n
}

func (c *facetScan) text(column int) string {
	s, _ := c.values[column].(string)
	return s
}

// small is int for numbers that fit.
func (c *facetScan) small(column int) int32 { return int32(min(c.int(column), math.MaxInt32)) }

// place returns where the row that was scanned stands in task_segments_facets.
func (c *facetScan) place() []any { return []any{c.text(27), c.int(3), c.text(1)} }

// read returns the row that is in dest.
func (c *facetScan) read() (r *facets.Row, err error) {
	r = &c.row
	r.Rowid, r.Body, r.Start = c.int(0), c.int(2), c.small(3)
	if r.ID, err = facets.ParseID(c.text(1)); err != nil {
		return nil, fmt.Errorf("segment %w", err)
	}
	for i, to := range []*int64{&r.Recorded, &r.Created, &r.Reviewed} {
		if *to, err = parseMicros(c.text(4 + i)); err != nil {
			return nil, fmt.Errorf("segment %s: %w", c.text(1), err)
		}
	}
	r.Score = math.NaN()
	switch score := c.values[7].(type) {
	case float64:
		r.Score = score
	case int64:
		r.Score = float64(score)
	}
	r.Marks = facets.Marks(c.int(8))
	r.Turns, r.Messages, r.ToolCalls, r.ToolFails, r.Tokens = c.small(9), c.small(10), c.small(11), c.small(12), c.int(13)
	measures, _ := c.values[14].([]byte)
	for i := range r.Metrics {
		r.Metrics[i] = metric.Unmeasured
		if len(measures) >= 2*i+2 {
			r.Metrics[i] = binary.BigEndian.Uint16(measures[2*i:])
		}
	}
	r.Errors, r.Exits = c.small(15), c.small(16)
	for i, to := range []*string{&r.Agent, &r.Verdict, &r.Type, &r.Cut, &r.Reviewer, &r.Note, &r.Flags, &r.Tools, &r.Tags, &r.Topic} {
		*to = c.text(17 + i)
	}
	r.Likely, _ = c.values[28].(float64)
	r.Seen = c.small(29)
	r.Cluster = c.int(30)
	r.Tools = toolNames(r.Tools)
	if r.Tags, err = tagList(r.Tags); err != nil {
		return nil, fmt.Errorf("tags of segment %s: %w", c.text(1), err)
	}
	return r, nil
}

// toolNames leaves the counts out of derived.tools.
func toolNames(tools string) string {
	if tools == "" {
		return ""
	}
	var b strings.Builder
	for name := range eachTool(tools) {
		b.WriteString("\n" + name)
	}
	b.WriteByte('\n')
	return b.String()
}

// tagList returns tags, a JSON list, as a list of facets.
func tagList(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	var tags []string
	if err := json.Unmarshal([]byte(text), &tags); err != nil || len(tags) == 0 {
		return "", err
	}
	var b strings.Builder
	for _, tag := range tags {
		b.WriteString("\n" + filter.ListItem(tag))
	}
	b.WriteByte('\n')
	return b.String(), nil
}

// parseMicros reads a time as stamp writes it, many times faster than
// time.Parse does.
func parseMicros(text string) (int64, error) {
	if text == "" {
		return facets.Never, nil
	}
	var n [7]int
	at := [7][2]int{{0, 4}, {5, 7}, {8, 10}, {11, 13}, {14, 16}, {17, 19}, {20, 26}}
	ok := len(text) == len(stamp.Layout)
	for i := 0; ok && i < len(at); i++ {
		for _, digit := range []byte(text[at[i][0]:at[i][1]]) {
			ok = ok && digit >= '0' && digit <= '9'
			n[i] = n[i]*10 + int(digit-'0')
		}
	}
	if !ok {
		t, err := time.Parse(stamp.Layout, text)
		return t.UnixMicro(), err
	}
	return time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], n[6]*1000, time.UTC).UnixMicro(), nil
}

// sessionFacetColumns is how a session is read, in the order of its dest.
const sessionFacetColumns = "r.rowid, r.body, r.id, r.session_file, r.place, r.format, r.model, r.created_at || '', " +
	"EXISTS (SELECT 1 FROM copies c WHERE c.session_id = r.id AND NOT " + filtersql.CopyJoined + ")"

func sessionFacetDest(r *facets.Session) []any {
	return []any{&r.Rowid, &r.Body, &r.ID, &r.File, &r.Place, &r.Format, &r.Model, microsIn{&r.Created}, &r.Copied}
}

// microsIn is a time that was read as text.
type microsIn struct{ to *int64 }

// Scan implements sql.Scanner.
func (m microsIn) Scan(v any) (err error) {
	text, _ := v.(string)
	*m.to, err = parseMicros(text)
	return err
}
