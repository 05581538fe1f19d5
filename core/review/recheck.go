package review

import (
	"fmt"
	"strings"
	"time"
)

// Recheck is what a curator said of a decided segment when it was shown once
// more without its verdict. It changes nothing of the segment.
type Recheck struct {
	Run         string    `json:"-"` // answers given in one go have the same
	Segment     string    `json:"segment"`
	At          time.Time `json:"at"`
	Curator     string    `json:"-"`
	Fingerprint string    `json:"-"` // of what was answered on
	Was         Verdict   `json:"was"`
	WasBy       string    `json:"was_by"`
	Answer      Verdict   `json:"answer"`
}

// Agreed reports whether the answer is the verdict.
func (r *Recheck) Agreed() bool { return r.Was == r.Answer }

// decided are the verdicts that a recheck is about, in the order of Agreement.
var decided = [...]Verdict{Approved, Rejected, Unsure}

// Agreement counts answers by what the verdict was, and by what was answered:
// approved, rejected, unsure.
type Agreement [len(decided)][len(decided)]int

// AgreementOf counts rechecks.
func AgreementOf(list []Recheck) Agreement {
	var a Agreement
	for i := range list {
		was, answer := -1, -1
		for at, v := range decided {
			if v == list[i].Was {
				was = at
			}
			if v == list[i].Answer {
				answer = at
			}
		}
		if was >= 0 && answer >= 0 {
			a[was][answer]++
		}
	}
	return a
}

// Counts returns how many were answered, and how many of them as before.
func (a *Agreement) Counts() (answered, agreed int) {
	for was := range a {
		for answer, n := range a[was] {
			answered += n
			if was == answer {
				agreed += n
			}
		}
	}
	return answered, agreed
}

// Kappa is Cohen's: how much more there is of agreement than chance would bring,
// 1 for all of it. It says nothing, ok is false, where chance alone would agree
// on everything.
func (a *Agreement) Kappa() (kappa float64, ok bool) {
	n, agreed := a.Counts()
	if n == 0 {
		return 0, false
	}
	chance := 0.0
	for v := range a {
		was, answered := 0, 0
		for o := range a {
			was += a[v][o]
			answered += a[o][v]
		}
		chance += float64(was) * float64(answered) / float64(n) / float64(n)
	}
	if chance >= 1 {
		return 0, false
	}
	return (float64(agreed)/float64(n) - chance) / (1 - chance), true
}

// String says it in a line: "agreed on 17 of 20 (85%), kappa 0.71".
func (a *Agreement) String() string {
	n, agreed := a.Counts()
	if n == 0 {
		return "nothing was answered"
	}
	text := fmt.Sprintf("agreed on %d of %d (%d%%)", agreed, n, agreed*100/n)
	if k, ok := a.Kappa(); ok {
		text += fmt.Sprintf(", kappa %.2f", k)
	}
	return text
}

// Lines say it for each verdict there was: "approved: 9 of 10, 1 rejected".
func (a *Agreement) Lines() []string {
	var lines []string
	for was, row := range a {
		sum := 0
		var others []string
		for answer, n := range row {
			sum += n
			if n > 0 && answer != was {
				others = append(others, fmt.Sprintf("%d %s", n, decided[answer]))
			}
		}
		if sum > 0 {
			text := fmt.Sprintf("%s: %d of %d", decided[was], row[was], sum)
			lines = append(lines, strings.Join(append([]string{text}, others...), ", "))
		}
	}
	return lines
}
