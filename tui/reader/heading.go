package reader

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
	"winnow/tui/draw"
)

// apart is the number of cells between the parts of a headline.
const apart = 2

// heading is the headline of a block, whatever is folded of it.
type heading struct {
	label   string
	verdict string // "✗ refused", "exit 1"
	change  string // of an edit: "+3 −1"
	note    string
	indent  int // cells before the label
	used    int // cells up to the end of the verdict
	room    int // cells left for the brief
}

// headingOf lays out the headline of block b. Parts that find no room are
// left out, the note first.
func (r *Reader) headingOf(d *document, b int) heading {
	w, blk := r.width(), &d.blocks[b]
	h := heading{label: blk.label, note: blk.note, indent: 2}
	switch blk.kind {
	case resultBlock:
		h.indent, h.label = 4, r.nameOf(d, blk)
		if blk.of == nil {
			h.note = joined(r.editNote(d.n, 0), blk.note)
		}
	case staleBlock:
		if h.indent+ansi.StringWidth(blk.label)+apart+ansi.StringWidth(blk.brief) > w {
			h.label = blk.short
		}
	}
	h.label = ansi.Truncate(h.label, max(1, w-h.indent), r.glyphs.more)
	h.used = h.indent + ansi.StringWidth(h.label)
	if blk.verdict != "" {
		if h.verdict = blk.verdict; !blk.exits {
			h.verdict = r.glyphs.failed + " " + h.verdict
		}
		h.verdict = ansi.Truncate(h.verdict, max(0, w-h.used-apart), r.glyphs.more)
		h.used += apart + ansi.StringWidth(h.verdict)
	}
	if h.used+apart+ansi.StringWidth(h.note) > w {
		h.note = ""
	}
	if !blk.whole || len(blk.brief) > 4*w || ansi.StringWidth(blk.brief) > w-h.used-2*apart-ansi.StringWidth(h.note) {
		// How much there is tells nothing of what shows anyway.
		if note := joined(h.note, blk.size); h.used+apart+ansi.StringWidth(note) <= w {
			h.note = note
		}
	}
	if h.change = blk.change.Text(r.glyphs.minus); h.used+apart+ansi.StringWidth(h.change) > w {
		h.change = ""
	}
	if h.change != "" {
		h.used += 1 + ansi.StringWidth(h.change)
	}
	h.room = w - h.used - apart
	if h.note != "" {
		h.room -= ansi.StringWidth(h.note) + apart
	}
	return h
}

// fits reports whether a block shows all it has on its headline.
func (r *Reader) fits(d *document, b int) bool {
	blk := &d.blocks[b]
	if !blk.whole || len(blk.brief) > 4*r.width() || r.detail && blk.pretty != nil {
		return false
	}
	return ansi.StringWidth(blk.brief) <= r.headingOf(d, b).room
}

// drawHead draws the headline of a block: what it is, what matters of it, and
// at the right edge how much there is.
func (r *Reader) drawHead(d *document, b int, s *shape) string {
	if s.state == concealed {
		return r.inks.muted.On(ansi.Truncate(r.glyphs.dot+" "+s.label+" hidden", r.width(), r.glyphs.more))
	}
	h := r.headingOf(d, b)
	brief, note := s.brief, h.note
	if s.hasBody() && s.kind != staleBlock && s.kind != droppedBlock {
		brief = "" // it stands in the rows below
	}
	brief = ansi.Truncate(brief, max(0, h.room), r.glyphs.more)
	out := r.drawSigns(s) + r.highlight(d.n, b, -1, h.label, r.labelInk(s.block))
	if h.verdict != "" {
		out += strings.Repeat(" ", apart) + r.labelInk(s.block).On(h.verdict)
	}
	if brief != "" {
		h.used += apart + ansi.StringWidth(brief)
		out += strings.Repeat(" ", apart)
		if s.fits {
			out += r.highlight(d.n, b, 0, brief, r.briefInk(s.block))
		} else {
			out += r.briefInk(s.block).On(brief)
		}
	}
	if h.change != "" {
		if brief == "" {
			out += " "
			h.used++
		}
		added, removed, _ := strings.Cut(h.change, " ")
		out += " " + r.inks.added.On(added) + " " + r.inks.removed.On(removed)
	}
	if note != "" {
		out += strings.Repeat(" ", max(apart, r.width()-h.used-ansi.StringWidth(note))) + r.inks.muted.On(note)
	}
	return out
}

