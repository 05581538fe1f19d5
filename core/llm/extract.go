package llm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/clean"
)

// found is what an answer holds: the complete JSON arrays and objects in it, in
// order.
type found struct {
	values [][]byte
	// broken says what is wrong with the longest piece that began as JSON and
	// did not end as such.
	broken error
	length int // of that piece
	tries  int // values and pieces
	read   int // their bytes
}

// maxTries bounds the work on an answer that is nothing but brackets: a long
// chain of thought about code holds some thousands.
const maxTries = 100_000

// thinkEnds close reasoning that a server left in the answer. The opening tag
// is no help: some templates write it into the prompt.
var thinkEnds = [...]string{"</think>", "</thinking>", "</reasoning>", "</REASONING_SCRATCHPAD>", "[/THINK]"}

// extract finds the JSON in an answer. From left to right, a value begins at
// the first "[" or "{" from which one can be read to its end; the next search
// begins after it. Where none can be read, the search goes on where the
// reading failed: so a bracket of prose costs nothing, parts of a broken value
// are not taken for the answer, and the whole takes linear time. What stands
// before the last tag that closes reasoning is a draft and left out; a tag
// inside of a value's strings is none.
func extract(text string) found {
	var f found
	b := []byte(text)
	d := jsontext.NewDecoder(bytes.NewBuffer(nil))
	drafts, from := 0, 0 // values of drafts; where the text was not yet searched for tags
	for i := 0; i < len(b) && f.tries < maxTries; {
		n := bytes.IndexAny(b[i:], "[{")
		if n < 0 {
			break
		}
		i += n
		if !opens(b[i:]) {
			i++
			continue
		}
		d.Reset(bytes.NewBuffer(b[i:]), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		f.tries++
		v, err := d.ReadValue()
		if err != nil {
			read := readBefore(err, len(b)-i)
			f.note(text[i:], read, err)
			f.read += read
			i += read
			continue
		}
		if closesThinking(text[from:i]) {
			drafts = len(f.values)
		}
		f.values = append(f.values, b[i:i+len(v):i+len(v)])
		f.read += len(v)
		i += len(v)
		from = i
	}
	if closesThinking(text[from:]) {
		drafts = len(f.values)
	}
	f.values = f.values[drafts:]
	return f
}

// opens reports whether b, which begins with a bracket, may be the start of a
// value: prose in brackets is seen without a decoder.
func opens(b []byte) bool {
	next := bytes.TrimLeft(b[1:], " \t\r\n")
	if len(next) == 0 {
		return true
	}
	if b[0] == '{' {
		return next[0] == '"' || next[0] == '}'
	}
	return bytes.IndexByte([]byte(`]{["-0123456789tfn`), next[0]) >= 0
}

func closesThinking(text string) bool {
	for _, tag := range thinkEnds {
		if strings.Contains(text, tag) {
			return true
		}
	}
	return false
}

// readBefore returns how many bytes, at least one, were read before a value
// turned out to be none.
func readBefore(err error, all int) int {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) {
		return all
	}
	return min(max(int(syntax.ByteOffset), 1), all)
}

// note keeps the error of the longest piece: the likeliest to have been meant
// as the answer.
func (f *found) note(text string, read int, err error) {
	if read <= f.length {
		return
	}
	f.length = read
	if errors.Is(err, io.ErrUnexpectedEOF) {
		f.broken = errors.New("its JSON is not complete: it ends too early")
		return
	}
	var syntax *jsontext.SyntacticError
	reason := err
	if errors.As(err, &syntax) {
		reason = syntax.Err
	}
	const around = 30 // bytes, enough to find the place again
	near := shorten(strings.ToValidUTF8(text[max(read-around, 0):min(read+around, len(text))], ""), 2*around)
	f.broken = fmt.Errorf("its JSON is broken near %q: %w", clean.Line(near), reason)
}

// take hands the values to check until one passes. The error is what is wrong
// with the longest of them, or says that there are none.
func (f found) take(check func([]byte) error) error {
	var wrong error
	longest := -1
	for _, v := range f.values {
		err := check(v)
		if err == nil {
			return nil
		}
		if len(v) > longest {
			longest, wrong = len(v), err
		}
	}
	switch {
	case f.broken != nil && f.length > longest:
		return f.broken
	case wrong != nil:
		return wrong
	}
	return errors.New("it holds no JSON array or object")
}
