package record

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

// Lines draws what is known of the record above the record.
func (p *Preview) Lines(w, height int) []string {
	if p.program.Segment() == nil {
		return p.Centred(w, height, []string{p.Ink.Muted.On("There is no segment.")})
	}
	none := []string{p.Ink.Name.On("There is no record."), "", p.Ink.Text.On("An export would leave the segment out.")}
	if n := p.named(); n > 0 {
		none = append(none, "", p.Ink.Muted.On(p.Key("go-to-finding")+" goes to message "+draw.Grouped(n)))
	}
	return p.lines(p.head(w, height), w, height, "making the record", "The record could not be made.", none)
}

// head tells which segment it is, the format, what the record costs, and
// what the checks found. The record keeps most of the height.
func (p *Preview) head(w, height int) []string {
	if p.program.Segment() == nil {
		return nil
	}
	lines := []string{p.program.Title(w), p.formatLine(w)}
	if !p.text.Open && p.text.Err == nil {
		found := p.findings(w)
		if most := max(1, height/3-2); len(found) > most {
			left := len(found) - most + 1
			found = append(found[:most-1], "  "+p.Ink.Muted.On(fmt.Sprintf("%s %s more", p.G.More, draw.Plural(left, "line"))))
		}
		lines = append(lines, found...)
	}
	return append(lines, p.Rule(w))
}

// formatLine says which format is shown, and what a record of it costs.
func (p *Preview) formatLine(w int) string {
	out := "  " + p.Ink.Key.On("< "+p.formatName()+" >")
	var parts []string
	if !p.text.Open && p.text.Got.shown != nil {
		r := &p.text.Got.about
		parts = append(parts, draw.Plural(r.Rows, "record"), draw.Plural(r.Tokens, "token")+" ("+p.form.Counter()+")",
			draw.Grouped(r.Trained)+" trained", draw.LongBytes(r.Bytes))
	}
	out += "  " + p.Ink.Text.On(strings.Join(parts, " "+p.G.Dot+" "))
	if e, err := export.Find(p.formatName()); err == nil {
		if room := w - ansi.StringWidth(out) - 4; room > 20 {
			out += "  " + p.Ink.Muted.On(draw.Cut(e.Description, room, p.G.More))
		}
	}
	return draw.Fit(out, w, p.G.More)
}

// findings are what the checks found, a line or several for each.
func (p *Preview) findings(w int) (lines []string) {
	r := &p.text.Got.about
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
		add(p.Ink.Fail, p.G.Verdict[review.Rejected], "left out: "+l.Check+": "+l.Reason())
	}
	p.secrets(r, add)
	if r.Unmarked > 0 {
		add(p.Ink.Warn, p.G.Warn, draw.Plural(r.Unmarked, "message")+" switched off, yet trained: "+r.As+" has no place for marks")
	}
	for _, c := range r.Repairs {
		add(p.Ink.Muted, p.G.Dot, "repaired: "+c.Done)
	}
	if len(lines) == 0 && len(r.LeftOut) == 0 {
		add(p.Ink.Approved, p.G.Verdict[review.Approved], "the checks find nothing")
	}
	if t := p.text.Got.shown; t != nil && t.Left > 0 {
		add(p.Ink.Muted, p.G.Dot, draw.LongBytes(int64(t.Left))+" of long texts are not shown here; an export writes them")
	}
	return lines
}

// secrets tells which secrets stand in the record.
func (p *Preview) secrets(r *export.Report, add func(k draw.Ink, sign, text string)) {
	n := len(r.Secrets)
	if n == 0 {
		return
	}
	if r.Secrets[0].Placeholder != "" {
		add(p.Ink.Muted, p.G.Dot, draw.Plural(n, "secret")+" replaced by placeholders")
		return
	}
	add(p.Ink.Warn, p.G.Warn, draw.Plural(n, "secret")+" would be written; redact on the export screen replaces them")
	for i := range r.Secrets {
		if i == secretsNamed && n > secretsNamed+1 {
			add(p.Ink.Warn, " ", draw.Grouped(n-i)+" more")
			return
		}
		s := &r.Secrets[i]
		place := s.Where
		if s.Message > 0 {
			place = "message " + draw.Grouped(s.Message) + ", " + place
		}
		add(p.Ink.Warn, " ", place+": "+s.Rule+" "+s.Shown)
	}
}
