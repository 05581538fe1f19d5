package edit

import (
	"slices"
	"strconv"
	"strings"

	"winnow/core/amend"
	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/tui/draw"
)

// told says in lines what the change does, with an empty one behind.
func (s *Screen) told(w int) (lines []string) {
	say := func(k draw.Ink, text string) {
		for _, l := range draw.WrapTo(text, max(8, w-4), 4, s.G.More) {
			lines = append(lines, "  "+k.On(l))
		}
	}
	if s.problem != "" {
		say(s.Ink.Fail, clean.Line(draw.Head(s.problem)))
	}
	if s.emptied() {
		say(s.Ink.Warn, "The text is empty now. "+s.Key("drop")+" drops the message instead.")
	}
	for _, text := range s.compared.Got.plan.Torn {
		say(s.Ink.Warn, strings.ToUpper(text[:1])+text[1:]+".")
	}
	if s.doing.do == amend.Drop && s.noDropCall() == "" {
		say(s.Ink.Warn, s.Key("whole-call")+" drops messages "+names(s.standing.Got.Family)+" together.")
	}
	for _, text := range s.effects() {
		say(s.Ink.Text, text)
	}
	if s.note != "" {
		say(s.Ink.Muted, "note: "+clean.Line(draw.Head(s.note)))
	}
	return append(lines, "")
}

// effects says in words what the change does, a sentence each.
func (s *Screen) effects() (list []string) {
	st, c := &s.standing.Got, &s.doing
	what := map[amend.Do]string{
		amend.Text: "fix: training data has the text below", amend.Drop: "training data lacks " + s.dropped(),
		amend.Insert: "training data has one more message", amend.Revert: "training data has what was recorded again; undo brings the edit back",
		amend.Keep: "the edit is made over what is recorded now", amend.Theirs: "the edit that waits is removed; undo brings it back",
	}[c.do]
	switch {
	case s.why == edit.Redact && s.noRedact() == "":
		list = append(list, "redaction: what it takes out is in no training data, wherever it was said. The database still holds it.")
	case c.do == amend.Revert && st.Edit != nil && st.Edit.Why == edit.Redact:
		list = append(list, "this takes a redaction back: "+what+".")
	case c.do == amend.Revert || c.do == amend.Theirs:
		list = append(list, what+".")
	default:
		list = append(list, what+"; what was recorded stays.")
	}
	if c.do == amend.Insert && c.role == chat.Assistant {
		trained := "The answer is trained: " + s.Key("train") + " leaves it out."
		if s.untrained {
			trained = "The answer is not trained: " + s.Key("train") + " trains it."
		}
		list = append(list, trained)
	}
	if st.Message.Role == chat.Assistant && c.do == amend.Text {
		list = append(list, "The answer is not the model's own any more.")
	}
	list = append(list, s.ofCalls()...)
	list = append(list, s.ofAnswers()...)
	return append(list, s.ofVerdict(&st.Segment)...)
}

// dropped names what is dropped.
func (s *Screen) dropped() string {
	if n := len(s.compared.Got.plan.Changes); n > 1 {
		return draw.Plural(n, "message")
	}
	return "the message"
}

// ofCalls says what answers a call that changes, and what began with it.
func (s *Screen) ofCalls() (list []string) {
	st, field := &s.standing.Got, s.doing.field
	number, is := strings.CutPrefix(field, "args:")
	k, _ := strconv.Atoi(number)
	if !is || s.doing.do != amend.Text || k < 1 || k > len(st.Message.ToolCalls) {
		return nil
	}
	if k <= len(st.Results) && st.Results[k-1] != "" {
		list = append(list, "Message "+st.Results[k-1]+" answers the call as it was.")
	}
	if slices.Contains(st.Starts, st.Message.ToolCalls[k-1].ID) {
		list = append(list, "Its sub-agent begins with this text, and keeps it as it was.")
	}
	return list
}

// ofAnswers says what becomes of the answers that follow.
func (s *Screen) ofAnswers() []string {
	st := &s.standing.Got
	behind := st.Behind
	if s.doing.do == amend.Drop || s.doing.do == amend.Revert {
		for i := range s.compared.Got.plan.Now { // those that go themselves follow nothing
			if m := &s.compared.Got.plan.Now[i]; m.Role == chat.Assistant && (m.N > s.at.N || m.N == s.at.N && m.Part > s.at.Part) {
				behind--
			}
		}
	}
	switch {
	case behind <= 0:
		return []string{"No answer follows it in the session."}
	case s.doing.do == amend.Revert || s.doing.do == amend.Theirs:
		return []string{draw.Plural(behind, "answer") + " after it " + follow(behind) + " what was recorded, as far as nothing else is edited."}
	case st.Broken:
		return []string{draw.Plural(behind, "answer") + " after it lost " + its(behind) + " prefix to an earlier edit already."}
	}
	return []string{draw.Plural(behind, "answer") + " after it in the session: the model gave " + them(behind) + " to the text as it was."}
}

func follow(n int) string {
	if n == 1 {
		return "follows"
	}
	return "follow"
}

func its(n int) string {
	if n == 1 {
		return "its"
	}
	return "their"
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// ofVerdict says what becomes of the verdict on the segment.
func (s *Screen) ofVerdict(g *review.Segment) []string {
	if g.ID == "" {
		return nil
	}
	name, by := "Segment "+g.Short(), g.Reviewer
	verdict := string(g.Verdict)
	switch {
	case g.Stale:
		return []string{name + " stays stale."}
	case !g.Verdict.Judged():
		return []string{name + " is pending and stays that."}
	}
	if by != "" {
		verdict += " by " + clean.Line(draw.Head(by))
	}
	if s.why == edit.Redact && s.noRedact() == "" {
		return []string{name + " stays " + verdict + "."}
	}
	if s.doing.do == amend.Theirs {
		return []string{name + " stays " + verdict + "."}
	}
	return []string{name + " becomes stale: it was " + verdict + ". " + s.KeyOfList("again") + " gives that verdict again."}
}
