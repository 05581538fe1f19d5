package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

// holding is what the keys wait for that are typed faster than the screen
// knows which segment they are meant for. None of them is lost without a word,
// and none falls on a segment that it was not meant for.
type holding struct {
	finding bool              // the segment is being looked for
	awaited bool              // they wait for the rows of a filter
	around  bool              // the last question for rows is for those around it
	expects bool              // what passes is judged, and the import may bring more
	keys    []tea.KeyPressMsg // that wait, in order
	// stuck is the judged segment that the selection is left on, because there
	// was none to go on to or the screen began there, and since when.
	stuck string
	since time.Time
	// refused is the last verdict that could not be written, and when: those
	// typed right after it do not take the word away.
	refused   message
	refusedAt time.Time
	// unseen is the selected segment that a reload put another one in the place
	// of, instead, and when.
	unseen   review.Segment
	instead  string
	unseenAt time.Time
}

// reaction is how soon after a change of the screen nobody can have answered to
// it: a verdict is for what was drawn before.
const reaction = 200 * time.Millisecond

// replaced remembers the segment that was selected before a reload, if another
// one or other messages are in its place.
func (a *App) replaced(before *review.Segment) {
	s := a.list.Selected()
	if s == nil || before.ID == "" || s.ID == before.ID && s.Start == before.Start && s.End == before.End && s.Digest == before.Digest {
		return
	}
	h := &a.wait
	h.unseen, h.instead, h.unseenAt = *before, s.ID, a.now()
}

// showUnseen selects the segment that was drawn when a verdict was typed, in the
// place of one that nobody can have seen yet.
func (a *App) showUnseen() {
	h := &a.wait
	if s := a.list.Selected(); h.instead != "" && s != nil && s.ID == h.instead && a.now().Sub(h.unseenAt) < reaction {
		a.list.putBack(h.unseen)
		a.reload = true
	}
	h.instead = ""
}

// typedAhead is how long a verdict on a segment that the selection is left on is
// taken for one that was typed before that could be seen: it is not for this
// segment. Each one of them begins the time anew.
const typedAhead = time.Second

// takeKey takes a key: it waits, or does what it is bound to.
func (a *App) takeKey(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case a.early(k):
		a.wait.keys = append(a.wait.keys, k)
		return nil
	case a.holds(k):
		return nil
	}
	return a.pressNow(k)
}

// pressNow presses a key. A verdict that was typed ahead goes on first: it is
// not meant for the segment that has one already.
func (a *App) pressNow(k tea.KeyPressMsg) tea.Cmd {
	if !a.isAhead(k) {
		return a.press(k)
	}
	h := &a.wait
	h.keys = append([]tea.KeyPressMsg{k}, h.keys...)
	a.presses++
	a.message = message{}
	if len(a.list.Rows) == 0 {
		return a.exhausted("")
	}
	return a.goOn(false)
}

// goOn goes to the next segment, and presses the keys that wait for it.
func (a *App) goOn(aloud bool) tea.Cmd {
	a.wait.finding = false
	cmd := a.next(aloud)
	if a.wait.finding {
		return cmd
	}
	return tea.Batch(cmd, a.arrived())
}

// isAhead reports whether a key is a verdict for a segment that is not there yet.
func (a *App) isAhead(k tea.KeyPressMsg) bool {
	b := a.keys.Find(k.String(), a.context())
	if b == nil || a.context()&keys.InJudged == 0 || !judges[b.Name] || a.tooSmall() {
		return false
	}
	h, s := &a.wait, a.list.Selected()
	if s == nil {
		return a.sieve.node == nil && a.job.Busy()
	}
	if a.stay || s.ID != h.stuck || !s.Verdict.Judged() || a.now().Sub(h.since) >= typedAhead {
		return false
	}
	h.since = a.now()
	return true
}

// judges are the verdicts that a curator types ahead.
var judges = map[string]bool{"approve": true, "reject": true, "unsure": true}

