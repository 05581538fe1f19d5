package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/models"
	"winnow/cmd/winnow/print"
	"winnow/core/filter"
	"winnow/core/spell"
	"winnow/tui/draw"
)

// running is what the flags of "segment" and "score" ask for.
type running struct {
	by    string
	again bool
}

// runCommand completes a command that runs f over what is selected, by one of those
// that are known.
func (p *cli) runCommand(cmd *cobra.Command, how *running, known []string, f func(context.Context, *database, filter.Node) error) *cobra.Command {
	run := p.selecting(changing(f))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !slices.Contains(known, how.by) {
			return wrongUsage("--by %q: unknown: %s", how.by, spell.Known(how.by, known))
		}
		return run(cmd, args)
	}
	mustComplete(cmd.RegisterFlagCompletionFunc("by", completeWords(known)))
	return with(cmd, p.jsonFlag("print the outcome as JSON"))
}

// runStep is a moment of a run that works through much, perhaps by asking a
// model.
type runStep struct {
	done, all         int
	one, many         string // what is counted: "session", "sessions"
	tokens, allTokens int
	note              string // what failed last
}

// runLine shows on a terminal how far a run is, what it cost so far, and what is
// waited for.
type runLine struct {
	*cli
	who   *models.Asking
	line  *print.Progress
	shown atomic.Value // what the line says, without waits
	all   int          // there is to do, -1 until that is known
}

func (p *cli) runLine(who *models.Asking) *runLine {
	l := &runLine{cli: p, who: who, line: p.progress(), all: -1}
	l.shown.Store("")
	who.Waiting(func(text string) { l.line.Stay(strings.TrimPrefix(l.shown.Load().(string)+"; "+text, "; ")) })
	return l
}

// show shows a step. Who is asked is told before anything is sent.
func (l *runLine) show(s runStep) {
	if l.all < 0 && s.all > 0 && !l.who.Silent() {
		text := print.Plural(s.all, s.one, s.many)
		if s.allTokens > 0 { // else nobody counted them
			text += ", about " + draw.Plural(s.allTokens, "token")
		}
		l.warn("asking %s at %s: %s", l.who.Model, l.who.Host(), text)
	}
	l.all = s.all
	text := s.text(l.who.Usage().Cost, l.line.Left(s.part()))
	l.shown.Store(text)
	l.line.Show(text)
}

// done removes the line.
func (l *runLine) done() {
	l.who.Waiting(nil)
	l.line.Done()
}

// leased does what a model is asked for when no other program asks for the same.
func (p *cli) leased(ctx context.Context, s *database, command, name string, line *runLine, do func(context.Context) error) error {
	said := false
	return p.desk(s).Leased(ctx, name, "winnow "+command, line.who, func(others string) {
		if !said {
			p.warn("%s is at it: what is left is done after", others)
		}
		said = true
		line.line.Stay(others)
	}, do)
}

// part is how much is done of all: of the tokens where they are known, since
// they, and not what is counted, take the time.
func (s *runStep) part() (done, all int64) {
	if s.allTokens > 0 {
		return int64(s.tokens), int64(s.allTokens)
	}
	return int64(s.done), int64(s.all)
}

func (s *runStep) text(cost float64, left string) string {
	text := fmt.Sprintf("%s of %s, %s of %s", draw.Grouped(s.done), print.Plural(s.all, s.one, s.many), draw.Grouped(s.tokens), draw.Plural(s.allTokens, "token"))
	if cost := models.CostText(cost); cost != "" {
		text += ", " + cost
	}
	text += left
	if s.note != "" {
		text += "; failed: " + s.note
	}
	return text
}

// stopped is the end of a run that the user ended; goesOn says that the same
// command goes on from there.
func stopped(command, done string, goesOn bool) error {
	text := "stopped: what is " + done + " so far stays"
	if goesOn {
		text += ", the same command goes on from there"
	}
	return &failure{exitInterrupted, errors.New(command + ": " + text)}
}

// runStatus is the exit status of a run of a command in which so many things
// were done, and failed. err is what ended it early, if anything did.
func runStatus(command string, done, failed int, err error) error {
	code := exitFailed
	if done > 0 && failed > 0 {
		code = exitPartly
	}
	switch {
	case err != nil:
		return &failure{code, fmt.Errorf("%s: %w", command, err)}
	case failed > 0:
		return ended(code)
	}
	return nil
}
