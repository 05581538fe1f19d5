package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
)

// askedAfter is how long no key was pressed when a question appears: the next
// key of a hand that is typing would answer it unseen.
const askedAfter = time.Second

// question asks whether sessions may be sent to a host. It stands above the
// footer and leaves what is read to be read.
type question struct {
	plan    CutPlan
	shown   bool
	presses int // keys that were pressed before it waited to be shown
}

// questionDue says that a question has waited.
type questionDue struct{ question *question }

// openQuestion asks as soon as nobody types.
func (a *App) openQuestion(plan CutPlan) tea.Cmd {
	a.question = &question{plan: plan, presses: a.presses}
	return a.after(askedAfter, questionDue{a.question})
}

func (a *App) tookDue(m questionDue) tea.Cmd {
	q := a.question
	if q == nil || q != m.question || q.shown {
		return nil
	}
	if q.presses != a.presses || a.field != nil || a.page()&inSegment == 0 || a.tooSmall() {
		q.presses = a.presses
		return a.after(askedAfter, m)
	}
	q.shown = true
	return nil
}

// answer cuts as the curator wants it: with what is configured, from now on,
// or by rules in this run.
func (a *App) answer(send bool) func() tea.Cmd {
	return func() tea.Cmd {
		host := a.question.plan.Host
		a.question = nil
		run := a.segmenting.Cut(!send)
		if !send {
			a.cuts.rules, a.cuts.byModel = true, false
			return a.startCuts(run)
		}
		segmenting := a.segmenting
		return a.startCuts(func(ctx context.Context, report func(Progress)) error {
			if err := segmenting.Allow(ctx, host); err != nil {
				return err
			}
			return run(ctx, report)
		})
	}
}

// answerLater leaves the sessions as they are until the next start.
func (a *App) answerLater() tea.Cmd {
	a.question, a.cuts.off = nil, true
	a.say("nothing was sent and nothing is cut; the next start asks again")
	return nil
}

// questionLines draws the question.
func (a *App) questionLines(w int) []string {
	if a.context() != InQuestion {
		return nil
	}
	p := &a.question.plan
	model := clean.Line(head(p.Model))
	text := "Send " + plural(p.Sessions, "session") + ", about " + short(p.Tokens) + " tokens, to " +
		clean.Line(head(p.Host)) + " for " + model + " to cut?"
	lines := strings.Split(ansi.Wrap(text, w-2, ""), "\n")
	for i := range lines {
		lines[i] = fit(" "+a.ink.warn.on(lines[i]), w, a.g.more)
	}
	for _, l := range strings.Split(ansi.Wrap("y also for later sessions of this database "+a.g.dot+" n cuts by rules, here", w-2, ""), "\n") {
		lines = append(lines, fit(" "+a.ink.muted.on(l), w, a.g.more))
	}
	return lines
}
