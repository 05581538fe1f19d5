package pages

import (
	"encoding/base64"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"winnow/cmd/winnow/httpd"
	"winnow/core/memory"
	"winnow/core/review"
)

// mark is where the next page of segments or memories begins, as clients hand it back. One
// of the fields is the key of the order; memories have those of both orders.
type mark struct {
	ID     string     `json:"i"`
	Place  []byte     `json:"p,omitzero"` // names of files need not be UTF-8
	Start  *int       `json:"s,omitzero"` // with Place
	Time   *time.Time `json:"t,omitzero"`
	Number *int       `json:"n,omitzero"`
	Share  *float64   `json:"f,omitzero"`
	Chance *int64     `json:"c,omitzero"`
}

// segmentMark writes a cursor.
func segmentMark(c review.Cursor) string {
	m := mark{ID: c.ID}
	switch key := c.Key.(type) {
	case review.Place:
		m.Place, m.Start = []byte(key.Session), &key.Start
	case time.Time:
		m.Time = &key
	case int:
		m.Number = &key
	case float64:
		m.Share = &key
	case int64:
		m.Chance = &key
	}
	return written(&m)
}

// readSegmentMark reads a cursor of an order.
func readSegmentMark(text string, o review.Order) (review.Cursor, error) {
	var m mark
	if !read(text, &m) || m.ID == "" {
		return review.Cursor{}, badMark(text)
	}
	c := review.Cursor{ID: m.ID}
	switch {
	case m.Start != nil:
		c.Key = review.Place{Session: string(m.Place), Start: *m.Start}
	case m.Time != nil:
		c.Key = *m.Time
	case m.Number != nil:
		c.Key = *m.Number
	case m.Share != nil:
		c.Key = *m.Share
	case m.Chance != nil:
		c.Key = *m.Chance
	}
	if sorting, _ := o.Sorting(); !sorting.Fits(c.Key) {
		return c, httpd.Wrong("after %q: it is of another order: ask with the same sort as for the page before", text)
	}
	return c, nil
}

// memoryMark writes a cursor of memories.
func memoryMark(c memory.Cursor) string {
	return written(&mark{ID: c.ID, Time: &c.Created, Share: &c.Grade})
}

// readMemoryMark reads a cursor of memories.
func readMemoryMark(text string) (memory.Cursor, error) {
	var m mark
	if !read(text, &m) || m.ID == "" || m.Time == nil || m.Share == nil {
		return memory.Cursor{}, badMark(text)
	}
	return memory.Cursor{ID: m.ID, Created: *m.Time, Grade: *m.Share}, nil
}

// sessionMark is where the next page of sessions begins: after this session, which is
// the so-many-th after a place. Sessions of one place are read together.
type sessionMark struct {
	Place []byte `json:"p"`
	Skip  int    `json:"s"`
	ID    string `json:"i"`
}

// page returns a page of sessions, and whether there are more. read reads so many after
// the place, and as many more as are in the place of the last one.
func (m sessionMark) page(most int, read func(limit int) []review.Session) (rows []review.Session, more bool) {
	asked := most + 1 + m.Skip
	found := read(asked)
	at := slices.IndexFunc(found, func(s review.Session) bool { return s.ID == m.ID })
	rows = found[at+1:]
	more = len(rows) > 0 && (len(found) >= asked || len(rows) > most)
	return rows[:min(most, len(rows))], more
}

// after is where the page after these rows begins.
func (m sessionMark) after(rows []review.Session) sessionMark {
	last := rows[len(rows)-1]
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].Place != last.Place {
			return sessionMark{[]byte(rows[i].Place), len(rows) - 1 - i, last.ID}
		}
	}
	return sessionMark{m.Place, m.Skip + len(rows), last.ID}
}

func (m sessionMark) String() string { return written(&m) }

func readSessionMark(text string) (m sessionMark, err error) {
	if !read(text, &m) || m.ID == "" || m.Skip < 1 || m.Skip > 20_000 {
		err = badMark(text)
	}
	return m, err
}

func badMark(text string) error {
	return httpd.Wrong("after %q: it is what the Link of the page before has", text)
}

// written makes one word of a value; read is the way back.
func written(v any) string {
	text, _ := json.Marshal(v) // never fails on these
	return base64.RawURLEncoding.EncodeToString(text)
}

func read(text string, to any) bool {
	b, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && json.Unmarshal(b, to, json.RejectUnknownMembers(true)) == nil
}
