package metric

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"winnow/core/chat"
	"winnow/core/session"
)

// reader keeps the messages of a source, by session.
type reader struct {
	keys     []string
	messages map[string][]chat.Message
}

func (r *reader) Meta(string, session.Meta) error { return nil }

func (r *reader) Message(key string, m *chat.Message) error {
	if _, known := r.messages[key]; !known {
		r.keys = append(r.keys, key)
	}
	r.messages[key] = append(r.messages[key], *m)
	return nil
}

func (r *reader) Amend(key string, back int, m *chat.Message) error {
	list := r.messages[key]
	list[len(list)-1-back] = *m
	return nil
}

func (r *reader) Move(from string, after int, to string) error {
	list := r.messages[from]
	if _, known := r.messages[to]; !known {
		r.keys = append(r.keys, to)
	}
	r.messages[to] = append(r.messages[to], list[after:]...)
	r.messages[from] = list[:after:after]
	return nil
}

func (r *reader) Issue(session.Issue) error     { return nil }
func (r *reader) LineDone(*session.State) error { return nil }

// sessionsOf reads the sessions of a file; none if it is no session.
func sessionsOf(t testing.TB, path string) (list [][]chat.Message) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := session.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	r := &reader{messages: map[string][]chat.Message{}}
	if _, err := session.Read(t.Context(), text, session.Options{}, session.State{}, r); err != nil {
		return nil
	}
	for _, key := range r.keys {
		if msgs := r.messages[key]; len(msgs) > 0 {
			list = append(list, msgs)
		}
	}
	return list
}

// recorded returns real sessions: the project's own samples, and those beside
// it, if they are there.
func recorded(t testing.TB) (list [][]chat.Message) {
	t.Helper()
	for _, root := range []string{"../../testdata/sessions", "../../../shared/data"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil
			}
			list = append(list, sessionsOf(t, path)...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}
