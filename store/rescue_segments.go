package store

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/store/dbfile"
	"winnow/store/stamp"
)

// segmentCopy is what indexes have of a row of task_segments.
type segmentCopy struct {
	facets          []any // of task_segments_facets
	session         any
	index           any
	fingerprint, id any
	done            bool // the row itself was taken over
}

const (
	facetsIndex      = "task_segments_facets"
	sessionIndex     = "task_segments_session"
	fingerprintIndex = "task_segments_fingerprint"
	idIndex          = "sqlite_autoindex_task_segments_1"
)

// bulky are columns of the facets that are derived, and large.
var bulky = []string{"flags", "tools", "measures"}

// segmentCopies reads what indexes have of segments.
func (c *rescuing) segmentCopies() error {
	c.copies = map[int64]*segmentCopy{}
	for name, set := range map[string]func(*segmentCopy, []any){
		facetsIndex: func(p *segmentCopy, v []any) {
			s := c.shapes[facetsIndex]
			for _, column := range bulky {
				if i := s.at(column); i >= 0 && i < len(v) {
					v[i] = nil
				}
			}
			p.facets = v
		},
		sessionIndex:     func(p *segmentCopy, v []any) { p.session, p.index = v[0], v[1] },
		fingerprintIndex: func(p *segmentCopy, v []any) { p.fingerprint = v[0] },
		idIndex:          func(p *segmentCopy, v []any) { p.id = v[0] },
	} {
		err := c.remains.rows(c.ctx, name, func(row dbfile.Row) error {
			v := row.Values
			number, ok := v[len(v)-1].(int64)
			if !ok || len(v) != len(c.shapes[name].columns) {
				return nil
			}
			if c.copies[number] == nil {
				c.copies[number] = &segmentCopy{}
			}
			set(c.copies[number], v)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// facet returns what the narrow index has of a segment, nil if nothing.
func (c *rescuing) facet(p *segmentCopy, column string) any {
	s := c.shapes[facetsIndex]
	if p == nil || p.facets == nil || s == nil {
		return nil
	}
	if i := s.at(column); i >= 0 {
		return p.facets[i]
	}
	return nil
}

// segmentRules tell which texts a column of segments may hold, and what stands
// for one that is lost.
var segmentRules = []struct {
	column string
	holds  func(string) bool
	else_  string
}{
	{"verdict", func(v string) bool { return knownVerdict(review.Verdict(v)) }, string(review.Pending)},
	{"was", func(v string) bool { return v == "" || knownVerdict(review.Verdict(v)) }, ""},
	{"tags", func(v string) bool { _, err := review.ParseTags(v); return v == "" || err == nil }, ""},
	{"masked", func(v string) bool { _, err := review.ParseMask(v); return v == "" || err == nil }, ""},
	{"cut_by", func(v string) bool { return slices.Contains(cutters, review.CutBy(v)) }, string(review.CutProvisional)},
}

var cutters = []review.CutBy{review.CutModel, review.CutOffline, review.CutCurator, review.CutSingle, review.CutProvisional}

// judgedColumns are what the journal, the row and the index have of a verdict.
var judgedColumns = []string{"verdict", "note", "tags", "reviewer", "reviewed_at", "stale"}

// takeSegment takes over a segment. A bit that is flipped inside of a row shows
// nowhere, but the narrow index has a copy of what curators decided: where the
// two differ, the journal tells which is right.
func (c *rescuing) takeSegment(s *shape, row dbfile.Row) error {
	p := c.copies[row.ID]
	set := func(column string, value any) {
		if i := s.at(column); i >= 0 && i < len(row.Values) && s.columns[i].holds(value) {
			row.Values[i] = value
		}
	}
	get := func(column string) any {
		if i := s.at(column); i >= 0 && i < len(row.Values) {
			return row.Values[i]
		}
		return nil
	}
	if p != nil {
		if id := c.facet(p, "id"); id != nil && id == p.id {
			set("id", id)
		}
		if get("session_id") != p.session && p.session != nil && !isID(get("session_id")) {
			set("session_id", p.session)
		}
		start, end, n := get("start_line"), get("end_line"), get("messages")
		if from, ok := c.facet(p, "start_line").(int64); ok && !holdsAll(start, end, n) && holdsAll(from, end, n) {
			set("start_line", from)
		} else if from, ok := get("start_line").(int64); ok && !holdsAll(start, end, n) {
			if count, ok := c.facet(p, "messages").(int64); ok && count > 0 {
				set("end_line", from+count-1)
			}
		}
	}
	id, _ := get("id").(string)
	for _, column := range judgedColumns {
		copied := c.facet(p, column)
		if p == nil || p.facets == nil || copied == get(column) {
			continue
		}
		m, ok, err := c.lastMark(id)
		if err != nil {
			return err
		}
		if ok && markValue(&m, column) == copied {
			set(column, copied)
		}
	}
	for _, rule := range segmentRules {
		text, _ := get(rule.column).(string)
		if rule.holds(text) {
			continue
		}
		if text, ok := c.facet(p, rule.column).(string); ok && rule.holds(text) {
			set(rule.column, text)
		} else {
			set(rule.column, rule.else_)
		}
	}
	taken, err := c.insert(s, row)
	if taken && p != nil {
		p.done = true
	}
	return err
}

// isID reports whether a value is an id as we write them.
func isID(v any) bool {
	text, _ := v.(string)
	return len(text) == 36 && strings.Trim(text, "0123456789abcdef-") == ""
}

// holdsAll reports whether messages start to end are n.
func holdsAll(start, end, n any) bool {
	from, ok1 := start.(int64)
	to, ok2 := end.(int64)
	count, ok3 := n.(int64)
	return ok1 && ok2 && ok3 && from > 0 && to-from+1 == count
}

// lastMark returns what the journal says that a segment was left with.
func (c *rescuing) lastMark(id string) (m review.Mark, ok bool, err error) {
	var text string
	const last = "SELECT after FROM journal_changes WHERE segment_id = ? ORDER BY entry DESC, n DESC LIMIT 1"
	ok, err = c.ask(last, id).Maybe(&text)
	return m, ok && json.Unmarshal([]byte(text), &m) == nil, err
}

// markValue is what a column holds of a mark.
func markValue(m *review.Mark, column string) any {
	switch column {
	case "verdict":
		return string(m.Verdict)
	case "note":
		return m.Note
	case "tags":
		return m.Tags
	case "reviewer":
		return m.Reviewer
	case "stale":
		if m.Stale {
			return int64(1)
		}
		return int64(0)
	}
	return stamp.OrNull(m.ReviewedAt)
}

// lostSegments makes the segments anew whose rows are lost and of which indexes
// have a copy. What is not in one is derived, or unknown.
func (c *rescuing) lostSegments() error {
	for _, number := range slices.Sorted(maps.Keys(c.copies)) {
		p := c.copies[number]
		id := p.id
		if id == nil {
			id = c.facet(p, "id")
		}
		if p.done || p.facets == nil || !isID(id) {
			continue
		}
		start, ok1 := c.facet(p, "start_line").(int64)
		messages, ok2 := c.facet(p, "messages").(int64)
		if !ok1 || !ok2 || start < 1 || messages < 1 {
			continue
		}
		content, mark, err := c.judgedOn(id.(string))
		if err != nil {
			return err
		}
		fingerprint, _ := p.fingerprint.(string)
		fingerprint = cmp.Or(fingerprint, content.Fingerprint, id.(string))
		columns := []string{"rowid", "id", "session_id", "segment_index", "end_line", "fingerprint", "detail", "updated_at"}
		values := []any{number, id, cmp.Or[any](p.session, ""), cmp.Or[any](p.index, int64(0)), start + messages - 1, fingerprint, content.Detail, c.facet(p, "created_at")}
		if c.facet(p, "stale") == int64(1) && c.shapes["task_segments"].at("was") >= 0 {
			columns, values = append(columns, "was", "was_by"), append(values, string(mark.Verdict), mark.Reviewer)
		}
		for _, column := range c.shapes[facetsIndex].columns {
			switch name := column.name; {
			case name == "id", name == "rowid", name == "score", name == "task_type", name == "recorded", slices.Contains(bulky, name):
			default:
				columns, values = append(columns, name), append(values, c.facet(p, name))
			}
		}
		n, err := c.exec("INSERT OR IGNORE INTO task_segments ("+strings.Join(columns, ", ")+") VALUES ("+places(len(columns))+")", values...)
		if err != nil {
			return err
		}
		if n > 0 {
			p.done = true
			c.out.Restored++
			c.kept["task_segments"]++
		}
	}
	return nil
}

// judgedOn returns the content that a segment was last judged on, as far as the
// journal knows, and what it was judged.
func (c *rescuing) judgedOn(id string) (d chat.Digest, m review.Mark, err error) {
	s := c.shapes["journal_changes"]
	values := make([]any, len(s.columns))
	dest := make([]any, len(values))
	for i := range dest {
		dest[i] = &values[i]
	}
	rows := c.ask("SELECT * FROM journal_changes WHERE segment_id = ? ORDER BY entry", id)
	for range rows.Into(dest...) {
		text, _ := values[s.at("after")].(string)
		var after review.Mark
		if json.Unmarshal([]byte(text), &after) != nil || !after.Verdict.Judged() || s.at("detail") < 0 {
			continue
		}
		m = after
		d.Fingerprint, _ = values[s.at("fingerprint")].(string)
		d.Detail, _ = values[s.at("detail")].(string)
	}
	return d, m, rows.Err()
}
