package export

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/export"
	"winnow/core/review"
	"winnow/tui/draw"
)

// forecast is what an export would do, or did, as lines. It is made anew when
// the report, the width or what is unfolded changes.
type forecast struct {
	width int
	lines []outLine
}

// outLine is a line: pieces one after the other, each in its colour.
type outLine struct {
	pieces []outPiece
	fold   string // what enter unfolds, "" nothing
}

type outPiece struct {
	text string
	ink  func(*draw.Inks) draw.Ink
	// bar is the length of a bar in place of a text, as a share of what is
	// left of the line.
	bar float64
}

func nameInk(k *draw.Inks) draw.Ink { return k.Name }
func warnInk(k *draw.Inks) draw.Ink { return k.Warn }
func goodInk(k *draw.Inks) draw.Ink { return k.Approved }

const (
	// foldedTools and foldedSecrets are the tools and kinds of secrets that are
	// shown before one asks for all: what stands below them should stay in
	// sight. mostOut bounds what is shown then: nobody reads more.
	foldedTools, foldedSecrets, mostOut = 10, 5, 200
	// leastNames is the column of names, numberWidth that of numbers, in cells.
	leastNames, numberWidth = 18, 9
)

func (o *forecast) add(pieces ...outPiece) { o.lines = append(o.lines, outLine{pieces: pieces}) }

func (o *forecast) title(text, note string) {
	if len(o.lines) > 0 {
		o.add()
	}
	o.add(outPiece{text: " " + text, ink: nameInk}, outPiece{text: "  " + note, ink: draw.MutedInk})
}

// text adds a text in as many lines as it takes, some cells from the left.
func (o *forecast) text(text string, at int, of func(*draw.Inks) draw.Ink) {
	for l := range strings.SplitSeq(ansi.Wrap(text, max(8, o.width-at-1), ""), "\n") {
		o.add(outPiece{text: strings.Repeat(" ", at) + l, ink: of})
	}
}

// drawnOnce is the width of lines that the next frame makes anew.
const drawnOnce = -1

// forecastFor returns the lines for a width. While an answer is awaited they are
// made at every look.
func (s *Screen) forecastFor(w int) forecast {
	soFar := s.soFar
	if !s.asking || soFar != nil && soFar.Candidates == 0 {
		soFar = nil
	}
	if s.lines.width == w && soFar == nil {
		return s.lines
	}
	o := forecast{width: w}
	if made := s.program.Made(); made != nil {
		s.tellMade(&o, made)
	}
	switch {
	case soFar != nil:
		s.tellReport(&o, soFar, "So far")
		o.width = drawnOnce
	case !s.check.Came:
	case s.check.Got.report.Candidates == 0:
		o.title("Nothing to export", "")
		o.text(s.whyNothing(), 1, draw.TextInk)
	default:
		s.tellReport(&o, &s.check.Got.report, "It would write")
	}
	return o
}

// tellMade tells of the export that was made last.
func (s *Screen) tellMade(o *forecast, made *Made) {
	r := &made.Report
	if err := made.Err; err != nil && len(r.Files) == 0 {
		o.add(outPiece{text: " Not exported", ink: warnInk})
		o.text(clean.Line(draw.Head(err.Error())), 3, draw.TextInk)
		return
	} else if err != nil { // the files are there all the same
		o.text(clean.Line(draw.Head(err.Error())), 1, warnInk)
	}
	o.add(outPiece{text: " Exported", ink: goodInk}, outPiece{text: "  " + draw.Plural(r.Written, r.Unit()) + " as " + r.As, ink: draw.MutedInk})
	if made.folder() {
		o.add(outPiece{text: "   " + draw.Tail(clean.Line(draw.Head(made.Path)), max(8, o.width-4), s.G.More), ink: draw.TextInk})
	}
	for i, f := range r.Files {
		if i == mostOut {
			o.add(outPiece{text: fmt.Sprintf("   %s %s more", s.G.More, draw.Grouped(len(r.Files)-i)), ink: draw.MutedInk})
			break
		}
		name, size := made.name(s.ShortPath(f.Path)), draw.Plural(f.Rows, "row")
		if more := size + " " + s.G.Dot + " " + draw.LongBytes(f.Bytes); ansi.StringWidth(name)+ansi.StringWidth(more)+6 <= o.width {
			size = more
		}
		o.add(outPiece{text: "   " + draw.Tail(name, max(8, o.width-ansi.StringWidth(size)-6), s.G.More), ink: draw.TextInk},
			outPiece{text: "  " + size, ink: draw.MutedInk})
	}
	if m := made.manifest(); m != "" {
		o.add(outPiece{text: "   " + draw.Tail(made.name(s.ShortPath(m)), max(8, o.width-14), s.G.More), ink: draw.TextInk}, outPiece{text: "  lineage", ink: draw.MutedInk})
	}
}

