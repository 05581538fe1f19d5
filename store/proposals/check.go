package proposals

import (
	"cmp"
	"errors"

	"github.com/go-json-experiment/json"

	"winnow/core/chat"
	"winnow/core/proposal"
	"winnow/store/sqlite"
)

const (
	// CodeSQL is the value of task_segments.compression, of a segment s with the
	// proposal p.
	CodeSQL = "iif((s.fingerprint, s.detail, s.edited) = (p.fingerprint, p.detail, p.edited), p.status, 5)"

	// AllSQL are all proposals, for EachBroken.
	AllSQL = "SELECT p.segment_id, " + stateColumns + ", t.data, p.sum, p.fingerprint, p.detail, p.edited FROM proposals p LEFT JOIN proposal_texts t ON t.id = p.text ORDER BY p.segment_id"

	// AllChangesSQL are all changes that the journal keeps, for EachBrokenChange.
	AllChangesSQL = `SELECT entry, before, after, EXISTS (SELECT 1 FROM proposal_texts WHERE id = iif(json_valid(before), before ->> 'text', 0))
		AND EXISTS (SELECT 1 FROM proposal_texts WHERE id = iif(json_valid(after), after ->> 'text', 0)) FROM journal_proposals ORDER BY entry, k`
)

// EachBroken calls f with the segments whose proposals can't be read.
func EachBroken(rows *sqlite.Rows, f func(segment string, why error)) error {
	var id, sum string
	var of chat.Digest
	var s State
	var code int64
	var data []byte
	for range rows.Into(append(append([]any{&id}, stateDest(&s, &code)...), &data, &sum, &of.Fingerprint, &of.Detail, &of.Edited)...) {
		p, err := read(data)
		if err == nil {
			err = s.apply(&p)
		}
		if s.Status = statusOf(code); err == nil && (s.Status == "" || p.Segment != id || p.Sum != sum || p.Content != of) {
			err = errors.New("it is of other messages than it says")
		}
		if err != nil {
			f(id, err)
		}
	}
	return rows.Err()
}

// EachBrokenChange calls f with the entries of which something can't be taken back.
func EachBrokenChange(rows *sqlite.Rows, f func(entry int64, why error)) error {
	var entry int64
	var before, after string
	var there bool
	for range rows.Into(&entry, &before, &after, &there) {
		err := cmp.Or(Readable(before), Readable(after))
		if err == nil && !there {
			err = errors.New("what the compression said is lost")
		}
		if err != nil {
			f(entry, err)
		}
	}
	return rows.Err()
}

// Readable is the error of a state that the journal keeps, nil for one that can be
// read.
func Readable(text string) error {
	var s State
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return err
	}
	if Code(s.Status) == 0 {
		return errors.New("no status of a compression")
	}
	return s.apply(&proposal.Proposal{})
}
