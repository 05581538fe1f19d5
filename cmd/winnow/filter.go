package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/core/runs"
)

// filterHelp describes the flag --filter.
const filterHelp = "only segments that pass `Q`, as in 'score>=0.8 type:code -has:error': see winnow help filters"

// sessionsHelp describes it where sessions are selected.
const sessionsHelp = "only sessions with a segment that passes `Q`: see winnow help filters"

// filterError is what is wrong with an expression, and the expression.
type filterError struct {
	what *filter.Error
	text string
}

func (e *filterError) Error() string { return e.what.Error() }

func (e *filterError) Unwrap() error { return e.what }

// parseFilter reads what --filter says: an expression, or the name of one that
// was saved. Nothing asked for is nil. Errors are of wrong usage.
func (p *cli) parseFilter() (filter.Node, error) {
	n, err := p.readFilter(p.filter)
	if bad := (*filterError)(nil); errors.As(err, &bad) {
		return nil, wrongUsage("--filter: %w", err)
	}
	return n, err
}

// readFilter reads an expression, or the name of one that was saved.
func (p *cli) readFilter(text string) (filter.Node, error) {
	text, err := p.env.Filters().Expand(text)
	if err != nil {
		return nil, err
	}
	n, err := filter.Parse(text, filter.Options{Now: p.env.now(), Zone: p.env.zone})
	if bad := (*filter.Error)(nil); errors.As(err, &bad) {
		return nil, &filterError{bad, text}
	}
	return n, err
}

// selecting runs f over the database with what --filter and --limit of a command say.
func (p *cli) selecting(f func(context.Context, *database, filter.Node) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		if err := p.checkLimit(); err != nil {
			return err
		}
		asked, err := p.parseFilter()
		if err != nil {
			return err
		}
		return p.withDatabase(cmd.Context(), false, func(s *database) error { return f(cmd.Context(), s, asked) })
	}
}

// searching is selecting for what needs the text to be searchable.
func (p *cli) searching(f func(context.Context, *database, filter.Node) error) func(*cobra.Command, []string) error {
	return p.selecting(func(ctx context.Context, s *database, asked filter.Node) error {
		if err := p.searchable(ctx, s, asked); err != nil {
			return err
		}
		return f(ctx, s, asked)
	})
}

// caretCells is how much of an expression is shown before and after a place
// where the terminal does not say how wide it is.
const caretCells = 80

// caret returns two lines for a terminal: an expression and below it a mark at
// one of its characters, counted from 1. Elsewhere it returns none.
func (p *cli) caret(text string, column int) []string {
	if !p.env.stderrTTY {
		return nil
	}
	const indent = "    "
	half := (caretCells - len(indent)) / 2
	if p.env.width > 0 {
		half = max(1, (p.env.width-len(indent)-2)/2)
	}
	// Characters may be two cells wide, so that half as many fit on either side
	// of the mark at worst.
	runes := []rune(text)
	at := min(column-1, len(runes))
	from, to := max(0, at-half/2), min(len(runes), at+half/2)
	before, behind := visible(runes[from:at]), visible(runes[at:to])
	if from > 0 {
		before = "…" + before
	}
	if to < len(runes) {
		behind += "…"
	}
	return []string{indent + before + behind, indent + strings.Repeat(" ", ansi.StringWidth(before)) + "^"}
}

// visible returns characters as they are shown in a line, with all white space
// in its place.
func visible(runes []rune) string {
	return clean.Line(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, string(runes)))
}

// topicWidth is the width of help texts, as those of commands have it.
const topicWidth = 80

// filtersTopic is what "winnow help filters" tells.
func (p *cli) filtersTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString(`A filter selects segments. Terms separated by spaces must all hold, "or" asks
for one of two, a - in front negates, and parentheses group:

  score>=0.8 type:code,data -has:error
  (tool:terminal or tool:bash) "connection refused" after:7d

Words without a field search the text of the messages. They may be anywhere in
the segment; words in quotes must follow each other, and conn* finds all words
with that beginning. Numbers and dates take = != < <= > >= and ranges, as in
score:0.7..0.9. Put values with spaces in double quotes, and the whole filter in
single quotes for the shell. --filter @NAME uses a saved filter.

Fields:
`)
	for _, f := range filter.Fields() {
		name := string(f.Field)
		if f.Field == filter.Metric {
			name += ".NAME"
		}
		help := f.Help
		if len(f.Values) > 0 {
			help += ": " + strings.Join(f.Values, ", ")
		}
		label := fmt.Sprintf("  %-12s ", name)
		text := ansi.Wrap(help, topicWidth-len(label), "")
		b.WriteString(label + strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", len(label))) + "\n")
	}
	return &cobra.Command{Use: "filters", Short: "The filters that --filter and / take", Long: strings.TrimSuffix(b.String(), "\n")}
}

// searchable prepares the database for a filter. Whoever asks a command by text
// expects a complete answer, and nobody else may be filling the text index: what
// is missing is made searchable first.
func (p *cli) searchable(ctx context.Context, s *database, n filter.Node) error {
	if !filter.HasText(n) {
		return nil
	}
	line := p.progress()
	defer line.Done()
	show := func(done, all int64) {
		line.Show("making the text searchable: " + desk.ShareText(done, all) + line.Left(done, all))
	}
	done, all, err := s.IndexedShare(ctx)
	if err != nil || done == all {
		return err
	}
	show(done, all)
	err = (&runs.Indexer{Store: s.Store, Progress: show}).Run(ctx)
	return derived(ctx, err, "making the text searchable", "stopped while the text was made searchable: the next search goes on there")
}

// derived is the end of work on what is derived from the messages, which goes on
// where it was stopped.
func derived(ctx context.Context, err error, doing, stopped string) error {
	switch {
	case err != nil && ctx.Err() != nil:
		return &failure{exitInterrupted, errors.New(stopped)}
	case err != nil:
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}
