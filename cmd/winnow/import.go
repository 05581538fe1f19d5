package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/emit"
	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/export"
	"winnow/core/hub"
	"winnow/core/session"
	"winnow/core/spell"
	"winnow/tui/draw"
)

// importing is what the flags of "import" ask for.
type importing struct {
	agent, format, model string // the model is that of sessions that name none
	maxValue             string
	limit                int64 // maxValue read, 0 if it was not given
	jobs                 int
	follow               bool
}

// importStopped says what is to be known of an import that was stopped.
const importStopped = "stopped: what is stored so far is kept, the same command goes on from there"

func (p *cli) importCommand() *cobra.Command {
	var how importing
	cmd := with(&cobra.Command{
		Use:   "import PATH…",
		Short: "Load sessions from files and folders",
		Long: `Loads recorded sessions. Folders are searched with all their subfolders. The
format of a file is recognized by its content, not by its name. - is standard
input.

A file that has not changed is not read again; of a file that has grown only the
new part is read. Exit status 3 means that something was loaded, but some lines
were bad or some files held no session: "winnow ledger" has the details.

With --follow the import keeps running: new text in the files and new files
under the paths are loaded within a second. ctrl+c ends it with exit status 0. A
path need not exist yet. With --json it prints an object for the first import
and for each later one that read something; the last object is the total.`,
		Example: `  winnow import ~/sessions
  winnow import --follow ~/.claude/projects
  zcat old.jsonl.gz | winnow import -`,
		Args: someArguments("a PATH"),
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := how.check(cmd, paths); err != nil {
				return err
			}
			return p.withDatabase(cmd.Context(), true, func(s *database) error {
				if err := s.Writable(); err != nil {
					return err
				}
				if how.follow {
					return p.followPaths(cmd.Context(), s, paths, how)
				}
				return p.importPaths(cmd.Context(), s, paths, how)
			})
		},
	}, p.jsonFlag("print the outcome as JSON"))
	f := cmd.Flags()
	f.StringVar(&how.agent, "agent", "", "record the sessions under this agent `ID` (default \"default\")")
	f.StringVar(&how.format, "format", "auto", "read the files in the format `NAME`: auto, "+strings.Join(formatNames(), ", "))
	f.IntVar(&how.jobs, "jobs", 0, "read `N` files at once (0: one per processor)")
	f.StringVar(&how.maxValue, "max-value", "", emit.MaxValueHelp)
	f.BoolVar(&how.follow, "follow", false, "keep loading what changes, until ctrl+c")
	mustComplete(cmd.RegisterFlagCompletionFunc("format", completeWords(append(formatNames(), "auto"))))
	return cmd
}

func formatNames() []string {
	var names []string
	for _, f := range session.Formats() {
		names = append(names, f.Name)
	}
	return names
}

func (how *importing) check(cmd *cobra.Command, paths []string) error {
	if how.format != "auto" && !slices.Contains(formatNames(), how.format) {
		return wrongUsage("--format %q: unknown format: %s", how.format, spell.Known(how.format, append([]string{"auto"}, formatNames()...)))
	}
	if how.follow && slices.Contains(paths, print.Stream) {
		return wrongUsage("--follow: standard input cannot be followed: leave out -, or --follow")
	}
	if err := emit.Word("max-value", how.maxValue, &how.limit, export.ParseSize); err != nil {
		return wrongUsage("%w", err)
	}
	if how.jobs < 0 {
		return wrongUsage("--jobs %d: must not be negative", how.jobs)
	}
	if cmd.Flags().Changed("agent") && strings.TrimSpace(how.agent) == "" {
		return wrongUsage("--agent \"\": must not be empty")
	}
	return nil
}

// ownFiles tells a database, what SQLite keeps beside it and the copies made
// before migrations: no import of a folder reads them.
func ownFiles(database string) func(path string) bool {
	abs, err := filepath.Abs(database)
	if err != nil {
		return nil
	}
	return func(path string) bool {
		rest, ok := strings.CutPrefix(path, abs)
		return ok && (rest == "" || rest == "-wal" || rest == "-shm" || rest == "-journal" || strings.HasSuffix(rest, ".bak"))
	}
}

