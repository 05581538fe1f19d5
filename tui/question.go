package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

// askedAfter is how long no key was pressed when a question appears: the next
// key of a hand that is typing would answer it unseen.
const askedAfter = time.Second

// question asks whether sessions may be sent to a host. It stands above the
// footer and leaves what is read to be read.
type question struct {
	sent
	judge   bool // to be judged, and not to be cut
	shown   bool
	presses int // keys that were pressed before it waited to be shown
}

// sent is what would be sent, where to, and what for.
type sent struct {
	count       int
	what        string // is counted: "session"
	tokens      int    // estimated
	host, model string
	to          string // do with them: "cut"
}

// questionDue says that a question has waited.
type questionDue struct{ question *question }

// openQuestion asks as soon as nobody types.
func (a *App) openQuestion(q question) tea.Cmd {
	q.presses = a.presses
	a.question = &q
	return a.after(askedAfter, questionDue{a.question})
}

func (a *App) tookDue(m questionDue) tea.Cmd {
	q := a.question
	if q == nil || q != m.question || q.shown {
		return nil
	}
	if q.presses != a.presses || a.field != nil || a.context()&keys.InSegment == 0 || a.tooSmall() {
		q.presses = a.presses
		return a.after(askedAfter, m)
	}
	q.shown = true
	return nil
}

// answer cuts or judges as the curator wants it: with what is configured, from
// now on, or without sending anything in this run.
func (a *App) answer(send bool) func() tea.Cmd {
	return func() tea.Cmd {
		q := a.question
		a.question = nil
		switch {
		case q.judge && !send: // all is measured
			a.scores.offline = true
			return a.cutOn()
		case q.judge:
			a.scores.seen = a.job.Progress().Messages
			return a.startJudging(allowing(a.scoring.Allow, q.host, a.scoring.Judge()))
		case !send:
			a.cuts.rules, a.cuts.byModel = true, false
			return a.startCuts(a.segmenting.Cut(true))
		}
		return a.startCuts(allowing(a.segmenting.Allow, q.host, a.segmenting.Cut(false)))
	}
}

// allowing is a job that begins by remembering that a host may be sent to.
func allowing(allow func(context.Context, string) error, host string, run Job) Job {
	return func(ctx context.Context, report func(Progress)) error {
		if err := allow(ctx, host); err != nil {
			return err
		}
		return run(ctx, report)
	}
}

// answerLater leaves things as they are until the next start.
func (a *App) answerLater() tea.Cmd {
	if a.question.judge {
		a.scores.offline = true
		a.say("nothing was sent and nothing is judged; the next start asks again")
	} else {
		a.cuts.off = true
		a.say("nothing was sent and nothing is cut; the next start asks again")
	}
	a.question = nil
	return a.lookForScores()
}

// questionLines draws the question.
func (a *App) questionLines(w int) []string {
	if a.context() != keys.InQuestion {
		return nil
	}
	q := a.question
	text := "Send " + draw.Plural(q.count, q.what) + ", about " + draw.Short(q.tokens) + " tokens, to " +
		a.named(q.host) + " for " + a.named(q.model) + " to " + q.to + "?"
	no := a.keyIn("rules", keys.InQuestion) + " cuts by rules, here"
	if q.judge {
		no = a.keyIn("rules", keys.InQuestion) + " leaves them as measured, here"
	}
	lines := strings.Split(ansi.Wrap(text, w-2, ""), "\n")
	for i := range lines {
		lines[i] = draw.Fit(" "+a.Ink.Warn.On(lines[i]), w, a.G.More)
	}
	for _, l := range strings.Split(ansi.Wrap(a.keyIn("send", keys.InQuestion)+" also for later sessions of this database "+a.G.Dot+" "+no, w-2, ""), "\n") {
		lines = append(lines, draw.Fit(" "+a.Ink.Muted.On(l), w, a.G.More))
	}
	return lines[:min(len(lines), max(1, a.h-leastAround))]
}

// leastAround is how many lines a question leaves for what it stands over.
const leastAround = 4

// named is the name of a host or a model as far as a question has room for it.
func (a *App) named(name string) string {
	const longest = 40
	return ansi.Truncate(clean.Line(draw.Head(name)), longest, a.G.More)
}
