package learn

import (
	"fmt"
	"time"
)

// Learned is a Model with what it was made of. The zero value is nothing yet.
type Learned struct {
	At    time.Time `json:"-"`
	Whose string    `json:"curator,omitzero"` // whose verdicts, "" for all
	Made  string    `json:"-"`                // tells the verdicts and facts that it was made of
	Told  int64     `json:"-"`                // the last change of segments that is in what is told
	Off   bool      `json:"off,omitzero"`     // a curator wants none of it
	Model
}

// Lines say in words what is known and how well, for people: the first says
// whether anything is.
func (l *Learned) Lines() []string {
	m := &l.Model
	switch {
	case l.Off:
		return []string{"learning is off"}
	case m.Version == 0:
		return []string{"nothing was learned yet"}
	}
	whose := "all curators"
	if l.Whose != "" {
		whose = l.Whose
	}
	lines := []string{fmt.Sprintf("learned from %d approved and %d rejected segments of %d sessions, judged by %s", m.Approved, m.Rejected, m.Sessions, whose)}
	if m.Nothing != "" {
		lines = []string{"nothing can be learned: " + m.Nothing}
	}
	if m.Base > 0 {
		lines = append(lines,
			fmt.Sprintf("on sessions not learned from, AUC %.2f (0.50 is chance)", m.AUC),
			fmt.Sprintf("Brier score %.3f (%.3f without looking; lower is better)", m.Brier, m.Base))
		if m.Nothing == "" && m.Brier >= m.Base {
			lines = append(lines, "the order is better than chance, the values themselves are not yet better than your share of approvals")
		}
	}
	return lines
}
