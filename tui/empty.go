package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/tui/draw"
	"winnow/tui/keys"
)

// emptyLines says why there is nothing, and what to do next.
func (a *App) emptyLines(w, height int) []string {
	return a.Centred(w, height, a.emptyText(max(1, min(w-4, draw.WidestText))))
}

func (a *App) emptyText(w int) []string {
	title := "Nothing here yet."
	var why []string
	switch j := &a.job; {
	case j.Busy():
		why = []string{"The " + j.Name + " is running: the first sessions appear as they are read.", strings.Join(j.Facts(a.now()), " "+a.G.Dot+" ")}
	case a.unread != nil && !a.ready:
		return a.Failed(w+4, "The list could not be read.", a.unread, "It is tried again, and with "+a.keyFor(keys.Reload)+" at once.")
	case !a.ready:
		return []string{a.Ink.Muted.On("loading")}
	case a.totals.Segments > 0:
		return a.nothingText(w)
	case j.Ended != "":
		title, why = "The "+j.Name+" brought nothing.", []string{j.Ended}
		if j.Waiting {
			why = append(why, "What comes there is read as it comes.")
		}
	}
	lines := []string{a.Ink.Name.On(title), ""}
	for _, text := range why {
		for l := range strings.SplitSeq(ansi.Wrap(text, w, ""), "\n") {
			lines = append(lines, a.Ink.Text.On(l))
		}
	}
	if a.job.Busy() {
		return lines
	}
	if len(why) > 0 {
		lines = append(lines, "")
	}
	if a.job.Ended != "" && a.ledgerLib != nil {
		lines = append(lines, a.Ink.Key.On(draw.Fit(a.keyIn("ledger", keys.InList), 13, ""))+a.Ink.Text.On("shows what became of each file, and why"))
	}
	if a.importing.finder != nil {
		lines = append(lines, a.Ink.Key.On(draw.Fit(a.keyIn("places", keys.InList), 13, ""))+a.Ink.Text.On("shows where agents keep their sessions, to import from"))
	}
	return append(lines, a.ToImport()...)
}

// failedText says in place of what was asked for why it is not there, and that
// it can be asked for again.
func (a *App) failedText(w int, what string, err error) []string {
	return a.Failed(w, what, err, a.keyFor(keys.Reload)+" tries again")
}

// nothingText says that nothing passes the filter, and the ways out.
func (a *App) nothingText(w int) []string {
	lines := []string{a.Ink.Name.On("Nothing passes the filter."), ""}
	for l := range strings.SplitSeq(ansi.Wrap(a.counted(), w, ""), "\n") {
		lines = append(lines, a.Ink.Text.On(l))
	}
	if share := a.searching(); share != "" {
		lines = append(lines, a.Ink.Warn.On(share+" so far"))
	}
	if a.line != nil {
		return lines
	}
	n := 0
	for _, name := range []string{"close-find", "filter", "no-filter"} {
		n = max(n, ansi.StringWidth(a.keyIn(name, keys.InList)))
	}
	return append(lines, "",
		a.Ink.Key.On(draw.Fit(a.keyIn("close-find", keys.InList), n, ""))+a.Ink.Text.On("  goes back to the filter before"),
		a.Ink.Key.On(draw.Fit(a.keyIn("filter", keys.InList), n, ""))+a.Ink.Text.On("  changes it"),
		a.Ink.Key.On(draw.Fit(a.keyIn("no-filter", keys.InList), n, ""))+a.Ink.Text.On("  shows all segments"))
}
