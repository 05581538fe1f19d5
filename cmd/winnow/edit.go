package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/edits"
	"winnow/cmd/winnow/tell"
	"winnow/core/amend"
	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

const editHelp = `Changes message N of a segment or session, as "winnow show" numbers them: opens the
text in $VISUAL or $EDITOR, or takes it from a file. What was recorded stays:
"winnow show --recorded" prints it, --revert and "winnow undo" bring it back.
Training data has what stands there now.

A verdict on the segment becomes stale, as it was given on another text: "winnow
restore" gives it again. With --why redact it stays: that is for what must never
be seen, as names and keys. The database still holds what was redacted.

--text gives the field the content of FILE (- is standard input); a line end
behind it that the field did not have is taken off. --message puts a whole
message there, as "winnow show --json" prints it. --drop takes the message out, or
all of a run N-M; --insert puts one after it, in front of the first with 0;
--squash puts one in the place of a run. Added messages are named 12+1, 12+2 and so
on after message 12, and can be changed and dropped like others.

--revert brings back what was recorded, or, with @E, the message or all of ID as it
was after entry E of the journal. Where an import changed what is recorded, the
edit waits: --keep makes it anew over what is recorded now, --theirs removes it.

--from reads many edits, one JSON object a line: {"id","n","field","text","why"}; in
the place of "text" also "message", "insert" or "squash" with a message,
"drop":true, "revert":true or "@E", "keep":true or "theirs":true. "to" is the end of
a run, "part" the number of an added message. All of them are made, as one entry of
the journal, or none.`

func (p *cli) editCommand() *cobra.Command {
	f := &edits.Flags{}
	text := func(to *string, name, standard, help string) func(*cobra.Command) {
		return func(cmd *cobra.Command) { cmd.Flags().StringVar(to, name, standard, help) }
	}
	return with(&cobra.Command{
		Use:   "edit ID N | edit ID N-M --drop | edit --from FILE",
		Short: "Change a message, and keep what was recorded",
		Long:  editHelp,
		Example: `  winnow edit 3f2a91bc 8
  echo 42 | winnow edit 3f2a91bc 8 --text - --note 'wrong sum'
  winnow edit 3f2a91bc 4 --field args:1 --text call.json
  winnow edit 3f2a91bc 2 --text clean.txt --why redact
  winnow edit 3f2a91bc 4-7 --drop
  echo 'Be brief.' | winnow edit 3f2a91bc 0 --insert - --role system
  winnow edit 3f2a91bc 8 --revert`,
		Args:              arguments(0, 3, "takes an ID and the number of a message"),
		ValidArgsFunction: p.completeOneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			row, err := f.Row(args, cmd.Flags().Changed("field"), cmd.Flags().Changed("why"))
			if err != nil {
				return wrongUsage("%w", err)
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				return changing(func(ctx context.Context, s *database, row *amend.Row) error { return p.edit(ctx, s, f, row) })(cmd.Context(), s, row)
			})
		},
	},
		text(&f.Text, "text", "", "file with the new text of the field, - for standard input"),
		text(&f.Message, "message", "", "file with the new message as JSON, - for standard input"),
		text(&f.Insert, "insert", "", "file with a message that is put after it, as JSON or, with --role, as text"),
		text(&f.Squash, "squash", "", "file with a message that is put in the place of a run, as --insert has it"),
		text(&f.From, "from", "", "file with an edit a line as JSON, - for standard input"),
		text(&f.Field, "field", "content", "field that is changed: content, reasoning, args:K of call K, name"),
		text(&f.Role, "role", "", "whose message --insert or --squash puts there: system, user, assistant, tool"),
		text(&f.Why, "why", string(edit.Fix), "fix, redact or squash"),
		text(&f.Note, "note", "", "what the change is for, for the journal"),
		boolFlag(&f.Drop, "drop", "take the message out, or a run of them"),
		boolFlag(&f.Untrained, "untrained", "do not train the answer that --insert puts there"),
		boolFlag(&f.Revert, "revert", "bring back what was recorded, or @E as it was after entry E"),
		boolFlag(&f.Keep, "keep", "make an edit that waits anew, over what is recorded now"),
		boolFlag(&f.Theirs, "theirs", "remove an edit that waits"),
		p.jsonFlag("print the journal entry as JSON"))
}

