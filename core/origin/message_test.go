package origin

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/ledger"
	"winnow/core/review"
)

// shelf is a database of one session, read from a file that nobody proved.
type shelf struct {
	session  review.Session
	messages []chat.Message
	source   hub.Source
}

func (s *shelf) Session(_ context.Context, id string) (review.Session, error) {
	if id != s.session.ID {
		return review.Session{}, fs.ErrNotExist
	}
	return s.session, nil
}

func (s *shelf) RecordedMessages(_ context.Context, _ int64, from, to int) (list []chat.Message, err error) {
	for i := range s.messages {
		if n := s.messages[i].N; n >= from && n <= to {
			list = append(list, s.messages[i])
		}
	}
	return list, nil
}

func (s *shelf) Source(context.Context, int64) (hub.Source, error) { return s.source, nil }

// TestWhatIsNotInItsSource is shown as it is stored, with the reason.
func TestWhatIsNotInItsSource(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, path, want string }{
		{"standard input", "-", "the session came from standard input: "},
		{"gone", filepath.Join(dir, "gone.jsonl"), "gone.jsonl no longer exists: "},
		{"a folder by now", dir, " no longer exists: "},
	} {
		db := &shelf{session: review.Session{ID: "s"}, messages: []chat.Message{{N: 1, Role: chat.User, Content: "hello", SourceLine: 3}}, source: hub.Source{Path: c.path}}
		db.session.Messages = 1
		m, err := Find(t.Context(), db, ledger.Message{Session: "s", N: 1})
		if err != nil {
			t.Fatal(err)
		}
		r, err := m.Recorded(t.Context())
		if err != nil || !strings.Contains(r.Stored, c.want) || r.Place != c.path+":3" || !strings.Contains(string(r.Text), `"hello"`) {
			t.Errorf("%s: %+v %v", c.name, r, err)
		}
		if _, _, err := m.Standing(); err == nil {
			t.Errorf("%s: it stands somewhere", c.name)
		}
		x, err := ReadExcerpt(t.Context(), &hub.Source{Path: c.path}, nil)
		if err != nil || x.Standing != ledger.Gone || x.Head != nil {
			t.Errorf("%s: %+v %v", c.name, x, err)
		}
	}
}

// TestFind: no message is told of that is not stored, and the next one bounds the
// lines of this one.
func TestFind(t *testing.T) {
	db := &shelf{session: review.Session{ID: "s"}, messages: []chat.Message{
		{N: 1, SourceLine: 1, SourceOffset: 0}, {N: 2, SourceLine: 4, SourceOffset: 90}, {N: 3, SourceLine: 4, SourceOffset: 90},
	}}
	db.session.Messages = 3
	for _, c := range []struct {
		n    int
		next int64
		ok   bool
	}{{1, 4, true}, {2, 0, true}, {3, 0, true}, {4, 0, false}} {
		m, err := Find(t.Context(), db, ledger.Message{Session: "s", N: c.n})
		if (err == nil) != c.ok || err == nil && (m.next != c.next || m.shared || m.message.N != c.n) {
			t.Errorf("message %d: %+v %v", c.n, m, err)
		}
	}
	for i := range db.messages {
		db.messages[i].SourceOffset = 7
	}
	if m, err := Find(t.Context(), db, ledger.Message{Session: "s", N: 2}); err != nil || !m.shared {
		t.Errorf("all of them at one place: %+v %v", m, err)
	}
}

// TestStretch: what is read from some place on, line by line and in pieces; the
// end is no error, and what was given up is.
func TestStretch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("one\ntwo\nthree\nfour"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := openStretch(t.Context(), f, 4)
	if err != nil {
		t.Fatal(err)
	}
	line, err := s.line(100)
	s.skip(2)
	rest, atEnd := s.line(100)
	if string(line) != "two\n" || err != nil || string(rest) != "ree\n" || atEnd != nil {
		t.Errorf("%q %v, %q %v", line, err, rest, atEnd)
	}
	if cut, err := s.line(3); string(cut) != "fou" || err == nil {
		t.Errorf("a long line: %q %v", cut, err)
	}
	if got := s.take(1 << 10); s.err != nil || len(got) != 0 {
		t.Errorf("at the end: %q %v", got, s.err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if s, err := openStretch(ctx, f, 0); err == nil && (len(s.take(1)) != 0 || s.err == nil) {
		t.Error("what was given up is read")
	}
}

// TestFirstValue: a line may hold more than a value, or less than one.
func TestFirstValue(t *testing.T) {
	for text, want := range map[string]string{`{"a":1} x`: `{"a":1}`, `{"a":`: "", "": "", `{"a":1,"a":2}`: `{"a":1,"a":2}`, "[1]\n[2]": "[1]"} {
		if got := string(firstValue([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
