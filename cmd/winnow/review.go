package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"winnow/cmd/winnow/config"
	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/hub"
	"winnow/themes"
	"winnow/tui"
	"winnow/tui/draw"
)

// noScreen is the error for a screen that was asked for without a terminal.
func noScreen(instead string) error {
	return &failure{exitUsage, errors.New("no terminal to draw on: " + instead)}
}

// review opens the screen on the configured database; paths are imported
// after it.
func (p *cli) review(ctx context.Context, paths []string) error {
	if !p.env.screen() {
		if len(paths) == 0 {
			if err := p.tellPlaces(ctx); err != nil {
				return err
			}
		}
		return noScreen("the commands work without one: import, list, show, approve, reject, export, … (winnow --help)")
	}
	err := p.withDatabase(ctx, true, func(s *database) error {
		return p.openScreen(ctx, s, p.env.ShortPath(s.path), paths, true, "auto")
	})
	if errors.Is(err, tui.ErrSamples) {
		return p.demo(ctx, false)
	}
	return err
}

// openScreen shows a database until the curator quits. place names it in the
// header. offers says that the screen may import from elsewhere, too: with
// nothing to be shown it begins with that. by names who cuts what is to be cut, and
// scores what is to be scored. with changes the options last.
func (p *cli) openScreen(ctx context.Context, s *database, place string, paths []string, offers bool, by string, with ...func(*tui.Options)) error {
	opt, cuts, scores, err := p.desk(s).Screen(ctx, by)
	if err != nil {
		return err
	}
	opt.Place, opt.Zone = place, p.env.zone
	opt.Themes, opt.Theme = p.screenThemes(s.Config)
	told := ""
	var followed []string
	job := func(paths []string) tui.Job {
		followed = append(followed, paths...)
		all := slices.Clone(followed)
		return func(ctx context.Context, report func(tui.Progress)) error {
			var err error
			told, err = p.followBehind(ctx, s, all, report)
			return err
		}
	}
	if len(paths) > 0 {
		if err := s.Writable(); err != nil {
			return err
		}
		opt.Job, opt.JobName = job(paths), "import"
	}
	if offers && !s.ReadOnly() {
		totals, err := s.Totals(ctx)
		if err != nil {
			return err
		}
		opt.Finder, opt.Import, opt.Offer = p.machine(), job, len(paths) == 0 && totals.Segments == 0
	}
	for _, f := range with {
		f(&opt)
	}
	cool := p.warm(ctx, s)
	err = p.env.run(ctx, opt)
	cool()
	if told != "" {
		p.warn("import: %s", told)
	}
	p.explainCut(&cuts.Last)
	p.explainScored(&scores.Last)
	return err
}

// warm loads in the background what lists are filtered and sorted by; until
// that is done, and if it fails, they take longer. The function that it returns
// ends it.
func (p *cli) warm(ctx context.Context, s *database) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.Warm(ctx) }()
	return func() {
		stop()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			p.warn("filters were slow: %v", err)
		}
	}
}

// screenThemes loads all themes and returns the name of the one asked for, ""
// for the one that suits the background: it also takes the place of one that
// does not load. loadThemes warns of those.
func (p *cli) screenThemes(c *config.Config) (all []themes.Styles, chosen string) {
	if chosen = c.Text("theme"); chosen == "auto" {
		chosen = ""
	}
	if chosen != "" {
		if _, _, err := p.loadTheme(chosen); err != nil {
			chosen = ""
		}
	}
	return p.loadThemes(), chosen
}

// leftOut says in one line what an import left out, "" for nothing.
func (p *cli) leftOut(r *hub.Report) string {
	var listed, parts []string
	if n := len(tell.Missing(r)); n > 0 {
		listed = append(listed, print.Plural(n, "file gave", "files gave")+" no session")
	}
	if r.Lines.Bad > 0 {
		listed = append(listed, draw.Plural(int(r.Lines.Bad), "bad line"))
	}
	if len(listed) > 0 {
		parts = append(parts, strings.Join(listed, ", ")+": "+p.command("ledger")+" shows them")
	}
	if n := len(r.Refused); n > 0 {
		parts = append(parts, fmt.Sprintf("%s: not read: %v", r.Refused[0].Path, r.Refused[0].Err)+andMore(n-1))
	}
	if n := len(r.Empty); n > 0 {
		parts = append(parts, r.Empty[0]+": no files in it"+andMore(n-1))
	}
	return strings.Join(parts, "; ")
}

func andMore(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (and %s more)", draw.Grouped(n))
}
