package work

import (
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
)

// askedAfter is how long no key was pressed when a question appears: the next
// key of a hand that is typing would answer it unseen.
const askedAfter = time.Second

// question asks whether what is planned may be sent to a host.
type question struct {
	Plan
	of      *Kind
	shown   bool
	pressed int // keys before it waited to be shown
}

// ask asks as soon as nobody types.
func (p *Planner) ask(k *Kind, plan Plan) tea.Cmd {
	n, _ := p.host.Pressed()
	p.question = &question{Plan: plan, of: k, pressed: n}
	return p.showLater(p.question)
}

func (p *Planner) showLater(q *question) tea.Cmd {
	return p.host.After(askedAfter, Then(func() tea.Cmd {
		if q != p.question || q.shown {
			return nil
		}
		n, idle := p.host.Pressed()
		if n != q.pressed || !idle {
			q.pressed = n
			return p.showLater(q)
		}
		q.shown = true
		return nil
	}))
}

// Asks reports whether it is asked whether something may be sent.
func (p *Planner) Asks() bool { return p.question != nil && p.question.shown }

// Question is what is asked, and what is done if nothing is sent.
func (p *Planner) Question() (text, instead string) {
	q := p.question
	return "Send " + draw.Plural(q.Sent, q.of.counts) + ", about " + draw.Short(q.Tokens) + " tokens, to " +
		p.named(q.Host) + " for " + p.named(q.Model) + " to " + q.of.to + "?", q.of.instead
}

// named is the name of a host or a model as far as a question has room for it.
func (p *Planner) named(name string) string {
	const longest = 40
	return ansi.Truncate(clean.Line(draw.Head(name)), longest, p.more)
}

// Answer answers the question: what is planned is sent, from now on, or nothing is
// in this run.
func (p *Planner) Answer(send bool) tea.Cmd {
	q := p.question
	k := q.of
	p.question = nil
	if !send {
		k.local = true
		return p.look(k)
	}
	k.sentAt = p.Import.Progress().Messages
	return p.run(k, true, q.Allow)
}

// AnswerLater leaves things as they are until the next start.
func (p *Planner) AnswerLater() tea.Cmd {
	k := p.question.of
	p.question = nil
	k.local, k.off = true, k.model == ""
	p.host.Say("nothing was sent and nothing is "+k.was+"; the next start asks again", Other)
	return p.look(k)
}
