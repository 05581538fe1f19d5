package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/print"
	"winnow/core/clean"
)

// cli is one run of the program.
type cli struct {
	env environment
	out *print.Output
	// flag returns the text of a global flag that was given; nil: none was.
	flag func(name string) (text string, given bool)
	commonFlags
}

// run executes the command line of env and returns the exit status.
func run(ctx context.Context, env environment) int {
	p := &cli{env: env, out: print.New(env.stdout, env.stdoutTTY, env.width)}
	root := p.rootCommand()
	root.SetArgs(env.args)
	root.SetIn(env.stdin)
	root.SetOut(p.out)
	root.SetErr(env.stderr)
	err := root.ExecuteContext(ctx)
	if flushErr := p.out.Flush(); err == nil && flushErr != nil {
		err = fmt.Errorf("writing the output: %w", flushErr)
	}
	code, line := exitCode(err)
	if line != "" {
		fmt.Fprintf(env.stderr, "winnow: %s\n", clean.Line(line))
	}
	if bad := (*filterError)(nil); errors.As(err, &bad) {
		for _, line := range p.caret(bad.text, bad.what.Column) {
			fmt.Fprintln(env.stderr, line)
		}
	}
	return code
}

const rootHelp = `winnow is a tool for reviewing recorded agent sessions by hand. It loads them
into a local database, shows them, records your verdicts, and writes the
approved segments as training data.

With PATHs (files or folders) it loads them and opens the screen. Without PATHs
it opens the screen; if nothing is loaded yet, the screen offers the places
where agents keep their sessions.

Exit status: 0 done; 1 failed, or nothing was loaded; 2 wrong usage; 3 done,
but with bad lines, files without a session, sessions that were not cut,
segments that were not scored or compressed, or samples left out (standard error
lists them all); 130 stopped by ctrl+c. The screen always exits with 0 and prints
what was left out, not cut or not scored when it closes.`

// rootCommand builds the command tree; p.flag looks its global flags up.
func (p *cli) rootCommand() *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:   "winnow [PATH…]",
		Short: "Review recorded agent sessions and export the approved segments",
		Long:  rootHelp,
		Example: `  winnow demo                        look around with sample sessions
  winnow ~/sessions                  load a folder and review it
  winnow export -o train.jsonl       write what was approved`,
		Args: cobra.ArbitraryArgs,
		// Two letters may be wrong: "improt" means import.
		SuggestionsMinimumDistance: 2,
		SilenceErrors:              true,
		SilenceUsage:               true,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if version {
				p.printVersion()
				return nil
			}
			if err := p.checkPaths(cmd, paths); err != nil {
				return err
			}
			return p.review(cmd.Context(), paths)
		},
	}
	root.Flags().BoolVar(&version, "version", false, "print the version")
	f := root.PersistentFlags()
	f.String("db", "", "database `FILE` (default in your data folder)")
	f.String("reviewer", "", "record your verdicts under this `NAME` (default your user name)")
	f.String("theme", "", "colour theme `NAME` (default depends on the terminal's background)")
	f.Bool("ascii", false, "draw with ASCII characters only")
	f.Bool("mouse", false, "use the mouse: wheel, click, drag the border between panes")
	p.flag = func(name string) (string, bool) {
		given := f.Lookup(name)
		return given.Value.String(), given.Changed
	}
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(usage)
	root.AddCommand(
		p.reviewCommand(), p.importCommand(), p.listCommand(), p.sessionsCommand(), p.showCommand(),
		p.emitting().Export(), p.emitting().Convert(), p.statsCommand(), p.ledgerCommand(), p.doctorCommand(),
		p.rescueCommand(), p.undoCommand(), p.redoCommand(), p.logCommand(), p.demoCommand(),
		p.configCommand(), p.themesCommand(), p.versionCommand(), p.completionCommand(), p.manCommand(),
	)
	root.AddCommand(p.verdictCommands()...)
	root.AddCommand(p.tagCommand(), p.noteCommand(), p.maskCommand(), p.editCommand(), p.redactCommand(), p.graphCommand(), p.diffCommand(), p.compressCommand(), p.remembering().Memories(), p.remembering().Extract(), p.serveCommand(), p.segmentCommand(), p.scoreCommand(), p.learnCommand(), p.similarCommand(), p.restoreCommand(), p.filtersTopic())
	root.AddCommand(p.cycleCommands()...)
	root.AddCommand(with(p.trains().Train()), p.trains().Runs())
	root.AddCommand(p.splitCommand(), p.mergeCommand(), p.moveCommand(), p.topicCommand())
	root.SetHelpCommand(helpCommand())
	mustComplete(root.RegisterFlagCompletionFunc("theme", p.completeThemes))
	return root
}

// mustComplete panics if a completion was given for a flag that does not exist.
func mustComplete(err error) {
	if err != nil {
		panic(err)
	}
}

// checkPaths tells a mistyped command from a path that can be loaded.
func (p *cli) checkPaths(cmd *cobra.Command, paths []string) error {
	for _, path := range paths {
		_, err := os.Stat(path)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if strings.ContainsAny(path, `/\.`) {
			return fmt.Errorf("%s: no such file or folder", path)
		}
		if near := cmd.SuggestionsFor(path); len(near) > 0 {
			return wrongUsage("%s: no such command, file or folder: did you mean winnow %s?", path, near[0])
		}
		return wrongUsage("%s: no such command, file or folder: see winnow --help", path)
	}
	return nil
}
