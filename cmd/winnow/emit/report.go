package emit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/export"
	"winnow/core/review"
	"winnow/tui/draw"
)

// exportStream exports to standard output. It gets the bytes when they are
// complete, from a temporary file: whatever fails before leaves the pipe empty.
func (p *Program) exportStream(ctx context.Context, d *desk.Desk, opt export.Options, progress func(export.Report)) (export.Report, error) {
	dir, err := os.MkdirTemp(p.Env.Get("TMPDIR"), "winnow-export-")
	if err != nil {
		return export.Report{}, fmt.Errorf("export: a temporary folder: %w", err)
	}
	defer os.RemoveAll(dir)
	opt.Path = filepath.Join(dir, "samples.jsonl")
	report, err := d.Export(ctx, opt, progress)
	if err != nil || len(report.Files) == 0 {
		return report, err
	}
	if len(report.Files) > 1 {
		return report, errors.New("export: this format writes samples with and without tools to two files, and standard output is one: name a file with -o FILE")
	}
	f, err := os.Open(opt.Path)
	if err != nil {
		return report, fmt.Errorf("export: %w", err)
	}
	defer f.Close()
	// A reader that goes away ends this process at once. Where an open file
	// cannot be removed, none does.
	os.RemoveAll(dir)
	report.Files[0].Path = print.Stream
	return report, p.Out.Lines(f)
}

// reportExport prints the outcome: on standard error if standard output took
// the samples.
func (p *Program) reportExport(r *export.Report, how *exporting) error {
	out := p.Out
	if how.streams() {
		out = print.New(p.Stderr, p.StderrTTY, 0)
	}
	if *p.JSON {
		if err := out.JSON(r); err != nil {
			return err
		}
	} else if r.Candidates > 0 {
		tell.PrintExport(out, r, how.Check)
		if outside := how.approved - r.Candidates; how.Filter != nil {
			text := "narrowed by --filter"
			only := !how.AnyVerdict && !how.Stale && how.MinScore == nil && how.TaskType == "" // nothing else chooses
			if outside > 0 && only {
				text += ": " + draw.Plural(outside, "more approved segment") + " without it"
			}
			out.Printf("%s\n", text)
		}
		if how.Redact == nil && !how.Check && r.Written > 0 {
			out.Printf("secrets were not looked for: --check lists them, --redact replaces them\n")
		}
	}
	if out != p.Out {
		if err := out.Flush(); err != nil {
			return fmt.Errorf("writing the outcome: %w", err)
		}
	}
	if how.Check && r.OfRun > 0 {
		p.Warn("the system messages of %s name the day or the folder of their run: keep them with --system keep, or remove that with --system drop, --system TEXT, or --ephemeral FILE, which holds the text to remove", draw.Plural(r.OfRun, "sample"))
	}
	if how.Ephemeral != "" && r.Written > 0 && r.Cut == 0 {
		p.warnNotCut(draw.Plural(r.Written, "sample"))
	}
	for _, l := range r.LeftOut {
		switch {
		case l.ByOption():
		case l.Rejected == l.Segment:
			p.Warn("left out the pair of an answer of %s and what was recorded: %s: %s", review.Short(l.Segment), l.Check, l.Reason())
		case l.Rejected != "":
			p.Warn("left out the pair of %s and %s: %s: %s", review.Short(l.Segment), review.Short(l.Rejected), l.Check, l.Reason())
		case l.Sample != "":
			p.Warn("left out sample %s of compressed %s: %s: %s", l.Sample, review.Short(l.Segment), l.Check, l.Reason())
		default:
			p.Warn("left out %s: %s: %s", review.Short(l.Segment), l.Check, l.Reason())
		}
	}
	if r.Unmarked > 0 {
		p.Warn("%s, which %s cannot express: its trainers train all messages; use one of %s", tell.SwitchedOff(r.Unmarked), r.As, strings.Join(export.Marking(), ", "))
	}
	if how.Check {
		for i := range r.Secrets {
			p.Warn("secret in %s", tell.SecretLine(&r.Secrets[i]))
		}
	}
	if how.redactReport != "" {
		return p.writeSecrets(how.redactReport, r.Secrets, how.Force)
	}
	return nil
}

// writeSecrets lists what was found in a file that only its owner reads.
func (p *Program) writeSecrets(path string, list []export.Secret, force bool) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if !force {
		flags |= os.O_EXCL
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return fmt.Errorf("--redact-report: %w", err)
	}
	out := print.New(f, false, 0)
	for i := range list {
		err = errors.Join(err, out.JSON(&list[i]))
	}
	if err = errors.Join(err, out.Flush(), f.Close()); err != nil {
		return fmt.Errorf("--redact-report: %w", err)
	}
	return nil
}

// nothingSelected says why nothing was selected, and what to do.
func (p *Program) nothingSelected(ctx context.Context, d *desk.Desk, how *exporting) error {
	totals, err := d.Totals(ctx)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	why := "approve some first, or take others too with --any-verdict"
	switch {
	case totals.Segments == 0:
		why = "load sessions with " + p.Command("import PATH")
	case how.MinScore != nil && totals.Scored == 0:
		why = "no segment has a score yet"
	case !how.AnyVerdict && totals.ByVerdict[review.Approved] == 0:
	case how.Filter != nil || how.TaskType != "":
		why = "none that may be taken passes the filter: " + p.Command("list --filter Q") + " shows what does"
		if *p.Filter == "" {
			why = "none that may be taken is of the type " + how.TaskType
		}
	case how.MinScore != nil:
		why = "none is fit for training and scored that high: lower --min-score"
	case how.AnyVerdict:
		why = "all are rejected or stale"
	}
	return p.Fail(exitFailed, errors.New("export: no segment to export: "+why))
}
