package review

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
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
	screen  screen.Layer      // they wait for its rows; nil: for a segment
	// Stuck is the judged segment that the selection is left on, because there
	// was none to go on to or the screen began there, and since when.
	stuck string
	since time.Time
	// Refused is the last verdict that could not be written, and when: those
	// typed right after it do not take the word away.
	refused   screen.Message
	refusedAt time.Time
	// unseen is the selected segment that a reload put another one in the place
	// of, Instead, and when.
	unseen   review.Segment
	instead  string
	unseenAt time.Time
}

// Reaction is how soon after a change of the screen nobody can have answered to
// it: a verdict is for what was drawn before.
const Reaction = 200 * time.Millisecond

// replaced remembers the segment that was selected before a reload, if another
// one or other messages are in its place.
func (r *Room) replaced(before *review.Segment) {
	s := r.List.Selected()
	if s == nil || before.ID == "" || s.ID == before.ID && s.Start == before.Start && s.End == before.End && s.Digest == before.Digest {
		return
	}
	h := &r.wait
	h.unseen, h.instead, h.unseenAt = *before, s.ID, r.now()
}

// showUnseen selects the segment that was drawn when a verdict was typed, in the
// place of one that nobody can have seen yet.
func (r *Room) showUnseen() {
	h := &r.wait
	if s := r.List.Selected(); h.instead != "" && s != nil && s.ID == h.instead && r.now().Sub(h.unseenAt) < Reaction {
		r.List.PutBack(h.unseen)
		r.reload = true
	}
	h.instead = ""
}

// typedAhead is how long a verdict on a segment that the selection is left on is
// taken for one that was typed before that could be seen: it is not for this
// segment. Each one of them begins the time anew.
const typedAhead = time.Second

// TakeKey takes a key: it waits, or does what it is bound to.
func (r *Room) TakeKey(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case r.early(k), r.awaits(k, r.Waiting() == 0):
		r.wait.keys = append(r.wait.keys, k)
		return nil
	case r.holds(k):
		return nil
	}
	return r.pressNow(k)
}

// pressNow presses a key. A verdict that was typed ahead goes on first: it is
// not meant for the segment that has one already.
func (r *Room) pressNow(k tea.KeyPressMsg) tea.Cmd {
	if !r.isAhead(k) {
		return r.app.Press(k)
	}
	h := &r.wait
	h.keys = append([]tea.KeyPressMsg{k}, h.keys...)
	r.Presses++
	r.Unsay()
	if len(r.List.Rows) == 0 {
		return r.exhausted("")
	}
	return r.goOn(false)
}

// goOn goes to the next segment, and presses the keys that wait for it.
func (r *Room) goOn(aloud bool) tea.Cmd {
	r.wait.finding = false
	return r.thenKeys(r.next(aloud))
}

// thenKeys presses the keys that wait after what a command began, unless that looks for
// their segment.
func (r *Room) thenKeys(cmd tea.Cmd) tea.Cmd {
	if r.wait.finding {
		return cmd
	}
	return tea.Batch(cmd, r.Arrived())
}

// isAhead reports whether a key is a verdict for a segment that is not there yet.
func (r *Room) isAhead(k tea.KeyPressMsg) bool {
	if r.app.Context()&keys.InJudged == 0 || !judges[r.action(k, r.app.Context())] || r.TooSmall() {
		return false
	}
	h, s := &r.wait, r.List.Selected()
	if s == nil {
		return r.Filter.Node == nil && r.imports.Busy()
	}
	if r.stay || s.ID != h.stuck || !s.Verdict.Judged() || r.now().Sub(h.since) >= typedAhead {
		return false
	}
	h.since = r.now()
	return true
}

// judges are the verdicts that a curator types ahead.
var judges = map[string]bool{"approve": true, "reject": true, "unsure": true}

// early reports whether a key was typed before there is anything to be seen. It
// waits for the first rows, but for what leaves.
func (r *Room) early(k tea.KeyPressMsg) bool {
	if r.ready && r.W > 0 || r.app.Context()&keys.InSegment == 0 {
		return false
	}
	return waits(r.keys.Find(k.String(), keys.InList), r.Waiting() == 0)
}

// waits reports whether what a key does has to wait for rows: what does not ends
// something or, unless keys wait before it, is for the whole program.
func waits(b *keys.Binding, first bool) bool {
	return b == nil || !ends[b.Name] && (!first || b.In != keys.InPages || b.Moves())
}

// ends are the actions that wait for no segment.
var ends = map[string]bool{"leave": true, "quit": true, "suspend": true, "stop": true}

