package export

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/session"
)

// recorded keeps what a source holds, by session.
type recorded struct {
	keys     []string
	messages map[string][]chat.Message
	meta     map[string]session.Meta
}

func (r *recorded) Meta(key string, m session.Meta) error {
	if m.Tools != "" {
		r.meta[key] = m
	}
	return nil
}

func (r *recorded) Message(key string, m *chat.Message) error {
	if _, known := r.messages[key]; !known {
		r.keys = append(r.keys, key)
	}
	own := *m
	own.N = len(r.messages[key]) + 1
	r.messages[key] = append(r.messages[key], own)
	return nil
}

func (r *recorded) Move(string, int, string) error { return nil }

func (r *recorded) Amend(key string, _ int, m *chat.Message) error {
	list := r.messages[key]
	own := *m
	own.N = len(list)
	list[len(list)-1] = own
	return nil
}

func (r *recorded) Issue(session.Issue) error     { return nil }
func (r *recorded) LineDone(*session.State) error { return nil }

// addFile adds every session of a file, and runs of it that begin with a
// user message: those are cut as segments are, or worse.
func (l *library) addFile(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, _, err := session.Decode(f)
	if err != nil {
		return // the reader's own tests look at what it refuses
	}
	r := &recorded{messages: map[string][]chat.Message{}, meta: map[string]session.Meta{}}
	if _, err := session.Read(t.Context(), text, session.Options{}, session.State{}, r); err != nil && !strings.Contains(path, "hostile") {
		t.Errorf("%s: %v", path, err)
	}
	for _, key := range r.keys {
		messages := r.messages[key]
		for i, cuts := 0, 0; i < len(messages) && cuts < 8; i++ {
			if i == 0 || messages[i].Role == chat.User {
				l.add(func(_ *review.Segment, s *review.Session) { s.Tools = r.meta[key].Tools }, messages[i:]...)
				cuts++
			}
		}
	}
}

// Sessions as agents record them, and broken ones, give records that every
// validator accepts, and most of the good ones are written.
func TestRecordedSessions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		glob string
		most float64 // share written at least if all files are read; 0 for broken files
	}{
		{"../../testdata/sessions/*.jsonl", 0.8},
		{"../../../shared/data/openai/tau_[0-9]*[0-9].jsonl", 0.5},
		{"../../../shared/data/anthropic/*.jsonl", 0.4}, // users speak before an answer there, which LLaMA-Factory drops
		{"../../../shared/data/nanobot/*.jsonl", 0.5},
		{"../../../shared/data/hostile/*", 0},
	} {
		paths, err := filepath.Glob(c.glob)
		if err != nil {
			t.Fatal(err)
		}
		l := &library{}
		for i, path := range paths {
			if i%slower > 0 {
				continue
			}
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				l.addFile(t, path)
			}
		}
		for i := range ofSamples() {
			e := &ofSamples()[i]
			out := filepath.Join(t.TempDir(), "out.jsonl")
			r := run(t, l, Options{Path: out, As: e.Name, KeepNoReasoning: true})
			if share := float64(r.Written) / float64(max(1, r.Candidates)); share < c.most && r.Candidates > 0 && slower == 1 {
				t.Errorf("%s: %s writes %d of %d", c.glob, e.Name, r.Written, r.Candidates)
			}
			t.Logf("%s: %s writes %d of %d, repairs %v", c.glob, e.Name, r.Written, r.Candidates, r.Repairs)
			for _, f := range r.Files {
				if rows, err := e.Validate(bytes.NewReader([]byte(read(t, f.Path)))); err != nil || rows != f.Rows {
					t.Errorf("%s of %s: %d of %d rows, %v", f.Path, c.glob, rows, f.Rows, err)
				}
			}
			reasons := map[string]int{}
			for _, out := range r.LeftOut {
				reasons[out.Check]++
			}
			t.Logf("  left out: %v", reasons)
		}
	}
}
