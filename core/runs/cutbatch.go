package runs

import "context"

// What is stored in one transaction at most. A session of three segments takes
// a quarter of a millisecond: nobody waits long for all of them.
const (
	batchSessions = 16
	batchRows     = 256 // segments that are compared or written
)

// cutBatch is sessions that are cut and wait to be stored together. It is one
// goroutine's.
type cutBatch struct {
	list []cutWaiting
	rows int
}

type cutWaiting struct {
	ref  CutRef
	c    *cutting
	w    *CutWrite
	done cutDone
}

// rowsOf is the number of segments that a write compares or changes.
func rowsOf(w *CutWrite) int { return len(w.Known) + len(w.Segments) + len(w.Retire) }

// fits reports whether a write may wait together with those before.
func (b *cutBatch) fits(w *CutWrite) bool { return len(b.list) == 0 || b.rows+rowsOf(w) <= batchRows }

func (b *cutBatch) full() bool { return len(b.list) >= batchSessions || b.rows >= batchRows }

func (b *cutBatch) add(ref CutRef, c *cutting, w *CutWrite, done cutDone) {
	c.text.forget()
	b.list = append(b.list, cutWaiting{ref, c, w, done})
	b.rows += rowsOf(w)
}

// flush stores what waits. If that fails, the sessions are loaded and stored one
// by one: one of them may have changed meanwhile. A run that is cancelled still
// stores what it cut.
func (r *cutRun) flush(ctx context.Context, b *cutBatch) {
	list := b.list
	if len(list) == 0 {
		return
	}
	defer func() {
		clear(b.list)
		b.list, b.rows = b.list[:0], 0
	}()
	writes := make([]*CutWrite, len(list))
	for i := range list {
		writes[i] = list[i].w
	}
	err := r.g.Store.WriteAllCuts(context.WithoutCancel(ctx), writes)
	for i := range list {
		wait := &list[i]
		if err == nil {
			r.outcome(ctx, wait.ref, wait.done, nil)
		} else if ctx.Err() == nil {
			done, err := wait.c.one(ctx, wait.ref.ID)
			r.outcome(ctx, wait.ref, done, err)
		}
	}
}
