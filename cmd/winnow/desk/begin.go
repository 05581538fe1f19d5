package desk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"winnow/core/export"
	"winnow/core/export/lineage"
	"winnow/core/train"
	"winnow/core/train/remote"
	"winnow/core/train/work"
)

// BeginTraining begins a run: its row, then its data, then its samples and the sum of its
// manifest at once, then what trains. However this program ends, no run counts twice and
// no sample is forgotten.
func (d *Desk) BeginTraining(ctx context.Context, ask RunAsk, progress func(export.Report)) (r train.Run, err error) {
	k := d.Keeper("winnow train")
	err = k.Hold(ctx, work.BeginLease, func(ctx context.Context, _ string) error {
		r, err = d.beginTraining(ctx, ask, progress)
		return err
	})
	return r, err
}

func (d *Desk) beginTraining(ctx context.Context, ask RunAsk, progress func(export.Report)) (r train.Run, err error) {
	w := d.Trainer()
	if err := w.Settle(ctx); err != nil {
		return r, err
	}
	if err := d.mayBegin(ctx); err != nil {
		return r, err
	}
	m, err := d.gather(ctx, ask)
	if err != nil {
		return r, err
	}
	if err := d.worthwhile(ctx, w, m, progress); err != nil {
		return r, err
	}
	r = train.Run{
		Curator: d.Text("reviewer"), Cause: ask.Cause, Backend: m.plan.Backend, Status: train.Exporting, Base: m.plan.Base, Parent: m.plan.Parent,
		Params: ask.Params, Command: m.plan.Command, Host: m.plan.Host, Exit: -1,
	}
	if err := d.mustAllow(ctx, r.Host); err != nil {
		return r, fmt.Errorf("%w: %s allows it", err, d.Command("train --allow "+r.Host))
	}
	if err := writable(w.Folder); err != nil {
		return r, err
	}
	if err := d.Store.BeginRun(ctx, &r); err != nil {
		return r, err
	}
	next, err := d.fill(ctx, w, m, &r, progress)
	if err != nil {
		return d.unbegun(context.WithoutCancel(ctx), r.ID, err)
	}
	if next.Backend != train.ByCommand {
		return d.StepRun(ctx, next.ID)
	}
	return d.startWorker(ctx, w, next.ID)
}

// writable makes the folder of runs, and fails if nothing can be put there.
func writable(folder string) error {
	err := os.MkdirAll(folder, 0o700)
	if err == nil {
		var try string
		if try, err = os.MkdirTemp(folder, "try-"); err == nil {
			err = os.Remove(try)
		}
	}
	return noFolder(folder, err)
}

// noFolder says that runs have no place for their files, nil without an error.
func noFolder(folder string, err error) error {
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		err = inner.Err
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("runs have their files in %s, which cannot be written: %w", folder, err)
}

// worthwhile refuses a run before anything of it is written: one without data, or with that
// of the last one that succeeded.
func (d *Desk) worthwhile(ctx context.Context, w *work.Worker, m *data, progress func(export.Report)) error {
	m.opts.Check = true
	defer func() { m.opts.Check = false }()
	r, err := m.export(ctx, d, progress)
	if err != nil {
		return err
	}
	switch m.samples(&r); {
	case m.plan.Samples == 0:
		counts, err := d.ToTrain(ctx)
		if err == nil {
			err = train.Nothing(d.DueBy(&m.plan, train.Counts{Ready: counts.Ready}).Text)
		}
		return err
	case m.plan.Backend == train.ByOpenAI && remote.Enough(m.plan.Samples) != nil:
		return remote.Enough(m.plan.Samples)
	case m.last.ID == 0 || m.ask.Again || !w.Place(m.last.ID).Of(&m.last) || !sameData(w.Place(m.last.ID), &r):
		return nil
	}
	return train.NothingNew(m.last, m.last.Manifest)
}

// sameData reports whether the data of a run is what an export would write: the same records
// in the same parts. Of data that is gone nothing is known; then the manifest tells, once
// it is written.
func sameData(p work.Place, r *export.Report) bool {
	var was []lineage.Sample
	m, err := lineage.ReadFile(p.Data(), func(s *lineage.Sample) error {
		was = append(was, lineage.Sample{File: s.File, Record: s.Record, Origin: lineage.Origin{Segment: s.Segment}})
		return nil
	}, nil)
	if err != nil {
		return false
	}
	splits := map[string]string{}
	for _, f := range m.Files {
		splits[f.Path] = f.Split
	}
	for _, is := range r.Placed {
		if is.Record == "" {
			continue
		}
		if len(was) == 0 || was[0].Segment != is.Segment || was[0].Record != is.Record || splits[was[0].File] != is.Split {
			return false
		}
		was = was[1:]
	}
	return len(was) == 0
}

// UnderWay returns the run that has not ended, and what is said of it; 0 and "" for none.
func (d *Desk) UnderWay(ctx context.Context) (id int64, said string, err error) {
	open, err := d.OpenRuns(ctx)
	if err != nil || len(open) == 0 {
		return 0, "", err
	}
	return open[0].ID, fmt.Sprintf("run %d is at it: %s", open[0].ID, open[0].Status.Clause()), nil
}

// saying has what is due say first which run is under way: none begins beside it.
func (d *Desk) saying(ctx context.Context, due string) (string, error) {
	_, said, err := d.UnderWay(ctx)
	if said != "" {
		due = said + "; " + due
	}
	return due, err
}

