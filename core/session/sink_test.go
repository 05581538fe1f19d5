package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"winnow/core/chat"
	"winnow/core/session"
)

// record keeps everything a reader sends. Those of the session with the key
// "" are in meta and msgs.
type record struct {
	meta   session.Meta
	msgs   []chat.Message
	others map[string]*kept
	keys   []string // of all sessions but "", in order of appearance
	issues []session.Issue
	states []session.State
}

type kept struct {
	meta session.Meta
	msgs []chat.Message
}

// of returns what is kept of a session.
func (r *record) session(key string) (*session.Meta, *[]chat.Message) {
	if key == "" {
		return &r.meta, &r.msgs
	}
	if r.others == nil {
		r.others = map[string]*kept{}
	}
	if r.others[key] == nil {
		r.others[key] = &kept{}
		r.keys = append(r.keys, key)
	}
	return &r.others[key].meta, &r.others[key].msgs
}

func (r *record) Meta(key string, m session.Meta) error {
	to, _ := r.session(key)
	for _, f := range []struct{ to, from *string }{
		{&to.Format, &m.Format}, {&to.NativeID, &m.NativeID}, {&to.Title, &m.Title}, {&to.Model, &m.Model},
		{&to.Started, &m.Started}, {&to.Ended, &m.Ended}, {&to.Dir, &m.Dir}, {&to.Tools, &m.Tools}, {&to.Extra, &m.Extra},
	} {
		if *f.from != "" {
			*f.to = *f.from
		}
	}
	if m.Completed != nil {
		to.Completed = m.Completed
	}
	if m.Origin != (session.Origin{}) {
		to.Origin = m.Origin
	}
	to.Usage = to.Usage.Plus(m.Usage)
	to.Whole = to.Whole || m.Whole
	return nil
}

func (r *record) Message(key string, m *chat.Message) error {
	_, msgs := r.session(key)
	*msgs = append(*msgs, *m)
	(*msgs)[len(*msgs)-1].N = len(*msgs)
	return nil
}

func (r *record) Amend(key string, back int, m *chat.Message) error {
	_, msgs := r.session(key)
	n := len(*msgs) - 1 - back
	if n < 0 {
		return fmt.Errorf("nothing to amend %d before the last of %d", back, len(*msgs))
	}
	(*msgs)[n] = *m
	(*msgs)[n].N = n + 1
	return nil
}

func (r *record) Move(from string, after int, to string) error {
	_, source := r.session(from)
	_, target := r.session(to)
	if after < 0 || after >= len(*source) {
		return fmt.Errorf("nothing to move behind %d of %d", after, len(*source))
	}
	for _, m := range (*source)[after:] {
		m.N = len(*target) + 1
		*target = append(*target, m)
	}
	*source = (*source)[:after:after]
	return nil
}

func (r *record) Issue(i session.Issue) error {
	r.issues = append(r.issues, i)
	return nil
}

func (r *record) LineDone(s *session.State) error {
	r.states = append(r.states, s.Keep())
	return nil
}

// settled returns the issues that do not depend on where a file ended.
func (r *record) settled() []session.Issue {
	var out []session.Issue
	for _, i := range r.issues {
		if i.Severity != session.Pending {
			out = append(out, i)
		}
	}
	return out
}

func (r *record) of(s session.Severity) (reasons []string) {
	for _, i := range r.issues {
		if i.Severity == s {
			reasons = append(reasons, i.Reason)
		}
	}
	return reasons
}

func readAll(t testing.TB, src []byte, format string) (*record, session.Result) {
	t.Helper()
	return readFrom(t, bytes.NewReader(src), session.Options{Format: format})
}

func readFrom(t testing.TB, r io.Reader, opt session.Options) (*record, session.Result) {
	t.Helper()
	rec := &record{}
	res, err := session.Read(context.Background(), r, opt, session.State{}, rec)
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return rec, res
}

// readPieces reads growing prefixes of src that end at the given places, each
// from the state the last one returned, as it comes back from the database.
func readPieces(t testing.TB, src []byte, ends []int, opt session.Options) (*record, session.Result) {
	t.Helper()
	rec := &record{}
	var res session.Result
	for _, end := range append(ends, len(src)) {
		stored, err := json.Marshal(res.State)
		if err != nil {
			t.Fatal(err)
		}
		var from session.State
		if err := json.Unmarshal(stored, &from); err != nil {
			t.Fatal(err)
		}
		rec.issues = slices.DeleteFunc(rec.issues, func(i session.Issue) bool { return i.Line > 0 && i.Offset >= from.Offset })
		res, err = session.Read(context.Background(), bytes.NewReader(src[from.Offset:end]), opt, from, rec)
		if err != nil {
			t.Fatalf("Read: %v", err)
		}
	}
	return rec, res
}

// checkTotals holds what is true of every reading.
func checkTotals(t testing.TB, src []byte, rec *record, res session.Result) {
	t.Helper()
	c := res.State.Counts
	if res.State.OpenLine || !res.State.Line.Begun {
		if c.Lines() != res.State.Lines {
			t.Errorf("counts %+v are not %d lines", c, res.State.Lines)
		}
	} else if c.Lines()+1 != res.State.Lines {
		t.Errorf("counts %+v with an open line are not %d lines", c, res.State.Lines)
	}
	lines := int64(bytes.Count(src, []byte{'\n'}))
	if tail := src[bytes.LastIndexByte(src, '\n')+1:]; len(tail) > 0 && (!bytes.ContainsAny(tail, "\x00\uFEFF") || len(bytes.Trim(tail, " \t\r\x00\uFEFF,")) > 0) {
		lines++
	}
	got := c.Lines() + res.Pending
	if got != lines && got != lines+1 && got != lines-1 || got != lines && !bytes.ContainsAny(src, "\x00\uFEFF,") {
		t.Errorf("%+v and %d pending for %d lines", c, res.Pending, lines)
	}
	for _, key := range append([]string{""}, rec.keys...) {
		_, msgs := rec.session(key)
		for _, m := range *msgs {
			if m.Role != chat.Tool && m.Empty() {
				t.Errorf("session %q: message %d is empty", key, m.N)
			}
		}
	}
}

// sharedFiles returns the files of real and hostile inputs, none if they are
// not beside the checkout.
func sharedFiles(t testing.TB, folders ...string) (files []string) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil
		}
		data := filepath.Join(parent, "shared", "data")
		if _, err := os.Stat(data); err == nil {
			for _, folder := range folders {
				_ = filepath.WalkDir(filepath.Join(data, folder), func(path string, d os.DirEntry, err error) error {
					if err == nil && d.Type().IsRegular() {
						files = append(files, path)
					}
					return nil
				})
			}
			return files
		}
		dir = parent
	}
}

func decodedFile(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, _, err := session.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
