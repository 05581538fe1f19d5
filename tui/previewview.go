package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/export"
	"winnow/core/review"
	"winnow/tui/draw"
)

// secretsNamed is how many secrets are named above a record.
const secretsNamed = 3

// previewLines draws the record in place of the reader.
func (a *App) previewLines(w, height int) []string {
	return a.asideLines(w, height, a.drawPreview)
}

// drawPreview draws what is known of the record above the record.
func (a *App) drawPreview(w, height int) []string {
	p := a.preview
	lines := a.previewHead(w, height)
	room := height - len(lines)
	switch {
	case a.list.Selected() == nil:
		return a.Centred(w, height, []string{a.Ink.Muted.On("There is no segment.")})
	case p.err != nil:
		return append(lines, a.Centred(w, room, a.failedText(w, "The record could not be made.", p.err))...)
	case !p.came:
		return append(lines, a.Centred(w, room, []string{a.Ink.Muted.On("making the record")})...)
	case p.text == nil:
		text := []string{a.Ink.Name.On("There is no record."), "", a.Ink.Text.On("An export would leave the segment out.")}
		if p.named() > 0 {
			text = append(text, "", a.Ink.Muted.On("enter goes to message "+draw.Grouped(p.named())))
		}
		return append(lines, a.Centred(w, room, text)...)
	}
	return append(lines, p.pane.textLines(w, room)...)
}

// previewRoom is how many lines the text of the record has.
func (a *App) previewRoom() int {
	h := a.bodyHeight()
	return max(1, h-len(a.previewHead(a.asideWidth(a.w), h)))
}

// previewHead tells which segment it is, the format, what the record costs, and
// what the checks found. The record keeps most of the height.
func (a *App) previewHead(w, height int) []string {
	p := a.preview
	if a.list.Selected() == nil {
		return nil
	}
	lines := []string{a.titleLine(w), a.formatLine(w)}
	if p.came && p.err == nil {
		found := a.findings(w)
		if most := max(1, height/3-2); len(found) > most {
			left := len(found) - most + 1
			found = append(found[:most-1], "  "+a.Ink.Muted.On(fmt.Sprintf("%s %s more", a.G.More, draw.Plural(left, "line"))))
		}
		lines = append(lines, found...)
	}
	return append(lines, a.Rule(w))
}

// formatLine says which format is shown, and what a record of it costs.
func (a *App) formatLine(w int) string {
	p := a.preview
	out := "  " + a.Ink.Key.On("< "+a.previewFormatName()+" >")
	var parts []string
	if p.came && p.err == nil && p.text != nil {
		r := &p.report
		parts = append(parts, draw.Plural(r.Rows, "record"), draw.Plural(r.Tokens, "token")+" ("+a.exports.form.Counter()+")",
			draw.Grouped(r.Trained)+" trained", draw.LongBytes(r.Bytes))
	}
	out += "  " + a.Ink.Text.On(strings.Join(parts, " "+a.G.Dot+" "))
	if e, err := export.Find(a.previewFormatName()); err == nil {
		if room := w - ansi.StringWidth(out) - 4; room > 20 {
			out += "  " + a.Ink.Muted.On(draw.Cut(e.Description, room, a.G.More))
		}
	}
	return draw.Fit(out, w, a.G.More)
}

// findings are what the checks found, a line or several for each.
func (a *App) findings(w int) (lines []string) {
	r := &a.preview.report
	add := func(k draw.Ink, sign, text string) {
		for i, l := range strings.Split(ansi.Wrap(clean.Line(draw.Head(text)), max(8, w-5), ""), "\n") {
			if i > 0 {
				sign = " "
			}
			lines = append(lines, "  "+k.On(sign+" "+l))
		}
	}
	for i := range r.LeftOut {
		l := &r.LeftOut[i]
		add(a.Ink.Fail, a.G.Verdict[review.Rejected], "left out: "+l.Check+": "+l.Reason())
	}
	a.tellSecretsOf(r, add)
	if r.Unmarked > 0 {
		add(a.Ink.Warn, a.G.Warn, draw.Plural(r.Unmarked, "message")+" switched off, yet trained: "+r.As+" has no place for marks")
	}
	for _, c := range r.Repairs {
		add(a.Ink.Muted, a.G.Dot, "repaired: "+c.Done)
	}
	if len(lines) == 0 && len(r.LeftOut) == 0 {
		add(a.Ink.Approved, a.G.Verdict[review.Approved], "the checks find nothing")
	}
	if t := a.preview.text; t != nil && t.Left > 0 {
		add(a.Ink.Muted, a.G.Dot, draw.LongBytes(int64(t.Left))+" of long texts are not shown here; an export writes them")
	}
	return lines
}

// tellSecretsOf tells which secrets stand in the record.
func (a *App) tellSecretsOf(r *export.Report, add func(k draw.Ink, sign, text string)) {
	n := len(r.Secrets)
	if n == 0 {
		return
	}
	if r.Secrets[0].Placeholder != "" {
		add(a.Ink.Muted, a.G.Dot, draw.Plural(n, "secret")+" replaced by placeholders")
		return
	}
	add(a.Ink.Warn, a.G.Warn, draw.Plural(n, "secret")+" would go out; redact on the screen of exports replaces them")
	for i := range r.Secrets {
		if i == secretsNamed && n > secretsNamed+1 {
			add(a.Ink.Warn, " ", draw.Grouped(n-i)+" more")
			return
		}
		s := &r.Secrets[i]
		place := s.Where
		if s.Message > 0 {
			place = "message " + draw.Grouped(s.Message) + ", " + place
		}
		add(a.Ink.Warn, " ", place+": "+s.Rule+" "+s.Shown)
	}
}
