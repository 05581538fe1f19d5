package review

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/tui/draw"
	"winnow/tui/keys"
)

// emptyLines says why there is nothing, and what to do next.
func (r *Room) emptyLines(w, height int) []string {
	return r.Centred(w, height, r.emptyText(max(1, min(w-4, draw.WidestText))))
}

func (r *Room) emptyText(w int) []string {
	title := "Nothing here yet."
	var why []string
	switch j := &r.imports.Job; {
	case j.Busy():
		why = []string{"The " + j.Name + " is running: the first sessions appear as they are read.", strings.Join(j.Facts(r.now()), " "+r.G.Dot+" ")}
	case r.unread != nil && !r.ready:
		return r.Failed(w+4, "The list could not be read.", r.unread, "winnow tries again; "+r.keyFor(keys.Reload)+" tries at once.")
	case !r.ready:
		return []string{r.Ink.Muted.On("loading")}
	case r.Totals.Segments > 0:
		return r.nothingText(w)
	case j.Ended != "":
		title, why = "The "+j.Name+" added nothing.", []string{j.Ended}
		if j.Waiting {
			why = append(why, "New files there are read as they appear.")
		}
	}
	lines := []string{r.Ink.Name.On(title), ""}
	for _, text := range why {
		lines = append(lines, r.Wrap(r.Ink.Text, text, w+4)...)
	}
	if r.imports.Busy() {
		return lines
	}
	if len(why) > 0 {
		lines = append(lines, "")
	}
	if r.imports.Ended != "" && r.app.Lacks(keys.InLedger) == "" {
		lines = append(lines, r.keyLine("ledger", 13, "shows what became of each file, and why"))
	}
	if r.app.Lacks(keys.InOffer) == "" {
		lines = append(lines, r.keyLine("places", 13, "shows where agents keep sessions, to import them"))
	}
	return append(lines, r.ToImport()...)
}

// nothingText says that nothing passes the filter, and the ways out.
func (r *Room) nothingText(w int) []string {
	lines := append([]string{r.Ink.Name.On("Nothing passes the filter."), ""}, r.Wrap(r.Ink.Text, r.counted(), w+4)...)
	if share := r.Searching(); share != "" {
		lines = append(lines, r.Ink.Warn.On(share+" so far"))
	}
	if r.app.Typing(keys.InFilter) {
		return lines
	}
	n := 0
	for _, name := range []string{"close-find", "filter", "no-filter"} {
		n = max(n, ansi.StringWidth(r.keys.Key(name, keys.InList)))
	}
	return append(lines, "",
		r.keyLine("close-find", n, "  goes back to the filter before"),
		r.keyLine("filter", n, "  changes it"),
		r.keyLine("no-filter", n, "  shows all segments"))
}

// keyLine is a key in n cells, and what it does.
func (r *Room) keyLine(action string, n int, does string) string {
	return r.Ink.Key.On(draw.Fit(r.keys.Key(action, keys.InList), n, "")) + r.Ink.Text.On(does)
}