// awaits reports whether a key has to wait for the rows of the screen that it is
// for: one that leads back has not. first says that no key waits before it.
func (r *Room) awaits(k tea.KeyPressMsg, first bool) bool {
	l := r.app.Layer()
	b := r.keys.Find(k.String(), r.app.Context())
	if !awaitsRows(l) || r.TooSmall() || !waits(b, first) || b != nil && (b.Name == keys.Back || b.Name == "list") {
		return false
	}
	r.wait.screen = l
	return true
}

func awaitsRows(l screen.Layer) bool {
	a, ok := l.(screen.Awaiter)
	return ok && a.Awaits()
}

// Seated presses the keys that waited for the rows of a screen, now that they are
// there. If it was closed, they are dropped.
func (r *Room) Seated() tea.Cmd {
	h := &r.wait
	switch l := h.screen; {
	case l == nil, r.app.IsOpen(l) && (r.app.Layer() != l || awaitsRows(l)):
		return nil
	case !r.app.IsOpen(l) && !h.finding:
		r.drop()
	}
	if h.screen = nil; h.finding {
		return nil
	}
	return r.Arrived()
}

// holds reports whether a key has to wait: the segment that it is meant for is
// still being looked for. The first ctrl+c waits too, after the verdicts that
// were typed before it, but not for an import.
func (r *Room) holds(k tea.KeyPressMsg) bool {
	h := &r.wait
	if !h.finding {
		return false
	}
	if r.leaves(k) && (h.expects || slices.ContainsFunc(h.keys, r.leaves)) {
		return false
	}
	switch name := r.action(k, r.app.Context()); {
	case h.expects && name == "stop":
		return false
	case h.expects && (name == "quit" || name == "close-find" || name == keys.Back):
		r.Unsay()
		r.drop()
		return true
	case r.bulk != nil && !r.bulk.known && k.String() == "esc" && len(h.keys) == 0:
		return false // what is counted is not wanted any more
	case h.awaited && len(h.keys) == 0 && retunes[name]:
		return false
	}
	h.keys = append(h.keys, k)
	if h.expects {
		r.sayWaiting()
	}
	return true
}

// leaves reports whether a key ends the program at once.
func (r *Room) leaves(k tea.KeyPressMsg) bool { return r.action(k, keys.InList) == "leave" }

// action is the name of what a key does in a place, "" for nothing.
func (r *Room) action(k tea.KeyPressMsg, in keys.Place) string {
	if b := r.keys.Find(k.String(), in); b != nil {
		return b.Name
	}
	return ""
}

// retunes are the actions that do not wait for the rows of a filter: they set
// another one, and a held key would pile them up.
var retunes = map[string]bool{"threshold-up": true, "threshold-down": true, "filter": true}

// Arrived presses the keys that waited, now that the selection is settled.
func (r *Room) Arrived() tea.Cmd {
	h := &r.wait
	h.finding, h.awaited, h.expects = false, false, false
	var cmds []tea.Cmd
	for len(h.keys) > 0 && !h.finding {
		k := h.keys[0]
		if cmds = append(cmds, r.app.Follow()); r.awaits(k, true) {
			break
		}
		h.keys = h.keys[1:]
		cmds = append(cmds, r.pressNow(k))
	}
	return tea.Batch(cmds...)
}

// Nowhere drops the keys that were meant for a segment that is not there, and
// says so, but for those that leave.
func (r *Room) Nowhere() tea.Cmd {
	for _, k := range r.drop() {
		if name := r.action(k, keys.InList); name == "leave" || name == "quit" {
			return r.app.Press(k)
		}
	}
	return nil
}

// drop gives up the keys that wait, and says how many.
func (r *Room) drop() []tea.KeyPressMsg {
	h := &r.wait
	keys := h.keys
	h.finding, h.awaited, h.expects, h.keys = false, false, false, nil
	if n := len(keys); n > 0 {
		r.Add(draw.Plural(n, "key") + " dropped")
	}
	return keys
}

// exhausted tells that there is no segment to go on to. Keys that wait for one
// wait on if an import may bring it.
func (r *Room) exhausted(text string) tea.Cmd {
	h := &r.wait
	if s := r.List.Selected(); s != nil {
		h.stuck, h.since = s.ID, r.now()
	}
	if len(h.keys) > 0 && r.imports.Busy() && !slices.ContainsFunc(h.keys, r.leaves) {
		h.finding, h.expects = true, true
		r.sayWaiting()
		return nil
	}
	if len(r.List.Rows) == 0 {
		text = r.NoSegment()
	}
	r.Add(text)
	return r.Nowhere()
}

func (r *Room) sayWaiting() {
	r.Say(draw.Plural(r.Waiting(), "key") + " kept for what the " + r.imports.Name + " brings " + r.G.Dot + " " + r.keys.Esc(keys.InReader) + " drops them")
}
