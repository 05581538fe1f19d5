package digest

import (
	"bytes"
	"io/fs"
	"os"
	pathpkg "path"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/session"
)

// sink keeps the messages of a source, by session.
type sink map[string][]chat.Message

func (s sink) Meta(string, session.Meta) error { return nil }

func (s sink) Message(key string, m *chat.Message) error {
	s[key] = append(s[key], *m)
	return nil
}

func (s sink) Amend(key string, back int, m *chat.Message) error {
	s[key][len(s[key])-1-back] = *m
	return nil
}

func (s sink) Move(from string, after int, to string) error {
	s[to] = append(s[to], s[from][after:]...)
	s[from] = s[from][:after:after]
	return nil
}

func (s sink) Issue(session.Issue) error     { return nil }
func (s sink) LineDone(*session.State) error { return nil }

// recorded calls f with real sessions: the project's own samples, and those beside
// it, if they are there.
func recorded(t *testing.T, f func(path string, messages []chat.Message)) {
	t.Helper()
	for _, root := range []string{"../../testdata/sessions", "../../../shared/data/claude-code", "../../../shared/data/pi", "../../../shared/data/claude-code-small", "../../../shared/data/messages"} {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s := sink{}
			if text, _, err := session.Decode(bytes.NewReader(data)); err == nil {
				_, err = session.Read(t.Context(), text, session.Options{}, session.State{}, s)
				for _, messages := range s {
					if err == nil && len(messages) > 0 {
						f(path, messages)
					}
				}
			}
			return nil
		})
	}
}

// starts returns the first letters of a text: what a row of it has to begin with.
func starts(s *speech) string {
	if len(s.head) == 0 {
		return ""
	}
	words := strings.Fields(s.head[0])
	return words[0][:min(len(words[0]), 3)]
}

// unnamed returns the files that were changed and that a digest does not show.
func unnamed(d *Draft, got string) []string {
	seen := map[uint64]bool{}
	var missing []string
	for _, turn := range d.turns {
		for _, b := range turn.beats {
			for _, c := range b.calls {
				for _, f := range c.files {
					name := []rune(pathpkg.Base(f.name))
					if c.outcome == outcome.OK && !seen[f.key] && !strings.Contains(got, string(name[:min(len(name), 17)])) {
						missing = append(missing, f.name)
					}
					seen[f.key] = seen[f.key] || c.outcome == outcome.OK
				}
			}
		}
	}
	return missing
}

// TestRecordedSegments: of real sessions, whole and cut into windows, a digest has
// 60 rows at most, and on them each prompt, each failure left open, each changed
// file, if it is not counted among those that are not shown, and the last answer.
func TestRecordedSegments(t *testing.T) {
	segments := 0
	recorded(t, func(path string, messages []chat.Message) {
		windows := [][]chat.Message{messages}
		const window = 90
		for from := 0; len(messages) > 2*window && from < len(messages); from += window {
			windows = append(windows, messages[from:min(len(messages), from+window)])
		}
		for _, messages := range windows {
			d := &Draft{}
			for i := range messages {
				m := messages[i]
				m.N = i + 1
				d.Take(&m)
			}
			segments++
			for _, width := range []int{80, 110, 200} {
				got := drawn(t, d, width, Rows)
				if missing := unnamed(d, got); len(missing) > 0 && !strings.Contains(got, plural(len(missing), "changed file")+" not shown") {
					t.Errorf("%s, width %d: files %q are neither shown nor counted in\n%s", path, width, missing, got)
				}
				var last *speech
				for _, turn := range d.turns {
					if turn.prompt != nil && !strings.Contains(got, starts(turn.prompt)) {
						t.Errorf("%s, width %d: no prompt %q in\n%s", path, width, turn.prompt.head, got)
					}
					if turn.said != nil {
						last = turn.said
					}
					for _, b := range turn.beats {
						for _, c := range b.calls {
							if tool := []rune(c.tool); c.open && !strings.Contains(got, "✗ "+string(tool[:min(len(tool), 3)])) {
								t.Errorf("%s, width %d: no failure of %s in\n%s", path, width, c.tool, got)
							}
						}
					}
				}
				if last != nil && !strings.Contains(got, starts(last)) {
					t.Errorf("%s, width %d: no answer %q in\n%s", path, width, last.head[0], got)
				}
				if t.Failed() {
					return
				}
			}
		}
	})
	t.Logf("%d segments", segments)
	if segments == 0 {
		t.Error("no sessions")
	}
}
