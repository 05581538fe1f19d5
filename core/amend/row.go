package amend

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/versions"
)

// Do is what a row does to its place.
type Do string

// What rows do. Keep and Theirs decide on an edit that waits, as the recorded message
// changed: it is made anew over that, or removed.
const (
	Text    Do = "text"    // gives a field another text
	Message Do = "message" // puts another message there
	Drop    Do = "drop"
	Insert  Do = "insert" // puts a message after it
	Squash  Do = "squash" // puts a message in the place of a run
	Revert  Do = "revert"
	Keep    Do = "keep"
	Theirs  Do = "theirs"
)

// Recorded is the version that a Revert brings back without another one.
const Recorded = -1

// Row is an edit that is asked for.
type Row struct {
	ID string // of a segment or session
	Place
	Do        Do
	Field     string // that Text is for
	Text      string
	File      bool // Text is that of a file: an end of line is taken off that the field did not have
	Message   chat.Message
	Why       edit.Why
	Untrained bool  // an inserted answer is not trained
	Version   int64 // that Revert brings back, a journal entry; or Recorded
	All       bool  // Revert brings all of ID back
	Line      int   // of the lines that it was read from, 0 for none
}

// jsonRow is a row in JSON.
type jsonRow struct {
	ID        string         `json:"id"`
	N         *int           `json:"n"`
	To        int            `json:"to"`
	Part      int            `json:"part"`
	Field     string         `json:"field"`
	Text      *string        `json:"text"`
	Why       string         `json:"why"`
	Message   jsontext.Value `json:"message"`
	Drop      bool           `json:"drop"`
	Insert    jsontext.Value `json:"insert"`
	Squash    jsontext.Value `json:"squash"`
	Untrained bool           `json:"untrained"`
	Revert    jsontext.Value `json:"revert"`
	Keep      bool           `json:"keep"`
	Theirs    bool           `json:"theirs"`
}

// ParseRow reads a row of JSON.
func ParseRow(line []byte) (Row, error) {
	j := jsonRow{Field: "content"}
	if err := json.Unmarshal(line, &j, json.RejectUnknownMembers(true)); err != nil {
		return Row{}, wrongJSON(err)
	}
	r := Row{ID: j.ID, Field: j.Field, Untrained: j.Untrained, Version: Recorded}
	if j.ID == "" || j.N == nil {
		return r, errors.New(`needs an "id" and the number of a message, "n"`)
	}
	r.Place = Place{N: *j.N, To: j.To, Part: j.Part}
	var err error
	ways := 0
	way := func(is bool, do Do) {
		if is {
			r.Do = do
			ways++
		}
	}
	message := func(v jsontext.Value, do Do) {
		if way(len(v) > 0, do); len(v) > 0 && err == nil {
			r.Message, err = chat.ParseJSON(v)
		}
	}
	if way(j.Text != nil, Text); j.Text != nil {
		r.Text = *j.Text
	}
	message(j.Message, Message)
	message(j.Insert, Insert)
	message(j.Squash, Squash)
	way(j.Drop, Drop)
	way(j.Keep, Keep)
	way(j.Theirs, Theirs)
	if back := len(j.Revert) > 0 && string(j.Revert) != "false"; back && err == nil {
		way(back, Revert)
		if string(j.Revert) != "true" {
			r.Version, err = versions.ParseEntry(strings.Trim(string(j.Revert), `"`))
		}
	}
	if ways != 1 && err == nil {
		err = errors.New(`needs one of "text", "message", "drop", "insert", "squash", "revert", "keep" and "theirs"`)
	}
	if err == nil {
		r.Why, err = ParseWhy(cmp.Or(j.Why, string(r.why())))
	}
	if err == nil {
		err = r.Check()
	}
	return r, err
}

// why is the reason of a row that has none.
func (r *Row) why() edit.Why {
	if r.Do == Squash {
		return edit.Squash
	}
	return edit.Fix
}

// ParseWhy reads the reason of an edit.
func ParseWhy(name string) (edit.Why, error) {
	switch why := edit.Why(name); why {
	case edit.Fix, edit.Redact, edit.Squash:
		return why, nil
	}
	return "", fmt.Errorf("%q is no reason of an edit; there are fix, redact and squash", name)
}

// Check refuses a row that makes no sense, whatever is stored.
func (r *Row) Check() error {
	run := r.To > r.N
	switch {
	case r.N < 0 || r.Part < 0 || r.To != 0 && r.To < r.N || r.Part > 0 && r.To > 0:
		return errors.New("there is no such place: a message, a run of them, or one that was added")
	case r.N == 0 && r.Part == 0 && r.Do != Insert && !r.All:
		return errors.New("messages are counted from 1; 0 is the place in front of them, for an insert")
	case run && (r.Do == Text || r.Do == Message || r.Do == Insert):
		return fmt.Errorf("%s is for one message, not for %s", r.Do, r.Place)
	case r.Part > 0 && r.Do == Insert:
		return fmt.Errorf("insert is for the place after a message: after %d comes after %s, too", r.N, r.Place)
	case r.Part > 0 && r.Do == Squash:
		return errors.New("squash is for recorded messages: drop what was added")
	case r.Untrained && r.Do != Insert && r.Do != Squash:
		return errors.New("untrained is for a message that is put in: winnow mask does it for others")
	case r.Untrained && r.Message.Role != chat.Assistant:
		return errors.New("untrained is for an answer: only assistants are trained")
	}
	return nil
}

// EachRow calls f for each row of lines of JSON; name is what errors call them. Empty
// lines are passed over.
func EachRow(in io.Reader, name string, f func(*Row) error) error {
	lines := bufio.NewReader(in)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			r, wrong := ParseRow(line)
			r.Line = n
			if wrong == nil {
				wrong = f(&r)
			}
			if wrong != nil {
				return fmt.Errorf("line %d of %s: %w", n, name, wrong)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
