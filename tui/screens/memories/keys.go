package memories

import (
	"winnow/core/memory"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Rows returns the keys of the screen.
func Rows() []keys.Row[*Screen] {
	asked := func(key, name, help, foot string, run func(*Screen)) keys.Row[*Screen] {
		return keys.Key(key, name, help, foot, keys.InMemoriesAsk, keys.Do(run), nil)
	}
	return []keys.Row[*Screen]{
		screen.Key("a", "approve", "approve the memory and go on to the next one that is proposed", "approve", judging(memory.Approved, "approved"), (*Screen).noWrite),
		screen.Key("r", "reject", "reject it and go on: it is not proposed again", "reject", judging(memory.Rejected, "rejected"), (*Screen).noWrite),
		screen.Key("x", "pending", "take the verdict on it back", "", judging(memory.Proposed, "proposed again"), (*Screen).noWrite),
		screen.Key("d", "archive", "put it away", "", judging(memory.Archived, "archived"), (*Screen).noWrite),
		screen.Key("=", "again", "approve a stale one again: it counts without its source", "", judging(memory.Approved, "approved again"), (*Screen).noAgain),
		screen.Key("enter", "go-to-quote", "go to the message that the quote is from", "go there", (*Screen).goToCite, (*Screen).noQuote),
		screen.Key("tab", "next-quote", "choose the next quote", "quote", func(s *Screen) { s.stepCite(+1) }, (*Screen).noQuote),
		screen.Key("shift+tab", "previous-quote", "choose the quote before", "", func(s *Screen) { s.stepCite(-1) }, (*Screen).noQuote),
		screen.Key("J", "scroll-down", "show more of the memory", "more", func(s *Screen) { s.scroll(keys.HalfDown) }, (*Screen).noMemory),
		screen.Key("K", "scroll-up", "show what is above", "", func(s *Screen) { s.scroll(keys.HalfUp) }, (*Screen).noMemory),
		screen.Key("E", "edit-memory", "change what it says in $VISUAL or $EDITOR", "edit", (*Screen).edit, (*Screen).noEdit),
		screen.Key("n", "note", "write a note on it", "", (*Screen).note, (*Screen).noWrite),
		screen.Key("t", "tags", "change its tags", "", (*Screen).retag, (*Screen).noWrite),
		screen.Key("A", "approve-all", "approve all of the list that are proposed and have no flags; asks first", "all", askAll(memory.Approved), (*Screen).noWrite),
		screen.Key("R", "reject-all", "reject all of the list that are proposed; asks first", "", askAll(memory.Rejected), (*Screen).noWrite),
		screen.Key("B", "best", "approve the best of those alike, reject the rest", "", (*Screen).best, (*Screen).noBest),
		screen.Key("/", "filter-memories", "show the memories that pass a filter", "filter", (*Screen).narrow, nil),
		screen.Key("s", "of-segment", "show those of the selected segment only, or all", "", (*Screen).ofSegment, (*Screen).noSegment),
		screen.Key("o", "order", "the newest first, or those that are proposed by grade", "", (*Screen).otherOrder, nil),
		screen.Key("e", "export-memories", "write the approved ones of the list into AGENTS.md or CLAUDE.md", "export", (*Screen).export, (*Screen).noMemory),
		screen.Key("u", "undo", "undo the last action", "undo", func(s *Screen) { s.program.Undo() }, (*Screen).noChange),
		screen.Key("U", "redo", "redo what was undone last", "", func(s *Screen) { s.program.Redo() }, (*Screen).noChange),
		screen.Key("q esc M", keys.Back, "go back to list and reader", "back", (*Screen).Back, nil),
		asked("y", "yes", "do what is asked", "do it", (*Screen).answer),
		asked("n q esc", keys.Back, "leave it as it is", "leave", (*Screen).Back),
	}
}
