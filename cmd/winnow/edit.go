package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"winnow/cmd/winnow/tell"
	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

// editFlags are what "edit" is asked to do.
type editFlags struct {
	text, message, from string // files, - for standard input
	field, why          string
	revert              bool
}

func (p *cli) editCommand() *cobra.Command {
	f := &editFlags{}
	text := func(to *string, name, standard, help string) func(*cobra.Command) {
		return func(cmd *cobra.Command) { cmd.Flags().StringVar(to, name, standard, help) }
	}
	return with(&cobra.Command{
		Use:   "edit ID N --text FILE | --message FILE | --revert, or edit --from FILE",
		Short: "Change a message, and keep what was recorded",
		Long: `Puts another text in the place of message N of a segment or session, as "winnow
show" numbers them. What was recorded stays: "winnow show --recorded" prints it,
--revert and "winnow undo" bring it back. Training data has the new text.

A verdict on the segment becomes stale, as it was given on another text: "winnow
restore" gives it again. With --why redact it stays: that is for what must never
be seen, as names and keys. The database still holds what was redacted.

--text gives the field the content of FILE (- is standard input); a line end
behind it that the field did not have is taken off. --message puts a whole
message there, as "winnow show --json" prints it. --from reads many edits, one
JSON object a line: {"id","n","field","text","why"}, with "revert":true instead of
a text to bring a message back. All of them are made, as one entry of the
journal, or none.`,
		Example: `  echo 42 | winnow edit 3f2a91bc 8 --text -
  winnow edit 3f2a91bc 4 --field args:1 --text call.json
  winnow edit 3f2a91bc 2 --text clean.txt --why redact
  winnow edit 3f2a91bc 8 --revert`,
		Args:              arguments(0, 2, "takes an ID and the number of a message"),
		ValidArgsFunction: p.completeOneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(args); err != nil {
				return err
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error { return p.edit(cmd.Context(), s, f, args) })
		},
	},
		text(&f.text, "text", "", "file with the new text of the field, - for standard input"),
		text(&f.message, "message", "", "file with the new message as JSON, - for standard input"),
		text(&f.from, "from", "", "file with an edit a line as JSON, - for standard input"),
		text(&f.field, "field", "content", "field that --text is for: content, reasoning, args:K of call K, name"),
		text(&f.why, "why", string(edit.Fix), "fix or redact"),
		boolFlag(&f.revert, "revert", "bring back what was recorded"),
		p.jsonFlag("print the journal entry as JSON"))
}

// check refuses what makes no sense together.
func (f *editFlags) check(args []string) error {
	ways := given(f.text != "", f.message != "", f.revert, f.from != "")
	switch {
	case ways > 1:
		return wrongUsage("use only one of --text, --message, --revert and --from")
	case ways == 0:
		return wrongUsage("edit needs the new text: --text FILE, or - to read it from standard input; see winnow edit --help")
	case f.from != "" && len(args) > 0:
		return wrongUsage("--from names the messages itself: edit takes no ID with it")
	case f.from == "" && len(args) < 2:
		return wrongUsage("edit needs an ID and the number of a message")
	}
	_, err := whyOf(f.why)
	return err
}

// whyOf is the reason of an edit, by its name.
func whyOf(name string) (edit.Why, error) {
	switch why := edit.Why(name); why {
	case edit.Fix, edit.Redact:
		return why, nil
	}
	return "", wrongUsage("--why %q: an edit is a fix or a redact", name)
}

// edit makes the edits that the flags ask for, as one entry.
func (p *cli) edit(ctx context.Context, s *database, f *editFlags, args []string) error {
	w := review.Editing{Curator: s.Text("reviewer")}
	var err error
	if f.from != "" {
		w.Changes, err = p.editsFrom(ctx, s, f.from)
	} else {
		w.Changes, err = p.oneEdit(ctx, s, f, args)
	}
	if err != nil {
		return err
	}
	e, err := s.Edit(ctx, w)
	if err != nil {
		return fmt.Errorf("not changed: %w", err)
	}
	return p.report(tell.EntryOf(&e), func() {
		if e.ID == 0 {
			p.out.Printf("nothing changed: it is like that\n")
			return
		}
		p.out.Printf("%s\n", tell.ActText(&e))
	})
}

