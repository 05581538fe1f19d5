package origin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/ledger"
	"winnow/core/review"
)

const (
	// recordedMost is how much of a source is read for one message: a longer
	// line is a conversation that no one reads as JSON.
	recordedMost = 32 << 20
	// linesMost bounds the lines that one message was read from.
	linesMost = 64
)

// Library is what is asked of the database.
type Library interface {
	Session(ctx context.Context, id string) (review.Session, error)
	RecordedMessages(ctx context.Context, body int64, from, to int) ([]chat.Message, error)
	Source(ctx context.Context, id int64) (hub.Source, error)
}

// Message is a stored message and where it was read from.
type Message struct {
	message chat.Message
	session review.Session
	source  hub.Source
	// next is the line of the next message, 0 if none is known after this one.
	next int64
	// shared says that all of the session stands at one place.
	shared bool
}

// Find finds what a message was read from.
func Find(ctx context.Context, db Library, of ledger.Message) (*Message, error) {
	var m Message
	var err error
	if m.session, err = db.Session(ctx, of.Session); err != nil {
		return nil, err
	}
	last := m.session.Messages
	if of.Body != m.session.Body {
		last = of.N // an older generation of the session
	}
	near, err := db.RecordedMessages(ctx, of.Body, of.N, max(of.N, min(of.N+1, last)))
	if err != nil {
		return nil, err
	}
	if len(near) == 0 {
		return nil, errors.New("the message is not stored")
	}
	m.message = near[0]
	if len(near) > 1 && near[1].SourceLine > m.message.SourceLine {
		m.next = near[1].SourceLine
	}
	if last > 1 {
		ends, err := db.RecordedMessages(ctx, of.Body, 1, 1)
		if err != nil {
			return nil, err
		}
		tail, err := db.RecordedMessages(ctx, of.Body, last, last)
		if err != nil {
			return nil, err
		}
		m.shared = len(ends) == 1 && len(tail) == 1 && ends[0].SourceOffset == tail[0].SourceOffset
	}
	m.source, err = db.Source(ctx, m.session.SourceID)
	return &m, err
}

// Recorded returns the message as its source has it, or as it is stored if the
// source does not have it any more.
func (m *Message) Recorded(ctx context.Context) (ledger.Recorded, error) {
	r := ledger.Recorded{Place: m.source.Path, Text: chat.AppendJSON(nil, &m.message)}
	if m.message.SourceLine > 0 {
		r.Place += ":" + strconv.FormatInt(m.message.SourceLine, 10)
	}
	text, err := m.read(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return r, ctx.Err()
	case err != nil:
		r.Stored = err.Error() + ": this is the message as winnow keeps it"
		return r, nil
	}
	if m.shared {
		if part, name := partOf(text, &m.message, m.session.Messages); name != "" {
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

// Standing returns the path of the source and the line of the message in it, if it
// is there as it was imported. The error says what is not.
func (m *Message) Standing() (path string, line int64, err error) {
	f, err := m.open()
	if err != nil {
		return "", 0, err
	}
	return m.source.Path, m.message.SourceLine, f.Close()
}

// open opens the source if it is there as it was imported. The error says
// what is not.
func (m *Message) open() (*os.File, error) {
	path := m.source.Path
	if !filepath.IsAbs(path) {
		return nil, errors.New("the session came from standard input")
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s no longer exists", path)
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	standing, err := m.source.Standing(f, m.message.SourceOffset)
	switch {
	case err != nil:
	case standing == ledger.Rewritten:
		err = fmt.Errorf("%s was rewritten since it was imported", path)
	case m.message.SourceLine == 0:
		err = fmt.Errorf("%s: the position of the message in it is not known", path)
	default:
		return f, nil
	}
	f.Close()
	return nil, err
}

// read returns the lines of the source that hold the message, or the value that begins there.
func (m *Message) read(ctx context.Context) (text []byte, err error) {
	f, err := m.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := openStretch(ctx, f, m.message.SourceOffset)
	if err != nil {
		return nil, err
	}
	lines := int64(1)
	if m.next > 0 && !m.shared {
		lines = min(m.next-m.message.SourceLine, linesMost)
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
		return nil, fmt.Errorf("%s:%d: longer than %d MB", m.source.Path, m.message.SourceLine, recordedMost>>20)
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
