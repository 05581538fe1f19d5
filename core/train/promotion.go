package train

import (
	"fmt"
	"strings"
	"time"
)

// Promotion is what became of whether the result of a run is the one to use.
type Promotion struct {
	Run    int64    `json:"run"`
	Before Standing `json:"before"`
	After  Standing `json:"after"`
}

// Standing is whether the result of a run is the one to use, since when, by whom, and what
// is noted of that. Without a time it is not.
type Standing struct {
	At   time.Time `json:"at,omitzero"`
	By   string    `json:"by,omitzero"`
	Note string    `json:"note,omitzero"`
}

// Standing returns that of a run.
func (r *Run) Standing() Standing { return Standing{r.Promoted, r.PromotedBy, r.Note} }

// Same reports whether two say the same of which result is to be used.
func (s Standing) Same(o Standing) bool { return s.At.Equal(o.At) && s.By == o.By }

// PromotionsText says in a line what became of runs.
func PromotionsText(list []Promotion) string {
	var parts []string
	for i := range list {
		if p := &list[i]; p.After.At.IsZero() {
			parts = append(parts, fmt.Sprintf("run %d not promoted any more", p.Run))
		} else {
			parts = append(parts, fmt.Sprintf("run %d promoted", p.Run))
		}
	}
	return strings.Join(parts, ", ")
}
