package reader

import tea "charm.land/bubbletea/v2"

// foldState is how much of a block shows.
type foldState uint8

const (
	folded  foldState = iota // its headline
	preview                  // its first rows too
	opened                   // everything
)

// foldMode is what Z did last.
type foldMode uint8

const (
	foldsByKind foldMode = iota
	allOpened
	allFolded
)

// previewRows are the rows a failure opens with.
const previewRows = 6

type blockKey struct{ n, b int }

// fold returns how much of a block shows.
func (r *Reader) fold(n, b int, blk *block) foldState {
	if !blk.foldable() {
		return opened
	}
	if s, ok := r.folds[blockKey{n, b}]; ok {
		return s
	}
	least := folded
	if blk.long {
		least = preview // it has no headline to fold to
	}
	switch r.all {
	case allOpened:
		return opened
	case allFolded:
		return least
	}
	switch {
	case blk.kind == thinkingBlock && r.thinking,
		(blk.kind == callBlock || blk.kind == resultBlock) && r.detail:
		return opened
	case blk.failed:
		return preview
	}
	return least
}

// setFold folds or opens one block.
func (r *Reader) setFold(n, b int, s foldState) { r.folds[blockKey{n, b}] = s }

// formOf returns the form a block shows in, nil for the plain text. Hits and
// previews refer to the plain text.
func (r *Reader) formOf(d *document, b int, state foldState) *form {
	blk := &d.blocks[b]
	if state != opened || d.stub || r.find.holds(d.n, b) {
		return nil
	}
	switch {
	case blk.markdown:
		if f := r.shelf.form(r.seg.Body, d.n, b); f != nil && f.width == r.width() && f.theme == r.theme && len(f.rows) > 0 {
			return f
		}
	case blk.pretty != "" && r.detail:
		return r.shelf.prettyForm(r.seg.Body, d.n, b, blk.pretty)
	}
	return nil
}

// CanFold reports whether ToggleFold would do anything.
func (r *Reader) CanFold() bool { return len(r.foldTargets()) > 0 }

// foldTargets returns the blocks that a toggle is about: the open one that
// the view begins inside of, else all of the current message.
func (r *Reader) foldTargets() []blockKey {
	rows := r.frame(r.rows())
	if len(rows) == 0 {
		return nil
	}
	if top := rows[0]; top.part >= bodyPart && top.n == r.cursor {
		d := r.document(top.n)
		if blk := &d.blocks[top.b]; blk.foldable() && blk.headline() {
			return []blockKey{{top.n, top.b}}
		}
	}
	var keys []blockKey
	d := r.document(r.cursor)
	for b := range d.blocks {
		if d.blocks[b].foldable() && !d.stub {
			keys = append(keys, blockKey{r.cursor, b})
		}
	}
	return keys
}

// ToggleFold opens the blocks of the current message, or folds them if all
// are open. Where the view begins inside an open block, it is about that one.
func (r *Reader) ToggleFold() tea.Cmd {
	keys := r.foldTargets()
	if len(keys) == 0 {
		return r.need()
	}
	r.hold()
	to := folded
	for _, k := range keys {
		if r.fold(k.n, k.b, &r.document(k.n).blocks[k.b]) != opened {
			to = opened
		}
	}
	for _, k := range keys {
		s := to
		if s == folded && r.document(k.n).blocks[k.b].long {
			s = preview
		}
		r.setFold(k.n, k.b, s)
	}
	return r.need()
}

// ToggleAllFolds opens everything, then folds everything, then goes back to
// what each kind of block does by itself.
func (r *Reader) ToggleAllFolds() tea.Cmd {
	r.hold()
	clear(r.folds)
	r.all = (r.all + 1) % (allFolded + 1)
	return r.need()
}

// ToggleThinking shows or folds all reasoning.
func (r *Reader) ToggleThinking() tea.Cmd {
	r.hold()
	r.thinking = !r.thinking
	r.forget(thinkingBlock)
	return r.need()
}

// ToggleDetail shows or folds all calls and results.
func (r *Reader) ToggleDetail() tea.Cmd {
	r.hold()
	r.detail = !r.detail
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
	rows := r.frame(r.rows())
	if len(rows) == 0 {
		return
	}
	r.anchor = anchor{place: rows[0]}
	for i, p := range rows {
		if p.n == r.cursor && p.b == 0 && p.part == headPart {
			r.anchor = anchor{place: p, row: i}
			return
		}
	}
}
