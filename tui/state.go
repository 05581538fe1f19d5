package tui

import (
	"context"
	"maps"
	"reflect"

	tea "charm.land/bubbletea/v2"

	room "winnow/tui/review"
	"winnow/tui/work"
)

// State keeps how a curator's screen looked.
type State interface {
	Save(ctx context.Context, s Screen) error
}

// screenVersion is the version of Screen that this program writes and reads.
const screenVersion = 1

// Screen is how a screen looked when its curator left it: where they were, and
// what they had chosen. What no longer makes sense is passed over.
type Screen struct {
	Version int `json:"version"`
	room.Looks
	Export map[string]string `json:"export,omitzero"`
	Theme  string            `json:"theme,omitzero"` // chosen on the screen; "" follows the terminal
}

// stateKeeping is what the screen does with its State.
type stateKeeping struct {
	saved  Screen // what is kept
	seen   Screen // how it looked at the last poll
	saving bool   // a save is under way
}

// looks returns how the screen looks: a copy that nobody changes.
func (a *App) looks() Screen {
	s := Screen{Version: screenVersion, Looks: a.Looks(), Theme: a.remembered}
	if len(a.exports.form.Values) > 0 {
		s.Export = maps.Clone(a.exports.form.Values)
	}
	return s
}

// keepState saves how the screen looks if it changed and rested since the last
// poll. What came first is not saved: nobody chose it.
func (a *App) keepState() tea.Cmd {
	k := &a.keeping
	if a.opt.State == nil || !a.Ready() {
		return nil
	}
	s := a.looks()
	rests := reflect.DeepEqual(s, k.seen)
	k.seen = s
	if !rests || k.saving || reflect.DeepEqual(s, k.saved) {
		return nil
	}
	k.saving = true
	ctx, lib := context.WithoutCancel(a.Ctx), a.opt.State
	return func() tea.Msg {
		err := lib.Save(ctx, s)
		return work.Then(func() tea.Cmd {
			// A save that failed is worth no word: nothing is lost that was judged,
			// and the next poll tries again.
			if k.saving = false; err == nil {
				k.saved = s
			}
			return nil
		})
	}
}

// leaveState saves how the screen looks at its end. A line that is half-typed then is
// put away.
func (a *App) leaveState() {
	if a.field != nil {
		a.putLineAway()
	}
	if now := a.looks(); a.opt.State != nil && a.Ready() && !reflect.DeepEqual(now, a.keeping.saved) {
		_ = a.opt.State.Save(context.WithoutCancel(a.Ctx), now)
	}
}

// restore makes the screen look as it did. What the options ask for goes before.
func (a *App) restore(s *Screen, o *Options) {
	if s == nil || s.Version != screenVersion {
		return
	}
	a.keeping.saved = *s
	a.LookAs(&s.Looks, o.Order != "", o.Filter != "")
	a.exports.form.Restore(s.Export)
	if i := a.themeNamed(s.Theme); i >= 0 {
		if a.remembered = s.Theme; o.Theme == "" {
			a.wear(i)
		}
	}
}
