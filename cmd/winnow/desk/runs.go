package desk

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"winnow/core/train"
	"winnow/tui/screens/pipeline"
	"winnow/tui/screens/training"
)

// trained tells of runs that trained a model.
type trained struct {
	*Desk

	mu     sync.Mutex // guards what follows
	of     int64      // the run that was read last
	read   training.State
	at     int64          // Commits when it was read
	counts map[string]int // its train samples, by the model that wrote them
}

// How much of a run is shown at most.
const (
	mostWithdrawn = 200
	mostLog       = 200      // lines
	logEnd        = 64 << 10 // bytes: lines that long are progress bars
	mostEarlier   = 1000     // runs that it may come from
)

// Run implements training.Library. It is asked again and again: the database is read only
// if something was committed.
func (t *trained) Run(ctx context.Context, id int64) (s training.State, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == id {
		if err := t.settle(ctx, t.read.Run); err != nil {
			return s, err
		}
	}
	commits, err := t.Commits(ctx)
	if err != nil {
		return s, err
	}
	if t.of != id || t.at != commits {
		if t.of != id {
			t.counts = nil
		}
		t.of = 0
		if err := t.readRun(ctx, id); err != nil {
			return s, err
		}
		t.of, t.at = id, commits
	}
	s = t.read
	place := t.Trainer().Place(id)
	if gone := place.Gone(&s.Run); gone != nil {
		s.Log = []string{"winnow: " + gone.Error()}
		return s, nil
	}
	s.Log, s.LogCut, err = logOf(place.Log())
	return s, err
}

// readRun reads a run as the database has it.
func (t *trained) readRun(ctx context.Context, id int64) (err error) {
	s := training.State{}
	if s.Run, err = t.FindRun(ctx, id); err != nil {
		return err
	}
	if s.Points, err = t.Points(ctx, id); err != nil {
		return err
	}
	if s.Evals, err = t.Evals(ctx, id); err != nil {
		return err
	}
	if s.Withdrawn, s.AllWithdrawn, err = t.Withdrawn(ctx, id, "", mostWithdrawn); err != nil {
		return err
	}
	s.Warning, err = t.warning(ctx, &s.Run)
	t.read = s
	return err
}

// warning says what is wrong with what a run was made of. Its samples are counted once:
// they stay as they are when they are there.
func (t *trained) warning(ctx context.Context, r *train.Run) (string, error) {
	names, err := t.ModelNames(ctx)
	if err != nil || r.Samples == 0 {
		return "", err
	}
	if t.counts == nil {
		counts := map[string]int{}
		for after, more := "", true; more; {
			list, err := t.RunSamples(ctx, r.ID, after, detailsInTime)
			if err != nil {
				return "", err
			}
			for i := range list {
				if after = list[i].Detail; list[i].Split == train.Train {
					counts[list[i].Model]++
				}
			}
			more = len(list) == detailsInTime
		}
		t.counts = counts
	}
	earlier, err := t.Store.Runs(ctx, r.ID, mostEarlier)
	return train.SelfTaught(t.counts, train.Kin(r, earlier, names)), err
}

// detailsInTime is how many samples are read at a time.
const detailsInTime = 5000

// Samples implements training.Library.
func (t *trained) Samples(ctx context.Context, id int64, after string, limit int) ([]training.Sample, error) {
	list, err := t.RunSamples(ctx, id, after, limit)
	if err != nil {
		return nil, err
	}
	gone, _, err := t.Withdrawn(ctx, id, after, limit) // those of the page, and some after it
	why := map[string]string{}
	for i := range gone {
		why[gone[i].Detail] = gone[i].Why
	}
	shown := make([]training.Sample, len(list))
	for i := range list {
		shown[i] = training.Sample{Sample: list[i], Why: why[list[i].Detail]}
		if seg, err := t.Segment(ctx, list[i].Segment); err == nil {
			shown[i].Title = seg.Topic
		}
	}
	return shown, err
}

// logOf returns the last lines of a log, whatever is in it.
func logOf(path string) (lines []string, cut bool, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	from := max(0, info.Size()-logEnd)
	data := make([]byte, min(logEnd, info.Size()))
	n, err := f.ReadAt(data, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	data = data[:n]
	if cut = from > 0; cut {
		if _, rest, found := bytes.Cut(data, []byte("\n")); found {
			data = rest
		}
	}
	for text := range strings.Lines(string(data)) {
		text = strings.TrimRight(text, "\r\n")
		if i := strings.LastIndexByte(text, '\r'); i >= 0 { // a progress bar: how it is last
			text = text[i+1:]
		}
		if strings.TrimSpace(text) != "" {
			lines = append(lines, text)
		}
	}
	if len(lines) > mostLog {
		lines, cut = lines[len(lines)-mostLog:], true
	}
	return lines, cut, nil
}

// mostRuns is how many runs the pipeline shows.
const mostRuns = 20

// afterwards is within which time of its end the worker of a run may still bring points:
// it is stopped after the run is.
const afterwards = 5 * time.Minute

// runs reads the newest runs, with the last loss of each.
func (p *pipelined) runs(ctx context.Context, s *pipeline.State) (err error) {
	if s.Runs, err = p.Runs(ctx, 0, mostRuns); err != nil {
		return err
	}
	s.Losses = make(map[int64]train.Point, len(s.Runs)) // of those without any, too
	kept := map[int64]train.Point{}
	for i := range s.Runs {
		r := &s.Runs[i]
		last, known := p.losses[r.ID] // it is as it was if it had ended long ago, and has
		if !known || !r.Status.Ended() {
			points, err := p.Points(ctx, r.ID)
			if err != nil {
				return err
			}
			last, _ = train.LastLoss(points)
		}
		if s.Losses[r.ID] = last; r.Status.Ended() && p.Now().Sub(r.Ended) > afterwards {
			kept[r.ID] = last
		}
	}
	p.losses = kept
	return nil
}

// dueOf is what a plan was made of: what the database held, and what of it is to train.
type dueOf struct {
	version int64
	counts  train.Counts
}

// DueText implements pipeline.Library: by the plan of a run, which is made anew only if
// anything that it is made of has changed. Why none can be made is said in its place.
func (p *pipelined) DueText(ctx context.Context) (string, error) {
	due, err := p.dueText(ctx)
	if err != nil {
		return "", err
	}
	return p.saying(ctx, due)
}

// dueText says whether a run is due, whatever is under way.
func (p *pipelined) dueText(ctx context.Context) (string, error) {
	p.planning.Lock()
	defer p.planning.Unlock()
	if err := p.unconfigured(train.Backend(p.Text("train.backend"))); err != nil {
		return err.Error(), nil
	}
	counts, err := p.ToTrain(ctx)
	if err != nil || counts.New == 0 {
		return p.Limits().Verdict(counts, p.Now()).Text, err
	}
	version, err := p.Version(ctx)
	if err != nil {
		return "", err
	}
	if is := (dueOf{version, counts}); p.due != is {
		p.plan, p.unplanned = p.PlanRun(ctx, RunAsk{}, nil)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		p.due = is
	}
	if p.unplanned != nil {
		return p.unplanned.Error(), nil
	}
	return p.DueBy(&p.plan, counts).Text, nil
}
