package tui

import (
	"runtime"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
)

// bindings is the table of all keys, in the order they are shown.
func (a *App) bindings() []Binding {
	return slices.Concat(a.verdictKeys(), a.listKeys(), a.filterKeys(), a.filterLineKeys(), a.sortKeys(), a.reasonsKeys(), a.readerKeys(), a.screenKeys(), a.boundaryKeys(), a.statisticsKeys(), a.exportKeys(), a.ledgerKeys(), a.journalKeys(), a.offerKeys(), a.questionKeys(), a.recheckKeys(), a.markKeys(), a.bulkKeys(), a.tagKeys(), a.previewKeys(), a.rawKeys(), a.commandKeys(), a.clusterKeys(), a.themeKeys(), a.copyKeys(), a.motionKeys())
}

func (a *App) verdictKeys() []Binding {
	verdict := func(key, name, foot, help string, v review.Verdict) Binding {
		return Binding{[]string{key}, name, help, foot, inJudged, a.judge(v), a.noVerdict}
	}
	return []Binding{
		verdict("a", "approve", "approve", "approve the segment and go on to the next pending one", review.Approved),
		verdict("r", "reject", "reject", "reject it and go on", review.Rejected),
		verdict("f", "unsure", "unsure", "unsure: wants a second look; go on", review.Unsure),
		verdict("x", "pending", "", "back to pending; go on", review.Pending),
		{[]string{"="}, "again", "give a stale segment the verdict that it had; go on", "", inJudged, a.again, a.noOldVerdict},
		{[]string{"u"}, "undo", "undo your last verdict, note, tags or cut, of any run", "undo", inJudged, a.step(false), nil},
		{[]string{"U"}, "redo", "redo what was undone", "", inJudged, a.step(true), nil},
		{[]string{"N"}, "next-pending", "go to the next pending segment", "", inJudged, func() tea.Cmd { return a.next(true) }, a.noPending},
		{[]string{"o"}, "advance", "go on after a verdict, or stay", "", inJudged, a.toggleStay, nil},
		{[]string{"b"}, "boundaries", "the boundaries of the session: split, merge, move", "boundaries", inSegment, a.openBoundaries, a.noBoundaries},
		{[]string{"/"}, "filter", "filter the list; what passes shows while one types", "filter", inSegment, a.openFilter, nil},
		{[]string{"e"}, "export", "export what was approved: options, and what they would do", "", inSegment, a.openExport, a.noExport},
		{[]string{"n"}, "note", "write a note on the segment", "note", inJudged, a.editNote, a.noVerdict},
	}
}

func (a *App) listKeys() []Binding {
	return []Binding{
		{[]string{"enter"}, "open", "read the segment on the whole screen", "read", InList, a.openFull, a.noSegment},
		{[]string{"s"}, "sort", "choose what the list is sorted by", "sort", InList, a.openSort, nil},
		{[]string{"S"}, "statistics", "statistics of what passes the filter: scores, verdicts, tools", "", inSegment, a.toggleStatistics, a.noStatistics},
		{[]string{"L"}, "ledger", "the ledger: what became of the imported files and their lines", "", InList, a.toggleLedger, a.noLedger},
		{[]string{"I"}, "places", "the places where agents keep their sessions, to import from", "", InList, a.openOffer, a.noFinder},
	}
}

func (a *App) readerKeys() []Binding {
	key := func(keys []string, name, foot, help string, run func() tea.Cmd) Binding {
		return Binding{keys, name, help, foot, InReader, run, a.noSegment}
	}
	return []Binding{
		key([]string{"enter"}, "unfold", "", "the sub-agent or branch of the message, else the whole screen; there, fold", a.enterReader),
		key([]string{"J"}, "next-message", "", "next message", func() tea.Cmd { return a.reader.NextMessage() }),
		key([]string{"K"}, "previous-message", "", "previous message", func() tea.Cmd { return a.reader.PrevMessage() }),
		key([]string{"}"}, "next-prompt", "", "next prompt of the user", func() tea.Cmd { return a.reader.NextPrompt() }),
		key([]string{"{"}, "previous-prompt", "", "previous prompt", func() tea.Cmd { return a.reader.PrevPrompt() }),
		key([]string{"!"}, "next-failure", "failure", "next failed tool result", func() tea.Cmd { return a.reader.NextFailure() }),
		{[]string{"z"}, "fold", "fold or unfold in the current message", "fold", InReader, func() tea.Cmd { return a.reader.ToggleFold() }, a.noFold},
		key([]string{"Z"}, "fold-all", "", "fold or unfold everything", func() tea.Cmd { return a.reader.ToggleAllFolds() }),
		key([]string{"h"}, "thinking", "", "show all thinking, hide it, fold it", func() tea.Cmd { return a.reader.ToggleThinking() }),
		key([]string{"d"}, "detail", "", "show or hide the detail of tool calls", func() tea.Cmd { return a.reader.ToggleDetail() }),
		{[]string{"m"}, "train", "train this message of the assistant, or not", "", InReader, a.toggleTrained, a.noTraining},
		{[]string{"ctrl+g"}, "find", "find in the segment, or in the text in its place", "find", inFound, a.editFind, a.noSegment},
		{[]string{">"}, "next-hit", "next hit", "next", inFound, func() tea.Cmd { return a.searched().NextHit() }, a.noFind},
		{[]string{"<"}, "previous-hit", "previous hit", "previous", inFound, func() tea.Cmd { return a.searched().PrevHit() }, a.noFind},
	}
}