// early reports whether a key was typed before there is anything to be seen. It
// waits for the first rows, but for what leaves.
func (a *App) early(k tea.KeyPressMsg) bool {
	if a.ready && a.w > 0 || a.context()&keys.InSegment == 0 {
		return false
	}
	b := a.keys.Find(k.String(), keys.InList)
	return b == nil || !ends[b.Name] && (len(a.wait.keys) > 0 || b.In != keys.InPages || b.Moves())
}

// ends are the actions that wait for no segment.
var ends = map[string]bool{"leave": true, "quit": true, "suspend": true, "stop": true}

// holds reports whether a key has to wait: the segment that it is meant for is
// still being looked for. The first ctrl+c waits too, after the verdicts that
// were typed before it, but not for an import.
func (a *App) holds(k tea.KeyPressMsg) bool {
	h := &a.wait
	if !h.finding {
		return false
	}
	if a.leaves(k) && (h.expects || slices.ContainsFunc(h.keys, a.leaves)) {
		return false
	}
	b := a.keys.Find(k.String(), a.context())
	switch {
	case h.expects && b != nil && b.Name == "stop":
		return false
	case h.expects && b != nil && (b.Name == "quit" || b.Name == "close-find" || b.Name == keys.Back):
		a.message = message{}
		a.drop()
		return true
	case a.bulk != nil && !a.bulk.known && k.String() == "esc" && len(h.keys) == 0:
		return false // what is counted is not wanted any more
	case h.awaited && len(h.keys) == 0 && b != nil && retunes[b.Name]:
		return false
	}
	h.keys = append(h.keys, k)
	if h.expects {
		a.sayWaiting()
	}
	return true
}

// leaves reports whether a key ends the program at once.
func (a *App) leaves(k tea.KeyPressMsg) bool {
	b := a.keys.Find(k.String(), keys.InList)
	return b != nil && b.Name == "leave"
}

// retunes are the actions that do not wait for the rows of a filter: they set
// another one, and a held key would pile them up.
var retunes = map[string]bool{"threshold-up": true, "threshold-down": true, "filter": true}

// arrived presses the keys that waited, now that the selection is settled.
func (a *App) arrived() tea.Cmd {
	h := &a.wait
	h.finding, h.awaited, h.expects = false, false, false
	var cmds []tea.Cmd
	for len(h.keys) > 0 && !h.finding {
		k := h.keys[0]
		h.keys = h.keys[1:]
		cmds = append(cmds, a.follow(), a.pressNow(k))
	}
	return tea.Batch(cmds...)
}

// nowhere drops the keys that were meant for a segment that is not there, and
// says so, but for those that leave.
func (a *App) nowhere() tea.Cmd {
	for _, k := range a.drop() {
		if b := a.keys.Find(k.String(), keys.InList); b != nil && (b.Name == "leave" || b.Name == "quit") {
			return a.press(k)
		}
	}
	return nil
}

// drop gives up the keys that wait, and says how many.
func (a *App) drop() []tea.KeyPressMsg {
	h := &a.wait
	keys := h.keys
	h.finding, h.awaited, h.expects, h.keys = false, false, false, nil
	if n := len(keys); n > 0 {
		a.add(draw.Plural(n, "key") + " dropped")
	}
	return keys
}

// exhausted tells that there is no segment to go on to. Keys that wait for one
// wait on if an import may bring it.
func (a *App) exhausted(text string) tea.Cmd {
	h := &a.wait
	if s := a.list.Selected(); s != nil {
		h.stuck, h.since = s.ID, a.now()
	}
	if len(h.keys) > 0 && a.job.Busy() && !slices.ContainsFunc(h.keys, a.leaves) {
		h.finding, h.expects = true, true
		a.sayWaiting()
		return nil
	}
	if len(a.list.Rows) == 0 {
		text = a.noSegment()
	}
	a.add(text)
	return a.nowhere()
}

func (a *App) sayWaiting() {
	a.say(draw.Plural(len(a.wait.keys), "key") + " for what the " + a.job.Name + " brings " + a.G.Dot + " " + a.keys.Esc(keys.InReader) + " drops them")
}

// expected looks again for a segment that the import may have brought.
func (a *App) expected() tea.Cmd {
	h := &a.wait
	if !h.expects || a.asking {
		return nil
	}
	h.expects = false
	return a.search()
}
