package proposals

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"

	"winnow/core/chat"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// Change is what is done to the proposal of a segment.
type Change struct {
	Segment       string
	Before, After State
	row           int64 // of a segment that holds what it was made of
}

// Found is a proposal whose segment is there.
type Found struct {
	State
	row  int64
	Fits bool        // the segment holds what it was made of
	Now  chat.Digest // what the segment holds
}

const foundSQL = `SELECT p.segment_id, ` + stateColumns + `, (p.fingerprint, p.detail, p.edited) = (s.fingerprint, s.detail, s.edited), s.rowid, s.fingerprint, s.detail, s.edited
	FROM json_each(?) j CROSS JOIN proposals p ON p.segment_id = j.value CROSS JOIN task_segments s ON s.id = p.segment_id`

// To is the change that gives the proposal of a segment another state.
func (f *Found) To(segment string, after State) Change {
	c := Change{Segment: segment, Before: f.State, After: after}
	if f.Fits && f.Text == after.Text {
		c.row = f.row
	}
	return c
}

// Find returns the proposals of segments that are there, by segment.
func Find(t *sqlite.Tx, ids []string) (map[string]*Found, error) {
	t.PrepareFor(len(ids))
	text, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	all := make(map[string]*Found, len(ids))
	var id string
	var f Found
	var code int64
	rows := t.Rows(foundSQL, string(text))
	for range rows.Into(append(append([]any{&id}, stateDest(&f.State, &code)...), &f.Fits, &f.row, &f.Now.Fingerprint, &f.Now.Detail, &f.Now.Edited)...) {
		one := f
		one.Status = statusOf(code)
		all[id] = &one
	}
	return all, rows.Err()
}

// Said reports whether a proposal says what is kept under a number: it may have been
// made anew, or changed, since it was read.
func Said(t *sqlite.Tx, text int64, p *proposal.Proposal) (bool, error) {
	is, err := textOf(t.Rows, text)
	if err != nil {
		return false, err
	}
	read, err := said(p)
	return is == read, err
}

const textSQL = "SELECT data FROM proposal_texts WHERE id = ?"

func textOf(ask Asks, id int64) (string, error) {
	var data []byte
	if found, err := ask(textSQL, id).Maybe(&data); err != nil || !found {
		return "", err
	}
	return unpack(data)
}

// Replace is the change that puts another proposal in the place of one.
func Replace(t *sqlite.Tx, was *Found, p *proposal.Proposal) (c Change, err error) {
	if p.Status != proposal.Proposed {
		return c, errors.New("a compression that was changed is to be judged anew")
	}
	text, err := putText(t, p)
	return was.To(p.Segment, State{Text: text, Status: p.Status}), err
}

const (
	// applySQL takes a JSON list of lists: segment, text, status, judge, judged.
	applySQL = `UPDATE proposals AS p SET text = n.text, status = n.status, judge = n.judge, judged = n.judged
		FROM (SELECT value ->> 0 AS segment, value ->> 1 AS text, value ->> 2 AS status, value ->> 3 AS judge, value ->> 4 AS judged FROM json_each(?)) AS n
		WHERE p.segment_id = n.segment`
	contentSQL = "UPDATE proposals SET fingerprint = ?, detail = ?, edited = ?, sum = ? WHERE segment_id = ?"
	// journalSQL takes an entry, and a JSON list of lists: segment, before, after.
	journalSQL = "INSERT INTO journal_proposals (entry, k, segment_id, before, after) SELECT ?1, key, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2)"
)

// Apply makes changes, and notes them under an entry: with two statements, however
// many they are, and one more for each that says something else.
func Apply(t *sqlite.Tx, entry int64, changes []Change) error {
	noted, made := make([][3]string, len(changes)), make([][5]any, len(changes))
	for i := range changes {
		c := &changes[i]
		before, err := json.Marshal(c.Before)
		if err != nil {
			return err
		}
		after, err := json.Marshal(c.After)
		if err != nil {
			return err
		}
		noted[i] = [3]string{c.Segment, string(before), string(after)}
		made[i] = [5]any{c.Segment, c.After.Text, Code(c.After.Status), c.After.Judge, nil}
		if c.After.Judged != "" {
			made[i][4] = c.After.Judged
		}
	}
	list, err := json.Marshal(noted)
	if err == nil {
		_, err = t.Exec(journalSQL, entry, string(list))
	}
	if err != nil {
		return err
	}
	if err := mark(t, changes); err != nil {
		return err
	}
	if list, err = json.Marshal(made); err == nil {
		_, err = t.Exec(applySQL, string(list))
	}
	for i := range changes {
		if c := &changes[i]; err == nil && c.Before.Text != c.After.Text {
			err = c.content(t)
		}
	}
	return err
}

const markSQL = "UPDATE OR FAIL task_segments SET compression = ?1 WHERE rowid IN (SELECT value FROM json_each(?2)) AND compression <> ?1"

