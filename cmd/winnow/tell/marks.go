package tell

import (
	"fmt"
	"time"

	"winnow/cmd/winnow/print"
	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/edit"
	"winnow/core/review"
)

// Marks tell of the messages of a session who changed them. The zero Marks are of
// messages as they were recorded.
type Marks struct {
	by        map[edit.Place]*review.EditedBy
	untrained map[edit.Place]bool // added answers
	runs      []droppedRun        // that were not told yet
	dropped   []int
	sign      string
}

// droppedRun are messages that one curator dropped, one after another.
type droppedRun struct {
	first, last int
	by          string
}

// MarksOf returns the marks of edits, and who made them, both in the order of their
// places.
func MarksOf(edits []edit.Edit, by []review.EditedBy, ascii bool) *Marks {
	k := &Marks{by: map[edit.Place]*review.EditedBy{}, untrained: map[edit.Place]bool{}, sign: "✎"}
	if ascii {
		k.sign = "E"
	}
	for i := range edits {
		if e := &edits[i]; e.Op == edit.Add && e.Untrained {
			k.untrained[edit.Place{N: e.N, Part: e.Part}] = true
		}
	}
	for i := range by {
		e := &by[i]
		if e.Op != edit.Drop || e.Clash {
			k.by[edit.Place{N: e.N, Part: e.Part}] = e
			continue
		}
		k.dropped = append(k.dropped, e.N)
		last := len(k.runs) - 1
		if last >= 0 && k.runs[last].last == e.N-1 && k.runs[last].by == e.By && by[i-1].Op == edit.Drop {
			k.runs[last].last = e.N
		} else {
			k.runs = append(k.runs, droppedRun{e.N, e.N, e.By})
		}
	}
	return k
}

func placeOf(m *chat.Message) edit.Place { return edit.Place{N: m.N, Part: m.Part} }

// Untrained reports whether an added message is not trained.
func (k *Marks) Untrained(m *chat.Message) bool { return k.untrained[placeOf(m)] }

// Text marks a message that was changed, "" for none.
func (k *Marks) Text(m *chat.Message) string {
	switch e := k.by[placeOf(m)]; {
	case e == nil:
		return ""
	case e.Clash:
		return k.sign + " recorded text changed"
	default:
		return k.sign + " " + clean.Line(e.By)
	}
}

// Dropped says what was dropped in front of a message, and was not told yet; of nil
// all the rest.
func (k *Marks) Dropped(m *chat.Message) (list []string) {
	for len(k.runs) > 0 {
		r := k.runs[0]
		if m != nil && (r.first > m.N || r.first == m.N && m.Part == 0) {
			break
		}
		text := fmt.Sprintf("message %d", r.first)
		if r.last > r.first {
			text = fmt.Sprintf("messages %d-%d", r.first, r.last)
		}
		list = append(list, "dropped by "+clean.Line(r.by)+": "+text)
		k.runs = k.runs[1:]
	}
	return list
}

// Numbers are the messages that are dropped.
func (k *Marks) Numbers() []int { return k.dropped }

// editedRow is who changed a message, in JSON.
type editedRow struct {
	By    string    `json:"by"`
	At    time.Time `json:"at"`
	Why   edit.Why  `json:"why"`
	Entry int64     `json:"entry"`
	Waits bool      `json:"waits,omitzero"` // what stands here was recorded anew since
}

// AppendJSON appends to the JSON object of a message what is known of its edit.
func (k *Marks) AppendJSON(dst []byte, m *chat.Message) ([]byte, error) {
	if m.Part > 0 {
		dst = fmt.Appendf(dst[:len(dst)-1], `,"part":%d}`, m.Part)
	}
	e := k.by[placeOf(m)]
	if e == nil {
		return dst, nil
	}
	row, err := print.Marshal(editedRow{e.By, e.At, e.Why, e.Entry, e.Clash})
	if err != nil {
		return dst, err
	}
	return append(append(append(dst[:len(dst)-1], `,"edited":`...), row...), '}'), nil
}