// drawSigns draws what stands before a headline: whether there is more to
// unfold, and of a result that it is one.
func (r *Reader) drawSigns(s *shape) string {
	fold, foldInk := " ", r.inks.muted
	switch {
	case s.failed && s.kind != resultBlock:
		fold, foldInk = r.glyphs.failed, r.inks.failed
	case s.kind == linkBlock:
		fold, foldInk = r.glyphs.folded, r.inks.titles[chat.Assistant]
	case !s.foldable() || s.fits:
	case s.state == opened:
		fold = r.glyphs.open
	default:
		fold = r.glyphs.folded
	}
	out := foldInk.On(fold) + " "
	if s.kind == resultBlock {
		out += r.labelInk(s.block).On(r.glyphs.result) + " "
	}
	return out
}

func (r *Reader) labelInk(b *block) draw.Ink {
	switch {
	case b.exits:
		return r.inks.exit
	case b.failed:
		return r.inks.failed
	}
	return r.inks.looks[b.kind].label
}

func (r *Reader) briefInk(b *block) draw.Ink {
	if b.kind == thinkingBlock && b.whole {
		return r.inks.thinking
	}
	return r.inks.looks[b.kind].brief
}

// nameOf returns what a result is called: as its call, which is numbered if
// there are several of that tool, or by the tool it names itself.
func (r *Reader) nameOf(d *document, b *block) string {
	if c := r.callOf(d); c != nil && b.of == nil && (b.label == "" || b.label == c.name) {
		return c.label
	}
	return cmp.Or(b.label, "result")
}

// answersKept bounds the results of one message that are told apart: models
// make a handful of calls at once.
const answersKept = 64

// callOf returns the call that a result answers, nil if its message is not here.
func (r *Reader) callOf(d *document) *called {
	asks, i := r.callPlace(d)
	if asks == nil {
		return nil
	}
	return &asks.calls[i]
}

// callPlace returns the message that a result answers, and which of its calls: the
// one with its id, or without ids the one in its place. It is nil if the message
// is not here.
func (r *Reader) callPlace(d *document) (asks *document, i int) {
	for n := d.n - 1; n >= max(r.seg.Start, d.n-answersKept); n-- {
		if _, dropped := r.run(n); dropped {
			continue
		}
		book := r.shelf.books[shelfKey{r.seg.Body, n}]
		if book == nil {
			return nil, 0
		}
		if book.doc.role == chat.Tool {
			continue
		}
		calls := book.doc.calls
		for i := range calls {
			if d.answers != "" && calls[i].id == d.answers {
				return book.doc, i
			}
		}
		if i := d.n - n - 1; i < len(calls) && (d.answers == "" || calls[i].id == "") {
			return book.doc, i
		}
		return nil, 0
	}
	return nil, 0
}

// rowsToCall returns how many rows above a result its call begins; if that is more
// than two thirds of the screen, or the call is not here, a third of it.
func (r *Reader) rowsToCall(result place, h int) int {
	asks, i := r.callPlace(r.document(result.n))
	if asks == nil {
		return h / 3
	}
	block := slices.IndexFunc(asks.blocks, func(b block) bool { return b.kind == callBlock }) + i
	rows := walk(result, 1+h*2/3, r.prev)
	at := slices.IndexFunc(rows, func(p place) bool { return p.n == asks.n && p.b == block && p.part == headPart })
	if at < 0 {
		return h / 3
	}
	return at
}
