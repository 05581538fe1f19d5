package reader

import (
	"context"

	"winnow/core/review"
	"winnow/tui/reader/gist"
)

// Edits tell which messages curators changed. It may take long and is called from
// commands only.
type Edits interface {
	// EditedBy returns what is changed of messages from..to, inclusive.
	EditedBy(ctx context.Context, body int64, from, to int) ([]review.EditedBy, error)
}

// clashNote stands at the rule of a message whose edit waits.
const clashNote = "recorded text changed"

// edited returns what is changed of the messages of a page of the index. What can't
// be read is not told: the messages are.
func (q request) edited(page int) []review.EditedBy {
	if q.edits == nil {
		return nil
	}
	from := q.seg.Start + page*headPage
	list, _ := q.edits.EditedBy(q.ctx, q.seg.Body, from, min(q.seg.End, from+headPage-1))
	return list
}

// tookEdited marks messages that are changed.
func (r *Reader) tookEdited(list []review.EditedBy) {
	for _, e := range list {
		if e.Part == 0 {
			r.edited[e.N] = e
		}
	}
}

// editNote says of a message who changed it, "" of one that is as recorded.
func (r *Reader) editNote(n int) string {
	e, ok := r.edited[n]
	switch {
	case !ok:
		return ""
	case e.Clash:
		return r.glyphs.edited + " " + clashNote
	}
	return r.glyphs.edited + " " + gist.Line(e.By)
}
