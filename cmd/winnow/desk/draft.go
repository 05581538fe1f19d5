package desk

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"winnow/cmd/winnow/config"
	"winnow/core/amend"
	"winnow/core/chat"
	"winnow/core/edit"
)

// Draft is the text of a field in a private file, for an editor on this terminal.
type Draft struct {
	Env            *config.Env
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	path string // that holds a text which is not stored, "" for none
}

// ErrAsItWas says that an editor left a text as it was.
var ErrAsItWas = errors.New("the text is as it was")

// NoEditor is the error of a curator who has no editor, or names one that makes no
// sense.
type NoEditor struct{ error }

// Edit has the field of a message that a row names, or the one that matters most,
// changed in the editor, and makes the row give it the new text. The message stays.
func (d *Draft) Edit(m *chat.Message, row *amend.Row) error {
	if row.Field == "" {
		if row.Field = "content"; m.Content == "" && len(m.ToolCalls) > 0 {
			row.Field = "args"
		}
	}
	was, err := edit.Field(m, row.Field)
	if err != nil {
		return fmt.Errorf("message %s: %w", row.Place, err)
	}
	if _, err := editor(d.Env); err != nil {
		return &NoEditor{err}
	}
	files := drafts{d.Env}
	if d.path, err = files.Write(draftName(row.Field), was); err != nil {
		return fmt.Errorf("not changed: a file for the editor: %w", err)
	}
	failed := d.open(files)
	text, err := files.Read(d.path)
	if err != nil {
		return fmt.Errorf("nothing changed: what the editor left can't be read: %w", err)
	}
	now := *m
	row.Do, row.Text, row.File = amend.Text, text, true
	wrong := row.Apply(&now)
	text, _ = edit.Field(&now, row.Field)
	switch {
	case wrong == nil && text == was && failed != nil:
		d.drop()
		return fmt.Errorf("nothing changed: the editor failed: %w", failed)
	case failed != nil:
		return fmt.Errorf("the editor failed: %w", failed)
	case wrong != nil:
		return wrong
	case text == was:
		d.drop()
		return ErrAsItWas
	case strings.TrimSpace(text) == "" && row.Field == "content":
		d.drop()
		return errors.New("nothing changed: the text is empty; --drop takes the message out, and --text with an empty file empties it")
	}
	return nil
}

// Text has a text changed in the editor, in a file of a name. The error is ErrAsItWas
// for one that was left as it was.
func (d *Draft) Text(name, was string) (text string, err error) {
	if _, err := editor(d.Env); err != nil {
		return "", &NoEditor{err}
	}
	files := drafts{d.Env}
	if d.path, err = files.Write(name, was); err != nil {
		return "", fmt.Errorf("a file for the editor: %w", err)
	}
	failed := d.open(files)
	text, err = files.Read(d.path)
	switch {
	case err != nil:
		return "", fmt.Errorf("what the editor left can't be read: %w", err)
	case text == was:
		d.drop()
		if failed != nil {
			return "", fmt.Errorf("nothing changed: the editor failed: %w", failed)
		}
		return "", ErrAsItWas
	case failed != nil:
		return "", fmt.Errorf("the editor failed: %w", failed)
	}
	return text, nil
}

// open opens the file in the editor, and waits until that ends.
func (d *Draft) open(files drafts) error {
	cmd, err := files.Open(d.path)
	if err != nil {
		return err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = d.Stdin, d.Stdout, d.Stderr
	if err = cmd.Run(); errors.Is(err, exec.ErrNotFound) {
		err = fmt.Errorf("%s is not there: %w", cmd.Args[0], err)
	}
	return err
}

// draftName is the file that a field gets: its ending tells an editor what is in it.
func draftName(field string) string {
	switch name, _, _ := strings.Cut(field, ":"); name {
	case "args":
		return "arguments.json"
	case "name":
		return "name.txt"
	default:
		return name + ".md"
	}
}

// Done removes the file after its text was stored; else it stays, and the error names
// it.
func (d *Draft) Done(err error) error {
	switch {
	case d.path == "":
		return err
	case err == nil:
		d.drop()
		return nil
	}
	return fmt.Errorf("%w; the text is in %s", err, d.Env.ShortPath(d.path))
}

func (d *Draft) drop() {
	drafts{d.Env}.Remove(d.path)
	d.path = ""
}
