package review

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/keys"
)

// VerdictKeys are the keys that judge, and what goes with a verdict. Most work in
// the training record, too.
func VerdictKeys() []roomRow {
	verdict := func(key, name, foot, help string, v review.Verdict) roomRow {
		return keys.Key(key, name, help, foot, keys.InJudged, withRoom((*Room).Judge, v), (*Room).NoVerdict)
	}
	return []roomRow{
		verdict("a", "approve", "approve", "approve the segment and go on to the next pending one", review.Approved),
		verdict("r", "reject", "reject", "reject it and go on", review.Rejected),
		verdict("f", "unsure", "unsure", "unsure: wants a second look; go on", review.Unsure),
		verdict("x", "pending", "", "back to pending; go on", review.Pending),
		keys.Key("=", "again", "give a stale segment its old verdict again; go on", "", keys.InJudged, (*Room).again, (*Room).noOldVerdict),
		keys.Key("u", "undo", "undo your last verdict, note, tags or cut, also of earlier runs", "undo", keys.InJudged, withRoom((*Room).Step, false), (*Room).NoChange),
		keys.Key("U", "redo", "redo what was undone", "", keys.InJudged, withRoom((*Room).Step, true), (*Room).NoChange),
		keys.Key("N", "next-pending", "go to the next pending segment", "", keys.InJudged, withRoom((*Room).next, true), (*Room).noPending),
		keys.Key("o", "advance", "after a verdict go on, or stay", "", keys.InJudged, keys.Do((*Room).toggleStay), nil),
		keys.Key("b", "boundaries", "the boundaries of the session: split, merge, move", "boundaries", keys.InSegment, enters(keys.InBoundaries), shut(keys.InBoundaries)),
		keys.Key("/", "filter", "filter the list as you type", "filter", keys.InList, (*Room).openFilter, nil),
		keys.Key("e", "export", "export approved segments: options, and what they would do", "", keys.InSegment, enters(keys.InExport), shut(keys.InExport)),
		keys.Key("n", "note", "write a note on the segment", "note", keys.InJudged, (*Room).editNote, (*Room).NoVerdict),
	}
}

// ListKeys are the keys that open something from the list.
func ListKeys() []roomRow {
	return []roomRow{
		keys.Key("enter", "open", "read the segment on the whole screen", "read", keys.InList, keys.Do((*Room).openFull), (*Room).NoSegment),
		keys.Key("s", "sort", "choose the order of the list", "sort", keys.InList, enters(keys.InSort), nil),
		keys.Key("S", "statistics", "statistics of what passes the filter: scores, verdicts, tools", "", keys.InSegment, enters(keys.InStatistics), shut(keys.InStatistics)),
		keys.Key("L", "ledger", "the ledger: what became of the imported files and their lines", "", keys.InList, enters(keys.InLedger), shut(keys.InLedger)),
		keys.Key("I", "places", "the places where agents keep sessions, to import them", "", keys.InList, enters(keys.InOffer), shut(keys.InOffer)),
	}
}

