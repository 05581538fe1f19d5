package tui

import (
	"runtime"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/keys"
	room "winnow/tui/review"
)

//go:generate go test . -run ^TestKeysAreDocumented$ -update

// row is a key of what is not a screen of its own.
type keyRow = keys.Row[*App]

// bindings is the table of all keys.
func bindings() *keys.Table { return bindingsWith(nil) }

// bindingsWith is the table with the reasons of verdicts, nil for those there are without
// any configuration.
func bindingsWith(whys []review.Why) *keys.Table {
	if whys == nil {
		whys = review.Whys()
	}
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
		bind(room.VerdictKeys()), bind(room.ListKeys()), bind(room.FilterKeys()), bind(filterLineKeys()), early,
		bind(room.ReaderKeys()), bind(findKeys()), bind(room.PaneKeys()), late,
		bind(wayOutKeys()), bind(questionKeys()), bind(room.MarkKeys()), bind(room.BulkKeys()), bind(glanceKeys()), bind(room.TagKeys()), bind(room.WhyKeys(whys)), bind(tagLineKeys()),
		bind(recordKeys()), bind(commandKeys()), bind(room.ClusterKeys()), bind(themeKeys()), bind(copyKeys()), bind(motionKeys()),
	))
	for _, r := range all {
		if r.name != "" {
			t.Add(r.in, r.name, r.title)
		}
	}
	return t
}

func bind[S any](rows []keys.Row[S]) []keys.Binding { return keys.Bind(0, rows) }

// CheckKeys checks keys of actions as Options.Keys has them, beside reasons as
// Options.Whys has them. The error is a *keys.Error.
func CheckKeys(other map[string][]string, whys []review.Why) error {
	return bindingsWith(whys).Rebind(other)
}

// KeyPage returns all keys with the names of their actions and the commands
// that take words, as a page in Markdown.
func KeyPage() string {
	var verbs []keys.Binding
	for _, v := range (forCommand{&App{}}).Verbs() {
		verbs = append(verbs, keys.Binding{Name: strings.TrimSpace(v.Name + " " + v.Words), Help: v.Help, In: v.In})
	}
	return bindings().Page(verbs)
}

func findKeys() []keyRow {
	return []keyRow{
		keys.Key("/ ctrl+g", "find", "find text in the segment, or in what is shown in its place", "find", keys.InFound, (*App).editFind, (*App).NoSegment),
		keys.Key("ctrl+g", "find", "find text in the reader beside the list", "", keys.InList, (*App).findBeside, (*App).NoSegment),
		keys.Key(">", "next-hit", "go to the next hit", "next", keys.InFound, func(a *App) tea.Cmd { return a.find(searched.NextHit) }, (*App).noFind),
		keys.Key("<", "previous-hit", "go to the previous hit", "previous", keys.InFound, func(a *App) tea.Cmd { return a.find(searched.PrevHit) }, (*App).noFind),
	}
}

func filterLineKeys() []keyRow {
	return []keyRow{
		keys.Key("enter", "keep-filter", "keep the filter; with a completion chosen, take it", "keep", keys.InFilter, (*App).enterLine, nil),
		keys.Key("tab down", "next-completion", "choose the next completion; down also the next earlier filter", "complete", keys.InFilter, stepLine(+1), nil),
		keys.Key("shift+tab up", "previous-completion", "choose the previous completion; up with none shown: earlier filters", "", keys.InFilter, stepLine(-1), nil),
		keys.Key("ctrl+u", "clear", "clear the line", "clear", keys.InFilter, (*App).clearLine, nil),
		keys.Key("ctrl+c", "put-away", "close the line; its text comes back the next time", "", keys.InFilter, keys.Do((*App).putLineAway), nil),
		keys.Key("esc", "restore", "bring back the filter, the list and the selection from before", "restore", keys.InFilter, keys.Do((*App).dropLine), nil),
	}
}

