package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/charmbracelet/x/ansi"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/clean"
	"winnow/core/hub"
	"winnow/core/watch"
	"winnow/tui"
	"winnow/tui/draw"
)

// quietFor is how long an import after the first one takes before its
// progress is shown: shorter ones would only flicker.
const quietFor = 500 * time.Millisecond

// followPaths imports paths and goes on with what changes there until ctx ends.
func (p *cli) followPaths(ctx context.Context, s *database, paths []string, how importing) error {
	before, err := s.WaitingEdits(ctx)
	if err != nil {
		return err
	}
	w := watch.Start(ctx, watch.Options{})
	defer w.Close()
	f := following{cli: p, line: p.progress(), name: p.followed(paths)}
	total, err := p.importer(s, how).Follow(ctx, paths, hub.Following{Watcher: w, Progress: f.progress, Round: f.round})
	f.line.Done()
	if errors.Is(err, context.Canceled) {
		return &failure{exitInterrupted, errors.New("import: " + importStopped)}
	}
	if err == nil {
		err = p.reportImport(ctx, s, &total, before)
	}
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	p.explain(&total)
	return nil
}

// followed names what is followed in a few words.
func (p *cli) followed(paths []string) string {
	if len(paths) == 1 {
		return p.env.ShortPath(paths[0])
	}
	return draw.Grouped(len(paths)) + " paths"
}

// following shows a Follow on the terminal, or as JSON on the output.
type following struct {
	*cli
	line *print.Progress
	name string

	settled bool      // the first import is done
	came    int       // messages since then
	news    string    // what came last
	began   time.Time // of the import under way; zero: there is none
}

// progress shows an import: the first one, and later ones that take long.
func (f *following) progress(pr hub.Progress) {
	now := f.env.now()
	if f.began.IsZero() {
		f.began = now
	}
	if elapsed := now.Sub(f.began); !f.settled || elapsed > quietFor {
		f.line.Show(tell.ProgressText(pr, elapsed))
	}
}

// round tells what an import brought.
func (f *following) round(r hub.Report) error {
	first := !f.settled
	if f.came += r.NewMessages; first {
		f.settled, f.came = true, 0
		f.news = fmt.Sprintf("%s in %s", draw.Plural(r.Messages, "message"), draw.Plural(r.Sources, "file"))
		f.line.Clear()
		for _, no := range r.Refused {
			f.warn("%s: %s: it is read when it can be", no.Path, no.Err)
		}
	} else if r.NewMessages > 0 {
		f.news = fmt.Sprintf("+%s at %s, %s in all", draw.Plural(r.NewMessages, "message"), f.clock(), draw.Grouped(f.came))
	}
	f.began = time.Time{}
	f.line.Stay(f.status(f.news))
	if !f.asJSON || !first && r.Idle() {
		return nil
	}
	if err := f.out.JSON(&r); err != nil {
		return err
	}
	return f.out.Flush()
}

func (f *following) clock() string {
	now := f.env.now()
	if f.env.zone != nil {
		now = now.In(f.env.zone)
	}
	return now.Format("15:04:05")
}

// defaultWidth is the width of a terminal that does not tell its own.
const defaultWidth = 80

// status is the line that is shown while nothing happens. What is followed is
// cut where there is no room: a line that wraps could not be drawn over.
func (f *following) status(news string) string {
	const before, behind = "following ", ": "
	const end = "; ctrl+c ends"
	width := f.env.width
	if width == 0 {
		width = defaultWidth
	}
	room := max(1, width-1-ansi.StringWidth(before+behind+news+end))
	name := draw.Tail(clean.Line(f.name), room, "…")
	return ansi.Truncate(before+name+behind+news+end, width-1, "")
}

// followBehind imports paths, and what changes there, while the screen is open.
// What is left out is no failure: it is told when the first import is done, and
// once more, as told, when the screen is closed.
func (p *cli) followBehind(ctx context.Context, s *database, paths []string, report func(tui.Progress)) (told string, err error) {
	w := watch.Start(ctx, watch.Options{})
	defer w.Close()
	var last tui.Progress
	var began time.Time // of the import under way; zero: there is none
	messages, settled := 0, false
	how := hub.Following{Watcher: w}
	how.Progress = func(pr hub.Progress) {
		if began.IsZero() {
			began = p.env.now()
		}
		next := tui.Progress{
			Files: pr.Done, AllFiles: pr.Files, Messages: messages + pr.Messages, Bytes: pr.Bytes, AllBytes: pr.Total,
		}
		if last.Waiting && p.env.now().Sub(began) < quietFor {
			return
		}
		last = next
		report(last)
	}
	how.Round = func(r hub.Report) error {
		if !settled {
			settled, last.Note = true, p.leftOut(&r)
		}
		messages += r.NewMessages
		began, last.Messages, last.Waiting = time.Time{}, messages, true
		report(last)
		return nil
	}
	total, err := p.importer(s, importing{}).Follow(ctx, slices.Clone(paths), how)
	switch {
	case errors.Is(err, context.Canceled):
		return importStopped, err
	case err != nil:
		return err.Error(), err
	}
	return p.leftOut(&total), nil
}
