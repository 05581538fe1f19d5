package tell

import (
	"strings"

	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/tui/draw"
)

// compressionJSON is what an entry did to a compression, in JSON.
type compressionJSON struct {
	Segment string          `json:"segment"`
	Before  proposal.Status `json:"before"`
	After   proposal.Status `json:"after"`
	Changed bool            `json:"changed,omitzero"` // it says something else
}

func compressionRows(list []review.ProposalChange) []compressionJSON {
	rows := make([]compressionJSON, len(list))
	for i := range list {
		c := &list[i]
		rows[i] = compressionJSON{c.Segment, c.Before.Status, c.After.Status, c.Before.Sum != ""}
	}
	return rows
}

// compressionTexts say what became of a compression.
var compressionTexts = map[proposal.Status]string{
	proposal.Accepted: "accepted", proposal.Rejected: "rejected", proposal.Proposed: "left open",
}

// CompressionsText says what happened to compressions: "accepted the compression of 12
// segments".
func CompressionsText(list []review.ProposalChange) string {
	var parts []string
	segments := map[string][]string{}
	for i := range list {
		c := &list[i]
		text := compressionTexts[c.After.Status]
		if c.Before.Sum != "" { // told only where what they say changed
			text = "changed"
		}
		if segments[text] == nil {
			parts = append(parts, text)
		}
		segments[text] = append(segments[text], c.Segment)
	}
	for i, text := range parts {
		of := segments[text]
		parts[i] = text + " the compression of " + draw.Plural(len(of), "segment")
		if len(of) == 1 {
			parts[i] = text + " the compression of " + review.Short(of[0])
		}
	}
	return strings.Join(parts, ", ")
}
