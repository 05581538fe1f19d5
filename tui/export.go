package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	core "winnow/core/export"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/rows"
	"winnow/tui/screen"
	"winnow/tui/screens/export"
	"winnow/tui/work"
)

// Exporting writes training data.
type Exporting = export.Exporting

// exports are those of training data: what was asked for, the one that runs, the
// last one that was made. They outlive their screen.
type exports struct {
	form         export.Form
	making, made *export.Made
}

// exportLibrary is the database as the screen of exports needs it.
type exportLibrary struct {
	rows.Library
	Exporting
}

// forExport is the program as the screen of exports needs it.
type forExport struct{ *App }

func (p forExport) Totals() review.Totals { return p.App.Totals }

func (p forExport) Running() bool { return p.work.Export.Running }

func (p forExport) Made() *export.Made { return p.exports.made }

func (p forExport) Run(o core.Options, all int) {
	e := &p.exports
	done, lib := &export.Made{Path: o.Path}, p.opt.Exporting
	job := work.New(func(ctx context.Context, report func(Progress)) (err error) {
		done.Report, err = lib.Export(ctx, o, func(r core.Report) {
			report(Progress{Segments: r.Candidates, AllSegments: all, Bytes: r.Bytes})
		})
		return err
	}, "export")
	e.making, e.made = done, nil
	p.also = append(p.also, p.work.Start(p.work.Export, job))
}

// endExport tells how an export ended.
func (a *App) endExport(err error) tea.Cmd {
	e, open := &a.exports, a.in(keys.InExport)
	done := e.making
	e.making = nil
	var exists, written bool
	switch {
	case err != nil && a.work.Export.Stopped && errors.Is(err, context.Canceled):
		a.Say("export stopped " + a.G.Dot + " nothing was written")
	case errors.Is(err, core.ErrExists) && open != nil:
		exists = true
	case errors.Is(err, core.ErrExists):
		a.Message = screen.Message{Text: "export: " + done.Path + " already exists: " + a.keyIn("export", keys.InList) + " asks whether to replace it", Failed: true}
	case err != nil:
		done.Err = err
		e.made = done // its reason may be too long for the last line
		a.Message = screen.Message{Text: err.Error(), Failed: true}
	case done.Report.Written == 0:
		a.Message = screen.Message{Text: "nothing was written: no sample is left", Failed: true}
	default:
		e.made, written = done, true
		a.Say("exported " + draw.Plural(done.Report.Written, "sample") + " " + a.G.Arrow + " " + clean.Line(draw.Head(done.Path)))
	}
	if open != nil {
		open.Layer.(*export.Screen).Ended(exists, written)
	}
	return nil
}

func (a *App) noExport() string { return keys.Reason(a.opt.Exporting == nil, "no exports here") }
