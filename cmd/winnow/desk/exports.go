package desk

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"winnow/cmd/winnow/print"
	"winnow/core/export"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store"
)

// Keep keeps in the database what was exported from it, and to where.
func (d *Desk) Keep(ctx context.Context, opt *export.Options, r *export.Report) error {
	_, err := d.keep(ctx, opt, r)
	return err
}

// keep is Keep, and returns what is kept.
func (d *Desk) keep(ctx context.Context, opt *export.Options, r *export.Report) (e review.Exported, err error) {
	target := opt.Path
	if target != print.Stream {
		if target, err = filepath.Abs(target); err != nil {
			return e, err
		}
	}
	options, err := print.Marshal(export.OptionsOf(opt))
	if err != nil {
		return e, err
	}
	e = review.Exported{
		Curator: d.Text("reviewer"), Target: target, Format: r.As, Options: options,
		Candidates: r.Candidates, Samples: r.Written, Rows: r.Rows, Tokens: r.Tokens, LeftOut: len(r.LeftOut), Files: r.Files,
	}
	return d.RecordExport(ctx, e)
}

// Export exports the database as it is now, whatever others do to it
// meanwhile.
func (d *Desk) Export(ctx context.Context, opt export.Options, progress func(export.Report)) (export.Report, error) {
	if opt.Force && !opt.Check {
		if err := d.mayReplace(ctx, opt.Path); err != nil {
			return export.Report{}, fmt.Errorf("export: %w", err)
		}
	}
	one, err := d.Snapshot(ctx)
	if err != nil {
		return export.Report{}, fmt.Errorf("export: %w", err)
	}
	defer one.Close()
	return export.Run(ctx, one, opt, progress)
}

// mayReplace refuses what an export must never replace: the database, and the
// files that its sessions were read from.
func (d *Desk) mayReplace(ctx context.Context, target string) error {
	there, err := os.Stat(target)
	if err != nil || there.IsDir() {
		return nil // nothing is replaced; of folders, only exports are
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if own, err := os.Stat(d.Path + suffix); err == nil && os.SameFile(own, there) {
			return fmt.Errorf("%s is the database: name another target", target)
		}
	}
	return EachSource(ctx, d.Store, func(src *hub.Source) error {
		if own, err := os.Stat(src.Path); err == nil && os.SameFile(own, there) {
			return fmt.Errorf("%s is a file that sessions were read from: name another target", target)
		}
		return nil
	}, func() {})
}

// here tells an export that the screen asks for what it cannot know.
func (d *Desk) here(o *export.Options) {
	o.Program, o.Home = d.Program, d.Env.Home()
	if o.Redact != nil {
		o.Redact = &export.Redaction{Users: d.Env.UserNames(nil)}
	}
}

// exports exports as the screen asks for it.
type exports struct{ *Desk }

// Export implements tui.Exporting.
func (e exports) Export(ctx context.Context, o export.Options, progress func(export.Report)) (export.Report, error) {
	e.here(&o)
	o.Path = e.Env.ExpandHome(o.Path)
	r, err := e.Desk.Export(ctx, o, progress)
	if err != nil || len(r.Files) == 0 {
		return r, err
	}
	if err := e.Keep(ctx, &o, &r); err != nil {
		return r, fmt.Errorf("the files are complete, but the database could not note it: %w", err)
	}
	return r, nil
}

// sourcesAtOnce is how many sources are asked for at a time.
const sourcesAtOnce = 500

// EachSource calls f for every source in the order of their paths, and page
// after each page.
func EachSource(ctx context.Context, s *store.Store, f func(*hub.Source) error, page func()) error {
	for after := ""; ; {
		sources, err := s.SourceList(ctx, after, sourcesAtOnce)
		if err != nil {
			return fmt.Errorf("listing sources: %w", err)
		}
		for i := range sources {
			if err := f(&sources[i]); err != nil {
				return err
			}
			after = sources[i].Path
		}
		page()
		if len(sources) < sourcesAtOnce {
			return nil
		}
	}
}
