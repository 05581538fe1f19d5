package reader

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// foldState is how much of a block shows.
type foldState uint8

const (
	concealed foldState = iota // that there is one
	folded                     // its headline
	preview                    // its first rows too
	opened                     // everything
)

// foldMode is what Z did last.
type foldMode uint8

const (
	foldsByKind foldMode = iota
	allOpened
	allFolded
)

// thinkingMode is what h did last.
type thinkingMode uint8

const (
	thinkingFolded thinkingMode = iota
	thinkingShown
	thinkingHidden
)

// previewRows are the rows a failure opens with.
const previewRows = 6

type blockKey struct{ n, b int }

// fold returns how much of a block shows. fits says that its headline shows
// all of it.
func (r *Reader) fold(d *document, b int, fits bool) foldState {
	blk := &d.blocks[b]
	if !blk.foldable() {
		return opened
	}
	s, byHand := r.folds[blockKey{d.n, b}]
	if byHand {
		s = max(s, blk.least())
	} else {
		s = r.unasked(blk)
	}
	if fits && s != concealed {
		return folded
	}
	return s
}

// unasked returns how much shows of a block that was not folded by hand.
func (r *Reader) unasked(blk *block) foldState {
	switch r.all {
	case allOpened:
		return opened
	case allFolded:
		return blk.least()
	}
	switch {
	case blk.compared != nil:
		return opened
	case blk.kind == thinkingBlock && r.thinking == thinkingHidden:
		return concealed
	case blk.kind == thinkingBlock && r.thinking == thinkingShown,
		(blk.kind == callBlock || blk.kind == resultBlock) && r.detail:
		return opened
	case blk.kind == callBlock && blk.change.Edits && r.prefer.Edits:
		return opened
	case blk.failed:
		return preview
	}
	return blk.least()
}

// least returns how little can show of a block.
func (b *block) least() foldState {
	if b.long {
		return preview // it has no headline to fold to
	}
	return folded
}

// setFold folds or opens one block.
func (r *Reader) setFold(n, b int, s foldState) { r.folds[blockKey{n, b}] = s }

// formOf returns the rendered form that block b shows in; nil: it shows as plain
// text, as previews do, and blocks with hits, which are places in that.
func (r *Reader) formOf(d *document, b int, state foldState) *form {
	blk := &d.blocks[b]
	if blk.kind == digestBlock {
		return blk.drawn
	}
	if state != opened || d.stub || r.find.holds(d.n, b) {
		return nil
	}
	if blk.pretty != nil && r.detail {
		return blk.pretty
	}
	if f := blk.drawn; f != nil && !(r.detail && len(blk.tables) > 0) && f.width == r.roomOf(blk) && f.theme == r.theme && len(f.Rows) > 0 {
		return f
	}
	return nil
}

// CanFold reports whether ToggleFold would do anything.
func (r *Reader) CanFold() bool { return r.told(r.cursor) || len(r.foldTargets()) > 0 }

// foldable reports whether folding block b changes anything.
func (r *Reader) foldable(d *document, b int) bool {
	if d.stub || !d.blocks[b].foldable() {
		return false
	}
	fits := r.fits(d, b)
	return !fits || r.fold(d, b, fits) == concealed
}

// foldTargets returns the blocks that a toggle is about: the open one that
// the view begins inside of, else all of the current message.
func (r *Reader) foldTargets() []blockKey {
	rows := r.shown()
	if len(rows) == 0 {
		return nil
	}
	if top := rows[0]; top.part >= bodyPart && top.n == r.cursor {
		d := r.document(top.n)
		if d.blocks[top.b].headline() && r.foldable(d, top.b) {
			return []blockKey{{top.n, top.b}}
		}
	}
	var keys []blockKey
	d := r.document(r.cursor)
	from, to := r.standBlocks(d)
	for b := from; b < to; b++ {
		if r.foldable(d, b) {
			keys = append(keys, blockKey{r.cursor, b})
		}
	}
	return keys
}

// ToggleFold opens the step of a digest, or the blocks of the current message, or folds them if all
// are open. Where the view begins inside an open block, it is about that one.
func (r *Reader) ToggleFold() tea.Cmd {
	r.notice = ""
	if r.told(r.cursor) {
		r.toggleStep(r.cursor)
		return r.need()
	}
	keys := r.foldTargets()
	if len(keys) == 0 {
		r.notice = "nothing to fold in this message"
		return r.need()
	}
	r.hold()
	to := folded
	for _, k := range keys {
		if d := r.document(k.n); r.fold(d, k.b, r.fits(d, k.b)) != opened {
			to = opened
		}
	}
	for _, k := range keys {
		r.setFold(k.n, k.b, to)
	}
	return r.need()
}

// ToggleAllFolds opens all steps of a digest, or closes them. Else it opens everything, then folds everything, then goes back to
// what each kind of block does by itself.
func (r *Reader) ToggleAllFolds() tea.Cmd {
	if r.digesting() {
		return r.toggleSteps()
	}
	r.notice = [...]string{"all unfolded", "all folded", "folded as usual"}[r.all]
	r.hold()
	clear(r.folds)
	r.all = (r.all + 1) % (allFolded + 1)
	return r.need()
}

// ToggleThinking shows all reasoning, then hides it but for a mark, then folds
// it as it was.
func (r *Reader) ToggleThinking() tea.Cmd {
	r.hold()
	r.thinking = (r.thinking + 1) % (thinkingHidden + 1)
	r.notice = [...]string{"thinking folded", "thinking shown", "thinking hidden"}[r.thinking]
	r.forget(thinkingBlock)
	return r.need()
}

// ToggleDetail shows or folds all calls and results.
func (r *Reader) ToggleDetail() tea.Cmd {
	r.hold()
	r.detail = !r.detail
	r.notice = "detail off"
	if r.detail {
		r.notice = "detail on"
	}
	r.forget(callBlock, resultBlock)
	return r.need()
}

// forget drops what was folded by hand of these kinds: the newest key wins.
// Blocks whose message is not here lose it too.
func (r *Reader) forget(kinds ...kind) {
	r.all = foldsByKind
	for k := range r.folds {
		d := r.document(k.n)
		known := !d.stub && k.b < len(d.blocks)
		for _, kind := range kinds {
			if !known || d.blocks[k.b].kind == kind {
				delete(r.folds, k)
				break
			}
		}
	}
}

// hold anchors the view at something that folding does not move: the current
// message's first row, if it shows, else the first row of the screen.
func (r *Reader) hold() {
	rows := r.shown()
	i := slices.IndexFunc(rows, func(p place) bool { return p.n == r.cursor && p.begins() })
	if i = max(0, i); i < len(rows) {
		r.anchor = anchor{place: rows[i], row: i}
	}
}