// mark tells lists of changes. Triggers would, too, in the order of ids: in the one in
// which segments lie it takes half of the time.
func mark(t *sqlite.Tx, changes []Change) error {
	rows := map[int64][]int64{}
	for i := range changes {
		if c := &changes[i]; c.row != 0 {
			rows[Code(c.After.Status)] = append(rows[Code(c.After.Status)], c.row)
		}
	}
	for code, list := range rows {
		text, err := json.Marshal(list)
		if err == nil {
			_, err = t.Exec(markSQL, code, string(text))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// content notes what messages another proposal is of.
func (c *Change) content(t *sqlite.Tx) error {
	p, err := proposalOf(t.Rows, c.After.Text)
	if err != nil {
		return err
	}
	_, err = t.Exec(contentSQL, p.Content.Fingerprint, p.Content.Detail, p.Content.Edited, p.Sum, c.Segment)
	return err
}

// proposalOf is what is kept under a number; without one, nothing.
func proposalOf(ask Asks, id int64) (p proposal.Proposal, err error) {
	text, err := textOf(ask, id)
	if err == nil && text != "" {
		p, err = parse(text)
	}
	return p, err
}

const changeColumns = "segment_id, before, after"

const changesSQL = "SELECT " + changeColumns + " FROM journal_proposals WHERE entry = ? ORDER BY k"

// Changes returns what an entry did.
func Changes(ask Asks, entry int64) (list []Change, err error) {
	err = eachChange(ask(changesSQL, entry), nil, func(c Change) { list = append(list, c) })
	return list, err
}

// eachChange reads rows of changeColumns; first is where the columns before them go.
func eachChange(rows *sqlite.Rows, first []any, f func(Change)) error {
	var segment, before, after string
	for range rows.Into(append(first, &segment, &before, &after)...) {
		c := Change{Segment: segment}
		err := json.Unmarshal([]byte(before), &c.Before)
		if err == nil {
			err = json.Unmarshal([]byte(after), &c.After)
		}
		if err != nil {
			return fmt.Errorf("compressions in the journal: %w", err)
		}
		f(c)
	}
	return rows.Err()
}

const changesOfSQL = "SELECT entry, " + changeColumns + " FROM journal_proposals WHERE entry IN (SELECT value FROM json_each(?)) AND k < ? ORDER BY entry, k"

// ChangesOf returns what entries did, a JSON list of their numbers, at most of each.
func ChangesOf(ask Asks, entries string, most int) (map[int64][]review.ProposalChange, error) {
	of := map[int64][]Change{}
	var entry int64
	err := eachChange(ask(changesOfSQL, entries, most), []any{&entry}, func(c Change) { of[entry] = append(of[entry], c) })
	if err != nil || len(of) == 0 {
		return nil, err
	}
	told := make(map[int64][]review.ProposalChange, len(of))
	for entry, list := range of {
		if told[entry], err = Tell(ask, list); err != nil {
			return nil, err
		}
	}
	return told, nil
}

// The pages of an entry's changes, forwards and backwards.
const (
	changesAfterSQL  = "SELECT k + 1, " + changeColumns + " FROM journal_proposals WHERE entry = ? AND k >= ? ORDER BY k LIMIT ?"
	changesBeforeSQL = "SELECT k + 1, " + changeColumns + " FROM journal_proposals WHERE entry = ? AND k < ? ORDER BY k DESC LIMIT ?"
)

// ChangePage calls f with changes of an entry and their numbers: up to limit from
// number at (counted from 0) on, or with back before it, the last one first.
func ChangePage(ask Asks, entry int64, at, limit int, back bool, f func(n int, c review.ProposalChange)) error {
	text := changesAfterSQL
	if back {
		text = changesBeforeSQL
	}
	var n int
	var numbers []int
	var list []Change
	err := eachChange(ask(text, entry, at, limit), []any{&n}, func(c Change) { numbers, list = append(numbers, n), append(list, c) })
	if err != nil {
		return err
	}
	told, err := Tell(ask, list)
	for i := range told {
		f(numbers[i], told[i])
	}
	return err
}

// Tell is what a caller sees of changes: what the proposals say only where that
// changed.
func Tell(ask Asks, changes []Change) ([]review.ProposalChange, error) {
	list := make([]review.ProposalChange, len(changes))
	for i := range changes {
		c := &changes[i]
		list[i] = review.ProposalChange{Segment: c.Segment}
		var errs [2]error
		list[i].Before, errs[0] = c.tell(ask, &c.Before)
		list[i].After, errs[1] = c.tell(ask, &c.After)
		if err := errors.Join(errs[:]...); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// tell is what a caller sees of one side of a change.
func (c *Change) tell(ask Asks, side *State) (*proposal.Proposal, error) {
	p := proposal.Proposal{}
	if c.Before.Text != c.After.Text {
		var err error
		if p, err = proposalOf(ask, side.Text); err != nil {
			return nil, err
		}
	}
	p.Segment = c.Segment
	return &p, side.apply(&p)
}
