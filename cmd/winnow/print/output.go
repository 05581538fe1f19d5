// Package print is how commands speak: texts and tables that are cleaned of
// whatever could drive a terminal, JSON, lines of training data, and the line that
// shows how far long work is. It knows words and widths, and nothing of sessions.
//
// It imports core/clean and tui/draw; commands and the desk import it. Its tests
// are here.
package print

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/clean"
	"winnow/tui/draw"
)

// Stream stands for standard input where something is read, and for standard output
// where something is written.
const Stream = "-"

// Output is what a command prints, cleaned of whatever could drive a terminal
// or hides in it, wherever it goes: text for people shows such characters, JSON
// escapes them and has the same value. Training data is exact, except on a
// terminal, where it is escaped, too.
type Output struct {
	w       *bufio.Writer
	TTY     bool // it is a terminal
	Colours bool // it may have some, if it is a terminal
	width   int  // cells of the terminal, 0 if there is none
}

// New returns what prints to w; tty says that it is a terminal, width how
// many cells a line of it has, 0 if that is not known.
func New(w io.Writer, tty bool, width int) *Output {
	return &Output{w: bufio.NewWriterSize(w, 64<<10), TTY: tty, width: width}
}

// Width returns the cells of a line, other where that is not known.
func (o *Output) Width(other int) int { return cmp.Or(o.width, other) }

// Write passes bytes on as they are.
func (o *Output) Write(b []byte) (int, error) { return o.w.Write(b) }

// Flush writes what is still held back.
func (o *Output) Flush() error { return o.w.Flush() }

// Printf prints for people: texts among args are cleaned, format is not.
// Write errors show when the output is flushed.
func (o *Output) Printf(format string, args ...any) {
	Fprintf(o.w, format, args...)
}

// Fprintf prints to w as Output.Printf does.
func Fprintf(w io.Writer, format string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case string:
			args[i] = clean.Line(a)
		case error:
			args[i] = clean.Line(a.Error())
		}
	}
	fmt.Fprintf(w, format, args...)
}

// errorsAsText writes errors in JSON as what they say.
var errorsAsText = json.WithMarshalers(json.MarshalToFunc(func(to *jsontext.Encoder, err error) error {
	return to.WriteToken(jsontext.String(err.Error()))
}))

// Marshal writes a value as JSON text. Names of files and recorded texts may hold
// invalid UTF-8, which becomes U+FFFD rather than an error.
func Marshal(v any) ([]byte, error) {
	return json.Marshal(v, jsontext.AllowInvalidUTF8(true), json.Deterministic(true), errorsAsText)
}

// JSON prints one value as one line.
func (o *Output) JSON(v any) error {
	b, err := Marshal(v)
	if err != nil {
		return err
	}
	return o.RawJSON(append(b, '\n'))
}

// RawJSON prints a piece of JSON text, which must not end inside a character.
func (o *Output) RawJSON(b []byte) error {
	_, err := o.w.Write(clean.JSON(nil, b))
	return err
}

// Record prints a line of training data, which is what its file would hold.
func (o *Output) Record(line []byte) error {
	if o.TTY {
		return o.RawJSON(line)
	}
	_, err := o.w.Write(line)
	return err
}

// Lines prints lines of training data.
func (o *Output) Lines(r io.Reader) error {
	for in := bufio.NewReaderSize(r, 1<<20); ; {
		line, err := in.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return o.Flush()
		}
		if err != nil && err != io.EOF {
			return err
		}
		if err := o.Record(line); err != nil {
			return err
		}
	}
}

// Hang prints a label and a text. On a terminal the text is wrapped, so that
// it stays in a column of its own.
func (o *Output) Hang(label, text string) {
	label, text = clean.Line(label), clean.Line(text)
	if o.width > 0 {
		indent := ansi.StringWidth(label)
		text = ansi.Wrap(text, max(o.width-indent, narrowest), "")
		text = strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", indent))
	}
	o.w.WriteString(label + text + "\n")
}

// Line prints a line, on a terminal as much of it as fits.
func (o *Output) Line(text string) {
	if o.width > 0 {
		text = ansi.Truncate(text, o.width, "…")
	}
	o.w.WriteString(text + "\n")
}

// narrowest is the least width that text is wrapped to; what is narrower is
// left to the terminal.
const narrowest = 20

// Plural writes a number with its words: those for one, or those for many.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return draw.Grouped(n) + " " + many
}
