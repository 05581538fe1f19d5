package tell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/review"
	"winnow/tui/draw"
)

// Entry is a journal entry in JSON.
type Entry struct {
	ID      int64           `json:"id"`
	At      time.Time       `json:"at"`
	Curator string          `json:"curator"`
	Action  review.Action   `json:"action"`
	Target  int64           `json:"target,omitzero"` // the entry undone or redone
	Undone  bool            `json:"undone,omitzero"`
	Changes []review.Change `json:"changes"`
	Recut   *recutJSON      `json:"recut,omitzero"` // of boundaries or topics
}

// EntryOf returns the row of an entry.
func EntryOf(e *review.Entry) Entry {
	return Entry{e.ID, utc(e.At), e.Curator, e.Action, e.Target, e.Undone, e.Changes, recutJSONOf(e.Recut)}
}

// EntryText says in a line what an entry of the journal did.
func EntryText(e *review.Entry) string {
	if e.Action == review.ActAside {
		return fmt.Sprintf("entry %d could not be undone or redone and is passed by", e.Target)
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
	case e.Recut == nil:
		return ChangesText(e.Changes)
	case e.Action == review.ActUndo:
		return cutsText(e.Recut.After, e.Recut.Before)
	}
	return recutText(e.Recut, e.Changes)
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
	for _, tag := range has {
		if !slices.Contains(had, tag) {
			words = append(words, "+"+tag)
		}
	}
	for _, tag := range had {
		if !slices.Contains(has, tag) {
			words = append(words, "-"+tag)
		}
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
	numbers := MaskedNumbers(s)
	for _, n := range numbers {
		parts = append(parts, strconv.Itoa(n))
	}
	if len(parts) == 0 {
		return ""
	}
	noun := "messages "
	if len(parts) == 1 {
		noun = "message "
	}
	return noun + strings.Join(parts, ", ")
}
