package compress

import (
	"winnow/core/proposal"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Rows returns the keys of the screen.
func Rows() []keys.Row[*Screen] {
	asked := func(key, name, help, foot string, run func(*Screen), why func(*Screen) string) keys.Row[*Screen] {
		return keys.Key(key, name, help, foot, keys.InCompressionAsk, keys.Do(run), why)
	}
	return []keys.Row[*Screen]{
		screen.Key("a", "approve", "accept the compression and go on to the next one that is not judged", "accept", judging(proposal.Accepted), (*Screen).noAccept),
		screen.Key("r", "reject", "reject it and go on: the segment is exported whole", "reject", judging(proposal.Rejected), (*Screen).noJudge),
		screen.Key("x", "pending", "take the verdict on it back", "", judging(proposal.Proposed), (*Screen).noTakeBack),
		screen.Key("n )", "next-proposal", "go to the next segment of the list that has a proposal", "next", func(s *Screen) { s.goOn(false, false) }, nil),
		screen.Key("p (", "previous-proposal", "go to the one before", "", func(s *Screen) { s.goOn(true, false) }, nil),
		screen.Key("N", "next-pending", "go to the next one that is not judged", "", func(s *Screen) { s.goOn(false, true) }, nil),
		screen.Key("enter z", "open", "show what is left out, or a message; again, fold it", "open", (*Screen).open, (*Screen).noLines),
		screen.Key("Z", "open-all", "show all messages in a line each, or fold them", "", (*Screen).openAll, (*Screen).noLines),
		screen.Key("e", "edit-text", "change the text that stands for messages in $VISUAL or $EDITOR", "edit", (*Screen).edit, (*Screen).noEdit),
		screen.Key("<", "begin-earlier", "leave out more: begin a call or a message earlier", "begin", moving(false, -1), (*Screen).noMove),
		screen.Key(">", "begin-later", "leave out less: begin later", "", moving(false, +1), (*Screen).noMove),
		screen.Key("{", "end-earlier", "leave out less: end a call or a message earlier", "", moving(true, -1), (*Screen).noMove),
		screen.Key("}", "end-later", "leave out more: end later", "end", moving(true, +1), (*Screen).noMove),
		screen.Key("A", "accept-all", "accept all that pass the filter and in which nothing was found; asks first", "all", (*Screen).askAll, (*Screen).noWrite),
		screen.Key("m", "make", "make a proposal, or make it anew from the messages as they are", "make", (*Screen).make, (*Screen).noMake),
		screen.Key("s", "strategy", "make it with another strategy: extract, clear, a model if one is set", "strategy", (*Screen).otherStrategy, (*Screen).noWay),
		screen.Key("f", "form", "make it split into samples, or folded into one", "form", (*Screen).otherForm, (*Screen).noWay),
		screen.Key("t", "target", "make it for another target in tokens", "target", (*Screen).typeTarget, (*Screen).noWay),
		screen.Key("]", "next-sample", "show the next sample that comes of it", "", func(s *Screen) { s.otherSample(+1) }, (*Screen).noSamples),
		screen.Key("[", "previous-sample", "show the sample before", "", func(s *Screen) { s.otherSample(-1) }, (*Screen).noSamples),
		screen.Key("!", "next-finding", "go to the message that the next finding names", "finding", (*Screen).nextFinding, (*Screen).noFindings),
		screen.Key("J", "next-region", "go to the next messages that are left out", "", func(s *Screen) { s.otherRegion(+1) }, (*Screen).noLines),
		screen.Key("K", "previous-region", "go to those before", "", func(s *Screen) { s.otherRegion(-1) }, (*Screen).noLines),
		screen.Key("v", "read", "go to the message in the reader", "", (*Screen).read, (*Screen).noRead),
		screen.Key("u", "undo", "undo the last action", "undo", func(s *Screen) { s.program.Undo() }, (*Screen).noWrite),
		screen.Key("U", "redo", "redo what was undone last", "", func(s *Screen) { s.program.Redo() }, (*Screen).noWrite),
		screen.Key("q esc C", keys.Back, "go back to list and reader", "back", (*Screen).Back, nil),
		asked("y", "yes", "do what is asked", "do it", (*Screen).answer, (*Screen).stillCounting),
		asked("n q esc", keys.Back, "leave it as it is", "leave", (*Screen).Back, nil),
	}
}
