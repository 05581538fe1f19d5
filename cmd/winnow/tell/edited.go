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
	opTexts  = map[edit.Op]string{edit.Drop: "taken out", edit.Add: "put in"}
)

// EditsText says what happened to messages, and to the segments that hold them.
func EditsText(e *review.Entry) string {
	var parts []string
	for i := range e.Edits {
		if i == namedChanges {
			parts = append(parts, draw.Grouped(len(e.Edits)-i)+" more")
			break
		}
		parts = append(parts, editText(&e.Edits[i], e.Action))
	}
	text := strings.Join(parts, ", ")
	if len(e.Changes) > 0 {
		text += " in " + ChangesText(e.Changes)
	}
	if e.Note != "" {
		text += fmt.Sprintf(", noted %q", e.Note)
	}
	return text
}

func editText(e *review.Edited, action review.Action) string {
	message := fmt.Sprintf("message %d", e.N)
	switch {
	case e.After == nil && action == review.ActUnedit:
		return "the edit of " + message + " left with it"
	case e.After == nil:
		return message + " as recorded"
	case e.After.Op == edit.Set:
		return message + " " + setTexts[e.After.Why]
	}
	return message + " " + opTexts[e.After.Op]
}
