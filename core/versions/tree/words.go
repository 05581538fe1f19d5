package tree

import (
	"fmt"
	"strings"

	"winnow/core/edit"
	"winnow/core/review"
	"winnow/core/session"
	"winnow/core/versions"
)

// Words says of a version what the entry did: "ann, fix: message 9 changed". The name in
// it is not clean.
func Words(v *versions.Version) string {
	by := v.By
	if by == "" {
		by = "an import"
	}
	switch v.Action {
	case review.ActUndo:
		return fmt.Sprintf("%s, undo of @%d", by, v.Target)
	case review.ActRedo:
		return fmt.Sprintf("%s, redo of @%d", by, v.Target)
	}
	text := by
	if whys := whysOf(v.Changes); whys != "" {
		text += ", " + whys
	}
	return text + ": " + what(v.Changes)
}

func whysOf(changes []review.Edited) string {
	var list []string
	for _, why := range []edit.Why{edit.Fix, edit.Redact, edit.Squash} {
		for i := range changes {
			if e := changes[i].After; e != nil && e.Why == why {
				list = append(list, string(why))
				break
			}
		}
	}
	return strings.Join(list, ", ")
}

// what says what was done to places: "message 9 changed, 3-5 dropped".
func what(changes []review.Edited) string {
	verbs := []string{"changed", "dropped", "added", "taken out", "brought back"}
	did := map[string][]int{}
	for i := range changes {
		c := &changes[i]
		verb := ""
		switch e := c.After; {
		case e == nil && c.Part > 0:
			verb = "taken out"
		case e == nil:
			verb = "brought back"
		case e.Op == edit.Drop:
			verb = "dropped"
		case e.Op == edit.Add && (c.Before == nil || c.Before.Op != edit.Add):
			verb = "added"
		default:
			verb = "changed"
		}
		did[verb] = append(did[verb], c.N)
	}
	var parts []string
	for _, verb := range verbs {
		numbers := did[verb]
		switch {
		case len(numbers) == 0:
		case verb == "added":
			parts = append(parts, fmt.Sprintf("%s added after %s", count(len(numbers), "message"), runsOf(numbers)))
		default:
			noun := "messages "
			if len(numbers) == 1 {
				noun = "message "
			}
			parts = append(parts, noun+runsOf(numbers)+" "+verb)
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// mostRuns is how many runs of numbers are named.
const mostRuns = 4

// runsOf writes numbers, which ascend, as runs.
func runsOf(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		end := i
		for end+1 < len(numbers) && numbers[end+1]-numbers[end] <= 1 {
			end++
		}
		if len(parts) == mostRuns {
			return strings.Join(parts, ", ") + " and " + grouped(len(numbers)-i) + " more"
		}
		run := grouped(numbers[i])
		if numbers[i] != numbers[end] {
			run += "-" + grouped(numbers[end])
		}
		parts = append(parts, run)
		i = end + 1
	}
	return strings.Join(parts, ", ")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}

// grouped writes a number with its thousands apart.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Follows says what a version means for training, "" for nothing.
func Follows(v *versions.Version) string {
	var parts []string
	if v.Lost != "" {
		parts = append(parts, "no way back: "+v.Lost)
	}
	switch {
	case v.Copies == 1:
		parts = append(parts, "1 answer after it is not the model's to this text")
	case v.Copies > 1:
		parts = append(parts, count(v.Copies, "answer")+" after it are not the model's to this text")
	}
	if n := sealed(v.Changes); n > 0 && v.Action == review.ActEdit {
		parts = append(parts, count(n, "text")+" kept out of training data")
	}
	if v.Waits > 0 {
		parts = append(parts, count(v.Waits, "edit")+" not in force: the recorded text changed")
	}
	return strings.Join(parts, ", ")
}

// sealed counts the texts that redactions took out.
func sealed(changes []review.Edited) (n int) {
	for i := range changes {
		c := &changes[i]
		if c.After != nil {
			n += len(c.After.Sealed)
		}
		if c.Before != nil {
			n -= len(c.Before.Sealed)
		}
	}
	return n / 16
}

// Words says of a session beside another one what it is: "branch 1a2b3c4d at 12". Its
// title is not clean.
func (b *Beside) Words() string {
	text := string(b.Kind)
	switch b.Kind {
	case session.Branch:
		text = "branch"
	case session.Subagent:
		text = "sub-agent"
	case session.Continuation:
		text = "continuation"
	}
	text += " " + review.Short(b.ID)
	switch {
	case b.Kind == Same && b.Far:
		text += " up to " + grouped(b.At) + " at least"
	case b.Kind == Same:
		text += " up to " + grouped(b.At)
	case b.At > 0:
		text += " at " + grouped(b.At)
	}
	text += "  "
	if b.Kind == session.Branch {
		text += "given up, "
	}
	text += count(b.Messages, "message")
	if v := b.Verdicts.Words(); v != "" {
		text += ", " + v
	}
	if b.Title != "" {
		text += "  " + b.Title
	}
	return text
}

// Words says what was judged: "approved by ann", "2 approved, 1 pending", "" without
// segments.
func (v *Verdicts) Words() string {
	all := v.Approved + v.Rejected + v.Unsure + v.Pending
	var parts []string
	for _, c := range []struct {
		n    int
		word string
	}{{v.Approved, "approved"}, {v.Rejected, "rejected"}, {v.Unsure, "unsure"}, {v.Pending, "pending"}} {
		switch {
		case c.n == 0:
		case c.n == all:
			parts = append(parts, c.word)
		default:
			parts = append(parts, grouped(c.n)+" "+c.word)
		}
	}
	text := strings.Join(parts, ", ")
	if v.By != "" {
		text += " by " + v.By
	}
	return text
}

// Follows says what the session gives together with the other one, "" for nothing.
func (b *Beside) Follows() string {
	switch {
	case b.Pair:
		return "forks at an answer: 1 pair"
	case b.AtAnswer:
		return "forks at an answer"
	}
	return ""
}