// whyNothing says why nothing is selected, and what to do.
func (s *Screen) whyNothing() string {
	f, totals := s.form, s.program.Totals()
	filter, pretty := s.Filter()
	c := totals.ByVerdict
	any := f.word(optVerdicts) == "any"
	switch {
	case totals.Segments == 0:
		return "There are no segments yet: winnow PATH imports recorded sessions."
	case !any && c[review.Approved] == 0:
		return "No segment is approved yet: " + s.KeyOfList("approve") + " in the list approves one. verdicts: any takes pending and unsure ones, too."
	case f.Values[optFilter] != none && filter != nil:
		return "No segment that may be exported passes the filter " + pretty + ". filter: none looks at all of them."
	case f.word(optMinScore) != "" && totals.Scored == 0:
		return "No segment has a score yet: winnow score gives them one."
	case f.word(optMinScore) != "":
		return "No segment that may be exported is fit for training and scores as high: lower the min score."
	}
	return "All are rejected or stale. stale: yes takes those that were approved before they changed."
}

// narrowed says that the filter of the list keeps approved segments out, where so many
// are taken; "" if it does not.
func (s *Screen) narrowed(taken int) string {
	filter, pretty := s.Filter()
	if s.form.Values[optFilter] == none || filter == nil {
		return ""
	}
	text := "narrowed by the filter " + pretty
	if outside := s.program.Totals().ByVerdict[review.Approved] - taken; outside > 0 && s.form.word(optVerdicts) != "any" && s.form.word(optMinScore) == "" { // else others keep them out, too
		text += ": " + draw.Grouped(outside) + " more approved"
	}
	return text
}

// tellReport tells what an export would write, what it leaves out and why, and
// how what it writes is made up.
func (s *Screen) tellReport(o *forecast, r *export.Report, title string) {
	o.title(title, "")
	o.add(figure(r.Written), outPiece{text: fmt.Sprintf("%s%s of %s", r.Unit(), plurals(r.Written), draw.Plural(r.Candidates, "segment")), ink: draw.TextInk})
	if text := s.narrowed(r.Candidates); text != "" {
		o.text(text, numberWidth+2, warnInk)
	}
	o.add(figure(r.Rows), outPiece{text: "row" + plurals(r.Rows) + ", " + draw.LongBytes(r.Bytes), ink: draw.TextInk})
	o.add(figure(r.Tokens), outPiece{text: "token" + plurals(r.Tokens), ink: draw.TextInk})
	o.add(figure(r.Trained), outPiece{text: "message" + plurals(r.Trained) + " trained", ink: draw.TextInk})
	s.tellCompressed(o, r.Compressed)
	if r.Unmarked > 0 {
		o.add(figure(r.Unmarked), outPiece{text: "switched off, yet trained:", ink: warnInk})
		o.text(r.As+" has no place for marks", numberWidth+2, warnInk)
	}
	if len(r.Splits) > 0 {
		s.tellGroups(o, "Parts", r.Splits, len(r.Splits))
	}
	s.tellLeftOut(o, r)
	s.tellSecrets(o, r.Secrets)
	if len(r.Repairs) > 0 {
		o.title("Repaired", "in what is written")
		for _, c := range r.Repairs {
			o.add(figure(c.Samples), outPiece{text: c.Done, ink: draw.TextInk})
		}
	}
	s.tellGroups(o, "Task types", r.Types, len(r.Types))
	s.tellGroups(o, "Tools", r.Tools, foldedTools)
}

// tellCompressed tells what became of compressions.
func (s *Screen) tellCompressed(o *forecast, c *export.CompressedCounts) {
	if c == nil {
		return
	}
	if c.Segments > 0 {
		o.add(figure(c.Segments), outPiece{text: "compressed, into " + draw.Plural(c.Samples, "sample"), ink: draw.TextInk})
	}
	if c.Stale > 0 {
		o.add(figure(c.Stale), outPiece{text: "written whole: stale compression" + plurals(c.Stale), ink: warnInk})
		o.text("compression:stale lists them", numberWidth+2, warnInk)
	}
}

// figure is a number at the beginning of a line.
func figure(n int) outPiece {
	return outPiece{text: draw.Right(draw.Counted(n), numberWidth) + "  ", ink: draw.TextInk}
}

