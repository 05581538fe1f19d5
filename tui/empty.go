package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
)

// widestText is how far a sentence runs on the empty screen before it wraps.
const widestText = 72

// emptyLines says why there is nothing, and what to do next.
func (a *App) emptyLines(w, height int) []string {
	return a.centred(w, height, a.emptyText(max(1, min(w-4, widestText))))
}

// centred puts a few lines in the middle of an empty screen.
func (a *App) centred(w, height int, lines []string) []string {
	widest := 0
	for _, l := range lines {
		widest = max(widest, ansi.StringWidth(l))
	}
	out := make([]string, max(0, height))
	first := max(0, (height-len(lines))/3) // a little above the middle, where one looks
	for i := range out {
		text := ""
		if n := i - first; n >= 0 && n < len(lines) {
			text = strings.Repeat(" ", max(1, (w-widest)/2)) + lines[n]
		}
		out[i] = fit(text, w, a.g.more)
	}
	return out
}

func (a *App) emptyText(w int) []string {
	title := "Nothing here yet."
	var why []string
	switch j := &a.job; {
	case j.busy():
		why = []string{"The " + j.name + " is running: the first sessions appear as they are read.", strings.Join(j.facts(a.now()), " "+a.g.dot+" ")}
	case a.unread != nil && !a.ready:
		return a.unreadText(w+4, "The list could not be read.", a.unread, "It is tried again, and with "+a.keyFor(nameReload)+" at once.")
	case !a.ready:
		return []string{a.ink.muted.on("loading")}
	case a.totals.Segments > 0:
		return a.nothingText(w)
	case j.ended != "":
		title, why = "The "+j.name+" brought nothing.", []string{j.ended}
		if j.waiting {
			why = append(why, "What comes there is read as it comes.")
		}
	}
	lines := []string{a.ink.name.on(title), ""}
	for _, text := range why {
		for l := range strings.SplitSeq(ansi.Wrap(text, w, ""), "\n") {
			lines = append(lines, a.ink.text.on(l))
		}
	}
	if a.job.busy() {
		return lines
	}
	if len(why) > 0 {
		lines = append(lines, "")
	}
	if a.job.ended != "" && a.ledgerLib != nil {
		lines = append(lines, a.ink.key.on(fit(a.keyIn("ledger", InList), 13, ""))+a.ink.text.on("shows what became of each file, and why"))
	}
	if a.finder != nil {
		lines = append(lines, a.ink.key.on(fit(a.keyIn("places", InList), 13, ""))+a.ink.text.on("shows where agents keep their sessions, to import from"))
	}
	return append(lines, a.importText()...)
}

// failedText says in place of what was asked for why it is not there, and that
// it can be asked for again.
func (a *App) failedText(w int, what string, err error) []string {
	return a.unreadText(w, what, err, a.keyFor(nameReload)+" tries again")
}

// mostReason is how many lines of an error are told: what is to be done stands
// below them.
const mostReason = 6

func (a *App) unreadText(w int, what string, err error, next string) []string {
	lines := []string{a.ink.fail.on(what), ""}
	reason := a.wrap(a.ink.text, clean.Line(head(err.Error())), w)
	return append(append(lines, reason[:min(len(reason), mostReason)]...), "", a.ink.text.on(next))
}

// wrap breaks a sentence of an empty screen of some width into lines.
func (a *App) wrap(k ink, text string, w int) []string {
	lines := strings.Split(ansi.Wrap(text, max(8, min(w-4, widestText)), ""), "\n")
	for i := range lines {
		lines[i] = k.on(lines[i])
	}
	return lines
}

// importText says how there comes to be something.
func (a *App) importText() []string {
	return []string{
		a.ink.key.on("winnow PATH") + a.ink.text.on("  imports recorded sessions: files or folders"),
		a.ink.key.on("winnow demo") + a.ink.text.on("  opens the sample sessions that come with it"),
	}
}

// nothingText says that nothing passes the filter, and the ways out.
func (a *App) nothingText(w int) []string {
	lines := []string{a.ink.name.on("Nothing passes the filter."), ""}
	for l := range strings.SplitSeq(ansi.Wrap(a.counted(), w, ""), "\n") {
		lines = append(lines, a.ink.text.on(l))
	}
	if share := a.searching(); share != "" {
		lines = append(lines, a.ink.warn.on(share+" so far"))
	}
	if a.line != nil {
		return lines
	}
	n := 0
	for _, name := range []string{"close-find", "filter", "no-filter"} {
		n = max(n, ansi.StringWidth(a.keyIn(name, InList)))
	}
	return append(lines, "",
		a.ink.key.on(fit(a.keyIn("close-find", InList), n, ""))+a.ink.text.on("  goes back to the filter before"),
		a.ink.key.on(fit(a.keyIn("filter", InList), n, ""))+a.ink.text.on("  changes it"),
		a.ink.key.on(fit(a.keyIn("no-filter", InList), n, ""))+a.ink.text.on("  shows all segments"))
}