// importer returns the importer for a database, with the configuration where
// nothing else was asked for.
func (p *cli) importer(s *database, how importing) *hub.Importer {
	return &hub.Importer{
		MaxValue: cmp.Or(how.limit, s.Size("max_value")), Store: s.Store, Clock: p.env.now, Own: ownFiles(s.path), Format: how.format, Model: how.model,
		Agent: cmp.Or(how.agent, s.Text("agent")), Jobs: cmp.Or(how.jobs, int(s.Number("jobs"))),
	}
}

func (p *cli) importPaths(ctx context.Context, s *database, paths []string, how importing) error {
	im := p.importer(s, how)
	before, err := s.WaitingEdits(ctx)
	if err != nil {
		return err
	}
	line := p.progress()
	report, err := p.runImport(ctx, im, paths, func(pr hub.Progress) {
		line.Show(tell.ProgressText(pr, line.Elapsed()) + line.Left(pr.Bytes, pr.Total))
	})
	line.Done()
	if errors.Is(err, context.Canceled) {
		return &failure{exitInterrupted, errors.New("import: " + importStopped)}
	}
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	if err := p.reportImport(ctx, s, &report, before); err != nil {
		return err
	}
	p.explain(&report)
	return importStatus(&report)
}

// reportImport prints the outcome of an import, before which so many edits waited.
func (p *cli) reportImport(ctx context.Context, s *database, r *hub.Report, waited int) error {
	now, err := s.WaitingEdits(context.WithoutCancel(ctx)) // a stop may be how the import ends
	if err != nil {
		return err
	}
	row := tell.Imported{Report: *r, Waiting: max(0, now-waited)}
	return p.report(&row, func() {
		if tell.PrintImport(p.out, r); row.Waiting > 0 {
			p.out.Printf("%s, as the recorded message changed: %s\n", print.Plural(row.Waiting, "edit waits", "edits wait"), p.command("list --filter edit:clash"))
		}
	})
}

// runImport imports paths, among which may be standard input.
func (p *cli) runImport(ctx context.Context, im *hub.Importer, paths []string, progress func(hub.Progress)) (hub.Report, error) {
	files := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return path == print.Stream })
	report, err := im.Import(ctx, files, progress)
	if err != nil || len(files) == len(paths) {
		return report, err
	}
	if p.env.stdinTTY {
		p.warn("reading from the terminal: end with Ctrl-D")
	}
	more, err := im.ImportReader(ctx, interruptible(ctx, p.env.stdin), progress)
	return report.Plus(&more), err
}

// interruptible returns a reader of r that ends with ctx, even while r has
// nothing to give.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	out, in := io.Pipe()
	context.AfterFunc(ctx, func() { in.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(in, r)
		in.CloseWithError(err) // nil is the end
	}()
	return out
}

// importStatus is the exit status of an import, as an error that has been
// explained already.
func importStatus(r *hub.Report) error {
	without := len(tell.Missing(r)) + len(r.Refused) + len(r.Empty)
	switch {
	case r.Given == 0 && r.New+r.Updated == 0:
		return &failure{exitFailed, errors.New("import: nothing was loaded")}
	case without > 0 || r.Lines.Bad > 0:
		return ended(exitPartly)
	}
	return nil
}

// explained is how many files without a session are named at the end of an
// import: a screenful. The ledger and the JSON form have all.
const explained = 20

// explain says on stderr what was not loaded and why.
func (p *cli) explain(r *hub.Report) {
	missed := tell.Missing(r)
	for i, n := range missed {
		if i == explained {
			p.warn("%s more gave no session: %s lists them", draw.Plural(len(missed)-i, "file"), p.command("ledger"))
			break
		}
		p.warn("%s: no session: %s", n.Path, n.Reason)
	}
	for _, f := range r.Refused {
		p.warn("%s: not read: %s", f.Path, f.Err)
	}
	for _, path := range r.Empty {
		p.warn("%s: no files in it", path)
	}
	if r.Lines.Bad > 0 {
		p.warn("%s: %s shows them", draw.Plural(int(r.Lines.Bad), "bad line"), p.command("ledger --lines"))
	}
}
