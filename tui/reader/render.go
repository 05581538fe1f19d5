package reader

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/reader/markdown"
)

// renderKey names a rendering that is under way.
type renderKey struct{ n, b, width, theme int }

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
	key := renderKey{d.n, b, r.roomOf(blk), r.theme}
	language := ""
	if !blk.markdown && blk.compared == nil {
		if language = r.codeIn(d, blk); language == "" && len(blk.tables) == 0 {
			return nil
		}
	}
	if d.stub || r.rendering[key] || r.fold(d, b, false) != opened {
		return nil
	}
	if f := blk.drawn; f != nil && f.width == key.width && f.theme == key.theme {
		return nil
	}
	r.rendering[key] = true
	style, inks, signs, width, pen := r.md, r.inks, r.glyphs, r.widthOf(blk), r.besidePen()
	return r.ask(func() arrival {
		var f *form
		if blk.compared != nil {
			f = blk.compared.form(&pen, key.width, len(blk.text))
		} else if language != "" || len(blk.tables) > 0 {
			f = codeFormOf(blk, language, &style, &inks, &signs, width, key.width)
		} else if rows, err := markdown.Render(blk.text, width, style); err == nil {
			f = &form{Layout: *rows}
		}
		if f == nil {
			f = &form{} // shown plainly
		}
		f.width, f.theme = key.width, key.theme
		// The place on screen stays: it is carried over from the plain text when
		// the next frame resolves it.
		return func() tea.Cmd {
			delete(r.rendering, key)
			if key.theme == r.theme && key.width == r.roomOf(blk) {
				blk.drawn = f
			}
			return nil
		}
	})
}

// codeIn returns the language of the code in a block, "" for none: that of the
// file that a result is, or that a call writes.
func (r *Reader) codeIn(d *document, b *block) string {
	if len(b.text) > markdown.MostCode {
		return ""
	}
	if b.kind == resultBlock && b.sections == nil && b.pretty == nil && !b.failed {
		if c := r.callOf(d); c != nil {
			return c.prints
		}
	}
	return b.language
}
