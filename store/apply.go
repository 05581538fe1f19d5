package store

import (
	"github.com/go-json-experiment/json"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/store/stamp"
)

// judgedRow is what a curator's action must know of a segment.
type judgedRow struct {
	rowid   int64
	mark    review.Mark
	content chat.Digest
	bucket  int // of segment_counts
	counts  countRow
}

// judged returns segments by id. Unknown ids are left out.
func (t *tx) judged(ids []string) (map[string]*judgedRow, error) {
	t.PrepareFor(len(ids))
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	const text = "SELECT id, rowid, fingerprint, detail, edited, " + bucketSQL + ", labeled, memory_extracted, messages, " + scoreSQL + ", " +
		markColumns + " FROM task_segments WHERE id IN (SELECT value FROM json_each(?))"
	all := make(map[string]*judgedRow, len(ids))
	var id string
	row := judgedRow{counts: countRow{segments: 1}}
	dest := append([]any{
		&id, &row.rowid, &row.content.Fingerprint, &row.content.Detail, &row.content.Edited, &row.bucket,
		&row.counts.labeled, &row.counts.memory, &row.counts.messages, &row.counts.score,
	}, markFields(&row.mark)...)
	rows := t.Rows(text, string(list))
	for range rows.Into(dest...) {
		found := row
		all[id] = &found
	}
	return all, rows.Err()
}

// marking is a run of rows that get the same mark.
type marking struct {
	mark  review.Mark
	stale bool // they are stale and this one is not, or the other way round
	tags  bool // they have other tags
}

// Parts of the statement that marks rows. Nothing needs to be taken back of one
// that fails, because its transaction is: OR FAIL saves a copy of each page it
// changes. Where stale stays as it is, no trigger counts the rows, see countRow;
// where the tags do too, none notes that they changed, see changedSQL.
const (
	markSet = "UPDATE OR FAIL task_segments SET verdict = ?, note = ?, masked = ?, reviewer = ?, reviewed_at = ?, was = ?, was_by = ?, was_at = ?, " +
		"was_body = ?, was_start = ?, was_end = ?, updated_at = ?"
	markedRows = " WHERE rowid IN (SELECT value FROM json_each(?))"
)

// statement marks the rows of a list, a JSON text.
func (m *marking) statement(at, list string) (text string, args []any) {
	k := &m.mark
	text = markSet
	args = []any{
		k.Verdict, k.Note, k.Masked, k.Reviewer, stamp.OrNull(k.ReviewedAt), k.Was, k.WasBy, stamp.OrNull(k.WasAt),
		k.WasBody, k.WasStart, k.WasEnd, at,
	}
	if m.stale {
		text, args = text+", stale = ?", append(args, k.Stale)
	}
	if m.tags {
		text, args = text+", tags = ?", append(args, k.Tags)
	}
	return text + markedRows, append(args, list)
}

// A judged segment keeps what nobody has cut from being cut; when the verdict
// is taken back, its session is to be cut again.
const uncutAgainSQL = `UPDATE trajectory_records SET segmented = 0 WHERE segmented = 1 AND id IN
	(SELECT session_id FROM task_segments WHERE rowid IN (SELECT value FROM json_each(?)) AND cut_by = 'provisional')`

// apply writes the marks that an entry leaves on rows. Those that get the same
// mark are written by one statement, in the order they lie in: one statement
// for each, or another order, takes three times as long for ten thousand.
func (t *tx) apply(e *review.Entry, rows map[string]*judgedRow) error {
	groups := map[marking][]int64{}
	var order []marking
	counts := counting{}
	for _, c := range e.Changes {
		m := marking{c.After, c.Before.Stale != c.After.Stale, c.Before.Tags != c.After.Tags}
		if groups[m] == nil {
			order = append(order, m)
		}
		row := rows[c.Segment]
		groups[m] = append(groups[m], row.rowid)
		if !m.stale {
			counts.move(row, c.Before, c.After)
		}
	}
	for _, g := range order {
		list, err := json.Marshal(groups[g])
		if err == nil {
			err = t.whereItWas(&g.mark)
		}
		if err != nil {
			return err
		}
		text, args := g.statement(stamp.Of(e.At), string(list))
		err = t.do(text, args...)
		if err == nil && !g.stale && !g.tags {
			err = t.do(changedSQL, string(list))
		}
		if err == nil && g.mark.Verdict == review.Pending {
			err = t.do(uncutAgainSQL, string(list))
		}
		if err != nil {
			return err
		}
	}
	return counts.write(t)
}

// whereItWas forgets where the messages were that a mark was given on, if they are
// given up since: an undo may bring back a mark that is older.
func (t *tx) whereItWas(m *review.Mark) error {
	if m.WasBody == 0 {
		return nil
	}
	var there bool
	_, err := t.Rows("SELECT dropped = 0 FROM bodies WHERE id = ?", m.WasBody).Maybe(&there)
	if !there {
		m.WasBody, m.WasStart, m.WasEnd = 0, 0, 0
	}
	return err
}
