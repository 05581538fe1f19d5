package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/ledger"
	"winnow/core/review"
	"winnow/tui"
)

// screenSources leads from messages back to the files that they were read from.
type screenSources struct {
	cli *cli
	db  *database
}

const (
	// recordedMost is how much of a source is read for one message: a longer
	// line is a conversation that no one reads as JSON.
	recordedMost = 32 << 20
	// linesMost bounds the lines that one message was read from.
	linesMost = 64
)

// located is a message and where it was read from.
type located struct {
	message chat.Message
	session review.Session
	source  hub.Source
	// next is the line of the next message, 0 if none is known behind this one.
	next int64
	// shared says that all of the session stands at one place.
	shared bool
}

// locate finds what a message was read from.
func (v screenSources) locate(ctx context.Context, of tui.MessagePlace) (located, error) {
	var l located
	var err error
	if l.session, err = v.db.Session(ctx, of.Session); err != nil {
		return l, err
	}
	last := l.session.Messages
	if of.Body != l.session.Body {
		last = of.N // an older generation of the session
	}
	near, err := v.db.Messages(ctx, of.Body, of.N, max(of.N, min(of.N+1, last)))
	if err != nil || len(near) == 0 {
		return l, orMissing(err, "the message is not stored")
	}
	l.message = near[0]
	if len(near) > 1 && near[1].SourceLine > l.message.SourceLine {
		l.next = near[1].SourceLine
	}
	if last > 1 {
		ends, err := v.db.Messages(ctx, of.Body, 1, 1)
		if err != nil {
			return l, err
		}
		tail, err := v.db.Messages(ctx, of.Body, last, last)
		if err != nil {
			return l, err
		}
		l.shared = len(ends) == 1 && len(tail) == 1 && ends[0].SourceOffset == tail[0].SourceOffset
	}
	l.source, err = v.db.Source(ctx, l.session.SourceID)
	return l, err
}

func orMissing(err error, missing string) error {
	if err == nil {
		return errors.New(missing)
	}
	return err
}

// Recorded implements tui.Sources.
func (v screenSources) Recorded(ctx context.Context, of tui.MessagePlace) (tui.Recorded, error) {
	l, err := v.locate(ctx, of)
	if err != nil {
		return tui.Recorded{}, err
	}
	r := tui.Recorded{Place: l.source.Path, Text: appendMessage(nil, &l.message)}
	if l.message.SourceLine > 0 {
		r.Place += ":" + strconv.FormatInt(l.message.SourceLine, 10)
	}
	text, err := l.read(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return r, ctx.Err()
	case err != nil:
		r.Stored = err.Error() + ": this is the message as winnow keeps it"
		return r, nil
	}
	if l.shared {
		if part, name := partOf(text, &l.message, l.session.Messages); name != "" {
			r.Text, r.Part = part, name
			return r, nil
		}
		if len(text) > len(r.Text)*linesMost {
			r.Stored = "the place holds all of the conversation, and the message was not found in it: this is the message as winnow keeps it"
			return r, nil
		}
	}
	r.Text = text
	return r, nil
}

// standing opens the source if it is there as it was imported. The error says
// what is not.
func (l *located) standing() (*os.File, error) {
	path := l.source.Path
	if !filepath.IsAbs(path) {
		return nil, errors.New("the session came from standard input")
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not there any more", path)
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	standing, err := l.source.Standing(f, l.message.SourceOffset)
	switch {
	case err != nil:
	case standing == ledger.Rewritten:
		err = fmt.Errorf("%s was rewritten since it was imported", path)
	case l.message.SourceLine == 0:
		err = fmt.Errorf("%s: it is not known where in it the message stands", path)
	default:
		return f, nil
	}
	f.Close()
	return nil, err
}

// read returns the lines of the source that hold the message, or the value that begins there.
func (l *located) read(ctx context.Context) (text []byte, err error) {
	f, err := l.standing()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := openStretch(ctx, f, l.message.SourceOffset)
	if err != nil {
		return nil, err
	}
	lines := int64(1)
	if l.next > 0 && !l.shared {
		lines = min(l.next-l.message.SourceLine, linesMost)
	}
	for range lines {
		line, err := s.line(recordedMost - len(text))
		text = append(text, line...)
		if err != nil {
			break
		}
	}
	if s.err != nil {
		return nil, s.err
	}
	if whole := firstValue(text); whole != nil {
		return text, nil
	}
	// A value that goes on in further lines.
	more := s.take(int64(recordedMost - len(text)))
	if value := firstValue(append(text, more...)); value != nil {
		return value, nil
	}
	if len(text) == recordedMost {
		return nil, fmt.Errorf("%s:%d: longer than %d MB", l.source.Path, l.message.SourceLine, recordedMost>>20)
	}
	return text, s.err
}

// firstValue returns the JSON value that a text begins with, nil if it begins
// with none.
func firstValue(text []byte) []byte {
	dec := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	v, err := dec.ReadValue()
	if err != nil {
		return nil
	}
	return bytes.Clone(v)
}

// line reads a line with its end, most bytes of it at most.
func (s *stretch) line(most int) (line []byte, err error) {
	for len(line) < most && s.err == nil {
		part, err := s.r.ReadSlice('\n')
		line = append(line, part[:min(len(part), most-len(line))]...)
		if err == nil {
			return line, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			s.fail(err)
			return line, io.EOF
		}
	}
	return line, io.EOF
}

// Edit implements tui.Sources.
func (v screenSources) Edit(ctx context.Context, of tui.MessagePlace) (*exec.Cmd, error) {
	words, err := v.cli.editor()
	if err != nil {
		return nil, err
	}
	l, err := v.locate(ctx, of)
	if err != nil {
		return nil, err
	}
	f, err := l.standing()
	if err != nil {
		return nil, err
	}
	f.Close()
	args := editorArgs(words, l.source.Path, l.message.SourceLine)
	return exec.Command(args[0], args[1:]...), nil
}
