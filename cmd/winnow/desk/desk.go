// Package desk is what implements the interfaces of the screen over the database, the
// importing and scoring of core/hub, the configuration and the files that sessions
// came from. Commands that do the same, as exporting, do it here, too.
//
// It may import everything but the commands, which it does not know: a hint of a
// command line comes in as a function. What needs an imported database to be tested
// is tested beside the commands.
package desk

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"winnow/cmd/winnow/config"
	"winnow/cmd/winnow/models"
	"winnow/store"
	"winnow/tui"
	"winnow/tui/reader"
	"winnow/tui/work"
)

// Desk is a database, its configuration and the machine, as the screen works on
// them.
type Desk struct {
	*store.Store
	*config.Config
	Path    string // of the database
	Env     *config.Env
	Now     func() time.Time
	Rand    io.Reader                 // for ids
	Program string                    // name and version, for what is written
	Command func(words string) string // a command line of winnow's, for a hint
	Lease   time.Duration             // how long leases last, 0 for the usual time
	// Start begins a command of winnow's, given by its arguments, that goes on when this
	// program ends; it writes what it has to say into a file. Its end is told.
	Start func(log string, args ...string) (ended <-chan error, err error)
}

// Screen returns the options of a screen on the desk, and who cuts and scores for
// it; by is "auto", or "offline" if nothing may be sent anywhere.
func (d *Desk) Screen(ctx context.Context, by string) (o tui.Options, cuts *Segmenting, scores *Scoring, err error) {
	cuts = &Segmenting{Desk: d, chosen: sync.OnceValues(func() (*models.Cutter, error) { return models.NewCutter(d.Config, by, d.Now) })}
	scores = &Scoring{Desk: d, Chosen: sync.OnceValues(func() (*models.Scorer, error) { return models.NewScorer(d.Config, by, d.Now) })}
	look := state{d}
	o = tui.Options{
		Curator: d.Text("reviewer"), ASCII: d.Truth("ascii"), Mouse: d.Truth("mouse"), Digest: int(d.Number("reader.digest")), NoColour: d.Env.NoColour(),
		Reading: reader.Preferences{Width: int(d.Number("reader.width")), Edits: d.Truth("reader.edits")},
		Keys:    d.Keys, Whys: d.Whys, Quotas: d.Quotas(), Thresholds: d.Thresholds(), ShortPath: d.Env.ShortPath, Now: d.Now,
		Library: Library{d.Store}, Journal: d.Store, Statistics: d.Store, Clusters: d.Store, Ledger: Ledger{d.Store},
		Editor: boundaries{d.Store}, Edits: edits{d.Store}, Edited: d.Store, Drafts: drafts{d.Env}, Versions: versioned{d.Store}, Compressions: compressions{d, by == "offline"}, Memories: learned{d}, Work: work.Sources{Cuts: cuts, Scores: scores, Texts: indexing{d.Store}, Alikes: comparing{d.Store}},
		Pipeline: &pipelined{Desk: d}, Exporting: exports{d}, Previewing: records{d}, Sources: Sources{d}, Doubts: doubts{d}, Sights: d.Store, AskBelow: d.Number("review.ask_below"),
		Training: &trained{Desk: d}, Trainer: trainer{d},
		State: look, Looked: look.load(ctx), Saved: d.Env.Filters(),
	}
	if d.Truth("learn.enabled") {
		o.Likely, o.Work.Learns = d.Store, &learning{Desk: d}
	}
	if o.ReadOnly = d.Store.ReadOnly(); o.ReadOnly {
		o.Work, o.State = work.Sources{}, nil
	}
	if o.PreviewFormat, err = d.previewFormat(ctx); err != nil {
		return o, nil, nil, err
	}
	if !o.ReadOnly {
		o.Claims, err = d.claims()
	}
	return o, cuts, scores, err
}

// allowing returns what remembers for this database that its sessions may be sent to
// a host, nil if they may already.
func (d *Desk) allowing(ctx context.Context, host string) (func(context.Context) error, error) {
	if yes, err := d.Allowed(ctx, host); yes || err != nil {
		return nil, err
	}
	return func(ctx context.Context) error { return d.Allow(ctx, host) }, nil
}

// mustAllow fails if nothing may be sent to a host; "" is none.
func (d *Desk) mustAllow(ctx context.Context, host string) error {
	if host == "" {
		return nil
	}
	yes, err := d.Allowed(ctx, host)
	if err == nil && !yes {
		return errors.New("nothing may be sent to " + host + " yet")
	}
	return err
}

// step adds to the state of work what the model cost since before, and what failed
// last.
func step(at work.Progress, who *models.Asking, before float64, failed string) work.Progress {
	at.Cost = models.CostText(who.Usage().Cost - before)
	if failed != "" {
		at.Note = "failed: " + failed
	}
	return at
}
