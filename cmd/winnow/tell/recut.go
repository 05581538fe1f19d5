package tell

import (
	"fmt"
	"slices"
	"strings"

	"winnow/cmd/winnow/print"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/tui/draw"
)

// recutText says what a change of boundaries or topics did.
func recutText(r *review.Recut, changes []review.Change) string {
	return cutsText(r.Before, r.After) + marksLost(changes)
}

// cutsText says how one run of segments became another.
func cutsText(before, after []review.Segment) string {
	switch {
	case len(before) == 0 || len(after) == 0:
		return "nothing"
	case len(after) > 1 && samePlaces(before, after):
		return fmt.Sprintf("topics in messages %d to %d", after[0].Start, after[len(after)-1].End)
	case len(before) == 1 && len(after) == 1 && before[0].End == after[0].End:
		if !after[0].Named {
			return fmt.Sprintf("%s has the topic made from its text again", before[0].Short())
		}
		return fmt.Sprintf("topic of %s: %q", before[0].Short(), after[0].Topic)
	case len(before) == 1 && len(after) == 2:
		return fmt.Sprintf("split %s at message %d → %s", before[0].Short(), after[1].Start, shorts(after))
	case len(before) == 2 && len(after) == 1:
		return fmt.Sprintf("merged %s → %s", shorts(before), shorts(after))
	case len(before) == 2 && len(after) == 2:
		return fmt.Sprintf("moved the beginning of %s from message %d to %d → %s", before[1].Short(), before[1].Start, after[1].Start, shorts(after))
	}
	return fmt.Sprintf("cut messages %d to %d anew: %s → %s",
		before[0].Start, before[len(before)-1].End, draw.Plural(len(before), "segment"), draw.Grouped(len(after)))
}

// samePlaces reports whether only the topics of segments differ.
func samePlaces(before, after []review.Segment) bool {
	return slices.EqualFunc(before, after, func(x, y review.Segment) bool { return x.Start == y.Start && x.End == y.End })
}

// shorts names a few segments.
func shorts(rows []review.Segment) string {
	var parts []string
	for i := range rows {
		parts = append(parts, rows[i].Short())
	}
	return strings.Join(parts, ", ")
}

// marksLost names the verdicts of segments that are not there any more.
func marksLost(changes []review.Change) string {
	var text string
	for _, c := range changes {
		if c.Before.Verdict.Judged() && c.After.Verdict == "" {
			text += fmt.Sprintf("; %s was %s", review.Short(c.Segment), c.Before.Verdict)
		}
	}
	return text
}

// recutJSON is a change of boundaries or topics in JSON.
type recutJSON struct {
	SessionID   string     `json:"session_id"`
	SessionFile string     `json:"session_file"`
	Before      []placeRow `json:"before"`
	After       []placeRow `json:"after"`
}

// placeRow is where a segment is or was.
type placeRow struct {
	ID        string       `json:"id"`
	StartLine int          `json:"start_line"`
	EndLine   int          `json:"end_line"`
	Topic     string       `json:"topic"`
	CutBy     review.CutBy `json:"cut_by"`
}

func recutJSONOf(r *review.Recut) *recutJSON {
	if r == nil {
		return nil
	}
	return &recutJSON{r.Session, r.File, placeRows(r.Before), placeRows(r.After)}
}

func placeRows(list []review.Segment) []placeRow {
	rows := make([]placeRow, len(list))
	for i := range list {
		s := &list[i]
		rows[i] = placeRow{s.ID, s.Start, s.End, s.Topic, s.CutBy}
	}
	return rows
}

// PrintPlaces lists segments with the messages they hold. Those that are not
// made yet have no id, and perhaps no topic.
func PrintPlaces(o *print.Output, rows []review.Segment) {
	t := o.Table(print.Left("ID"), print.Left("VERDICT"), print.Right("FROM"), print.Right("TO"), print.Left("TOPIC"))
	for i := range rows {
		g := &rows[i]
		id, topic := g.Short(), g.Topic
		if id == "" {
			id = "new"
		}
		if topic == "" {
			topic = "(from its text)"
		}
		t.Row(id, VerdictWord(g), draw.Grouped(g.Start), draw.Grouped(g.End), topic)
	}
	t.Flush()
}

// Recut is what a change of boundaries prints as JSON.
type Recut struct {
	Check    bool            `json:"check,omitzero"` // nothing was changed
	Entry    *Entry          `json:"entry,omitzero"`
	Segments []Segment       `json:"segments"` // that are new, or not as they were
	Effects  segment.Effects `json:"effects"`
}
