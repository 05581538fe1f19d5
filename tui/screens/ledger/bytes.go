package ledger

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/ledger"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// bytesView is a line that was opened: its bytes, and what stands around them.
type bytesView struct {
	issue ledger.Issue
	asked screen.Question[ledger.Excerpt]

	rows   []byteRow // laid out for width
	width  int
	first  int // row at which the line begins
	top    int
	height int
	placed bool // top was chosen for the line
}

// byteRow is a row of cleaned text.
type byteRow struct {
	text string
	line bool // of the line itself, not of what stands around it
}

// contextRows is how much in front of a line is shown at first.
const contextRows = 3

// openBytes shows the bytes of the selected line.
func (l *Screen) openBytes() {
	if is := l.source.lines.Selected(); is != nil {
		l.showBytes(*is)
	}
}

// reopenBytes shows those of the selected line, if bytes are shown.
func (l *Screen) reopenBytes() {
	if l.bytes != nil {
		l.openBytes()
	}
}

func (l *Screen) showBytes(is ledger.Issue) {
	if l.bytes != nil {
		l.bytes.asked.GiveUp()
	}
	b, lib, source := &bytesView{issue: is}, l.lib, l.source.ID
	l.bytes = b
	b.asked.Ask(&l.Seat, func(ctx context.Context) (ledger.Excerpt, error) { return lib.Excerpt(ctx, source, is) }, func(ledger.Excerpt, error) {
		b.width = 0 // to be laid out
	})
}

// move scrolls.
func (b *bytesView) move(m keys.Motion) {
	b.top += m.Step(b.height)
	b.clamp()
}

func (b *bytesView) clamp() { b.top = max(0, min(b.top, len(b.rows)-b.height)) }

// below is how many rows are below the screen.
func (b *bytesView) below() int { return max(0, len(b.rows)-b.top-b.height) }

// bytesHead draws the place of a line, and why it is in the ledger.
func (l *Screen) bytesHead(w int) []string {
	b := l.bytes
	place := l.ShortPath(l.source.Path)
	if b.issue.Line > 0 {
		place += ":" + fmt.Sprint(b.issue.Line)
	}
	lines := append([]string{l.Ink.Key.On(l.G.Mark) + " " + l.Ink.Name.On(draw.Tail(place, w-3, l.G.More))}, l.whyLines(w)...)
	if note := b.standing(); note != "" {
		for text := range strings.SplitSeq(ansi.Wrap(note, max(1, w-4), ""), "\n") {
			lines = append(lines, "  "+l.Ink.Warn.On(text))
		}
	}
	return append(lines, l.Rule(w))
}

// bytesLines draws a line's head and its bytes.
func (l *Screen) bytesLines(w int) []string {
	b, lines := l.bytes, l.bytesHead(w)
	for i := b.top; i < min(len(b.rows), b.top+b.height); i++ {
		r := b.rows[i]
		mark, k := " ", l.Ink.Muted
		if r.line {
			mark, k = severityInk(&l.Ink, b.issue.Severity).On(l.G.Wall), l.Ink.Text
		}
		lines = append(lines, mark+" "+k.On(r.text))
	}
	return lines
}

// whyLines say what became of the line and where it stands, in two lines if
// one is too short.
func (l *Screen) whyLines(w int) []string {
	is := &l.bytes.issue
	fate := severityInk(&l.Ink, is.Severity).On(severityWord(is.Severity)) + l.Ink.Text.On("  "+clean.Line(draw.Head(is.Reason)))
	place := "byte " + draw.Grouped(int(is.Offset)) + " " + l.G.Dot + " " + draw.Plural(int(is.Length), "byte")
	if dot := " " + l.G.Dot + " "; ansi.StringWidth(fate+dot+place)+2 <= w {
		return []string{"  " + fate + l.Ink.Muted.On(dot+place)}
	}
	return []string{"  " + fate, "  " + l.Ink.Muted.On(place)}
}

// standing says what is not as it was, "" if all is.
func (b *bytesView) standing() string {
	switch {
	case b.asked.Open:
		return "reading the file"
	case b.asked.Err != nil:
		return "the file could not be read: " + clean.Line(draw.Head(b.asked.Err.Error()))
	}
	switch b.asked.Got.Standing {
	case ledger.Gone:
		return "The file no longer exists: its bytes cannot be shown. The sessions that came from it are kept."
	case ledger.Rewritten:
		return "The file was rewritten after its import: these bytes are gone. Importing it again brings the ledger up to date."
	case ledger.Touched:
		return "The file was written to after its import: the line may be longer. Importing it again completes it."
	}
	return ""
}

// layOut wraps the bytes to w cells, of which height rows show. What is shown of a line is bounded, so
// that this takes a few milliseconds at most.
func (b *bytesView) layOut(w, height int) {
	b.height = height
	if b.width != w {
		at := b.top - b.first
		b.width, b.rows = w, nil
		x := &b.asked.Got
		b.add(trimStart(x.Before, x.Cut), w, false, x.Cut)
		b.first = len(b.rows)
		b.addLine(x, w)
		after, more := trimEnd(x.After, x.More), x.More
		after = bytes.TrimPrefix(bytes.TrimPrefix(after, []byte("\r")), []byte("\n")) // the end of the line itself
		b.add(after, w, false, false)
		if more && len(b.rows) > 0 {
			b.note("the file goes on")
		}
		b.top = b.first + at
	}
	if !b.asked.Open && !b.placed {
		b.placed = true
		b.top = max(0, b.first-contextRows)
	}
	b.clamp()
}

// addLine adds the line itself.
func (b *bytesView) addLine(x *ledger.Excerpt, w int) {
	switch {
	case !b.asked.Came || x.Standing == ledger.Gone || x.Standing == ledger.Rewritten:
	case b.issue.Length == 0:
		b.note("an empty line")
	case x.Missing == 0 && len(bytes.TrimSpace(x.Head)) == 0 && len(x.Head) > 0:
		b.note("white space only")
	default:
		b.add(trimEnd(x.Head, x.Missing > 0), w, true, false)
		if x.Missing > 0 {
			b.note(draw.Plural(int(x.Missing), "byte") + " left out")
			b.add(trimStart(x.Tail, true), w, true, false)
		}
	}
}

func (b *bytesView) note(text string) {
	b.rows = append(b.rows, byteRow{text: "(" + text + ")"})
}

// add adds text of one or more lines. cut says that the first one began
// earlier.
func (b *bytesView) add(text []byte, w int, line, cut bool) {
	if len(text) == 0 {
		return
	}
	text = bytes.TrimSuffix(text, []byte("\n"))
	if cut {
		b.note("the file begins earlier")
	}
	for one := range bytes.SplitSeq(text, []byte("\n")) {
		safe := clean.Text(strings.ToValidUTF8(string(one), "\uFFFD"))
		for row := range strings.SplitSeq(ansi.Hardwrap(safe, max(1, w-3), true), "\n") {
			b.rows = append(b.rows, byteRow{text: row, line: line})
		}
	}
}

// trimStart cuts the rest of a character that text was cut in.
func trimStart(text []byte, cut bool) []byte {
	for i := 0; cut && i < utf8.UTFMax-1 && len(text) > 0 && !utf8.RuneStart(text[0]); i++ {
		text = text[1:]
	}
	return text
}

// trimEnd cuts the beginning of a character that text was cut in.
func trimEnd(text []byte, cut bool) []byte {
	for n := 1; cut && n < utf8.UTFMax && n <= len(text); n++ {
		if at := len(text) - n; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				return text[:at]
			}
			break
		}
	}
	return text
}
