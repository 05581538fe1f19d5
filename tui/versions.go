package tui

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"winnow/core/edit"
	"winnow/core/ledger"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/reader"
	"winnow/tui/rows"
	"winnow/tui/screens/versions"
)

// Versions tell what sessions were, and bring them back. It may take long and is
// called from commands only.
type Versions interface {
	versions.Library
	// BackTo returns what brings messages of a session, or all of it if none are
	// named, to what they were after an entry of the journal. Only that of a named
	// message takes a redaction back.
	BackTo(ctx context.Context, session string, entry int64, messages ...int) (versions.Back, error)
}

// noVersions says why no versions can be shown, "" if they can.
func (a *App) noVersions() string {
	return cmp.Or(
		keys.Reason(a.opt.Versions == nil, "no versions here"),
		keys.Reason(a.Opened.SessionID == "", "there is no session"))
}

// forVersions is the program as the screen of versions needs it.
type forVersions struct{ app *App }

func (p forVersions) Message() ledger.Message { return forRecord{p.app}.Message() }

func (p forVersions) Read(n int) {
	a := p.app
	if of := &a.Opened; n < of.Start || n > of.End {
		p.Visit(of.SessionID, "the whole session", n)
		return
	}
	a.also = append(a.also, a.ReadAt(a.Opened.ID, n))
}

func (p forVersions) Visit(session, title string, at int) {
	a := p.app
	a.also = append(a.also, a.Room.Visit(reader.Link{Session: session, Title: title, At: at}))
}

func (p forVersions) Undo() { p.app.also = append(p.app.also, p.app.Step(false)) }

func (p forVersions) Redo() { p.app.also = append(p.app.also, p.app.Step(true)) }

// NoChange says why no version can be brought back.
func (p forVersions) NoChange() string {
	return cmp.Or(p.app.NoChange(), keys.Reason(p.app.opt.Edits == nil, "messages can't be changed here"))
}

// Revert has a version brought back, as one entry of the journal. Where that takes
// redactions of messages n back, it asks once.
func (p forVersions) Revert(session string, entry int64, sure bool, n ...int) {
	a := p.app
	var back versions.Back
	asks := func() bool { return !sure && back.Redactions > 0 }
	lib, edits, curator := a.opt.Versions, a.opt.Edits, a.opt.Curator
	a.also = append(a.also, a.Act(func(ctx context.Context, _ rows.Library) (review.Entry, error) {
		var err error
		if back, err = lib.BackTo(ctx, session, entry, n...); err != nil || len(back.Changes) == 0 || asks() {
			return review.Entry{}, err
		}
		return edits.Edit(ctx, review.Editing{Curator: curator, Changes: back.Changes})
	}, func(e review.Entry, _ []review.Segment, err error) tea.Cmd {
		switch {
		case err == nil && asks():
			a.Say("what stands there is redacted: " + a.keyIn("revert-message", keys.InVersions) + " again takes " + draw.Plural(back.Redactions, "redaction") + " back")
			return nil
		case len(n) > 0:
			back.Redactions = 0
		}
		return a.reverted(&e, entry, back.Redactions, err)
	}))
}

// reverted says what was brought back, and how many redactions are kept.
func (a *App) reverted(e *review.Entry, entry int64, redactions int, err error) tea.Cmd {
	version := "@" + strconv.FormatInt(entry, 10)
	if entry == 0 {
		version = "what was recorded"
	}
	switch {
	case errors.Is(err, review.ErrGone):
		a.Fail("", err)
		return nil
	case err != nil:
		a.Fail("nothing is brought back", err)
		return nil
	}
	kept := ""
	if redactions > 0 {
		kept = "; " + draw.Plural(redactions, "redaction") + " kept"
	}
	if e.ID == 0 {
		a.Say("nothing is changed: it is like that" + kept)
		return nil
	}
	text := draw.Plural(len(e.Edits), "message") + " brought back to " + version + kept
	if n := unredacted(e.Edits); n > 0 {
		text += "; " + draw.Plural(n, "redaction") + " taken back"
	}
	a.SayUndo(text, a.keyIn("undo", keys.InList)+" undo")
	each(a, func(w *versions.Screen) { w.Reload() })
	return nil
}

// unredacted counts the redactions that are not there any more.
func unredacted(list []review.Edited) (n int) {
	for i := range list {
		if b := list[i].Before; b != nil && b.Why == edit.Redact && list[i].After == nil {
			n++
		}
	}
	return n
}
