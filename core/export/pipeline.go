package export

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"
)

// pipeline turns what was read into records on all processors and yet takes them
// in the order in which it was read: jobs pass first and second at the same time
// as others, between and take one after the other.
type pipeline struct {
	read    func(ctx context.Context, yield func(job) error) error
	first   func(*work)
	between func(*work)
	second  func(*work)
	take    func(*work) error
	repeats bool // the emitter's
}

// job is what becomes records, or is left out with a reason.
type job interface {
	// size is about how much text its records hold, in bytes, where each of
	// them may repeat what comes before it.
	size(repeats bool) int
	// begin makes it whole and looks for secrets.
	begin(m *maker)
	// number numbers secrets. It is called in the order of the jobs.
	number(m *maker)
	// finish makes the records.
	finish(m *maker)
	// result is what became of it.
	result() *made
}

// work is a job on its way.
type work struct {
	job
	end    error         // of the reading, in place of a job
	ready  chan struct{} // told at the end of first and of second
	weight int64         // in the window of what is on its way

	err error // of a step: ends the export when it is this one's turn
}

const (
	// mostBytes bounds the text on its way at once. A sample that is larger
	// goes alone; each is held up to three times: as read, changed, written.
	mostBytes = 32 << 20
	// ahead is how many samples may be on their way for each worker: enough
	// to have all busy while one works on a large sample.
	ahead = 8
)

// run ends with the first error in the order of the jobs.
func (p *pipeline) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()

	workers := runtime.GOMAXPROCS(0)
	most := workers * ahead
	// Of no channel is more than most ever full: sending to one never waits.
	read, numbered := make(chan *work, most+1), make(chan *work, most+1)
	first, second := make(chan *work, most), make(chan *work, most)
	window := semaphore.NewWeighted(mostBytes)

	running.Go(func() {
		defer close(read)
		err := p.read(ctx, func(j job) error {
			w := &work{job: j, ready: make(chan struct{}, 1)}
			w.weight = min(max(int64(j.size(p.repeats)), int64(mostBytes/most)), mostBytes)
			if err := window.Acquire(ctx, w.weight); err != nil {
				return err
			}
			read <- w
			first <- w
			return nil
		})
		if err != nil {
			read <- &work{end: err}
		}
	})
	for range workers {
		running.Go(func() { p.work(ctx, first, second) })
	}
	running.Go(func() {
		defer close(numbered)
		for w := range read {
			if w.end == nil {
				if !w.wait(ctx) {
					return
				}
				p.between(w)
				second <- w
			}
			numbered <- w
		}
	})
	for w := range numbered {
		if w.end != nil {
			return w.end
		}
		if !w.wait(ctx) {
			break
		}
		if w.err != nil {
			return w.err
		}
		if err := p.take(w); err != nil {
			return err
		}
		window.Release(w.weight)
	}
	return ctx.Err()
}

// work does both steps that need no order until ctx ends. The second one goes
// first: it makes room.
func (p *pipeline) work(ctx context.Context, first, second <-chan *work) {
	for {
		var w *work
		select {
		case w = <-second:
			p.second(w)
		default:
			select {
			case w = <-second:
				p.second(w)
			case w = <-first:
				p.first(w)
			case <-ctx.Done():
				return
			}
		}
		w.ready <- struct{}{}
	}
}

// wait waits until a step is done; false: ctx ended.
func (w *work) wait(ctx context.Context) bool {
	select {
	case <-w.ready:
		return true
	case <-ctx.Done():
		return false
	}
}
