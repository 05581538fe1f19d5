package tell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"winnow/cmd/winnow/print"
	"winnow/core/memory"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/core/train"
	"winnow/tui/draw"
)

// Entry is a journal entry in JSON.
type Entry struct {
	review.Entry
	Recut *recutJSON   `json:"recut,omitzero"` // of boundaries or topics
	Edits []editedJSON `json:"edits,omitempty"`

	Compressions []compressionJSON `json:"compressions,omitempty"`
	Memories     []memoryJSON      `json:"memories,omitempty"`
	Promotions   []train.Promotion `json:"promotions,omitempty"`
}

// EntryOf returns the row of an entry.
func EntryOf(e *review.Entry) Entry {
	row := Entry{Entry: *e, Edits: editedRows(e.Edits), Compressions: compressionRows(e.Proposals), Memories: memoryRows(e.Memories), Promotions: e.Promotions}
	if r := e.Recut; r != nil {
		row.Recut = &recutJSON{r.Session, r.File, placeRows(r.Before), placeRows(r.After)}
	}
	return row
}

// EntryText says in a line what an entry of the journal did.
func EntryText(e *review.Entry) string {
	if e.Action == review.ActAside {
		return fmt.Sprintf("entry %d could not be undone or redone and was skipped", e.Target)
	}
	s := ActText(e)
	if e.Target != 0 {
		s = fmt.Sprintf("entry %d: %s", e.Target, s)
	}
	if e.Undone {
		s += " (undone since)"
	}
	return s
}

// ActText says what an entry did; of one that was undone, what that was.
func ActText(e *review.Entry) string {
	switch {
	case len(e.Edits) > 0:
		return EditsText(e)
	case len(e.Proposals) > 0:
		return CompressionsText(e.Proposals)
	case len(e.Memories) > 0:
		return memory.ChangesText(e.Memories, len(e.Memories))
	case len(e.Promotions) > 0:
		return train.PromotionsText(e.Promotions)
	case e.Recut == nil:
		return ChangesText(e.Changes)
	case e.Action == review.ActUndo:
		return cutsText(e.Recut.After, e.Recut.Before)
	}
	return cutsText(e.Recut.Before, e.Recut.After) + marksLost(e.Changes)
}

// namedChanges is how many segments of a bulk action are named; the JSON form
// has them all.
const namedChanges = 3

// ChangesText says what happened to which segments.
func ChangesText(changes []review.Change) string {
	var parts []string
	for i, c := range changes {
		if i == namedChanges {
			parts = append(parts, draw.Grouped(len(changes)-i)+" more")
			break
		}
		s := review.Short(c.Segment)
		switch {
		case c.After.Verdict == "": // it is not there any more
			s += fmt.Sprintf(" left (was %s)", c.Before.Verdict)
		case c.Before.Verdict == "":
			s += fmt.Sprintf(" is back (%s)", c.After.Verdict)
		case c.Before.Verdict != c.After.Verdict:
			s += fmt.Sprintf(" %s → %s", c.Before.Verdict, c.After.Verdict)
		}
		if c.After.Verdict != "" && c.Before.Note != c.After.Note {
			s += fmt.Sprintf(" note %q", c.After.Note)
		}
		if c.After.Verdict != "" && c.Before.Tags != c.After.Tags {
			s += " " + tagsChangeText(c.Before.Tags, c.After.Tags)
		}
		if c.After.Verdict != "" && c.Before.Masked != c.After.Masked {
			s += " " + masksText(c.After.Masked)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

// tagsChangeText says which tags a change gave and took: "+keep -check".
func tagsChangeText(before, after string) string {
	had, _ := review.ParseTags(before)
	has, _ := review.ParseTags(after)
	var words []string
	for _, tag := range review.TagsWith(has, nil, had) {
		words = append(words, "+"+tag)
	}
	for _, tag := range review.TagsWith(had, nil, has) {
		words = append(words, "-"+tag)
	}
	return "tags " + strings.Join(words, " ")
}

// masksText says what training marks a change left, by places in the segment,
// which is what the journal has.
func masksText(masked string) string {
	if masked == "" {
		return "all is trained"
	}
	return "not trained: its messages " + strings.ReplaceAll(masked, ",", ", ")
}

// MaskedNumbers are the messages that are switched off, by their numbers in the
// session.
func MaskedNumbers(s *review.Segment) []int {
	var numbers []int
	for _, place := range s.Masked {
		numbers = append(numbers, s.Start+place-1)
	}
	return numbers
}

// MaskedText lists them for people, "" for none.
func MaskedText(s *review.Segment) string {
	var parts []string
	for _, n := range MaskedNumbers(s) {
		parts = append(parts, strconv.Itoa(n))
	}
	switch len(parts) {
	case 0:
		return ""
	case 1:
		return "message " + parts[0]
	}
	return "messages " + strings.Join(parts, ", ")
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