func (p *cli) oneEdit(ctx context.Context, s *database, f *editFlags, args []string) ([]review.EditChange, error) {
	n, err := strconv.Atoi(args[1])
	if err != nil || n < 1 {
		return nil, wrongUsage("%q: must be the number of a message", args[1])
	}
	why, err := whyOf(f.why)
	if err != nil {
		return nil, err
	}
	place := messagePlace{id: args[0], n: n}
	if f.revert {
		c, err := p.changeOf(ctx, s, place, why, nil)
		return []review.EditChange{c}, err
	}
	path := f.text
	if f.message != "" {
		path = f.message
	}
	data, err := p.input(path)
	if err != nil {
		return nil, err
	}
	c, err := p.changeOf(ctx, s, place, why, func(m *chat.Message) error {
		if f.message == "" {
			return edit.SetFromFile(m, f.field, string(data))
		}
		now, err := chat.ParseJSON(data)
		now.Marks = m.Marks
		*m = now
		return err
	})
	return []review.EditChange{c}, err
}

// input reads a file, or standard input for -.
func (p *cli) input(path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(p.env.stdin)
	}
	return os.ReadFile(path)
}

// messagePlace names a message.
type messagePlace struct {
	id string // of a segment or session
	n  int
}

// changeOf is what change does to a message as it stands there now; nil brings back
// what was recorded.
func (p *cli) changeOf(ctx context.Context, s *database, at messagePlace, why edit.Why, change func(*chat.Message) error) (c review.EditChange, err error) {
	it, err := p.find(ctx, s, at.id)
	if err != nil {
		return c, err
	}
	if at.n < it.from || at.n > it.to {
		return c, fmt.Errorf("%s holds messages %d to %d, not %d: %s lists them", at.id, it.from, it.to, at.n, p.command("show "+at.id))
	}
	list, err := s.Messages(ctx, it.body, at.n, at.n)
	if err == nil && len(list) != 1 {
		err = errors.New("it is not there")
	}
	if err != nil {
		return c, fmt.Errorf("message %d: %w", at.n, err)
	}
	m := list[0]
	seen := chat.SumOf(&m)
	c = review.EditChange{Session: it.session.ID, N: at.n, Why: why, Seen: &seen}
	if change == nil {
		return c, nil
	}
	if err := change(&m); err != nil {
		return c, fmt.Errorf("message %d: %w", at.n, err)
	}
	c.Op, c.Message = edit.Set, m
	return c, nil
}

// editRow is a line of --from.
type editRow struct {
	ID     string  `json:"id"`
	N      int     `json:"n"`
	Field  string  `json:"field"`
	Text   *string `json:"text"`
	Why    string  `json:"why"`
	Revert bool    `json:"revert"`
}

// editsFrom reads edits, one a line.
func (p *cli) editsFrom(ctx context.Context, s *database, path string) ([]review.EditChange, error) {
	data, err := p.input(path)
	if err != nil {
		return nil, err
	}
	var list []review.EditChange
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for line := 1; lines.Scan(); line++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		c, err := p.editFrom(ctx, s, lines.Bytes())
		if err != nil {
			return nil, fmt.Errorf("line %d of %s: %w", line, path, err)
		}
		list = append(list, c)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no edits", path)
	}
	return list, nil
}

func (p *cli) editFrom(ctx context.Context, s *database, line []byte) (review.EditChange, error) {
	row := editRow{Field: "content", Why: string(edit.Fix)}
	if err := json.Unmarshal(line, &row, json.RejectUnknownMembers(true)); err != nil {
		return review.EditChange{}, err
	}
	why, err := whyOf(row.Why)
	switch {
	case err != nil:
		return review.EditChange{}, err
	case row.ID == "" || row.N < 1:
		return review.EditChange{}, errors.New(`needs an "id" and the number of a message, "n"`)
	case row.Revert == (row.Text != nil):
		return review.EditChange{}, errors.New(`needs a "text", or "revert":true`)
	case row.Revert:
		return p.changeOf(ctx, s, messagePlace{row.ID, row.N}, why, nil)
	}
	return p.changeOf(ctx, s, messagePlace{row.ID, row.N}, why, func(m *chat.Message) error { return edit.SetField(m, row.Field, *row.Text) })
}
