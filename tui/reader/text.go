package reader

import (
	"cmp"
	"sort"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/reader/sheet"
)

// Text is something that is read by itself instead of messages: JSON, or what
// was recorded in its place.
type Text struct {
	// Left is how many bytes of long strings, and of the end, are not shown.
	Left         int
	whole, brief leaf
}

// leaf is a text in one of its forms.
type leaf struct {
	doc           *document
	starts, items []int // see sheet.Page; the places of one form are in the order of those of the other
}

// TextOf lays out JSON, one value or several, or any other text. It takes time
// linear in raw and is called from commands only.
func TextOf(raw []byte, ascii bool) *Text {
	whole := sheet.PageOf(raw, ascii, false)
	if whole == nil {
		return plainText(raw, ascii)
	}
	return &Text{Left: whole.Left, whole: leafOf(whole), brief: leafOf(sheet.PageOf(raw, ascii, true))}
}

func leafOf(p *sheet.Page) leaf {
	d := &document{n: 1}
	d.add(block{kind: textBlock, text: strings.Clone(p.String()), sections: p.Sections})
	return leaf{d, p.Starts, p.Items}
}

// plainText shows a text that is no JSON.
func plainText(raw []byte, ascii bool) *Text {
	t := &Text{Left: max(0, len(raw)-sheet.PageMost)}
	text := sheet.Body(strings.ToValidUTF8(string(raw[:len(raw)-t.Left]), "\uFFFD"))
	if ascii {
		text = clean.Carets(text)
	}
	d := &document{n: 1}
	d.add(block{kind: textBlock, text: cmp.Or(text, "(nothing)")})
	t.whole = leaf{doc: d}
	t.brief = t.whole
	return t
}

// OpenText shows a text in place of a segment, from its beginning, or from the
// first place where the text at stands; "" is none. The reader must not be one
// that shows segments.
func (r *Reader) OpenText(t *Text, brief bool) tea.Cmd {
	r.reset()
	r.page, r.brief = t, brief
	r.seg = review.Segment{ID: "text", Start: 1, End: 1}
	r.cursor, r.anchor = 1, anchor{place: place{n: 1}}
	doc := r.leaf().doc
	r.heads[0] = []review.Head{{N: 1, ContentLen: len(doc.blocks[0].text)}}
	r.shelf = newShelf()
	r.shelf.put(r.seg.Body, doc, func(shelfKey) bool { return true })
	return r.need()
}

// leaf returns the form of the text that is shown.
func (r *Reader) leaf() leaf {
	if r.brief {
		return r.page.brief
	}
	return r.page.whole
}

// FoldText shows one row of each string of the text, or all. What is read
// stays where it is.
func (r *Reader) FoldText() tea.Cmd {
	if r.page == nil || len(r.page.whole.starts) == 0 {
		return nil
	}
	line := max(0, sort.SearchInts(r.leaf().starts, r.shown()[0].at+1)-1)
	find := r.find
	cmd := r.OpenText(r.page, !r.brief)
	if starts := r.leaf().starts; line < len(starts) {
		r.anchor.place = place{n: 1, part: bodyPart, at: starts[line]}
	}
	if find != nil && !find.quiet {
		return tea.Batch(cmd, r.Find(find.query))
	}
	return cmd
}

// TextFolded reports whether strings take a row each.
func (r *Reader) TextFolded() bool { return r.brief }

// NextItem goes to the next of the objects that a text lists, PrevItem to the
// one before: records and messages.
func (r *Reader) NextItem() tea.Cmd { return r.stepItem(+1) }

// PrevItem goes to the beginning of the object that the view begins in, or from
// there to the one before.
func (r *Reader) PrevItem() tea.Cmd { return r.stepItem(-1) }

func (r *Reader) stepItem(step int) tea.Cmd {
	r.notice = ""
	if r.page == nil {
		return nil
	}
	items, top := r.leaf().items, r.shown()[0].at
	i := sort.SearchInts(items, top) - 1
	if step > 0 {
		i = sort.SearchInts(items, top+1)
	}
	switch {
	case i < 0:
		return r.Top()
	case i >= len(items):
		return r.Bottom()
	}
	r.anchor = anchor{place: place{n: 1, part: bodyPart, at: items[i]}}
	return r.need()
}
