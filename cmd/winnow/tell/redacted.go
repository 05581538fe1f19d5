package tell

import (
	"fmt"
	"strings"

	"winnow/cmd/winnow/print"
	"winnow/core/amend"
	"winnow/core/review"
	"winnow/tui/draw"
)

// Redacted is what a redaction took out, and what holds the text still.
type Redacted struct {
	Entry    `json:",inline"`
	Redacted redactedCounts `json:"redacted"`
}

type redactedCounts struct {
	amend.Counts
	Waiting   int          `json:"waiting,omitzero"`   // edits that wait and hold it
	Elsewhere amend.Counts `json:"elsewhere,omitzero"` // beyond the filter
	Beside    amend.Beside `json:"beside,omitzero"`
}

// RedactedOf returns the row of a redaction.
func RedactedOf(e *review.Entry, found *amend.Redaction, left *amend.Remains) *Redacted {
	return &Redacted{EntryOf(e), redactedCounts{found.Found, found.Waiting, left.Elsewhere, left.Beside}}
}

// CountsText says how many messages of how many sessions.
func CountsText(c amend.Counts) string {
	return draw.Plural(c.Messages, "message") + " of " + draw.Plural(c.Sessions, "session")
}

// Texts say what holds the text still, and what to do.
func (r *Redacted) Texts() (list []string) {
	if c := r.Redacted.Elsewhere; c.Messages > 0 {
		list = append(list, fmt.Sprintf("%s beyond the filter %s it, too: exports leave out what holds it; the same without --filter takes it out there",
			CountsText(c), holds(c.Messages)))
	}
	if n := r.Redacted.Waiting; n > 0 {
		list = append(list, print.Plural(n, "edit that waits holds", "edits that wait hold")+" it: winnow edit ID N --theirs removes one; has:edit lists them")
	}
	b := &r.Redacted.Beside
	var parts []string
	for _, one := range []struct {
		n         int
		one, many string
	}{
		{b.Tools, "session in its tools", "sessions in their tools"}, {b.Metadata, "session in its metadata", "sessions in their metadata"},
		{b.Titles, "session in its title", "sessions in their titles"}, {b.Files, "session in its path", "sessions in their paths"},
		{b.Topics, "segment in its topic", "segments in their topics"}, {b.Notes, "segment in its note", "segments in their notes"},
		{b.Tags, "segment in its tags", "segments in their tags"},
	} {
		if one.n > 0 {
			parts = append(parts, print.Plural(one.n, one.one, one.many))
		}
	}
	if len(parts) > 0 {
		list = append(list, "it stays beside messages, of "+strings.Join(parts, ", ")+": exports write [redacted] there; winnow topic, note and tag change topics, notes and tags")
	}
	return list
}

func holds(n int) string {
	if n == 1 {
		return "holds"
	}
	return "hold"
}