func (a *App) boundaryKeys() []Binding {
	return []Binding{
		{[]string{"s"}, "split", "split above the cursor: a segment begins here", "split", InBoundaries, a.splitHere, a.noEdit},
		{[]string{"M"}, "merge", "merge the segment with the one above", "merge", InBoundaries, a.mergeAbove, a.noEdit},
		{[]string{"J"}, "boundary-down", "move the nearest boundary down by a message", "move", InBoundaries, a.moveNearest(+1), a.noEdit},
		{[]string{"K"}, "boundary-up", "move the nearest boundary up by a message", "", InBoundaries, a.moveNearest(-1), a.noEdit},
		{[]string{"t"}, "topic", "the topic of the segment; an empty one is made from its text", "topic", InBoundaries, a.editTopic, a.noEdit},
		{[]string{"u"}, "undo", "take the last change back", "undo", InBoundaries, a.undoEdit, a.noDraftUndo},
		{[]string{"c"}, "machine", "the machine's cut beside it, or not", "machine", InBoundaries, a.toggleMachine, a.noDraft},
		{[]string{"}"}, "next-boundary", "the next boundary, also of the machine's cut while it is shown", "", InBoundaries, a.nextBoundary(+1), a.noDraft},
		{[]string{"{"}, "previous-boundary", "the boundary above", "", InBoundaries, a.nextBoundary(-1), a.noDraft},
		{[]string{"enter"}, "keep-cut", "keep the cut and go back; in the list, u undoes it", "keep", InBoundaries, a.keepDraft, a.noEdit},
		{[]string{"q", "esc"}, nameBack, "back; with changes a second time throws them away", "back", InBoundaries, a.back, nil},
	}
}

func (a *App) statisticsKeys() []Binding {
	return []Binding{
		{[]string{"enter"}, "narrow", "the segments of the row: narrows the filter to them; sets the threshold, unfolds a table", "show", InStatistics, a.showStatRow, a.noStatRow},
		{[]string{"tab", "shift+tab"}, "other-column", "the other column", "column", InStatistics, a.otherStatColumn, a.noStatColumn},
		{[]string{"S"}, "list", "back to the list", "", InStatistics, a.toggleStatistics, nil},
		{[]string{"q", "esc"}, nameBack, "back to list and reader; the filter stays as it is", "back", InStatistics, a.back, nil},
	}
}

func (a *App) ledgerKeys() []Binding {
	return []Binding{
		{[]string{"enter"}, "look", "look into the file; there, at the bytes of the line", "look", InLedger, a.lookInLedger, a.nothingToLook},
		{[]string{"!"}, "next-problem", "next file with a problem; in a file, next bad line", "problem", InLedger, a.nextTrouble, a.noTrouble},
		{[]string{"J"}, "next-line", "the bytes of the next line", "next", InLedger, a.nextLine(+1), a.noOpenLine},
		{[]string{"K"}, "previous-line", "the bytes of the previous line", "previous", InLedger, a.nextLine(-1), a.noOpenLine},
		{[]string{"tab", "shift+tab"}, "reasons", "the reasons, or the lines: those of the reason under the cursor", "reasons", InLedger, a.otherLedgerPane, a.noLinePane},
		{[]string{"L"}, "list", "back to the list, from anywhere in the ledger", "", InLedger, a.toggleLedger, nil},
		{[]string{"q", "esc"}, nameBack, "back: from a line to its file, to all files, to the list", "back", InLedger, a.back, nil},
	}
}

