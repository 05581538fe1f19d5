package hub

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/semaphore"

	"winnow/core/review"
)

const (
	// batchBytes is what the store is given at a time: about as much as a fast
	// machine writes before the store ends the transaction.
	batchBytes = 4 << 20
	// batchWait is how long jobs are gathered for a transaction, so that sessions
	// appear soon.
	batchWait = 20 * time.Millisecond
	// breath is left between transactions. Curators in other processes retry
	// every millisecond: they get in here.
	breath = 2 * time.Millisecond
	// queueBytes bounds what waits to be written or is being written, so that
	// reading goes on during a transaction.
	queueBytes = 2 * batchBytes
	// queue is long enough for queueBytes of ordinary sessions.
	queue = 256
)

// job is one write on its way to the store.
type job struct {
	write  ImportWrite
	size   int        // bytes to be written, roughly
	urgent bool       // somebody waits for it
	done   chan error // gets the outcome
}

// committer stores what the readers produce, several writes to a transaction.
// One goroutine runs loop; the database has one writer at a time anyway.
type committer struct {
	store  ImportStore
	count  func([]Change)
	jobs   chan *job
	room   *semaphore.Weighted // bytes of queueBytes
	cancel context.CancelFunc  // stops the whole import
}

func newCommitter(store ImportStore, count func([]Change), cancel context.CancelFunc) *committer {
	return &committer{store: store, count: count, jobs: make(chan *job, queue), room: semaphore.NewWeighted(queueBytes), cancel: cancel}
}

// put hands a write over. Its outcome arrives on j.done.
func (w *committer) put(ctx context.Context, j *job) error {
	j.done = make(chan error, 1)
	j.size = min(j.size, queueBytes)
	if err := w.room.Acquire(ctx, int64(j.size)); err != nil {
		return err
	}
	select {
	case w.jobs <- j:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *committer) close() { close(w.jobs) }

// loop stores jobs until the queue is closed. After a failure it cancels the
// import and refuses the rest. A conflict is the matter of one source only.
func (w *committer) loop(ctx context.Context, stored func()) (failure error) {
	var left []*job // by a transaction that ended before them
	for {
		batch := w.gather(left)
		if len(batch) == 0 {
			return failure
		}
		left = nil
		err := failure
		if err == nil {
			var n int
			if n, err = w.commit(ctx, batch); err == nil {
				batch, left = batch[:n], batch[n:]
			}
		}
		if errors.Is(err, review.ErrConflict) {
			failure = w.singly(ctx, batch)
		} else {
			failure = err
			for _, j := range batch {
				w.answer(j, err)
			}
		}
		if failure != nil {
			w.cancel()
		} else if stored != nil {
			stored()
		}
		if len(left)+len(w.jobs) > 0 {
			time.Sleep(breath)
		}
	}
}

// singly stores each job in a transaction of its own.
func (w *committer) singly(ctx context.Context, batch []*job) (failure error) {
	for _, j := range batch {
		err := failure
		if err == nil {
			_, err = w.commit(ctx, []*job{j})
		}
		if !errors.Is(err, review.ErrConflict) {
			failure = err
		}
		w.answer(j, err)
	}
	return failure
}

// answer tells how a job ended and makes room for others.
func (w *committer) answer(j *job, err error) {
	j.done <- err
	w.room.Release(int64(j.size))
}

// gather collects what belongs into one transaction, which begins with what an
// earlier one left. It returns none when there will be none.
func (w *committer) gather(left []*job) []*job {
	batch := left
	if len(batch) == 0 {
		j, ok := <-w.jobs
		if !ok {
			return nil
		}
		batch = []*job{j}
	}
	size, urgent := 0, len(left) > 0 // those have waited
	for _, j := range batch {
		size, urgent = size+j.size, urgent || j.urgent
	}
	timer := time.NewTimer(batchWait)
	defer timer.Stop()
	for size < batchBytes {
		if urgent && len(w.jobs) == 0 {
			return batch
		}
		select {
		case j, ok := <-w.jobs:
			if !ok {
				return batch
			}
			batch, size, urgent = append(batch, j), size+j.size, urgent || j.urgent
		case <-timer.C:
			return batch
		}
	}
	return batch
}

// commit stores the first n jobs of a batch.
func (w *committer) commit(ctx context.Context, batch []*job) (n int, err error) {
	writes := make([]ImportWrite, len(batch))
	for i, j := range batch {
		writes[i] = j.write
	}
	n, done, err := w.store.WriteSome(ctx, writes)
	if err == nil {
		w.count(done)
	}
	return n, err
}