// edit makes the edits that are asked for, as one entry.
func (p *cli) edit(ctx context.Context, s *database, f *edits.Flags, row *amend.Row) error {
	asked := &amend.Asked{Store: s, Find: p.span(s)}
	w := review.Editing{Curator: s.Text("reviewer"), Note: f.Note}
	var err error
	switch {
	case row == nil:
		err = p.editsFrom(ctx, asked, f.From)
	case row.Do == "":
		return p.inEditor(ctx, s, asked, w, row)
	default:
		if err = p.fill(row, f); err == nil {
			err = asked.Take(ctx, row)
		}
	}
	if err != nil {
		return err
	}
	return p.amend(ctx, s, asked, w)
}

// amend makes the changes, and says what they are.
func (p *cli) amend(ctx context.Context, s *database, asked *amend.Asked, w review.Editing) error {
	torn, err := asked.Torn(ctx)
	if err != nil {
		return err
	}
	e := review.Entry{Curator: w.Curator, Action: review.ActEdit}
	if w.Changes = asked.Changes; len(w.Changes) > 0 {
		if e, err = s.Edit(ctx, w); err != nil {
			return fmt.Errorf("not changed: %w", err)
		}
	}
	if e.ID > 0 {
		for _, text := range torn {
			p.warn("%s", text)
		}
	}
	return p.report(tell.EntryOf(&e), func() { p.out.Printf("%s\n", tell.DoneText(&e)) })
}

// span finds what an id names.
func (p *cli) span(s *database) func(ctx context.Context, id string) (amend.Span, error) {
	return func(ctx context.Context, id string) (amend.Span, error) {
		it, err := p.find(ctx, s, id)
		if err != nil {
			return amend.Span{}, err
		}
		return amend.Span{Session: it.Session.ID, Body: it.Body, From: it.From, To: it.To, Messages: it.Session.Messages}, nil
	}
}

// fill reads what a row needs of a file, and checks the row.
func (p *cli) fill(row *amend.Row, f *edits.Flags) error {
	if path := f.File(); path != "" {
		data, err := p.input(path)
		if err == nil {
			err = f.Fill(row, data)
		}
		if err != nil {
			return err
		}
	}
	if err := row.Check(); err != nil {
		return wrongUsage("%w", err)
	}
	return nil
}

// input reads a file, or standard input for -.
func (p *cli) input(path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(p.env.stdin)
	}
	return os.ReadFile(path)
}

// editsFrom takes edits, one a line.
func (p *cli) editsFrom(ctx context.Context, asked *amend.Asked, path string) error {
	data, err := p.input(path)
	if err != nil {
		return err
	}
	rows := 0
	err = amend.EachRow(bytes.NewReader(data), path, func(r *amend.Row) error {
		rows++
		return asked.Take(ctx, r)
	})
	if err == nil && rows == 0 {
		err = fmt.Errorf("%s has no edits", path)
	}
	return err
}

// inEditor has a field changed in the curator's editor. Where that is refused the
// text stays in its file.
func (p *cli) inEditor(ctx context.Context, s *database, asked *amend.Asked, w review.Editing, row *amend.Row) error {
	if err := row.Check(); err != nil {
		return wrongUsage("%w", err)
	}
	m, err := asked.Standing(ctx, row)
	if err != nil {
		return err
	}
	d := &desk.Draft{Env: &p.env.Env, Stdin: p.env.stdin, Stdout: p.env.stdout, Stderr: p.env.stderr}
	err = d.Edit(m, row)
	var none *desk.NoEditor
	switch {
	case errors.As(err, &none):
		return wrongUsage("%w, or give the new text: --text FILE", err)
	case errors.Is(err, desk.ErrAsItWas):
		return p.report(tell.EntryOf(&review.Entry{Curator: w.Curator, Action: review.ActEdit}), func() { p.out.Printf("nothing changed: the text is as it was\n") })
	case err == nil:
		saw := chat.SumOf(m)
		if err = asked.Take(ctx, row); err == nil {
			asked.Changes[0].Seen = &saw
			err = p.amend(ctx, s, asked, w)
		}
	}
	return d.Done(err)
}
