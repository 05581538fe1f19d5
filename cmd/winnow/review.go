package main

import (
	"context"
	"errors"
	"strings"

	"winnow/core/hub"
	"winnow/themes"
	"winnow/tui"
)

// noScreen is the error for a screen that was asked for without a terminal.
func noScreen(instead string) error {
	return &failure{exitUsage, errors.New("no terminal to draw on: " + instead)}
}

// review opens the screen on the configured database; paths are imported
// behind it.
func (p *cli) review(ctx context.Context, paths []string) error {
	if !p.env.screen() {
		return noScreen("the commands work without one: import, list, show, approve, reject, export, … (winnow --help)")
	}
	return p.withDatabase(ctx, true, func(s *database) error {
		return p.openScreen(ctx, s, p.shortPath(s.path), paths)
	})
}

// openScreen shows a database until the curator quits. place names it in the
// header.
func (p *cli) openScreen(ctx context.Context, s *database, place string, paths []string) error {
	opt := tui.Options{
		Library: s.Store, Curator: s.text("reviewer"), Place: place,
		ASCII: s.truth("ascii"), Now: p.env.now, Zone: p.env.zone,
	}
	var err error
	if opt.Themes, opt.Theme, err = p.screenThemes(s.config); err != nil {
		return err
	}
	if len(paths) > 0 {
		opt.JobName = "import"
		opt.Job = func(ctx context.Context, report func(tui.Progress)) error {
			return p.importBehind(ctx, s, paths, report)
		}
	}
	return tui.Run(ctx, opt)
}

// screenThemes loads all themes and returns the name of the one asked for, ""
// for the one that suits the background. A theme that was not asked for and
// does not load is left out with a warning.
func (p *cli) screenThemes(c *config) (all []themes.Styles, chosen string, err error) {
	user := p.userThemes()
	if chosen = c.text("theme"); chosen == "auto" {
		chosen = ""
	}
	if chosen != "" {
		if _, _, err := themes.Load(chosen, user); err != nil {
			return nil, "", &failure{exitUsage, err}
		}
	}
	for _, name := range themes.Names(user) {
		styles, warnings, err := themes.Load(name, user)
		for _, w := range warnings {
			p.warn("%s", w)
		}
		if err != nil {
			p.warn("%s", err)
			continue
		}
		all = append(all, styles)
	}
	return all, chosen, nil
}

// importBehind imports paths while the screen is open. What is left out is no
// failure: it is told in the last progress line.
func (p *cli) importBehind(ctx context.Context, s *database, paths []string, report func(tui.Progress)) error {
	var last tui.Progress
	result, err := p.importer(s, importing{}).Import(ctx, paths, func(pr hub.Progress) {
		last = tui.Progress{
			Files: pr.Done, AllFiles: pr.Files, Messages: pr.Messages, Bytes: pr.Bytes, AllBytes: pr.Total,
		}
		report(last)
	})
	if err != nil {
		return err
	}
	if last.AllFiles == 0 && len(result.Refused) > 0 {
		return errors.New(result.Refused[0].Path + ": " + result.Refused[0].Err.Error())
	}
	last.Note = leftOut(&result)
	report(last)
	return nil
}

// leftOut says in one line what an import left out, "" for nothing.
func leftOut(r *hub.Report) string {
	var parts []string
	if n := len(r.Nothing); n > 0 {
		parts = append(parts, plural(n, "file gave", "files gave")+" no session")
	}
	if n := len(r.Refused); n > 0 {
		parts = append(parts, plural(n, "path", "paths")+" could not be read")
	}
	if r.Lines.Bad > 0 {
		parts = append(parts, plural(r.Lines.Bad, "bad line", "bad lines"))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + ": winnow ledger shows them"
}
