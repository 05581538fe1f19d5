package reader

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/reader/markdown"
)

// renderKey names a rendering that is under way.
type renderKey struct{ n, b, width, theme int }

// rendered answers a request to render the Markdown of one block.
type rendered struct {
	gen  int
	body int64
	doc  *document
	key  renderKey
	form *form
}

// rendersAtOnce bounds the renderings under way, so that what scrolled out of
// sight does not delay what is in sight.
const rendersAtOnce = 2

// askRendered asks for the Markdown of messages, the nearest first.
func (r *Reader) askRendered(messages []int) tea.Cmd {
	if r.w <= 0 {
		return nil // before the first View the width is not known
	}
	var cmds []tea.Cmd
	for _, n := range messages {
		d := r.document(n)
		for b := range d.blocks {
			if len(r.rendering) >= rendersAtOnce {
				return tea.Batch(cmds...)
			}
			cmds = append(cmds, r.renderBlock(d, b))
		}
	}
	return tea.Batch(cmds...)
}

func (r *Reader) renderBlock(d *document, b int) tea.Cmd {
	blk := &d.blocks[b]
	key := renderKey{d.n, b, r.width(), r.theme}
	language := ""
	if !blk.markdown {
		if language = r.codeIn(d, blk); language == "" {
			return nil
		}
	}
	if d.stub || r.rendering[key] || r.fold(d, b, false) != opened {
		return nil
	}
	if f := r.shelf.form(r.seg.Body, d.n, b); f != nil && f.width == key.width && f.theme == key.theme {
		return nil
	}
	r.rendering[key] = true
	style, inks, width, gen, body := r.md, r.inks, key.width-r.indentOf(blk), r.gen, r.seg.Body
	return func() tea.Msg {
		var f *form
		if language != "" {
			f = codeFormOf(blk, language, &style, &inks, width)
		} else if rows, err := markdown.Render(blk.text, width, style); err == nil {
			f = &form{Layout: *rows}
		}
		if f == nil {
			f = &form{} // shown plainly
		}
		f.width, f.theme = key.width, key.theme
		return rendered{gen, body, d, key, f}
	}
}

// codeIn returns the language of the code in a block, "" for none: that of the
// file that a result is, or that a call writes.
func (r *Reader) codeIn(d *document, b *block) string {
	if len(b.text) > markdown.MostCode {
		return ""
	}
	if b.kind == resultBlock && b.sections == nil && b.pretty == "" && !b.failed {
		if c := r.callOf(d); c != nil {
			return c.prints
		}
	}
	return b.language
}

// rendered takes a rendering. The place on screen stays: it is carried over
// from the plain text when the next frame resolves it.
func (r *Reader) rendered(msg rendered) tea.Cmd {
	if msg.gen != r.gen {
		return nil
	}
	delete(r.rendering, msg.key)
	if msg.key.theme == r.theme && msg.key.width == r.width() {
		r.shelf.setForm(msg.body, msg.doc, msg.key.b, msg.form)
	}
	return r.need()
}
