// Package proposals keeps compressions that a person is to accept: a row for each
// segment that has one, and beside it what the compression says, which is never
// changed. A verdict moves rows only, the journal notes rows, and an undo finds the
// texts where they were.
package proposals

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// Asks runs a statement, in a transaction or by itself.
type Asks func(text string, args ...any) *sqlite.Rows

// State is what verdicts change of a row, as the journal keeps it.
type State struct {
	Text   int64           `json:"text"` // of proposal_texts
	Status proposal.Status `json:"status"`
	Judge  string          `json:"judge,omitzero"`
	Judged string          `json:"judged,omitzero"` // time, as it is kept
}

// Code is how a status is kept: 1 to 4, 0 for what is none.
func Code(s proposal.Status) int64 {
	for i, known := range proposal.Statuses {
		if s == known {
			return int64(i + 1)
		}
	}
	return 0
}

// statusOf is the other way round.
func statusOf(code int64) proposal.Status {
	if code < 1 || code > int64(len(proposal.Statuses)) {
		return ""
	}
	return proposal.Statuses[code-1]
}

// outdated is the value of task_segments.compression that is no status.
const outdated = 5

// Compression is what a value of task_segments.compression means.
func Compression(code int64) review.Compression {
	if code == outdated {
		return review.CompressionOutdated
	}
	return review.Compression(statusOf(code))
}

// apply gives a proposal its state.
func (s *State) apply(p *proposal.Proposal) (err error) {
	p.Status, p.Judge, p.Judged = s.Status, s.Judge, time.Time{}
	if s.Judged != "" {
		p.Judged, err = time.Parse(stamp.Layout, s.Judged)
	}
	return err
}

// said is what a proposal says, whatever became of it, as JSON.
func said(p *proposal.Proposal) (string, error) {
	q := *p
	q.Status, q.Judge, q.Judged = "", "", time.Time{}
	text, err := json.Marshal(&q, jsontext.AllowInvalidUTF8(true))
	return string(text), err
}

// pack compresses a text, unpack is the other way round. Damaged bytes are a
// chat.ErrCorruptChunk.
func pack(text string) []byte {
	return chat.Compress(nil, chat.AppendMessage(nil, &chat.Message{Role: chat.Assistant, Content: text}))
}

func unpack(data []byte) (string, error) {
	list, err := chat.ReadChunk(data)
	if err == nil && len(list) != 1 {
		err = fmt.Errorf("%d texts in one: %w", len(list), chat.ErrCorruptChunk)
	}
	if err != nil {
		return "", err
	}
	return list[0].Content, nil
}

// read returns what a text says.
func read(data []byte) (p proposal.Proposal, err error) {
	text, err := unpack(data)
	if err == nil {
		p, err = parse(text)
	}
	return p, err
}

// parse is the other way round of said.
func parse(text string) (p proposal.Proposal, err error) {
	err = json.Unmarshal([]byte(text), &p, jsontext.AllowInvalidUTF8(true))
	return p, err
}

const (
	stateColumns = "p.text, p.status, p.judge, coalesce(p.judged || '', '')"
	listSQL      = "SELECT p.segment_id, " + stateColumns + ", t.data FROM json_each(?) j CROSS JOIN proposals p ON p.segment_id = j.value" +
		" LEFT JOIN proposal_texts t ON t.id = p.text ORDER BY j.key"
)

// stateDest is where stateColumns go.
func stateDest(s *State, code *int64) []any { return []any{&s.Text, code, &s.Judge, &s.Judged} }

// List returns the proposals of segments, those there are, in the order of the ids.
func List(ask Asks, ids []string) (list []proposal.Proposal, err error) {
	text, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	var id string
	var s State
	var code int64
	var data []byte
	rows := ask(listSQL, string(text))
	for range rows.Into(append(append([]any{&id}, stateDest(&s, &code)...), &data)...) {
		p, err := read(data)
		if s.Status = statusOf(code); err == nil {
			err = s.apply(&p)
		}
		if err != nil {
			return nil, fmt.Errorf("compression of segment %s: %w", review.Short(id), err)
		}
		p.Segment = id
		list = append(list, p)
	}
	return list, rows.Err()
}
