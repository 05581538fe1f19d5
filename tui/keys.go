package tui

import (
	"runtime"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/keys"
)

//go:generate go test . -run ^TestKeysAreDocumented$ -update

// row is a key of what is not a screen of its own.
type keyRow = keys.Row[*App]

// bindings is the table of all keys.
func bindings() *keys.Table {
	var early, late []keys.Binding
	all := rooms()
	for _, r := range all {
		of := &late
		if r.early {
			of = &early
		}
		*of = slices.Concat(*of, keys.Bind(0, r.way), r.keys)
	}
	t := keys.NewTable(slices.Concat(
		bind(verdictKeys()), bind(listKeys()), bind(filterKeys()), bind(filterLineKeys()), early,
		bind(readerKeys()), bind(findKeys()), bind(paneKeys()), late,
		bind(wayOutKeys()), bind(questionKeys()), bind(markKeys()), bind(bulkKeys()), bind(tagKeys()), bind(tagLineKeys()),
		bind(recordKeys()), bind(commandKeys()), bind(clusterKeys()), bind(themeKeys()), bind(copyKeys()), bind(motionKeys()),
	))
	for _, r := range all {
		if r.name != "" {
			t.Add(r.in, r.name, r.title)
		}
	}
	return t
}

func bind[S any](rows []keys.Row[S]) []keys.Binding { return keys.Bind(0, rows) }

// with gives an action its argument.
func with[T any](f func(*App, T) func() tea.Cmd, x T) func(*App) tea.Cmd {
	return func(a *App) tea.Cmd { return f(a, x)() }
}

// CheckKeys checks keys of actions as Options.Keys has them. The error is a
// *keys.Error.
func CheckKeys(other map[string][]string) error { return bindings().Rebind(other) }

// KeyPage returns all keys with the names of their actions and the commands
// that take words, as a page in Markdown.
func KeyPage() string {
	var verbs []keys.Verb
	for _, v := range (forCommand{&App{}}).Verbs() {
		verbs = append(verbs, keys.Verb{Name: v.Name, Words: v.Words, Help: v.Help, In: v.In})
	}
	return bindings().Page(verbs)
}

func verdictKeys() []roomRow {
	verdict := func(key, name, foot, help string, v review.Verdict) roomRow {
		return keys.Key(key, name, help, foot, keys.InJudged, withRoom((*Room).judge, v), (*Room).noVerdict)
	}
	return []roomRow{
		verdict("a", "approve", "approve", "approve the segment and go on to the next pending one", review.Approved),
		verdict("r", "reject", "reject", "reject it and go on", review.Rejected),
		verdict("f", "unsure", "unsure", "unsure: wants a second look; go on", review.Unsure),
		verdict("x", "pending", "", "back to pending; go on", review.Pending),
		keys.Key("=", "again", "give a stale segment the verdict that it had; go on", "", keys.InJudged, (*Room).again, (*Room).noOldVerdict),
		keys.Key("u", "undo", "undo your last verdict, note, tags or cut, of any run", "undo", keys.InJudged, withRoom((*Room).step, false), nil),
		keys.Key("U", "redo", "redo what was undone", "", keys.InJudged, withRoom((*Room).step, true), nil),
		keys.Key("N", "next-pending", "go to the next pending segment", "", keys.InJudged, func(r *Room) tea.Cmd { return r.next(true) }, (*Room).noPending),
		keys.Key("o", "advance", "go on after a verdict, or stay", "", keys.InJudged, (*Room).toggleStay, nil),
		keys.Key("b", "boundaries", "the boundaries of the session: split, merge, move", "boundaries", keys.InSegment, enters(keys.InBoundaries), shut(keys.InBoundaries)),
		keys.Key("/", "filter", "filter the list; what passes shows while one types", "filter", keys.InSegment, (*Room).openFilter, nil),
		keys.Key("e", "export", "export what was approved: options, and what they would do", "", keys.InSegment, enters(keys.InExport), shut(keys.InExport)),
		keys.Key("n", "note", "write a note on the segment", "note", keys.InJudged, (*Room).editNote, (*Room).noVerdict),
	}
}

func listKeys() []roomRow {
	return []roomRow{
		keys.Key("enter", "open", "read the segment on the whole screen", "read", keys.InList, (*Room).openFull, (*Room).noSegment),
		keys.Key("s", "sort", "choose what the list is sorted by", "sort", keys.InList, enters(keys.InSort), nil),
		keys.Key("S", "statistics", "statistics of what passes the filter: scores, verdicts, tools", "", keys.InSegment, enters(keys.InStatistics), shut(keys.InStatistics)),
		keys.Key("L", "ledger", "the ledger: what became of the imported files and their lines", "", keys.InList, enters(keys.InLedger), shut(keys.InLedger)),
		keys.Key("I", "places", "the places where agents keep their sessions, to import from", "", keys.InList, enters(keys.InOffer), shut(keys.InOffer)),
	}
}

