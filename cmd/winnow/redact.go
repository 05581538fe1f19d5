package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/tell"
	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
)

// redactFlags are what "redact" looks for, and what is put there.
type redactFlags struct{ find, pattern, with string }

func (p *cli) redactCommand() *cobra.Command {
	f := &redactFlags{}
	text := func(to *string, name, help string) func(*cobra.Command) {
		return func(cmd *cobra.Command) { cmd.Flags().StringVar(to, name, "", help) }
	}
	return with(&cobra.Command{
		Use:   "redact --find TEXT | --regexp RE --with TEXT",
		Short: "Take a text out of every message that holds it",
		Long: `Puts another text in the place of what is found, in every message that holds it:
in its text, its reasoning, the names of tools and the arguments of calls. With
--filter only in the sessions of the segments that pass it. It says first how
many messages that is, and asks. All of it is one entry of the journal, and one
undo. Verdicts stay. No export has what was redacted, in whatever session it is
said again.

The database still holds it: in what was recorded ("winnow show --recorded"), in
the journal, and in copies of the file. So do the files that were imported.`,
		Example: `  winnow redact --find 'Ann Smith' --with '[name]'
  winnow redact --regexp 'sk-[A-Za-z0-9]{20,}' --with '[key]' --filter 'agent:claude' --yes`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			replace, err := f.replacing(cmd.Flags().Changed("with"))
			if err != nil {
				return err
			}
			node, err := p.parseFilter()
			if err != nil {
				return err
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				return changing(func(ctx context.Context, s *database, node filter.Node) error { return p.redact(ctx, s, node, replace) })(cmd.Context(), s, node)
			})
		},
	},
		text(&f.find, "find", "text that is taken out"),
		text(&f.pattern, "regexp", "or a pattern of what is, as Go's regexp has it"),
		text(&f.with, "with", "text that is put there"),
		p.filterFlag(filterHelp), boolFlag(&p.yes, "yes", "do not ask first"), p.jsonFlag("print the journal entry as JSON"))
}

// replacing returns what replaces in a text.
func (f *redactFlags) replacing(given bool) (func(string) string, error) {
	switch {
	case (f.find == "") == (f.pattern == ""):
		return nil, wrongUsage("redact needs what is taken out: --find TEXT, or --regexp RE")
	case !given:
		return nil, wrongUsage("redact needs what is put there: --with TEXT, such as --with '[name]'")
	case f.find != "":
		if strings.Contains(f.with, f.find) {
			return nil, wrongUsage("--with holds what is taken out: it would still be there")
		}
		return func(text string) string { return strings.ReplaceAll(text, f.find, f.with) }, nil
	}
	re, err := regexp.Compile(f.pattern)
	switch {
	case err != nil:
		return nil, wrongUsage("--regexp: %w", err)
	case re.MatchString(""):
		return nil, wrongUsage("--regexp %q is found in everything, even where nothing is", f.pattern)
	case re.MatchString(f.with):
		return nil, wrongUsage("--with is found by --regexp: it would still be there")
	}
	return func(text string) string { return re.ReplaceAllLiteralString(text, f.with) }, nil
}

// redact replaces in all messages of the sessions that a filter finds.
func (p *cli) redact(ctx context.Context, s *database, node filter.Node, replace func(string) string) error {
	if err := p.searchable(ctx, s, node); err != nil {
		return err
	}
	sessions, err := sessionsOf(ctx, s, node)
	if err != nil {
		return err
	}
	w := review.Editing{Curator: s.Text("reviewer")}
	in, beside := 0, 0
	for _, id := range sessions {
		sess, err := s.Session(ctx, id)
		if err != nil {
			return err
		}
		before := len(w.Changes)
		if w.Changes, err = redactions(ctx, s, &sess, w.Changes, replace); err != nil {
			return err
		}
		if len(w.Changes) > before {
			in++
		}
		if replace(sess.Tools) != sess.Tools || replace(sess.Metadata) != sess.Metadata {
			beside++
		}
	}
	if beside > 0 {
		p.warn("what was recorded beside the messages of %s holds it, too (tools or metadata), and stays: leave them out of exports", draw.Plural(beside, "session"))
	}
	if len(w.Changes) == 0 {
		return &failure{exitFailed, fmt.Errorf("nothing to redact: no message of %s holds it", draw.Plural(len(sessions), "session"))}
	}
	if err := p.sureToRedact(ctx, draw.Plural(len(w.Changes), "message")+" of "+draw.Plural(in, "session")); err != nil {
		return err
	}
	e, err := s.Edit(ctx, w)
	if err != nil {
		return fmt.Errorf("not redacted: %w", err)
	}
	return p.report(tell.EntryOf(&e), func() {
		p.out.Printf("redacted %s of %s; the database still holds what was recorded, and winnow undo brings it back\n",
			draw.Plural(len(e.Edits), "message"), draw.Plural(in, "session"))
	})
}

// sessionsOf returns the ids of the sessions of the segments that pass a filter, in
// their order.
func sessionsOf(ctx context.Context, s *database, node filter.Node) (ids []string, err error) {
	const batch = 500 // segments asked for at once
	met := map[string]bool{}
	for q := (review.Query{Order: review.Natural, Limit: batch, Filter: node}); ; {
		page, err := s.Segments(ctx, q)
		if err != nil {
			return nil, err
		}
		for i := range page.Segments {
			if id := page.Segments[i].SessionID; !met[id] {
				met[id] = true
				ids = append(ids, id)
			}
		}
		if !page.More {
			return ids, nil
		}
		q.After = page.Last
	}
}

// redactions adds a change for each message of a session that holds what is taken
// out. Where an edit covers what was recorded, that is looked at, too: it is sealed.
func redactions(ctx context.Context, s *database, sess *review.Session, list []review.EditChange, replace func(string) string) ([]review.EditChange, error) {
	edits, err := s.Edits(ctx, sess.Body, 1, sess.Messages)
	if err != nil {
		return nil, err
	}
	covered := map[int]bool{} // holds it below an edit
	if len(edits) > 0 {
		set := map[int]bool{}
		for i := range edits {
			set[edits[i].N] = set[edits[i].N] || edits[i].Op == edit.Set && !edits[i].Clash && edits[i].Why != edit.Redact
		}
		err := s.EachRecorded(ctx, sess.Body, 1, sess.Messages, func(m *chat.Message) error {
			covered[m.N] = set[m.N] && edit.Replace(m, replace)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	err = s.EachMessage(ctx, sess.Body, 1, sess.Messages, func(m *chat.Message) error {
		seen, now := chat.SumOf(m), *m
		if !edit.Replace(&now, replace) && !(m.Part == 0 && covered[m.N]) {
			return nil
		}
		op := edit.Set
		if m.Part > 0 {
			op = edit.Add
		}
		list = append(list, review.EditChange{Session: sess.ID, N: m.N, Part: m.Part, Op: op, Why: edit.Redact, Message: now, Seen: &seen})
		return nil
	})
	return list, err
}

// sureToRedact asks whether to change so many messages.
func (p *cli) sureToRedact(ctx context.Context, many string) error {
	if p.yes {
		return nil
	}
	if !p.env.stdinTTY || !p.env.stderrTTY {
		return wrongUsage("%s hold it, and there is no terminal to ask on: add --yes to redact it", many)
	}
	return p.agreed(ctx, many+" hold it: redact")
}
