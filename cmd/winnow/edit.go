package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/tell"
	"winnow/core/amend"
	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

// editFlags are what "edit" is asked to do.
type editFlags struct {
	text, message, insert, squash, from string // files, - for standard input
	field, why, role, note              string
	drop, revert, keep, theirs          bool
	untrained                           bool
}

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
	f := &editFlags{}
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
			row, err := f.row(args, cmd.Flags().Changed("field"), cmd.Flags().Changed("why"))
			if err != nil {
				return err
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				return changing(func(ctx context.Context, s *database, row *amend.Row) error { return p.edit(ctx, s, f, row) })(cmd.Context(), s, row)
			})
		},
	},
		text(&f.text, "text", "", "file with the new text of the field, - for standard input"),
		text(&f.message, "message", "", "file with the new message as JSON, - for standard input"),
		text(&f.insert, "insert", "", "file with a message that is put after it, as JSON or, with --role, as text"),
		text(&f.squash, "squash", "", "file with a message that is put in the place of a run, as --insert has it"),
		text(&f.from, "from", "", "file with an edit a line as JSON, - for standard input"),
		text(&f.field, "field", "content", "field that is changed: content, reasoning, args:K of call K, name"),
		text(&f.role, "role", "", "whose message --insert or --squash puts there: system, user, assistant, tool"),
		text(&f.why, "why", string(edit.Fix), "fix, redact or squash"),
		text(&f.note, "note", "", "what the change is for, for the journal"),
		boolFlag(&f.drop, "drop", "take the message out, or a run of them"),
		boolFlag(&f.untrained, "untrained", "do not train the answer that --insert puts there"),
		boolFlag(&f.revert, "revert", "bring back what was recorded, or @E as it was after entry E"),
		boolFlag(&f.keep, "keep", "make an edit that waits anew, over what is recorded now"),
		boolFlag(&f.theirs, "theirs", "remove an edit that waits"),
		p.jsonFlag("print the journal entry as JSON"))
}

// row is what the flags and arguments ask for, but what files hold; nil if that is all
// in a file. A row that does nothing yet is for the editor.
func (f *editFlags) row(args []string, field, why bool) (*amend.Row, error) {
	r := &amend.Row{Field: f.field, Why: edit.Why(f.why), Untrained: f.untrained, Version: amend.Recorded, File: true}
	ways := 0
	for _, way := range []struct {
		asked bool
		do    amend.Do
	}{
		{f.text != "", amend.Text}, {f.message != "", amend.Message}, {f.insert != "", amend.Insert}, {f.squash != "", amend.Squash},
		{f.drop, amend.Drop}, {f.revert, amend.Revert}, {f.keep, amend.Keep}, {f.theirs, amend.Theirs}, {f.from != "", ""},
	} {
		if way.asked {
			r.Do = way.do
			ways++
		}
	}
	switch {
	case ways > 1:
		return nil, wrongUsage("use only one of --text, --message, --insert, --squash, --drop, --revert, --keep, --theirs and --from")
	case f.from != "" && len(args) > 0:
		return nil, wrongUsage("--from names the messages itself: edit takes no ID with it")
	case f.from != "":
		return nil, nil
	case f.role != "" && r.Do != amend.Insert && r.Do != amend.Squash:
		return nil, wrongUsage("--role is for a text that --insert or --squash puts there")
	}
	if _, err := amend.ParseWhy(f.why); err != nil {
		return nil, wrongUsage("--why: %w", err)
	}
	if r.Do == amend.Squash && !why {
		r.Why = edit.Squash
	}
	if err := placeRow(r, args); err != nil {
		return nil, err
	}
	if r.Do == "" && !field {
		r.Field = "" // the editor's choice
	}
	return r, nil
}

// placeRow reads the arguments: an id, the messages, and a version to revert to.
func placeRow(r *amend.Row, args []string) (err error) {
	if last := len(args) - 1; last >= 0 && r.Do == amend.Revert && strings.HasPrefix(args[last], "@") {
		if r.Version, err = amend.ParseVersion(args[last]); err != nil {
			return wrongUsage("%w", err)
		}
		args, r.All = args[:last], last == 1
	}
	switch {
	case len(args) == 0 || len(args) == 1 && !r.All:
		return wrongUsage("edit needs an ID and the number of a message: see winnow edit --help")
	case len(args) > 2:
		return wrongUsage("edit takes an ID and the number of a message, got %q", args[2])
	}
	r.ID = args[0]
	if !r.All {
		if r.Place, err = amend.ParsePlace(args[1]); err != nil {
			return wrongUsage("%w", err)
		}
	}
	return nil
}

// edit makes the edits that are asked for, as one entry.
func (p *cli) edit(ctx context.Context, s *database, f *editFlags, row *amend.Row) error {
	asked := &amend.Asked{Store: s, Find: p.span(s)}
	w := review.Editing{Curator: s.Text("reviewer"), Note: f.note}
	var err error
	switch {
	case row == nil:
		err = p.editsFrom(ctx, asked, f.from)
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
		return amend.Span{Session: it.session.ID, Body: it.body, From: it.from, To: it.to, Messages: it.session.Messages}, nil
	}
}

// fill reads what a row needs of a file, and checks the row.
func (p *cli) fill(row *amend.Row, f *editFlags) error {
	path := f.text + f.message + f.insert + f.squash // one of them is given at most
	if path != "" {
		data, err := p.input(path)
		if err != nil {
			return err
		}
		switch role, known := chat.ParseRole(f.role); {
		case row.Do == amend.Text:
			row.Text = string(data)
		case f.role == "":
			if row.Message, err = chat.ParseJSON(data); err != nil {
				err = fmt.Errorf("%s: %w", path, err)
			}
		case !known:
			err = wrongUsage("--role %q: must be system, user, assistant or tool", f.role)
		default:
			row.Message = chat.Message{Role: role, Content: strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")}
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