func readerKeys() []roomRow {
	key := func(names, name, foot, help string, run func(*Room) tea.Cmd) roomRow {
		return keys.Key(names, name, help, foot, keys.InReader, run, (*Room).noSegment)
	}
	return []roomRow{
		key("enter", "unfold", "", "the sub-agent or branch of the message, else the whole screen; there, fold", (*Room).enterReader),
		key("J", "next-message", "", "next message", func(r *Room) tea.Cmd { return r.reader.NextMessage() }),
		key("K", "previous-message", "", "previous message", func(r *Room) tea.Cmd { return r.reader.PrevMessage() }),
		key("}", "next-prompt", "", "next prompt of the user", func(r *Room) tea.Cmd { return r.reader.NextPrompt() }),
		key("{", "previous-prompt", "", "previous prompt", func(r *Room) tea.Cmd { return r.reader.PrevPrompt() }),
		key("!", "next-failure", "failure", "next failed tool result", func(r *Room) tea.Cmd { return r.reader.NextFailure() }),
		keys.Key("z", "fold", "fold or unfold in the current message", "fold", keys.InReader, func(r *Room) tea.Cmd { return r.reader.ToggleFold() }, (*Room).noFold),
		key("Z", "fold-all", "", "fold or unfold everything", func(r *Room) tea.Cmd { return r.reader.ToggleAllFolds() }),
		key("h", "thinking", "", "show all thinking, hide it, fold it", func(r *Room) tea.Cmd { return r.reader.ToggleThinking() }),
		key("d", "detail", "", "show or hide the detail of tool calls", func(r *Room) tea.Cmd { return r.reader.ToggleDetail() }),
		keys.Key("m", "train", "train this message of the assistant, or not", "", keys.InReader, (*Room).toggleTrained, (*Room).noTraining),
	}
}

func findKeys() []keyRow {
	return []keyRow{
		keys.Key("ctrl+g", "find", "find in the segment, or in the text in its place", "find", keys.InFound, (*App).editFind, (*App).noSegment),
		keys.Key(">", "next-hit", "next hit", "next", keys.InFound, func(a *App) tea.Cmd { return a.find(searched.NextHit) }, (*App).noFind),
		keys.Key("<", "previous-hit", "previous hit", "previous", keys.InFound, func(a *App) tea.Cmd { return a.find(searched.PrevHit) }, (*App).noFind),
	}
}

func filterLineKeys() []keyRow {
	return []keyRow{
		keys.Key("enter", "keep-filter", "keep the filter; with a completion chosen, take it", "keep", keys.InFilter, (*App).enterLine, nil),
		keys.Key("tab down", "next-completion", "choose a completion, the next one; down also the next filter", "complete", keys.InFilter, with((*App).stepLine, +1), nil),
		keys.Key("shift+tab up", "previous-completion", "the completion before; up where none is shown: the filters of before", "", keys.InFilter, with((*App).stepLine, -1), nil),
		keys.Key("ctrl+u", "clear", "clear the line", "clear", keys.InFilter, (*App).clearLine, nil),
		keys.Key("ctrl+c", "put-away", "close the line; the text is there again the next time", "", keys.InFilter, (*App).putLineAway, nil),
		keys.Key("esc", "restore", "bring back the filter, the list and the selection that were", "restore", keys.InFilter, (*App).dropLine, nil),
	}
}

func tagLineKeys() []keyRow {
	return []keyRow{
		keys.Key("enter", "keep-tags", "keep the tags; with a completion chosen, take it", "keep", keys.InTags, (*App).enterLine, nil),
		keys.Key("tab down", "next-completion", "choose one of the tags there are, the next one", "complete", keys.InTags, with((*App).stepLine, +1), nil),
		keys.Key("shift+tab up", "previous-completion", "the one before", "", keys.InTags, with((*App).stepLine, -1), nil),
		keys.Key("ctrl+u", "clear", "clear the line", "clear", keys.InTags, (*App).clearLine, nil),
		keys.Key("ctrl+c", "put-away", "close the line; the text is there again the next time", "", keys.InTags, (*App).putLineAway, nil),
		keys.Key("esc", "drop", "close the choice, else the line; the tags stay as they were", "drop", keys.InTags, (*App).dropLine, nil),
	}
}