func tagLineKeys() []keyRow {
	return []keyRow{
		keys.Key("enter", "keep-tags", "keep the tags; with a completion chosen, take it", "keep", keys.InTags, (*App).enterLine, nil),
		keys.Key("tab down", "next-completion", "choose the next completion", "complete", keys.InTags, stepLine(+1), nil),
		keys.Key("shift+tab up", "previous-completion", "choose the previous completion", "", keys.InTags, stepLine(-1), nil),
		keys.Key("ctrl+u", "clear", "clear the line", "clear", keys.InTags, (*App).clearLine, nil),
		keys.Key("ctrl+c", "put-away", "close the line; its text comes back the next time", "", keys.InTags, keys.Do((*App).putLineAway), nil),
		keys.Key("esc", "drop", "close the choice, else the line; the tags stay as they were", "drop", keys.InTags, keys.Do((*App).dropLine), nil),
	}
}

func questionKeys() []keyRow {
	return []keyRow{
		keys.Key("y", "send", "send these and later sessions of this database to the named model", "send", keys.InQuestion, answer(true), nil),
		keys.Key("n", "rules", "send nothing in this run: cut by rules and score by measuring, on this machine", "offline", keys.InQuestion, answer(false), nil),
		keys.Key("q esc", keys.Back, "send nothing; the next start asks again", "later", keys.InQuestion, func(a *App) tea.Cmd { return a.work.AnswerLater() }, nil),
	}
}

func wayOutKeys() []keyRow {
	return []keyRow{
		keys.Key("q", "quit", "quit; a find, a filter that shows nothing or of the pipeline, or marks close first", "quit", keys.InList, (*App).closeOrQuit, nil),
		keys.Key("esc", "close-find", "close the find; go back from a filter of the pipeline, or with no rows; else unmark", "", keys.InList, (*App).back, (*App).NothingToClose),
		keys.Key("q esc", keys.Back, "close the innermost: find, sub-agent, whole screen, keys", "back", keys.InReader|keys.InHelp, (*App).back, nil),
		keys.Key("ctrl+c", "leave", "quit, after saving what was decided", "", keys.InPages, (*App).quit, nil),
		keys.Key("ctrl+z", "suspend", "suspend; fg in the shell comes back", "", keys.InAll, func(a *App) tea.Cmd { return tea.Suspend }, (*App).noSuspend),
		keys.Key("ctrl+x", "stop", "stop the running work", "", keys.InPages, keys.Do(func(a *App) { a.work.Stop() }), (*App).noJob),
		keys.Key("ctrl+l", keys.Reload, "read everything again and redraw", "", keys.InPages, (*App).redraw, nil),
		keys.Key("enter", "keep", "keep the text", "keep", keys.InField, (*App).enterLine, nil),
		keys.Key("ctrl+c", "put-away", "close the line; its text comes back the next time", "", keys.InField, keys.Do((*App).putLineAway), nil),
		keys.Key("esc", "drop", "close the line; drop the text", "drop", keys.InField, keys.Do((*App).dropLine), nil),
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

// keyFor returns the first key of an action in the place that has the keys,
// where a message names it; ":name" for one that only the command line reaches.
func (a *App) keyFor(name string) string { return a.keyIn(name, a.Place()) }

// KeyOfList is keyFor for the list.
func (a *App) KeyOfList(name string) string { return a.keyIn(name, keys.InList) }

// keyIn is keyFor for a place.
func (a *App) keyIn(name string, in keys.Place) string { return a.keys.Key(name, in) }

func (a *App) noFind() string {
	s := a.findStatus()
	return keys.Reason(s.FindQuery == "" && !s.Marked, "no find is open: "+a.keyFor("find")+" opens one")
}

func (a *App) noSuspend() string { return keys.Reason(runtime.GOOS == "windows", "not on this system") }

func (a *App) noLedger() string { return keys.Reason(a.opt.Ledger == nil, "no ledger here") }

func (a *App) noJournal() string { return keys.Reason(a.opt.Journal == nil, "no journal here") }