// mayBegin refuses a run while another one has not ended: one machine trains one model.
func (d *Desk) mayBegin(ctx context.Context) error {
	open, err := d.OpenRuns(ctx)
	if err != nil || len(open) == 0 {
		return err
	}
	r := &open[0]
	return fmt.Errorf("run %d has not ended: %s: wait, or stop it with %s", r.ID, r.Status.Clause(), d.Command("runs stop "+strconv.FormatInt(r.ID, 10)))
}

// unbegun ends a run that came to nothing before it was trained.
func (d *Desk) unbegun(ctx context.Context, id int64, why error) (train.Run, error) {
	r, err := d.ChangeRun(ctx, id, func(r *train.Run) error {
		if r.Status.Ended() {
			return nil
		}
		r.Status, r.Error, r.Ended = train.Failed, why.Error(), d.Now()
		if errors.As(why, new(train.Nothing)) || errors.As(why, new(work.Taken)) || errors.Is(why, context.Canceled) {
			r.Status = train.Cancelled
		}
		return nil
	})
	if err == nil {
		d.Trainer().Discard(&r)
	}
	return r, errors.Join(why, err)
}

// fill exports the data of a run and keeps its samples.
func (d *Desk) fill(ctx context.Context, w *work.Worker, m *data, now *train.Run, progress func(export.Report)) (train.Run, error) {
	place := w.Place(now.ID)
	if err := place.Make(now); err != nil {
		return train.Run{}, err
	}
	m.opts.Path = place.Data() + string(filepath.Separator)
	m.opts.ShardSize = oneFile
	report, err := m.export(ctx, d, progress)
	if err != nil {
		return train.Run{}, err
	}
	samples := m.samples(&report)
	if m.plan.Samples == 0 {
		return train.Run{}, train.Nothing("nothing is left to train on")
	}
	sum, err := work.SumOf(filepath.Join(place.Data(), filepath.FromSlash(lineage.ManifestName)))
	if err != nil {
		return train.Run{}, err
	}
	if err := train.NothingNew(m.last, sum); err != nil && !m.ask.Again {
		return train.Run{}, err
	}
	kept, err := d.keep(ctx, &m.opts, &report)
	if err != nil {
		return train.Run{}, err
	}
	return d.PutSamples(ctx, now.ID, samples, func(r *train.Run) error {
		if r.Status != train.Exporting {
			return train.ErrMoved
		}
		r.Status, r.Export, r.Manifest, r.Tokens = train.Queued, kept.ID, sum, m.plan.Tokens
		if r.Backend != train.ByCommand {
			r.Status = train.Uploading
		}
		return nil
	})
}

// oneFile is a size in bytes that no data of reviewed sessions has: trainers take one file
// for each part.
const oneFile = 1 << 40

// startWorker begins the worker of a run that waits for one, and returns when it is at it.
func (d *Desk) startWorker(ctx context.Context, w *work.Worker, id int64) (train.Run, error) {
	if d.Start == nil {
		return d.unbegun(context.WithoutCancel(ctx), id, errors.New("no worker can be started here"))
	}
	ended, err := d.work(w, id)
	if err != nil {
		return d.unbegun(context.WithoutCancel(ctx), id, fmt.Errorf("its worker could not be started: %w", err))
	}
	return w.Begun(ctx, id, ended)
}

// stands refuses a run with samples that would train no more.
func (d *Desk) stands(ctx context.Context, id int64) error {
	_, gone, err := d.Withdrawn(ctx, id, "", 0)
	if err != nil || gone == 0 {
		return err
	}
	return train.Nothing(fmt.Sprintf("%d of the samples of run %d would train no more, as they were rejected, changed or held back since: begin another run with %s", gone, id, d.Command("train")))
}

// ResumeRun has a run that ended without a result go on from its last checkpoint.
func (d *Desk) ResumeRun(ctx context.Context, id int64) (r train.Run, err error) {
	err = d.Keeper("winnow runs resume").Hold(ctx, work.BeginLease, func(ctx context.Context, _ string) error {
		w := d.Trainer()
		if err := w.Settle(ctx); err != nil {
			return err
		}
		if was, err := d.FindRun(ctx, id); err != nil {
			return err
		} else if was.Status == train.Succeeded {
			return fmt.Errorf("run %d has succeeded: begin another run with %s", id, d.Command("train"))
		} else if err := d.unconfigured(was.Backend); err != nil {
			return err
		}
		if err := d.mayBegin(ctx); err != nil {
			return err
		}
		if err := d.stands(ctx, id); err != nil {
			return err
		}
		if r, err = w.Requeue(ctx, id); err != nil {
			return err
		}
		r, err = d.startWorker(ctx, w, id)
		return err
	})
	return r, err
}

// Promote says that the result of a run is the model to use, in place of that of the run
// before, 0 if none was.
func (d *Desk) Promote(ctx context.Context, id int64, force bool) (r train.Run, before int64, err error) {
	evals, err := d.Evals(ctx, id)
	if err != nil {
		return r, 0, err
	}
	r, e, err := d.Store.Promote(ctx, d.Text("reviewer"), id, func(r *train.Run) error {
		if r.Status != train.Succeeded {
			return fmt.Errorf("only a run that succeeded is promoted, not run %d: %s", id, r.Status.Clause())
		}
		if err := train.Promotable(evals, d.Number("train.min_gain")); err != nil && !force {
			return fmt.Errorf("%w: --force promotes it all the same", err)
		} else if err != nil {
			r.Note = strings.TrimPrefix(r.Note+"; promoted although "+err.Error(), "; ")
		}
		r.Promoted, r.PromotedBy = d.Now(), d.Text("reviewer")
		return nil
	})
	if len(e.Promotions) > 1 {
		before = e.Promotions[1].Run
	}
	return r, before, err
}
