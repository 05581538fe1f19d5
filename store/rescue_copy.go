package store

import (
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/edit"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/dbfile"
	"winnow/store/memories"
	"winnow/store/proposals"
	"winnow/store/stamp"
)

// rescued are the tables that are copied, in this order. All others are derived
// from them, or nothing of value.
var rescued = []string{
	"journal", "journal_changes", "journal_recuts", "journal_edits", "edits", "journal_proposals", "proposal_texts", "proposals", "drafts", "journal_memories", "memories", "memory_sources", "memory_tags", "extractions", "task_segments", "rechecks", "trajectory_records", "sources", "bodies",
	"import_issues", "copies", "raws", "pieces", "exports", "export_files", "runs", "journal_promotions", "run_samples", "run_points", "run_evals", "model_names", "ingests", "screens", "chunks", "messages", "starts", "contexts", "progress", "seen",
}

// copyTables copies all rows that can be reached, then those on pages that
// nothing leads to.
func (c *rescuing) copyTables() error {
	if err := c.segmentCopies(); err != nil {
		return err
	}
	if _, err := c.exec("DELETE FROM progress"); err != nil {
		return err
	}
	for _, name := range rescued {
		if err := c.remains.rows(c.ctx, name, func(row dbfile.Row) error { return c.take(name, row) }); err != nil {
			return err
		}
	}
	if err := c.look(c.ctx); err != nil {
		return err
	}
	if slices.ContainsFunc(rescued, c.damaged) {
		if err := c.strays(c.ctx, rescued, c.take); err != nil {
			return err
		}
	}
	return c.lostSegments()
}

// take takes over one row, after what can't be right in it is mended.
func (c *rescuing) take(name string, row dbfile.Row) error {
	s := c.shapes[name]
	mendTimes(s, row.Values)
	mendMarks(s, row.Values)
	switch name {
	case "task_segments":
		return c.takeSegment(s, row)
	case "sources":
		mendSource(s, row.Values)
	case "journal_changes":
		if !readsAsMark(s, row.Values, "before") || !readsAsMark(s, row.Values, "after") {
			return nil
		}
	case "edits", "journal_edits":
		if !readsAsEdit(s, row.Values) {
			return nil
		}
	case "journal_proposals":
		if !readsAsState(s, row.Values, "before") || !readsAsState(s, row.Values, "after") {
			return nil
		}
	case "journal_memories":
		if !readsAsMemory(s, row.Values, "before") || !readsAsMemory(s, row.Values, "after") {
			return nil
		}
	case "journal_promotions":
		if !readsAsStanding(s, row.Values, "before") || !readsAsStanding(s, row.Values, "after") {
			return nil
		}
	case "memory_sources":
		if !readsAsCites(s, row.Values) {
			return nil
		}
	case "messages", "chunks":
		if row.ID>>bodyShift <= 0 || row.ID&maxMessages == 0 {
			return nil
		}
	}
	_, err := c.insert(s, row)
	return err
}

// longAgo stands for a time that is lost and must be one.
var longAgo = stamp.Of(time.Unix(0, 0))

// timeColumns are columns of times that are not declared as such.
var timeColumns = []string{"created_at", "updated_at", "reviewed_at", "was_at", "recorded", "at", "started_at", "ended_at", "promoted_at"}

// mendTimes replaces times that can't be read.
func mendTimes(s *shape, v []any) {
	for i := range v {
		if text, ok := v[i].(string); ok && slices.Contains(timeColumns, s.columns[i].name) {
			if _, err := time.Parse(stamp.Layout, text); err == nil {
				continue
			}
			if v[i] = nil; !s.columns[i].nullable {
				v[i] = longAgo
			}
		}
	}
}

// yesNo are columns that are 0 or 1.
var yesNo = []string{"segmented", "labeled", "memory_extracted", "memory_asked", "stale", "named", "completed", "failed", "outdated", "untrained", "clash", "alone", "loose"}

// mendMarks replaces numbers that are neither yes nor no.
func mendMarks(s *shape, v []any) {
	for i := range v {
		if n, ok := v[i].(int64); ok && n&^1 != 0 && slices.Contains(yesNo, s.columns[i].name) {
			v[i] = int64(0)
		}
	}
}

// unreadSource is the time of a source that is to be read again, unreadProof
// what is known of its content.
const (
	unreadSource = 0
	unreadProof  = "{}"
)

// mendSource sees that a source whose state can't be read is read again.
func mendSource(s *shape, v []any) {
	var r hub.Source
	mtime, proof, state := s.at("mtime"), s.at("proof"), s.at("state")
	if max(mtime, proof, state) >= len(v) {
		return
	}
	if text, _ := v[proof].(string); json.Unmarshal([]byte(text), &r.Proof) != nil {
		v[mtime], v[proof] = int64(unreadSource), unreadProof
	}
	text, _ := v[state].(string)
	if json.Unmarshal([]byte(text), &r.State) != nil || r.State.Counts.Lines() != linesDone(&r) {
		v[mtime], v[proof], v[state] = int64(unreadSource), unreadProof, "{}"
	}
}

func readsAsMark(s *shape, v []any, column string) bool {
	var m review.Mark
	i := s.at(column)
	if i < 0 || i >= len(v) {
		return false
	}
	text, _ := v[i].(string)
	return json.Unmarshal([]byte(text), &m) == nil && (m.Verdict == "" || knownVerdict(m.Verdict)) && jsontext.Value(text).IsValid()
}

// readsAsEdit reports whether a row of edits, or of what the journal keeps of them,
// can be read.
func readsAsEdit(s *shape, v []any) bool {
	var e edit.Edit
	for column, read := range map[string]func(v any) error{
		"base": sumIn{&e.Base}.Scan, "message": messageIn{&e.Message}.Scan, "before": readsAsKept, "after": readsAsKept,
	} {
		if i := s.at(column); i >= 0 && i < len(v) && read(v[i]) != nil {
			return false
		}
	}
	return true
}

func readsAsKept(v any) error {
	text, _ := v.(string)
	_, err := editKept(text, edit.Place{})
	return err
}

// readsAsState reports whether what the journal keeps of a compression can be read.
func readsAsState(s *shape, v []any, column string) bool {
	i := s.at(column)
	if i < 0 || i >= len(v) {
		return false
	}
	text, _ := v[i].(string)
	return proposals.Readable(text) == nil
}

// textAt is the text of a column, "" if there is none.
func textAt(s *shape, v []any, column string) string {
	i := s.at(column)
	if i < 0 || i >= len(v) {
		return ""
	}
	text, _ := v[i].(string)
	return text
}

// readsAsMemory reports whether what the journal keeps of a memory can be read.
func readsAsMemory(s *shape, v []any, column string) bool {
	return memories.Readable(textAt(s, v, column)) == nil
}

// readsAsStanding reports whether what the journal keeps of a run can be read.
func readsAsStanding(s *shape, v []any, column string) bool {
	_, err := readStanding(textAt(s, v, column))
	return err == nil
}

func readsAsCites(s *shape, v []any) bool {
	return memories.ReadableCites(textAt(s, v, "cites")) == nil
}

func knownVerdict(v review.Verdict) bool { return v == review.Pending || v.Judged() }
