package tui

import (
	"context"
	"errors"
	"maps"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/reader"
	"winnow/tui/screen"
	"winnow/tui/work"
)

// pollEvery is how often the database is asked whether it changed: what a
// colleague does appears within a second, and an idle screen costs nothing
// that can be measured.
const pollEvery = 700 * time.Millisecond

// pollTick says that it is time to ask; polled answers.
type pollTick struct{}

type polled struct {
	version int64
	err     error
}

func poll(ctx context.Context, lib Library) tea.Cmd {
	return func() tea.Msg {
		v, err := lib.Version(ctx)
		return polled{v, err}
	}
}

// tookVersion reads again what is shown if the database changed. The first
// version is read before the first rows, so that no change falls in between.
func (a *App) tookVersion(m polled) tea.Cmd {
	next := tea.Batch(a.work.Leisure(), a.expected())
	if !a.polling {
		a.polling = true
		next = tea.Batch(next, a.after(pollEvery, pollTick{}))
	}
	a.stalled = false
	if a.list.loose { // what it takes to collapse clusters may be read by now
		a.reload = true
	}
	switch {
	case errors.Is(m.err, review.ErrGone):
		a.Message = screen.Message{Text: m.err.Error(), Failed: true}
		return next
	case m.err != nil:
		a.Fail("the database does not answer", m.err)
		if !a.ready && !a.asking {
			return tea.Batch(next, a.nowhere())
		}
		return next
	case !a.begun:
		a.begun = true
		a.work.Changed()
		next = tea.Batch(next, a.askFirst())
	case m.version == a.version:
		return next
	default:
		a.reload = true
		a.forgetTitles()
	}
	a.version = m.version
	a.tally.want = true
	a.work.Changed()
	return tea.Batch(next, a.loadTotals(), a.Changed(), a.renewVisits())
}

// loadTotals reads the counts of the header. If a verdict was given meanwhile, the
// next poll asks again, also if they were read after the write.
func (r *Room) loadTotals() tea.Cmd {
	ctx, lib, epoch := r.ctx, r.lib, r.writes.Epoch()
	return func() tea.Msg {
		t, err := lib.Totals(ctx)
		t.ByVerdict = maps.Clone(t.ByVerdict) // ours to change
		return work.Then(func() tea.Cmd {
			switch {
			case err != nil:
				r.Fail("counting", err)
			case epoch == r.writes.Epoch() && !r.writes.Writing():
				r.totals = t
			default:
				r.app.Reread()
			}
			return nil
		})
	}
}

// maxTitles bounds the memory for titles of sessions.
const maxTitles = 4096

// forgetTitles lets the titles that were not there be asked for again: they
// may stand further down in a source.
func (r *Room) forgetTitles() {
	maps.DeleteFunc(r.titles, func(_, title string) bool { return title == "" })
}

// askTitles asks for the titles of the sessions on screen whose segments have
// no topic.
func (r *Room) askTitles() tea.Cmd {
	var ids []string
	for _, s := range r.list.Visible() {
		if s.Topic != "" {
			continue
		}
		if _, known := r.titles[s.SessionID]; !known {
			if len(r.titles) >= maxTitles {
				clear(r.titles)
			}
			r.titles[s.SessionID] = ""
			ids = append(ids, s.SessionID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	ctx, lib, g := r.ctx, r.lib, r.G
	return func() tea.Msg {
		titles := map[string]string{}
		for _, id := range ids {
			if s, err := lib.Session(ctx, id); err == nil {
				titles[id] = titleOf(g, &s)
			}
		}
		return work.Then(func() tea.Cmd {
			maps.Copy(r.titles, titles)
			return nil
		})
	}
}

// titleOf names a session by its title, or one that has none and comes from
// another by how and where it did.
func titleOf(g *draw.Glyphs, s *review.Session) string {
	if s.Title != "" || s.Origin.Kind == "" {
		return clean.Line(draw.Head(s.Title))
	}
	name := reader.NameOfKind(s.Origin.Kind)
	if s.Origin.At > 0 {
		name += " at " + draw.Grouped(s.Origin.At)
	}
	file := review.FileTitle(s.File)
	if i := strings.LastIndex(file, branchKey); i > 0 {
		file = file[:i]
	}
	return name + " " + g.Dot + " " + clean.Line(draw.Head(file))
}

// branchKey stands between the file of a branch and the id it begins with,
// which says nothing to people.
const branchKey = "#b="

// title names a segment that has no topic: by its session's title, else by
// its file; a later part of a session by where it begins, too.
func (r *Room) title(s *review.Segment) string {
	title := r.titles[s.SessionID]
	if title == "" {
		title = fileTitle(s)
	}
	if s.Start > 1 {
		title += " " + r.G.Dot + " from " + draw.Grouped(s.Start)
	}
	return title
}
