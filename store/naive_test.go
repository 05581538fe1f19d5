package store

import (
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
)

// naiveRow is a segment with all that filters ask for, for lets.
type naiveRow struct {
	review.Segment
	session     review.Session
	copied      bool
	edits       []string // values of edit:
	compression string   // value of compression:
	analysis    metric.Analysis
	texts       map[filter.Text]bool // what a search for them finds it by
}

// naiveRows reads all segments.
func naiveRows(t testing.TB, s *Store) []naiveRow {
	t.Helper()
	page, err := s.Segments(t.Context(), review.Query{Limit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]naiveRow, len(page.Segments))
	for i := range rows {
		r := &rows[i]
		r.Segment = page.Segments[i]
		if r.session, err = s.Session(t.Context(), r.SessionID); err != nil {
			t.Fatal(err)
		}
		if err := s.db.Rows(t.Context(), "SELECT EXISTS (SELECT 1 FROM copies WHERE session_id = ?)", r.SessionID).One(&r.copied); err != nil {
			t.Fatal(err)
		}
		edits, err := s.Edits(t.Context(), r.Body, r.Start, r.End)
		if err != nil {
			t.Fatal(err)
		}
		for i := range edits {
			if why := string(edits[i].Why); !edits[i].Clash {
				r.edits = append(r.edits, why)
			} else {
				r.edits = append(r.edits, "clash")
			}
		}
		var of chat.Digest
		var status int
		const proposed = "SELECT status, fingerprint, detail, edited FROM proposals WHERE segment_id = ?"
		if _, err := s.db.Rows(t.Context(), proposed, r.ID).Maybe(&status, &of.Fingerprint, &of.Detail, &of.Edited); err != nil {
			t.Fatal(err)
		}
		if r.compression = [...]string{"", "proposed", "accepted", "rejected", "failed"}[status]; status > 0 && of != r.Digest {
			r.compression = "stale"
		}
		if r.Analysis == "" {
			continue
		}
		if r.analysis, err = metric.Parse(r.Analysis); err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

// lets says in the plainest way whether a filter lets a segment through.
func (r *naiveRow) lets(n filter.Node) bool {
	switch n := n.(type) {
	case filter.And:
		return !slices.ContainsFunc(n, func(n filter.Node) bool { return !r.lets(n) })
	case filter.Or:
		return slices.ContainsFunc(n, r.lets)
	case filter.Not:
		return !r.lets(n.Of)
	case filter.Text:
		return r.texts[n]
	case filter.Term:
		return r.meets(&n)
	}
	return true
}

// meets is lets for a term. A missing value meets none.
func (r *naiveRow) meets(t *filter.Term) bool {
	switch t.Field {
	case filter.Status:
		return string(r.Verdict) == t.Value
	case filter.Type:
		return r.TaskType == t.Value
	case filter.Cut:
		return string(r.CutBy) == t.Value
	case filter.Agent:
		return r.AgentID == t.Value
	case filter.Reviewer:
		return r.Reviewer == t.Value
	case filter.Format:
		return r.session.Format == t.Value
	case filter.Topic:
		return naiveContains(r.Topic, t.Value)
	case filter.Note:
		return naiveContains(r.Note, t.Value)
	case filter.Model:
		return naiveContains(r.session.Model, t.Value)
	case filter.File:
		return naiveContains(r.SessionFile, t.Value)
	case filter.IDField:
		return strings.HasPrefix(r.ID, t.Value)
	case filter.Session:
		return strings.HasPrefix(r.SessionID, t.Value)
	case filter.Tag:
		return slices.Contains(r.Tags, t.Value)
	case filter.Why:
		return slices.Contains(r.Tags, "why:"+strings.ReplaceAll(t.Value, " ", "-"))
	case filter.Flag:
		return r.analysis.Has(metric.Flag(t.Value))
	case filter.Tool:
		_, ok := r.analysis.ToolStats[t.Value]
		return ok
	case filter.Score:
		return r.Score != nil && naiveNumber(*r.Score, t)
	case filter.Likely:
		return r.Likely != nil && naiveNumber(*r.Likely, t)
	case filter.Seen:
		return naiveNumber(review.Share(r.Seen, r.Messages), t)
	case filter.Metric:
		v := r.analysis.Metrics[t.Metric]
		return v != nil && naiveNumber(v.Score, t)
	case filter.Turns:
		return naiveNumber(float64(r.Turns), t)
	case filter.Messages:
		return naiveNumber(float64(r.Messages), t)
	case filter.Tokens:
		return naiveNumber(float64(r.Tokens), t)
	case filter.ToolCalls:
		return naiveNumber(float64(r.ToolCalls), t)
	case filter.ToolFails:
		return naiveNumber(float64(r.ToolFails), t)
	case filter.Errors:
		errors, _ := r.outcomes()
		return naiveNumber(float64(errors), t)
	case filter.Exits:
		_, exits := r.outcomes()
		return naiveNumber(float64(exits), t)
	case filter.After:
		return !r.Recorded.IsZero() && !r.Recorded.Before(t.Date.From)
	case filter.Before:
		return !r.Recorded.IsZero() && r.Recorded.Before(t.Date.From)
	case filter.Reviewed:
		return !r.ReviewedAt.IsZero() && naiveDay(r.ReviewedAt, t)
	case filter.Came:
		return naiveDay(r.session.CreatedAt, t)
	case filter.Edit:
		return slices.Contains(r.edits, t.Value)
	case filter.Compression:
		return r.compression == t.Value
	case filter.Has:
		return r.has(t.Value)
	}
	panic(t.Field)
}

// outcomes are those of the analysis; without one what the recorder says failed
// are errors.
func (r *naiveRow) outcomes() (errors, exits int) {
	if r.Analysis == "" {
		return r.ToolFails, 0
	}
	return r.analysis.Outcomes()
}

func (r *naiveRow) has(what string) bool {
	errors, exits := r.outcomes()
	return map[string]bool{
		"think": r.Reasonings > 0, "tools": r.ToolCalls > 0, "error": errors > 0, "exit": exits > 0, "image": r.Media > 0, "note": r.Note != "",
		"tag": len(r.Tags) > 0, "stale": r.Stale, "edit": r.Named || r.CutBy == review.CutCurator || r.Digest.Edited != "", "copies": r.copied,
		"compression": r.compression != "",
	}[what]
}

// naiveContains compares letter by letter.
func naiveContains(text, part string) bool {
	all, want := []rune(text), []rune(part)
	for at := 0; len(all) > 0 && at+len(want) <= len(all); at++ {
		same := true
		for i := range want {
			same = same && sameLetter(all[at+i], want[i])
		}
		if same {
			return true
		}
	}
	return false
}

// sameLetter leaves apart what ASCII has and what it has not: the sign for
// Kelvin is no k.
func sameLetter(a, b rune) bool {
	return a == b || (a < 0x80) == (b < 0x80) && strings.EqualFold(string(a), string(b))
}

func naiveNumber(x float64, t *filter.Term) bool {
	switch t.Op {
	case filter.NotEqual:
		return x != t.Num
	case filter.Less:
		return x < t.Num
	case filter.LessEqual:
		return x <= t.Num
	case filter.Greater:
		return x > t.Num
	case filter.GreaterEqual:
		return x >= t.Num
	case filter.Between:
		return x >= t.Num && x <= t.Max
	}
	return x == t.Num
}

func naiveDay(x time.Time, t *filter.Term) bool {
	before, behind := x.Before(t.Date.From), !x.Before(t.Date.To)
	switch t.Op {
	case filter.NotEqual:
		return before || behind
	case filter.Less:
		return before
	case filter.LessEqual:
		return !behind
	case filter.Greater:
		return behind
	case filter.GreaterEqual:
		return !before
	case filter.Between:
		return !before && x.Before(t.Last.To)
	}
	return !before && !behind
}
