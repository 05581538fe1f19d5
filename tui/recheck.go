package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
	room "winnow/tui/review"
	"winnow/tui/rows"
	"winnow/tui/screen"
	"winnow/tui/screens/recheck"
	"winnow/tui/work"
)

// blindKeys are the actions that tell nothing of a hidden verdict, besides
// those of the reader and the motions.
var blindKeys = map[string]bool{
	"approve": true, "reject": true, "unsure": true, "pending": true, "undo": true, "redo": true, "next-pending": true, "advance": true,
	"open": true, "reasons": true, "preview": true, "other-pane": true, "wider-list": true, "narrower-list": true, "theme": true, "copy": true,
	keys.Help: true, "quit": true, "close-find": true, keys.Back: true, "leave": true, "suspend": true, "stop": true, "reload": true,
}

// blindfold turns off, during a recheck, what could tell of a verdict.
func (a *App) blindfold() {
	for i := range a.keys.Rows {
		b := &a.keys.Rows[i]
		if b.In&keys.InSegment == 0 || b.In&^keys.InReader == 0 && b.Name != "train" || blindKeys[b.Name] || b.Moves() {
			continue
		}
		b.Unless(func() string {
			if a.Context()&keys.InJudged != 0 {
				return "not during a recheck: " + a.keyIn("quit", keys.InList) + " ends it"
			}
			return ""
		})
	}
}

// blindLibrary is the library during a recheck: what tells of verdicts is blind,
// the others are as they are, for Go takes the methods that are less deep.
type blindLibrary struct {
	*recheck.Blind
	others
}

type others struct{ rows.Library }

// beginRecheck hides the verdicts, and has the list show what is rechecked.
func (a *App) beginRecheck(s *recheck.Sample) {
	if s == nil {
		return
	}
	a.blind = recheck.NewBlind(a.Lib, s, a.opt.Curator, a.opt.Now)
	a.Recheck(blindLibrary{a.blind, others{a.Lib}}, s.Filter(), s.Seed)
	a.blindfold()
}

// EndRecheck tells how a recheck came out once all answers are kept; nil if there is
// nothing to be told.
func (a *App) EndRecheck() tea.Cmd {
	if a.blind == nil || a.in(keys.InRecheck) != nil || !a.blind.Answered() && !a.writes.Open() {
		return nil
	}
	return a.Enqueue("", func(context.Context, rows.Library) (work.Show, error) { return a.openRecheck, nil })
}

// openRecheck shows how it came out.
func (a *App) openRecheck() tea.Cmd {
	if !a.blind.Answered() {
		return a.quit()
	}
	if a.in(keys.InRecheck) == nil {
		a.Message = screen.Message{}
		a.Enter(keys.InRecheck)
	}
	return nil
}

// forRecheck is the program as the end of a recheck needs it.
type forRecheck struct{ *App }

func (p forRecheck) Write(do func(context.Context) error, done func(error)) {
	p.also = append(p.also, p.Enqueue("", func(ctx context.Context, _ rows.Library) (work.Show, error) {
		err := do(ctx)
		return room.Showing(func() { done(err) }), err
	}))
}

func (p forRecheck) Quit() { p.also = append(p.also, p.quit()) }
