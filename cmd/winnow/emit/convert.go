package emit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/print"
	"winnow/core/clean"
	"winnow/core/export"
	"winnow/core/session"
	"winnow/tui/draw"
)

// converting is what the flags of "convert" ask for.
type converting struct {
	export.Conversion
	from      string // path of the source
	ephemeral string // path of the text that is cut out of system messages
	maxValue  string
}

// Convert returns the command that makes training data of a file.
func (p *Program) Convert() *cobra.Command {
	var how converting
	cmd := &cobra.Command{
		Use:   "convert FILE -o FILE --to FORMAT",
		Short: "Convert a file of conversations to a training format",
		Long: `Converts a file of conversations, in any format that import reads, to one of
the formats of export. It writes one entry for each conversation, in the same
order, and leaves nothing out. If the checks find something, standard error
names it with the line of the conversation, and the exit status is 3. The file
appears only when it is complete. - is standard input or output. convert needs
no database.

Formats (--to):
` + emitterLines(true),
		Example: `  winnow convert api.jsonl -o trajectories.jsonl --to hermes
  winnow convert session.jsonl.gz -o - --to sft | head -1`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || how.Path == "" || how.As == "" {
				return p.Wrong("convert needs a file, -o FILE and --to FORMAT: see %s --help", cmd.CommandPath())
			}
			if e, err := export.Find(how.As); err != nil {
				return p.Fail(exitUsage, fmt.Errorf("--to: %w", err))
			} else if err := e.Converts(); err != nil {
				return p.Fail(exitUsage, fmt.Errorf("--to %s: %w", how.As, err))
			}
			err := cmp.Or(Word("ephemeral", how.ephemeral, &how.Ephemeral, readEphemeral), Word("max-value", how.maxValue, &how.MaxValue, export.ParseSize))
			if err != nil {
				return p.Wrong("%w", err)
			}
			how.from = args[0]
			return p.convert(cmd.Context(), &how)
		},
	}
	p.JSONFlag("print the findings and the outcome as JSON")(cmd)
	f := cmd.Flags()
	f.StringVarP(&how.Path, "output", "o", "", "write to `FILE`, - for standard output")
	f.StringVar(&how.As, "to", "", "write entries in this `FORMAT`")
	f.StringVar(&how.Format, "format", session.Auto, "read FILE in this `FORMAT`")
	f.StringVar(&how.maxValue, "max-value", "", MaxValueHelp)
	f.StringVar(&how.ephemeral, "ephemeral", "", ephemeralHelp)
	f.BoolVar(&how.Repair, "repair", false, repairHelp)
	f.BoolVar(&how.Force, "force", false, "replace an existing file")
	must(cmd.RegisterFlagCompletionFunc("to", completeEmitters(true)))
	return cmd
}

// convert reads a file and writes another. What is to be said goes to standard
// error if standard output takes the entries.
func (p *Program) convert(ctx context.Context, how *converting) error {
	c, err := p.Config()
	if err != nil {
		return err
	}
	how.MaxValue = cmp.Or(how.MaxValue, c.Size("max_value"))
	var in io.Reader = p.Stdin
	if how.from != print.Stream {
		f, err := os.Open(how.from)
		if err != nil {
			return fmt.Errorf("convert: %w", err)
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return fmt.Errorf("convert: %s is a folder: name a file", how.from)
		}
		in, how.Name = f, filepath.Base(how.from)
	}
	text, _, err := session.Decode(in)
	if err != nil {
		return fmt.Errorf("convert: %s: %w", how.from, err)
	}
	said := p.Out
	if how.Path == print.Stream {
		how.Path, how.Out = "", entryLines{p.Out}
		said = print.New(p.Stderr, p.StderrTTY, 0)
	}
	found := 0
	done, err := export.Convert(ctx, text, how.Conversion, func(f export.LintFinding) {
		found++
		p.convertFinding(said, how, f)
	})
	if err == nil {
		err = p.reportConversion(said, how, &done, found)
	}
	if said != p.Out {
		err = errors.Join(err, said.Flush())
	}
	return err
}

// convertFinding tells a finding: as JSON where the outcome is.
func (p *Program) convertFinding(said *print.Output, how *converting, f export.LintFinding) {
	if *p.JSON {
		_ = said.JSON(f) // a failed write shows when the output is flushed
		return
	}
	fmt.Fprintln(p.Stderr, clean.Line(findingText(how.from, &f)))
}

// findingText says what was found in a file, and where.
func findingText(path string, f *export.LintFinding) string {
	place := fmt.Sprintf("%s:%d", path, f.Line)
	if f.Message > 0 {
		place += fmt.Sprintf(": message %d", f.Message)
	}
	return fmt.Sprintf("%s: %s: %s", place, f.Check, f.Detail)
}

func (p *Program) reportConversion(said *print.Output, how *converting, done *export.Converted, found int) error {
	switch {
	case *p.JSON:
		if err := said.JSON(done); err != nil {
			return err
		}
	case done.Conversations > 0:
		said.Printf("%s written as %s: %s clean, %s\n", draw.Plural(done.Conversations, "conversation"), done.As,
			draw.Grouped(done.Clean), draw.Plural(found, "finding"))
		for _, c := range done.Repairs {
			said.Printf("%s: %s\n", draw.Plural(c.Samples, "conversation"), c.Done)
		}
	}
	if done.OfRun > 0 {
		p.Warn("the system messages of %s name the day or the folder of their run: --ephemeral FILE removes the text in FILE from them, and export can drop or replace them (--system drop, --system TEXT)", draw.Plural(done.OfRun, "conversation"))
	}
	if how.Ephemeral != "" && done.Conversations > 0 && done.Cut == 0 {
		p.warnNotCut(draw.Plural(done.Conversations, "conversation"))
	}
	switch {
	case done.Conversations == 0:
		return p.Fail(exitFailed, fmt.Errorf("convert: %s: it holds no conversation: nothing was written", how.from))
	case found > 0:
		return p.Fail(exitPartly, nil)
	}
	return nil
}

// entryLines writes lines of training data to standard output.
type entryLines struct{ *print.Output }

func (e entryLines) Write(line []byte) (int, error) { return len(line), e.Record(line) }
