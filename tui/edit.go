package tui

import (
	"cmp"
	"context"
	"errors"
	"os/exec"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/rows"
	"winnow/tui/screens/edit"
	"winnow/tui/work"
)

// Edits change messages as curators see them. What was recorded stays. It may take
// long and is called from commands only.
type Edits interface {
	edit.Library
	// Edit makes changes as one entry of the journal; review.ErrConflict if another
	// message stands somewhere than the curator has seen.
	Edit(ctx context.Context, w review.Editing) (review.Entry, error)
}

// noEdit says why the current message can't be changed, "" if it can.
func (a *App) noEdit() string {
	return cmp.Or(
		keys.Reason(a.opt.ReadOnly, "the database is read-only: messages can't be changed"),
		keys.Reason(a.opt.Edits == nil || a.opt.Drafts == nil, "messages can't be changed here"),
		a.NoVerdict(),
		keys.Reason(a.messageRead().N == 0, "there is no message"))
}

// forEdit is the program as the change of a message needs it.
type forEdit struct{ app *App }

// rangeEnd is a message that was marked as one end of a range that is to be dropped, its
// N 0 for none.
type rangeEnd struct {
	session string
	n       int
}

// Mark implements edit.Program.
func (p forEdit) Mark(n int) {
	a := p.app
	if a.ranged = (rangeEnd{forRecord{a}.Message().Session, n}); n > 0 {
		a.Say("message " + draw.Grouped(n) + " is one end of a range: " + a.keyIn("edit", keys.InReader) + " on the other end drops all of it")
	}
}

// At implements edit.Program.
func (p forEdit) At() edit.At {
	at, s := edit.At{Message: forRecord{p.app}.Message()}, p.app.Reader.Status()
	if r := p.app.ranged; r.session == at.Session {
		at.From = r.n
	}
	if at.Dropped = s.Dropped; s.Place[1] > 0 {
		at.N, at.Part = s.Place[0], s.Place[1]
	}
	return at
}

// Exec implements edit.Program. What was drawn is drawn anew.
func (p forEdit) Exec(cmd *exec.Cmd, done func(error) func()) {
	p.app.also = append(p.app.also, p.app.opt.Exec(cmd, func(err error) tea.Msg {
		show := done(err)
		return work.Then(func() tea.Cmd {
			show()
			return tea.ClearScreen
		})
	}))
}

// Keep has a change written. If that is refused, its text is in a file.
func (p forEdit) Keep(c edit.Change) {
	a := p.app
	of, lib, curator := a.in(keys.InEdit), a.opt.Edits, a.opt.Curator
	draft := c.Draft
	a.also = append(a.also, a.Act(func(ctx context.Context, _ rows.Library) (review.Entry, error) {
		e, err := lib.Edit(ctx, review.Editing{Curator: curator, Note: c.Note, Changes: c.Changes})
		switch {
		case err == nil && draft != "":
			c.Drafts.Remove(draft)
		case err != nil && draft == "" && c.Text != "":
			draft, _ = c.Drafts.Write(c.Name, c.Text)
		}
		return e, err
	}, func(e review.Entry, _ []review.Segment, err error) tea.Cmd {
		if err != nil {
			return a.notEdited(of, draft, err)
		}
		return a.edited(of, c.Done, &e)
	}))
}

// edited goes back to the message, and says what is done.
func (a *App) edited(of *seated, done string, e *review.Entry) tea.Cmd {
	if of.open() {
		of.Leave()
	}
	if e.ID == 0 {
		a.Say("nothing is changed: it is like that")
		return nil
	}
	a.ranged = rangeEnd{}
	a.SayUndo(done, a.keyIn("undo", keys.InList)+" undo")
	return nil
}

// notEdited says why a change was refused. If somebody else was faster, the reader
// shows what stands there now.
func (a *App) notEdited(of *seated, draft string, err error) tea.Cmd {
	what := "not kept"
	if draft != "" {
		what += ", the text is in " + of.ShortPath(draft)
	}
	if errors.Is(err, review.ErrConflict) && of.open() {
		of.Leave()
	}
	a.Fail(what, err)
	return nil
}
