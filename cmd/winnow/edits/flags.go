// Package edits reads what the flags and arguments of the commands that change messages
// ask for.
package edits

import (
	"errors"
	"fmt"
	"strings"

	"winnow/core/amend"
	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/versions"
)

// Flags are what "edit" is asked to do.
type Flags struct {
	Text, Message, Insert, Squash, From string // files, - for standard input
	Field, Why, Role, Note              string
	Drop, Revert, Keep, Theirs          bool
	Untrained                           bool
}

// Row is what the flags and arguments ask for, but what files hold; nil if that is all
// in a file. A row that does nothing yet is for the editor.
func (f *Flags) Row(args []string, field, why bool) (*amend.Row, error) {
	r := &amend.Row{Field: f.Field, Why: edit.Why(f.Why), Untrained: f.Untrained, Version: amend.Recorded, File: true}
	ways := 0
	for _, way := range []struct {
		asked bool
		do    amend.Do
	}{
		{f.Text != "", amend.Text}, {f.Message != "", amend.Message}, {f.Insert != "", amend.Insert}, {f.Squash != "", amend.Squash},
		{f.Drop, amend.Drop}, {f.Revert, amend.Revert}, {f.Keep, amend.Keep}, {f.Theirs, amend.Theirs}, {f.From != "", ""},
	} {
		if way.asked {
			r.Do = way.do
			ways++
		}
	}
	switch {
	case ways > 1:
		return nil, errors.New("use only one of --text, --message, --insert, --squash, --drop, --revert, --keep, --theirs and --from")
	case f.From != "" && len(args) > 0:
		return nil, errors.New("--from names the messages itself: edit takes no ID with it")
	case f.From != "":
		return nil, nil
	case f.Role != "" && r.Do != amend.Insert && r.Do != amend.Squash:
		return nil, errors.New("--role is for a text that --insert or --squash puts there")
	}
	if _, known := chat.ParseRole(f.Role); f.Role != "" && !known {
		return nil, fmt.Errorf("--role %q: must be system, user, assistant or tool", f.Role)
	}
	if _, err := amend.ParseWhy(f.Why); err != nil {
		return nil, fmt.Errorf("--why: %w", err)
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
		if r.Version, err = versions.ParseEntry(args[last]); err != nil {
			return err
		}
		args, r.All = args[:last], last == 1
	}
	switch {
	case len(args) == 0 || len(args) == 1 && !r.All:
		return errors.New("edit needs an ID and the number of a message: see winnow edit --help")
	case len(args) > 2:
		return fmt.Errorf("edit takes an ID and the number of a message, got %q", args[2])
	}
	r.ID = args[0]
	if !r.All {
		if r.Place, err = amend.ParsePlace(args[1]); err != nil {
			return err
		}
	}
	return nil
}

// File is the file that a row needs, "" for none.
func (f *Flags) File() string {
	return f.Text + f.Message + f.Insert + f.Squash // one of them is given at most
}

// Fill gives a row what its file holds.
func (f *Flags) Fill(r *amend.Row, data []byte) (err error) {
	switch role, _ := chat.ParseRole(f.Role); {
	case r.Do == amend.Text:
		r.Text = string(data)
	case f.Role == "":
		if r.Message, err = chat.ParseJSON(data); err != nil {
			err = fmt.Errorf("%s: %w", f.File(), err)
		}
	default:
		r.Message = chat.Message{Role: role, Content: strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")}
	}
	return err
}