func (a *App) offerKeys() []Binding {
	return []Binding{
		{[]string{"enter"}, "import", "import what is checked", "import", InOffer, a.takeOffer, a.nothingChecked},
		{[]string{"space"}, "check", "check the place, or not", "check", InOffer, a.togglePlace, nil},
		{[]string{"q", "esc"}, nameBack, "back to the list; nothing is imported", "back", InOffer, a.back, nil},
	}
}

func (a *App) questionKeys() []Binding {
	return []Binding{
		{[]string{"y"}, "send", "send these and later sessions of the database to the model named", "send", InQuestion, a.answer(true), nil},
		{[]string{"n"}, "rules", "send nothing in this run: cut by rules, score by measuring", "offline", InQuestion, a.answer(false), nil},
		{[]string{"q", "esc"}, nameBack, "send nothing; the next start asks again", "later", InQuestion, a.answerLater, nil},
	}
}

func (a *App) screenKeys() []Binding {
	return []Binding{
		{[]string{"tab", "shift+tab"}, "other-pane", "the other pane", "pane", inSegment, a.otherPane, a.noSegment},
		{[]string{"+"}, "wider-list", "make the list wider", "", inSegment, func() tea.Cmd { return a.widen(+4) }, a.onePane},
		{[]string{"-"}, "narrower-list", "make the list narrower", "", inSegment, func() tea.Cmd { return a.widen(-4) }, a.onePane},
		{[]string{"?"}, nameHelp, "all keys", "keys", inPages, a.toggleHelp, nil},
		{[]string{"/"}, "search-keys", "look for words in keys, names and what they do", "search", InHelp, a.searchHelp, nil},
		{[]string{"q"}, "quit", "quit; first close what esc closes", "quit", InList, a.closeOrQuit, nil},
		{[]string{"esc"}, "close-find", "close the find; where nothing passes, the filter before; else take the marks away", "", InList, a.back, a.nothingToClose},
		{[]string{"q", "esc"}, nameBack, "close the innermost thing: find, sub-agent, whole screen, keys", "back", InReader | InHelp, a.back, nil},
		{[]string{"ctrl+c"}, "leave", "quit; verdicts under way are saved", "", inPages, a.quit, nil},
		{[]string{"ctrl+z"}, "suspend", "suspend; the shell's fg comes back", "", inAll, func() tea.Cmd { return tea.Suspend }, noSuspend},
		{[]string{"ctrl+x"}, "stop", "stop the running work", "", inPages, a.stopJob, a.noJob},
		{[]string{"ctrl+l"}, nameReload, "read everything again and redraw", "", inPages, a.redraw, nil},
		{[]string{"enter"}, "keep", "keep the text", "keep", InField, a.keepField, nil},
		{[]string{"ctrl+c"}, "put-away", "close the line; the text is there again the next time", "", InField, a.putAway, nil},
		{[]string{"esc"}, "drop", "drop the text", "drop", InField, a.dropField, nil},
	}
}

func (a *App) motionKeys() []Binding {
	move := func(help string, m motion, keys ...string) Binding {
		return Binding{keys, string(m), help, "", inPages, func() tea.Cmd { return a.move(m) }, nil}
	}
	return []Binding{
		move("a line down", lineDown, "j", "down"), move("a line up", lineUp, "k", "up"),
		move("a screen down", pageDown, "pgdown"), move("a screen up", pageUp, "pgup"),
		move("half a screen down", halfDown, "ctrl+d"), move("half a screen up", halfUp, "ctrl+u"),
		move("to the start", toStart, "g", "home"), move("to the end", toEnd, "G", "end"),
	}
}

func (a *App) noSegment() string {
	if a.list.selected() == nil {
		return "there is no segment"
	}
	return ""
}

func (a *App) noPending() string {
	if reason := a.noSegment(); reason != "" {
		return reason
	}
	if !a.showsPending() {
		return "the filter shows no pending segments"
	}
	return ""
}

func (a *App) noFold() string {
	if !a.reader.CanFold() {
		return "nothing to fold in this message"
	}
	return ""
}

func (a *App) noFind() string {
	if s := a.searched().Status(); s.FindQuery == "" && !s.Marked {
		return "nothing to go to: " + a.keyFor("find") + " finds"
	}
	return ""
}

// nothingToClose says why esc does nothing in the list.
func (a *App) nothingToClose() string {
	if a.nothingPasses() || a.reader.Status().FindQuery != "" || len(a.marks.ids) > 0 {
		return ""
	}
	return "nothing to close"
}

func (a *App) onePane() string {
	if !a.wide() {
		return "there is one pane only"
	}
	return ""
}

func noSuspend() string {
	if runtime.GOOS == "windows" {
		return "not on this system"
	}
	return ""
}
