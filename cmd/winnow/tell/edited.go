package tell

import (
	"fmt"
	"strings"

	"winnow/core/edit"
	"winnow/core/review"
	"winnow/tui/draw"
)

// editedJSON is what an entry did to a message, in JSON. It has no texts: what was
// redacted is not told again.
type editedJSON struct {
	Session string   `json:"session"`
	N       int      `json:"n"`
	Part    int      `json:"part,omitzero"`
	Op      edit.Op  `json:"op,omitzero"` // none: what was recorded is there again
	Why     edit.Why `json:"why,omitzero"`
}

func editedRows(list []review.Edited) []editedJSON {
	rows := make([]editedJSON, len(list))
	for i := range list {
		e := &list[i]
		rows[i] = editedJSON{Session: e.Session, N: e.N, Part: e.Part}
		if e.After != nil {
			rows[i].Op, rows[i].Why = e.After.Op, e.After.Why
		}
	}
	return rows
}

var (
	setTexts = map[edit.Why]string{edit.Fix: "fixed", edit.Redact: "redacted", edit.Squash: "squashed"}
	opTexts  = map[edit.Op]string{edit.Drop: "dropped", edit.Add: "inserted"}
)

// DoneText says what an edit did.
func DoneText(e *review.Entry) string {
	if e.ID == 0 {
		return "nothing changed: it is like that"
	}
	return ActText(e)
}

// EditsText says what happened to messages, and to the segments that hold them.
func EditsText(e *review.Entry) string {
	var parts []string
	for i, n := 0, 0; i < len(e.Edits); i += n {
		n = alike(e.Edits[i:], e.Action)
		if len(parts) == namedChanges {
			parts = append(parts, draw.Grouped(len(e.Edits)-i)+" more")
			break
		}
		parts = append(parts, editText(e.Edits[i:i+n], e.Action))
	}
	text := strings.Join(parts, ", ")
	if n := unredacted(e.Edits); n > 0 && e.Action != review.ActUnedit {
		text += " (" + draw.Plural(n, "redaction") + " taken back)"
	}
	if len(e.Changes) > 0 {
		text += " in " + ChangesText(e.Changes)
	}
	if e.Note != "" {
		text += fmt.Sprintf(", noted %q", e.Note)
	}
	return text
}

// unredacted counts the redactions that are taken back: what they took out is there
// again.
func unredacted(list []review.Edited) (n int) {
	for i := range list {
		if e := &list[i]; e.Before != nil && e.Before.Why == edit.Redact && !e.Before.Clash && (e.After == nil || e.After.Why != edit.Redact && e.After.Op != edit.Drop) {
			n++
		}
	}
	return n
}

// alike is how many edits, from the first on, did the same to messages that follow each
// other.
func alike(list []review.Edited, action review.Action) int {
	n := 1
	for n < len(list) && list[n].Session == list[0].Session && list[n].Part == 0 && list[n-1].Part == 0 && list[n].N == list[n-1].N+1 &&
		whatText(&list[n], action) == whatText(&list[0], action) {
		n++
	}
	return n
}

func editText(list []review.Edited, action review.Action) string {
	e := &list[0]
	message := "message " + edit.Name(e.N, e.Part)
	if n := len(list); n > 1 {
		message = fmt.Sprintf("messages %d-%d", e.N, list[n-1].N)
	}
	if e.After == nil && action == review.ActUnedit {
		return "the edit of " + message + " left with it"
	}
	return message + " " + whatText(e, action)
}

// whatText says what became of a message.
func whatText(e *review.Edited, action review.Action) string {
	switch {
	case e.After == nil && action == review.ActUnedit:
		return ""
	case e.After == nil && e.Part > 0:
		return opTexts[edit.Drop]
	case e.After == nil:
		return "as recorded"
	case e.After.Op == edit.Set, e.After.Op == edit.Add && e.Before != nil && e.Before.Op == edit.Add:
		return setTexts[e.After.Why]
	case e.After.Op == edit.Drop && e.After.Why == edit.Squash:
		return setTexts[edit.Squash]
	case e.After.Op == edit.Drop && e.After.Why == edit.Redact:
		return opTexts[edit.Drop] + " and redacted"
	}
	return opTexts[e.After.Op]
}