// plurals returns what a word ends in after a number.
func plurals(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// tellLeftOut tells what is left out by reason, unfolded each segment.
func (s *Screen) tellLeftOut(o *forecast, r *export.Report) {
	if len(r.LeftOut) == 0 {
		return
	}
	samples := 0
	for i := range r.LeftOut {
		if r.LeftOut[i].Sample != "" {
			samples++
		}
	}
	what := draw.Plural(len(r.LeftOut)-samples, "segment")
	if samples > 0 {
		what += ", " + draw.Plural(samples, "sample")
	}
	o.title("Left out", what)
	whats := map[string]string{
		export.OutDuplicate: "equal to another one", export.OutNearDuplicate: "similar to one that scores as high or higher",
		export.OutBalance: "over the quota of its task type", export.OutLimit: "over the limit",
		export.OutNoReasoning: "no assistant message has any reasoning", export.OutUnedited: "no answer that a curator wrote",
	}
	for _, c := range slices.Concat(export.Checks(), export.PairRules()) {
		whats[c.Name] = c.What
	}
	for _, g := range r.LeftOutBy() {
		if !s.foldLine(o, "out "+g.Name, g.Samples, g.Name, whats[g.Name]) {
			continue
		}
		if o.width < twoSides { // else it stands after the name
			o.text(whats[g.Name], numberWidth+2, draw.MutedInk)
		}
		shown := 0
		for i := range r.LeftOut {
			l := &r.LeftOut[i]
			if l.Check != g.Name {
				continue
			}
			if shown++; shown > mostOut {
				o.add(outPiece{text: strings.Repeat(" ", numberWidth+2) + s.G.More + " " + draw.Grouped(g.Samples-mostOut) + " more", ink: draw.MutedInk})
				break
			}
			o.add(outPiece{text: strings.Repeat(" ", numberWidth+2) + review.Short(l.Segment) + "  ", ink: draw.MutedInk},
				outPiece{text: clean.Line(draw.Head(l.Reason())), ink: draw.TextInk})
		}
	}
}

// foldLine adds a line that enter unfolds, and reports whether it is.
func (s *Screen) foldLine(o *forecast, key string, n int, name, note string) bool {
	sign := s.G.Folded
	if s.unfolded[key] {
		sign = s.G.Open
	}
	o.add(outPiece{text: draw.Right(sign+" "+draw.Grouped(n), numberWidth) + "  ", ink: draw.TextInk}, outPiece{text: name, ink: warnInk}, outPiece{text: "  " + note, ink: draw.MutedInk})
	o.lines[len(o.lines)-1].fold = key
	return s.unfolded[key]
}

// moreLine says how many more lines enter shows.
func (s *Screen) moreLine(o *forecast, key string, n int) {
	o.add(outPiece{text: draw.Right(s.G.Folded, numberWidth) + "  " + draw.Grouped(n) + " more", ink: draw.MutedInk})
	o.lines[len(o.lines)-1].fold = key
}

// allSecrets is what enter unfolds below the most frequent kinds of secrets.
const allSecrets = "all secrets"

// tellSecrets tells which kinds of secrets were found, unfolded where.
func (s *Screen) tellSecrets(o *forecast, list []export.Secret) {
	if len(list) == 0 {
		return
	}
	by := map[string][]*export.Secret{}
	for i := range list {
		by[list[i].Rule] = append(by[list[i].Rule], &list[i])
	}
	if list[0].Placeholder != "" { // the form may ask for something else by now
		o.title("Secrets", draw.Grouped(len(list))+" replaced by placeholders")
	} else {
		o.title("Secrets", "")
		o.lines[len(o.lines)-1].pieces[1] = outPiece{text: "  " + draw.Grouped(len(list)) + " exported; redact replaces them", ink: warnInk}
	}
	more, rules := s.G.More, slices.SortedFunc(maps.Keys(by), func(x, y string) int { return cmp.Or(len(by[y])-len(by[x]), strings.Compare(x, y)) })
	for i, rule := range rules {
		if i == foldedSecrets && len(rules) > i+1 && !s.unfolded[allSecrets] {
			s.moreLine(o, allSecrets, len(rules)-i)
			return
		}
		if !s.foldLine(o, "secret "+rule, len(by[rule]), clean.Line(draw.Head(rule)), "") {
			continue
		}
		for i, s := range by[rule] {
			if i == mostOut {
				o.add(outPiece{text: strings.Repeat(" ", numberWidth+2) + more + " " + draw.Grouped(len(by[rule])-i) + " more", ink: draw.MutedInk})
				break
			}
			place := s.Where
			if s.Message > 0 {
				place = fmt.Sprintf("message %d, %s", s.Message, s.Where)
			}
			o.add(outPiece{text: strings.Repeat(" ", numberWidth+2) + review.Short(s.Segment) + "  ", ink: draw.MutedInk},
				outPiece{text: clean.Line(draw.Head(place+": "+s.Shown)) + " ", ink: draw.TextInk}, outPiece{text: clean.Line(draw.Head(s.Placeholder)), ink: draw.MutedInk})
		}
	}
}

// tellGroups tells how many samples share something, folded beyond some.
func (s *Screen) tellGroups(o *forecast, title string, groups []export.Group, folded int) {
	if len(groups) == 0 {
		return
	}
	o.title(title, "samples, tokens")
	most := 1
	for _, g := range groups {
		most = max(most, g.Samples)
	}
	key := "all " + title
	for i, g := range groups {
		if i >= mostOut || i >= folded && !s.unfolded[key] {
			s.moreLine(o, key, len(groups)-i)
			return
		}
		name := cmp.Or(clean.Line(draw.Head(g.Name)), "(no type)")
		o.add(figure(g.Samples), outPiece{text: draw.Fit(name, max(leastNames, o.width/4), s.G.More), ink: draw.TextInk},
			outPiece{text: draw.Right(draw.Short(g.Tokens), numberWidth) + "  ", ink: draw.MutedInk}, outPiece{bar: float64(g.Samples) / float64(most), ink: draw.MutedInk})
	}
}
