package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/export"
	"winnow/core/review"
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
	case a.list.selected() == nil:
		return a.centred(w, height, []string{a.ink.muted.on("There is no segment.")})
	case p.err != nil:
		return append(lines, a.centred(w, room, a.failedText(w, "The record could not be made.", p.err))...)
	case !p.came:
		return append(lines, a.centred(w, room, []string{a.ink.muted.on("making the record")})...)
	case p.text == nil:
		text := []string{a.ink.name.on("There is no record."), "", a.ink.text.on("An export would leave the segment out.")}
		if p.named() > 0 {
			text = append(text, "", a.ink.muted.on("enter goes to message "+grouped(p.named())))
		}
		return append(lines, a.centred(w, room, text)...)
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
	if a.list.selected() == nil {
		return nil
	}
	lines := []string{a.titleLine(w), a.formatLine(w)}
	if p.came && p.err == nil {
		found := a.findings(w)
		if most := max(1, height/3-2); len(found) > most {
			left := len(found) - most + 1
			found = append(found[:most-1], "  "+a.ink.muted.on(fmt.Sprintf("%s %s more", a.g.more, plural(left, "line"))))
		}
		lines = append(lines, found...)
	}
	return append(lines, a.rule(w))
}

// formatLine says which format is shown, and what a record of it costs.
func (a *App) formatLine(w int) string {
	p := a.preview
	out := "  " + a.ink.key.on("< "+a.previewFormatName()+" >")
	var parts []string
	if p.came && p.err == nil && p.text != nil {
		r := &p.report
		parts = append(parts, plural(r.Rows, "record"), plural(r.Tokens, "token")+" ("+a.counterName()+")",
			grouped(r.Trained)+" trained", sizeText(r.Bytes))
	}
	out += "  " + a.ink.text.on(strings.Join(parts, " "+a.g.dot+" "))
	if e, err := export.Find(a.previewFormatName()); err == nil {
		if room := w - ansi.StringWidth(out) - 4; room > 20 {
			out += "  " + a.ink.muted.on(cutCells(e.Description, room, a.g.more))
		}
	}
	return fit(out, w, a.g.more)
}

// counterName names what counts the tokens, as on the screen of exports.
func (a *App) counterName() string {
	if a.exportForm != nil && a.exportForm.word(optCounter) != "" {
		return a.exportForm.word(optCounter)
	}
	rows := exportOptions()
	for i := range rows {
		if rows[i].name == optCounter {
			return rows[i].choices[0]
		}
	}
	return ""
}

// findings are what the checks found, a line or several for each.
func (a *App) findings(w int) (lines []string) {
	r := &a.preview.report
	add := func(k ink, sign, text string) {
		for i, l := range strings.Split(ansi.Wrap(clean.Line(head(text)), max(8, w-5), ""), "\n") {
			if i > 0 {
				sign = " "
			}
			lines = append(lines, "  "+k.on(sign+" "+l))
		}
	}
	for i := range r.LeftOut {
		l := &r.LeftOut[i]
		add(a.ink.fail, a.g.verdict[review.Rejected], "left out: "+l.Check+": "+l.Reason())
	}
	a.tellSecretsOf(r, add)
	if r.Unmarked > 0 {
		add(a.ink.warn, a.g.warn, plural(r.Unmarked, "message")+" switched off, yet trained: "+r.As+" has no place for marks")
	}
	for _, c := range r.Repairs {
		add(a.ink.muted, a.g.dot, "repaired: "+c.Done)
	}
	if len(lines) == 0 && len(r.LeftOut) == 0 {
		add(a.ink.approved, a.g.verdict[review.Approved], "the checks find nothing")
	}
	if t := a.preview.text; t != nil && t.Left > 0 {
		add(a.ink.muted, a.g.dot, sizeText(int64(t.Left))+" of long texts are not shown here; an export writes them")
	}
	return lines
}

// tellSecretsOf tells which secrets stand in the record.
func (a *App) tellSecretsOf(r *export.Report, add func(k ink, sign, text string)) {
	n := len(r.Secrets)
	if n == 0 {
		return
	}
	if r.Secrets[0].Placeholder != "" {
		add(a.ink.muted, a.g.dot, plural(n, "secret")+" replaced by placeholders")
		return
	}
	add(a.ink.warn, a.g.warn, plural(n, "secret")+" would go out; redact on the screen of exports replaces them")
	for i := range r.Secrets {
		if i == secretsNamed && n > secretsNamed+1 {
			add(a.ink.warn, " ", grouped(n-i)+" more")
			return
		}
		s := &r.Secrets[i]
		place := s.Where
		if s.Message > 0 {
			place = "message " + grouped(s.Message) + ", " + place
		}
		add(a.ink.warn, " ", place+": "+s.Rule+" "+s.Shown)
	}
}
