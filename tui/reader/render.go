package reader

import (
	tea "charm.land/bubbletea/v2"
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
	if !blk.markdown || d.stub || r.rendering[key] || r.fold(d, b, false) != opened {
		return nil
	}
	if f := r.shelf.form(r.seg.Body, d.n, b); f != nil && f.width == key.width && f.theme == key.theme {
		return nil
	}
	r.rendering[key] = true
	text, style, gen, body := blk.text, r.md, r.gen, r.seg.Body
	return func() tea.Msg {
		f, err := renderMarkdown(text, key.width, style)
		if err != nil {
			f = &form{} // shown plainly
		}
		f.width, f.theme = key.width, key.theme
		return rendered{gen, body, d, key, f}
	}
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
