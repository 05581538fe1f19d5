package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"winnow/core/spell"
)

// commonFlags is what the flags say that many commands have.
type commonFlags struct {
	asJSON bool
	filter string // an expression, or the name of a saved one
	limit  int    // 0: all
	yes    bool   // nobody is asked
}

// with completes a command with flags. It takes no arguments unless it says which.
func with(cmd *cobra.Command, flags ...func(*cobra.Command)) *cobra.Command {
	if cmd.Args == nil {
		cmd.Args = noArguments
	}
	for _, add := range flags {
		add(cmd)
	}
	return cmd
}

// boolFlag is a flag of one command.
func boolFlag(to *bool, name, help string) func(*cobra.Command) {
	return func(cmd *cobra.Command) { cmd.Flags().BoolVar(to, name, false, help) }
}

// jsonFlag is --json.
func (p *cli) jsonFlag(help string) func(*cobra.Command) { return boolFlag(&p.asJSON, "json", help) }

// yesFlag is --yes of a command with --filter.
func (p *cli) yesFlag() func(*cobra.Command) {
	return boolFlag(&p.yes, "yes", "with --filter: do not ask first")
}

// limitFlag is --limit, of what is counted.
func (p *cli) limitFlag(many string) func(*cobra.Command) {
	return func(cmd *cobra.Command) { cmd.Flags().IntVar(&p.limit, "limit", 0, "at most `N` "+many+" (0: all)") }
}

// checkLimit refuses a limit below 0.
func (p *cli) checkLimit() error {
	if p.limit < 0 {
		return wrongUsage("--limit %d: must not be negative", p.limit)
	}
	return nil
}

// filterFlag is --filter.
func (p *cli) filterFlag(help string) func(*cobra.Command) {
	return func(cmd *cobra.Command) {
		cmd.Flags().StringVar(&p.filter, "filter", "", help)
		mustComplete(cmd.RegisterFlagCompletionFunc("filter", p.completeFilter))
	}
}

// onDatabase is a command that works on a database that there is.
func (p *cli) onDatabase(f func(ctx context.Context, s *database, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return p.withDatabase(cmd.Context(), false, func(s *database) error { return f(cmd.Context(), s, args) })
	}
}

// report prints the outcome of a command: as JSON if that was asked for, else as text does.
func (p *cli) report(row any, text func()) error {
	if p.asJSON {
		return p.out.JSON(row)
	}
	text()
	return nil
}

// flagError says of a flag that there is none of this name, and which was probably
// meant, or of an impossible value what it must be.
func flagError(cmd *cobra.Command, err error) error {
	var none *pflag.NotExistError
	if errors.As(err, &none) && none.GetSpecifiedShortnames() == "" {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := spell.Nearest(none.GetSpecifiedName(), names); near != "" {
			return wrongUsage("unknown flag --%s; did you mean --%s?", none.GetSpecifiedName(), near)
		}
	}
	if none != nil && none.GetSpecifiedShortnames() != "" {
		return wrongUsage("unknown flag: -%s: see %s --help", none.GetSpecifiedName(), cmd.CommandPath())
	}
	return wrongUsage("%w: see %s --help", flagValueError(err), cmd.CommandPath())
}

// flagValueError says of a flag with an impossible value what it must be.
func flagValueError(err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	must := map[string]string{
		"int": "a whole number", "int64": "a whole number", "duration": "a time, as 30s or 5m", "float64": "a number", "bool": "true or false", "stringSlice": "words with commas between them",
	}[bad.GetFlag().Value.Type()]
	if errors.Is(err, strconv.ErrRange) {
		must = "a smaller number"
	}
	return fmt.Errorf("--%s %q: must be %s", bad.GetFlag().Name, bad.GetValue(), must)
}

// noArguments refuses arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return wrongUsage("%s takes no arguments, got %q: see %s --help", cmd.Name(), args[0], cmd.CommandPath())
	}
	return nil
}

// someArguments asks for at least one argument, which what describes.
func someArguments(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return wrongUsage("%s needs %s: see %s --help", cmd.Name(), what, cmd.CommandPath())
		}
		return nil
	}
}

// arguments asks for so many arguments; what says which, with a verb.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return wrongUsage("%s %s, got %d: see %s --help", cmd.Name(), what, len(args), cmd.CommandPath())
		}
		return nil
	}
}