func questionKeys() []keyRow {
	return []keyRow{
		keys.Key("y", "send", "send these and later sessions of the database to the model named", "send", keys.InQuestion, with((*App).answer, true), nil),
		keys.Key("n", "rules", "send nothing in this run: cut by rules, score by measuring", "offline", keys.InQuestion, with((*App).answer, false), nil),
		keys.Key("q esc", keys.Back, "send nothing; the next start asks again", "later", keys.InQuestion, (*App).answerLater, nil),
	}
}

func paneKeys() []roomRow {
	return []roomRow{
		keys.Key("tab shift+tab", "other-pane", "the other pane", "pane", keys.InSegment, (*Room).otherPane, (*Room).noSegment),
		keys.Key("+", "wider-list", "make the list wider", "", keys.InSegment, func(r *Room) tea.Cmd { return r.widen(+4) }, (*Room).onePane),
		keys.Key("-", "narrower-list", "make the list narrower", "", keys.InSegment, func(r *Room) tea.Cmd { return r.widen(-4) }, (*Room).onePane),
	}
}

func wayOutKeys() []keyRow {
	return []keyRow{
		keys.Key("q", "quit", "quit; first close what esc closes", "quit", keys.InList, (*App).closeOrQuit, nil),
		keys.Key("esc", "close-find", "close the find; where nothing passes, the filter before; else take the marks away", "", keys.InList, (*App).back, (*App).nothingToClose),
		keys.Key("q esc", keys.Back, "close the innermost thing: find, sub-agent, whole screen, keys", "back", keys.InReader|keys.InHelp, (*App).back, nil),
		keys.Key("ctrl+c", "leave", "quit; verdicts under way are saved", "", keys.InPages, (*App).quit, nil),
		keys.Key("ctrl+z", "suspend", "suspend; the shell's fg comes back", "", keys.InAll, func(a *App) tea.Cmd { return tea.Suspend }, func(*App) string { return noSuspend() }),
		keys.Key("ctrl+x", "stop", "stop the running work", "", keys.InPages, (*App).stopJob, (*App).noJob),
		keys.Key("ctrl+l", keys.Reload, "read everything again and redraw", "", keys.InPages, (*App).redraw, nil),
		keys.Key("enter", "keep", "keep the text", "keep", keys.InField, (*App).enterLine, nil),
		keys.Key("ctrl+c", "put-away", "close the line; the text is there again the next time", "", keys.InField, (*App).putLineAway, nil),
		keys.Key("esc", "drop", "drop the text", "drop", keys.InField, (*App).dropLine, nil),
	}
}

func motionKeys() []keyRow {
	move := func(help string, m keys.Motion, names string) keyRow {
		return keys.Key(names, string(m), help, "", keys.InPages, func(a *App) tea.Cmd { return a.move(m) }, nil)
	}
	return []keyRow{
		move("a line down", keys.LineDown, "j down"), move("a line up", keys.LineUp, "k up"),
		move("a screen down", keys.PageDown, "pgdown"), move("a screen up", keys.PageUp, "pgup"),
		move("half a screen down", keys.HalfDown, "ctrl+d"), move("half a screen up", keys.HalfUp, "ctrl+u"),
		move("to the start", keys.ToStart, "g home"), move("to the end", keys.ToEnd, "G end"),
	}
}

func (r *Room) noSegment() string {
	if r.list.Selected() == nil {
		return "there is no segment"
	}
	return ""
}

func (r *Room) noPending() string {
	if reason := r.noSegment(); reason != "" {
		return reason
	}
	if !r.showsPending() {
		return "the filter shows no pending segments"
	}
	return ""
}

func (r *Room) noFold() string {
	if !r.reader.CanFold() {
		return "nothing to fold in this message"
	}
	return ""
}

func (a *App) noFind() string {
	if s := a.findStatus(); s.FindQuery == "" && !s.Marked {
		return "nothing to go to: " + a.keyFor("find") + " finds"
	}
	return ""
}

// nothingToClose says why esc does nothing in the list.
func (r *Room) nothingToClose() string {
	if r.nothingPasses() || r.reader.Status().FindQuery != "" || len(r.marks.ids) > 0 {
		return ""
	}
	return "nothing to close"
}

func (r *Room) onePane() string {
	if !r.wide() {
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

func (a *App) noLedger() string {
	if a.ledgerLib == nil {
		return "there is no ledger here"
	}
	return ""
}

func (a *App) noJournal() string {
	if a.journal == nil {
		return "there is no journal here"
	}
	return ""
}
