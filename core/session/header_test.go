package session_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestHeaders: each header in a file begins a session, or goes on with the one
// of its id. What a Codex session was forked from is told in it and is none.
func TestHeaders(t *testing.T) {
	codex := func(id, more string) string {
		return `{"timestamp":"t","type":"session_meta","payload":{"id":"` + id + `"` + more + `}}`
	}
	pi := func(id string) string { return strings.Replace(piHeader, `"S"`, `"`+id+`"`, 1) }
	fork := `,"forked_from_id":"P"`
	for name, c := range map[string]struct {
		src  string
		want map[string]string
	}{
		"Codex files":               {lines(codex("A", ""), cxSays("user", "a"), codex("B", ""), cxSays("user", "b")), map[string]string{"": "a", "s=B": "b"}},
		"Pi files":                  {lines(pi("A"), piSays("1", "-", "user", "a"), pi("B"), piSays("1", "-", "user", "b")), map[string]string{"": "a", "s=B": "b"}},
		"a session goes on":         {lines(pi("A"), piSays("1", "-", "user", "a"), codex("B", ""), cxSays("user", "b"), pi("A"), piSays("2", "1", "user", "c"), codex("B", ""), cxSays("user", "d")), map[string]string{"": "a|c", "s=B": "b|d"}},
		"behind other messages":     {lines(a1, pi("A"), piSays("1", "-", "user", "b"), codex("B", ""), cxSays("user", "c")), map[string]string{"": "a", "s=A": "b", "s=B": "c"}},
		"behind metadata":           {lines(`{"_type":"metadata","title":"t"}`, pi("A"), piSays("1", "-", "user", "a")), map[string]string{"": "a"}},
		"behind their own messages": {lines(cxSays("user", "a"), codex("A", ""), cxSays("user", "b")), map[string]string{"": "a", "s=A": "b"}},
		"without an id":             {lines(codex("A", ""), cxSays("user", "a"), codex("", ""), cxSays("user", "b")), map[string]string{"": "a|b"}},
		"a fork":                    {lines(codex("A", fork), codex("P", ""), cxSays("user", "a"), codex("Q", ""), cxSays("user", "b")), map[string]string{"": "a|b"}},
		"a fork that does not say":  {lines(codex("A", ""), codex("P", ""), cxSays("user", "a")), map[string]string{"": "a"}},
		"a fork behind a session":   {lines(codex("A", ""), cxSays("user", "a"), codex("B", fork), codex("P", ""), cxSays("user", "b"), codex("P", ""), cxSays("user", "c")), map[string]string{"": "a", "s=B": "b|c"}},
		"a session behind a fork":   {lines(codex("A", fork), cxSays("user", "a"), pi("B"), piSays("1", "-", "user", "b"), codex("C", ""), cxSays("user", "c")), map[string]string{"": "a", "s=B": "b", "s=C": "c"}},
	} {
		t.Run(name, func(t *testing.T) {
			rec, _ := readAll(t, []byte(c.src), "")
			for key, want := range c.want {
				if got := textsIn(rec, key); got != want {
					t.Errorf("session %q has %s, want %s", key, got, want)
				}
			}
			for _, key := range rec.keys {
				if meta, _ := rec.session(key); c.want[key] == "" {
					t.Errorf("session %q: %+v", key, meta)
				}
			}
			for end := 0; end < len(c.src); end += slower {
				samePieces(t, []byte(c.src), []int{end})
			}
		})
	}
}

// TestForkedHeaders: a fork is known by its own metadata.
func TestForkedHeaders(t *testing.T) {
	rec, _ := readAll(t, []byte(lines(`{"type":"session_meta","payload":{"id":"A","cwd":"/a","forked_from_id":"P"}}`, `{"type":"session_meta","payload":{"id":"P","cwd":"/p"}}`, cxSays("user", "a"))), "")
	if m := rec.meta; m.NativeID != "A" || m.Dir != "/a" || m.Origin.NativeID != "P" {
		t.Errorf("%+v", m)
	}
}

// TestTakesNoOthersFiles: no real file of another agent is taken for one of
// Codex or Pi.
func TestTakesNoOthersFiles(t *testing.T) {
	mine := regexp.MustCompile(`codex|traex|/pi/|openclaw/|mixed_formats`)
	for _, path := range sharedFiles(t, "") {
		slashed := filepath.ToSlash(path)
		if info, err := os.Stat(path); err != nil || info.Size() > 4<<20 || mine.MatchString(slashed) {
			continue
		}
		_, res := readAll(t, decodedFile(t, path), "")
		if format := res.State.Format; format == "codex" || format == "pi" {
			t.Errorf("%s read as %s", slashed, format)
		}
	}
}
