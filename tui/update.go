package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/keys"
	"winnow/tui/line"
	"winnow/tui/screen"
	"winnow/tui/work"
)

// Init implements tea.Model.
func (a *App) Init() tea.Cmd {
	cmds := []tea.Cmd{poll(a.ctx, a.lib), a.work.Begin(), a.readSaved(nil), a.claims.poll(a.ctx)}
	if a.importing.first {
		cmds = append(cmds, enter(keys.InOffer)(a))
	}
	return tea.Batch(append(cmds, tea.RequestBackgroundColor)...)
}

// Update implements tea.Model.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	a.work.Look()
	cmd := a.handle(msg)
	if a.leaving && !a.writes.Open() && !a.wait.finding {
		return a, tea.Quit
	}
	cmd = tea.Batch(cmd, a.Follow())
	also := a.also
	a.also = nil
	return a, tea.Batch(append(also, cmd)...)
}

func (a *App) handle(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		first := a.w == 0
		a.w, a.h = m.Width, m.Height
		a.Room.w, a.Room.h = a.w, a.h
		if first && a.ready && !a.wait.finding {
			return a.arrived()
		}
	case tea.BackgroundColorMsg:
		a.tookBackground(m)
	case tea.ColorProfileMsg:
		a.tookProfile(m.Profile)
	case tea.KeyPressMsg:
		return a.takeKey(m)
	case tea.MouseMsg:
		return a.pointed(m)
	case tea.PasteMsg:
		if a.field != nil {
			return a.field.Update(m)
		}
	case tea.ResumeMsg:
		a.reload = true
		return tea.Batch(tea.ClearScreen, poll(a.ctx, a.lib))
	case leave:
		return a.quit()
	case lineTyped:
		return m.line.paused(m.number)
	case line.Found:
		m.Offer(a.field)
	case polled:
		return a.tookVersion(m)
	case pollTick:
		a.polling = false
		return tea.Batch(poll(a.ctx, a.lib), a.claims.poll(a.ctx), a.keepState())
	case work.Done:
		return a.handleWrite(m)
	case segmentFound:
		return a.tookFound(m)
	case work.Tick:
		return a.work.Tick(m)
	case work.Ended:
		return a.work.End(m)
	case work.Then:
		return m()
	case screen.Answer:
		return a.answered(m)
	default:
		if a.field != nil {
			return tea.Batch(a.field.Update(msg), a.Room.handle(msg))
		}
		return a.Room.handle(msg)
	}
	return nil
}

// handle takes an answer to what list and reader asked for.
func (r *Room) handle(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case pagesLoaded:
		return r.tookPages(m)
	case countsLoaded:
		return r.tookCounts(m)
	case savedRead:
		return r.tookSaved(m)
	case othersCame:
		r.tookOthers(m)
	case claimed:
		return r.tookClaim(m)
	case restDue:
		return r.tookRest()
	case claimDue:
		r.tookClaimDue()
	case visitLoaded:
		return r.tookVisit(m)
	default:
		return r.reader.Update(msg)
	}
	return nil
}

// Follow brings what depends on the state in line with it: the sizes, the
// rows needed next, their titles, and what the reader shows.
func (a *App) Follow() tea.Cmd {
	body := a.bodyHeight()
	if a.field != nil {
		a.field.Follow(body)
	}
	return tea.Batch(a.Room.follow(body), a.followSeated())
}

// Follow brings the sizes, the rows needed next, their titles, and what the reader
// shows in line with the rest, in a body of so many lines.
func (r *Room) follow(body int) tea.Cmd {
	r.body = body
	r.list.Resize(body)
	r.list.explain()
	r.reader.SetFocus(r.focus == onReader)
	return tea.Batch(r.markTexts(), r.askNeeded(), r.askCounts(), r.askTitles(), r.askChanges(), r.openSelected(), r.resizeReader(), r.followClaims(), r.followMarks())
}

// resizeReader tells the reader the size of its next view, which also lets it
// ask for what the last one lacked.
func (r *Room) resizeReader() tea.Cmd {
	if !r.readerShows() {
		return nil
	}
	return r.reader.Resize(r.readerWidth(), r.body-1)
}

// openSelected shows the selected segment in the reader, if it can be seen.
func (r *Room) openSelected() tea.Cmd {
	s := r.list.Selected()
	if s == nil || s.ID != r.visitFrom {
		r.visits = nil
	}
	if !r.readerShows() {
		return nil
	}
	if s == nil {
		if r.opened.ID != "" {
			r.opened = review.Segment{}
			r.reader.Close()
		}
		return nil
	}
	if r.visiting() {
		return nil
	}
	o := &r.opened
	if o.ID == s.ID && o.Body == s.Body && o.Start == s.Start && o.End == s.End && o.Digest == s.Digest && o.Stale == s.Stale && o.Analysis == s.Analysis {
		r.remark(s)
		return nil
	}
	if wait, cmd := r.passes(s); wait {
		return cmd
	}
	r.opened = *s
	cmd := r.reader.Open(*s)
	if l := r.landing; l.segment == s.ID {
		r.landing = landing{}
		cmd = tea.Batch(cmd, r.reader.Show(l.at))
	}
	return tea.Batch(cmd, r.prefetch())
}

// prefetch brings what a verdict would show next, so that it is there at once.
func (r *Room) prefetch() tea.Cmd {
	if i := r.list.nextPending(r.list.Cur + 1); i >= 0 {
		return r.reader.Prefetch(r.list.Rows[i])
	}
	return nil
}
