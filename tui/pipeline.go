package tui

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/core/inbox"
	"winnow/tui/draw"
	"winnow/tui/keys"
	room "winnow/tui/review"
	"winnow/tui/rows"
	"winnow/tui/screen"
	"winnow/tui/screens/pipeline"
	"winnow/tui/work"
)

// Pipeline tells what comes in by other programs, and what is done with it.
type Pipeline interface {
	pipeline.Library
	// Arrived returns how many messages uploads brought, agent by agent, since a number,
	// and up to which number it looked; with one below 0 it only looks. It is asked at
	// every poll.
	Arrived(ctx context.Context, since int64) (news []inbox.News, to int64, err error)
}

// arrivals are what the header says of uploads.
type arrivals struct {
	since int64
	news  []inbox.News // the newest last
	at    time.Time    // when the last ones came
}

// newsFor is how long the header tells what came.
const newsFor = time.Minute

// pollArrivals asks what came. An error is not told: the poll beside it tells what is
// wrong with the database.
func (a *App) pollArrivals() tea.Cmd {
	if a.opt.Pipeline == nil {
		return nil
	}
	ctx, lib, since := a.Ctx, a.opt.Pipeline, a.came.since
	return func() tea.Msg {
		news, to, err := lib.Arrived(ctx, since)
		return work.Then(func() tea.Cmd {
			if err == nil && a.came.since == since {
				a.came.take(news, to, a.opt.Now())
			}
			return nil
		})
	}
}

// take notes what came at a time.
func (c *arrivals) take(news []inbox.News, to int64, now time.Time) {
	c.since = to
	if now.Sub(c.at) > newsFor {
		c.news = nil
	}
	for _, n := range news {
		if i := slices.IndexFunc(c.news, func(old inbox.News) bool { return old.Agent == n.Agent }); i >= 0 {
			n.Messages += c.news[i].Messages
			c.news = slices.Delete(c.news, i, i+1)
		}
		c.news, c.at = append(c.news, n), now
	}
}

// arrivedParts say in the header what came: from whom last, and from how many others.
func (a *App) arrivedParts() []draw.Part {
	n := len(a.came.news)
	if n == 0 || a.opt.Now().Sub(a.came.at) > newsFor {
		return nil
	}
	last, sum := a.came.news[n-1], 0
	for _, one := range a.came.news {
		sum += one.Messages
	}
	count := " +" + draw.Short(sum)
	name := draw.Cut(clean.Line(draw.Head(last.Agent)), agentWidth, a.G.More)
	if n > 1 {
		name += " and " + draw.Plural(n-1, "other")
	}
	return []draw.Part{{Text: a.Ink.Key.On(a.G.Came + " " + name + count), Worth: 9, Short: a.Ink.Key.On(a.G.Came + count), Yield: 4}}
}

// agentWidth is what the name of an agent is cut to in the header.
const agentWidth = 20

func (a *App) noPipeline() string { return keys.Reason(a.opt.Pipeline == nil, "no pipeline here") }

// forPipeline is the program as the screen of the pipeline needs it.
type forPipeline struct{ *App }

func (p forPipeline) Narrow(n filter.Node, from *pipeline.Screen) {
	before := p.Filter
	forStatistics(p).Narrow(n)
	p.piped = piped{from, p.Filter.Key, before}
}

// piped is a filter that the pipeline set.
type piped struct {
	from   *pipeline.Screen // nil: it set none
	key    string           // of the filter
	before rows.Filter
}

// openPipeline opens the pipeline, as it was left while one looks at what it led to.
func (a *App) openPipeline(s screen.Seat) screen.Layer {
	old := a.piped.from
	a.piped = piped{}
	return pipeline.New(s, forPipeline{a}, a.opt.Pipeline, old)
}

// leadsToPipeline reports whether the way back from the list leads to the pipeline, which
// set the filter that is in force.
func (a *App) leadsToPipeline() bool {
	return a.piped.from != nil && a.Filter.Key == a.piped.key && a.Focus != room.OnReader && !a.Visiting() && (len(a.List.Rows) == 0 || a.Room.NothingToClose() != "")
}

// backToPipeline goes back to the pipeline, with the filter that was there before.
func (a *App) backToPipeline() tea.Cmd {
	before := a.piped.before
	a.Enter(keys.InPipeline)
	return a.Take(before, rows.WantNear)
}

// NothingToClose says why esc does nothing in the list, "" if it does something.
func (a *App) NothingToClose() string {
	if a.leadsToPipeline() {
		return ""
	}
	return a.Room.NothingToClose()
}

func (p forPipeline) Seen() { p.came.news = nil }

func (p forPipeline) Jobs() (list []pipeline.Job) {
	for _, j := range p.work.Jobs() {
		facts := strings.Join(j.Facts(p.opt.Now()), " "+p.G.Dot+" ")
		if j.Waiting {
			facts = "waits for more"
		}
		list = append(list, pipeline.Job{Name: j.Name, Facts: facts})
	}
	return list
}

func (p forPipeline) Stop(name string) {
	for _, j := range p.work.Jobs() {
		if j.Name == name {
			p.work.End(j)
			return
		}
	}
}
