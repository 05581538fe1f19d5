package proposals

import (
	"errors"
	"fmt"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/store/sqlite"
)

const (
	thereSQL = `SELECT s.fingerprint, s.detail, s.edited, coalesce(p.text, 0), coalesce(p.status, 0)
		FROM task_segments s LEFT JOIN proposals p ON p.segment_id = s.id WHERE s.id = ?`
	putSQL = `INSERT INTO proposals (segment_id, text, status, fingerprint, detail, edited, sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
		ON CONFLICT (segment_id) DO UPDATE SET text = ?2, status = ?3, fingerprint = ?4, detail = ?5, edited = ?6, sum = ?7, judge = '', judged = NULL`
	putTextSQL = "INSERT INTO proposal_texts (data) VALUES (?)"
	// What the journal tells of stays, so that it can be undone.
	forgetSQL = "DELETE FROM proposal_texts WHERE id = ?1 AND NOT EXISTS " +
		"(SELECT 1 FROM journal_proposals WHERE segment_id = ?2 AND ?1 IN (before ->> 'text', after ->> 'text'))"
)

// Put keeps one proposal, and counts what became of it. What a person judged or changed
// stays, whatever the segment holds by now.
func Put(t *sqlite.Tx, p *proposal.Proposal, n *review.Proposing) error {
	if p.Status != proposal.Proposed && p.Status != proposal.Failed {
		return fmt.Errorf("segment %s: a compression that is %q from the start", review.Short(p.Segment), p.Status)
	}
	var now chat.Digest
	var text, status int64
	found, err := t.Rows(thereSQL, p.Segment).Maybe(&now.Fingerprint, &now.Detail, &now.Edited, &text, &status)
	if err != nil {
		return err
	}
	if !found || now != p.Content {
		n.Passed++
		return nil
	}
	was, err := proposalOf(t.Rows, text)
	if err != nil && !errors.Is(err, chat.ErrCorruptChunk) { // of a damaged one, nothing can be kept
		return err
	}
	if was.Status = statusOf(status); review.ByHand(&was) {
		n.Kept++
		return nil
	}
	if p.Outcome == compress.UnderTarget {
		if was.Status != "" {
			n.Removed++
			return remove(t, p.Segment, text)
		}
		return nil
	}
	next, err := putText(t, p)
	if err == nil {
		_, err = t.Exec(putSQL, p.Segment, next, Code(p.Status), now.Fingerprint, now.Detail, now.Edited, p.Sum)
	}
	if err == nil && text != 0 {
		_, err = t.Exec(forgetSQL, text, p.Segment)
	}
	n.Written++
	return err
}

// remove takes a proposal away.
func remove(t *sqlite.Tx, segment string, text int64) error {
	_, err := t.Exec("DELETE FROM proposals WHERE segment_id = ?", segment)
	if err == nil {
		_, err = t.Exec(forgetSQL, text, segment)
	}
	return err
}

// putText keeps what a proposal says.
func putText(t *sqlite.Tx, p *proposal.Proposal) (id int64, err error) {
	text, err := said(p)
	if err != nil {
		return 0, err
	}
	done, err := t.Exec(putTextSQL, pack(text))
	if err != nil {
		return 0, err
	}
	return done.LastInsertId()
}