// ReaderKeys are the keys of the reader but those that move.
func ReaderKeys() []roomRow {
	key := func(names, name, foot, help string, run func(*Room) tea.Cmd) roomRow {
		return keys.Key(names, name, help, foot, keys.InReader, run, (*Room).NoSegment)
	}
	beside := func(names, name, help string, run func(Pane) tea.Cmd) roomRow {
		return keys.Key(names, name, help, "", keys.InSegment, withRoom((*Room).read, run), (*Room).noReader)
	}
	return []roomRow{
		key("enter", "unfold", "", "open the step of a digest, the sub-agent or branch of the message, else the whole screen; there, fold", (*Room).enterReader),
		beside("J", "next-message", "next message", Pane.NextMessage),
		beside("K", "previous-message", "previous message", Pane.PrevMessage),
		beside("}", "next-prompt", "next prompt of the user", Pane.NextPrompt),
		beside("{", "previous-prompt", "previous prompt", Pane.PrevPrompt),
		keys.Key("!", "next-failure", "next error or exit of a tool, its call in view", "failure", keys.InReader, withRoom((*Room).read, Pane.NextFailure), (*Room).NoSegment),
		keys.Key("!", "next-failure", "next error or exit of a tool in the reader beside the list", "", keys.InList, withRoom((*Room).read, Pane.NextFailure), (*Room).noReader),
		key(")", "next-segment", "", "read the next segment of the list", withRoom((*Room).step, keys.LineDown)),
		key("(", "previous-segment", "", "read the segment before", withRoom((*Room).step, keys.LineUp)),
		keys.Key("z", "fold", "fold or unfold in the current message", "fold", keys.InReader, func(r *Room) tea.Cmd { return r.Reader.ToggleFold() }, (*Room).noFold),
		key("c", "digest", "digest", "a digest of the segment, or all of it", func(r *Room) tea.Cmd { return r.Reader.ToggleDigest() }),
		keys.Key("c", "digest", "a digest in the reader beside the list, or all of the segment", "", keys.InList, withRoom((*Room).read, Pane.ToggleDigest), (*Room).noReader),
		key("Z", "fold-all", "", "fold or unfold everything", func(r *Room) tea.Cmd { return r.Reader.ToggleAllFolds() }),
		key("h", "thinking", "", "show all thinking, hide it, or fold it", func(r *Room) tea.Cmd { return r.Reader.ToggleThinking() }),
		key("d", "detail", "", "show or hide the detail of tool calls", func(r *Room) tea.Cmd { return r.Reader.ToggleDetail() }),
		keys.Key("m", "train", "train on this message of the assistant, or not", "", keys.InReader, (*Room).toggleTrained, (*Room).noTraining),
	}
}

// PaneKeys are the keys that go from pane to pane, and share the width.
func PaneKeys() []roomRow {
	return []roomRow{
		keys.Key("tab shift+tab", "other-pane", "go to the other pane", "pane", keys.InSegment, keys.Do((*Room).otherPane), (*Room).NoSegment),
		keys.Key("+", "wider-list", "make the list wider", "", keys.InSegment, keys.Do(func(r *Room) { r.widen(+4) }), (*Room).onePane),
		keys.Key("-", "narrower-list", "make the list narrower", "", keys.InSegment, keys.Do(func(r *Room) { r.widen(-4) }), (*Room).onePane),
	}
}

// NoSegment says that no segment is selected, "" if one is.
func (r *Room) NoSegment() string {
	return keys.Reason(r.List.Selected() == nil, "there is no segment")
}

func (r *Room) noPending() string {
	return cmp.Or(r.NoSegment(), keys.Reason(!r.showsPending(), "the filter shows no pending segments"))
}

func (r *Room) noFold() string {
	return keys.Reason(!r.Reader.CanFold(), "nothing to fold in this message")
}

// noReader says that there is no reader to act on, "" if one shows beside the list.
func (r *Room) noReader() string {
	if reason := r.NoSegment(); reason != "" || r.ReaderShows() {
		return reason
	}
	return "this works in the reader: " + r.keys.Key("open", keys.InList) + " opens it"
}

// read moves in the reader. From the list its notice is told as any message is.
func (r *Room) read(do func(Pane) tea.Cmd) tea.Cmd {
	cmd := do(r.Reader)
	if notice := r.Reader.Status().Notice; notice != "" && r.Focus == OnList {
		r.Say(notice)
	}
	return cmd
}

// step selects the row below or above while the reader stays open.
func (r *Room) step(m keys.Motion) tea.Cmd {
	before := r.List.Selected().ID
	cmd := r.moveList(m)
	if cmd == nil && r.List.Selected().ID == before {
		r.Say("no segment further " + map[keys.Motion]string{keys.LineDown: "down", keys.LineUp: "up"}[m])
	}
	return cmd
}

// NothingToClose says why esc does nothing in the list.
func (r *Room) NothingToClose() string {
	return keys.Reason(!r.nothingPasses() && r.Reader.Status().FindQuery == "" && len(r.marks.IDs) == 0, "nothing to close")
}

func (r *Room) onePane() string { return keys.Reason(!r.Wide(), "there is only one pane") }
