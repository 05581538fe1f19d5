package places

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// bench is a machine with a home folder of its own.
type bench struct {
	t *testing.T
	Machine
	vars map[string]string
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t, vars: map[string]string{}}
	b.Home = t.TempDir()
	b.Getenv = func(name string) string { return b.vars[name] }
	b.Short = func(path string) string {
		if rest, ok := strings.CutPrefix(path, b.Home+string(filepath.Separator)); ok {
			return "~/" + filepath.ToSlash(rest)
		}
		return path
	}
	return b
}

// file writes a file below the home folder.
func (b *bench) file(name, content string) string {
	b.t.Helper()
	path := filepath.Join(b.Home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
	return path
}

// places returns what is found on the bench.
func (b *bench) places() []Place {
	b.t.Helper()
	places, err := b.Find(context.Background())
	if err != nil {
		b.t.Fatal(err)
	}
	return places
}

// in makes dir, below the home folder, the working folder.
func (b *bench) in(dir string) { b.Dir = filepath.Join(b.Home, dir) }

func TestUsualPlacesAreFound(t *testing.T) {
	b := newBench(t)
	home := b.Home
	b.in("elsewhere")
	if places := b.places(); len(places) != 0 {
		t.Errorf("in an empty home: %+v", places)
	}
	for _, name := range []string{
		".claude/projects/p/a.jsonl", ".codex/sessions/2026/05/03/rollout-1.jsonl", ".openclaw/agents/main/sessions/s.jsonl",
		".openclaw/agents/other/sessions/s.jsonl", ".openclaw/agents/none/memory.json", ".pi/agent/sessions/p/s.jsonl",
		".gemini/tmp/0a/chats/session-1.json", ".gemini/tmp/0a/logs.json", ".gemini/tmp/bin",
	} {
		b.file(name, "{}\n")
	}
	at := func(names ...string) []string {
		for i := range names {
			names[i] = filepath.Join(home, filepath.FromSlash(names[i]))
		}
		return names
	}
	want := []Place{
		{Agent: "Claude Code", Name: "~/.claude/projects", Paths: at(".claude/projects")},
		{Agent: "Codex", Name: "~/.codex/sessions", Paths: at(".codex/sessions")},
		{Agent: "OpenClaw", Name: "~/.openclaw/agents/*/sessions", Paths: at(".openclaw/agents/main/sessions", ".openclaw/agents/other/sessions")},
		{Agent: "Pi", Name: "~/.pi/agent/sessions", Paths: at(".pi/agent/sessions")},
		{Agent: "Gemini", Name: "~/.gemini/tmp/*/chats", Paths: at(".gemini/tmp/0a/chats")},
	}
	if got := b.places(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	moved := t.TempDir()
	if err := os.MkdirAll(filepath.Join(moved, "sessions"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.vars["CODEX_HOME"], b.vars["CLAUDE_CONFIG_DIR"] = moved, moved
	if got := b.places(); got[0].Name != filepath.Join(moved, "sessions") || got[1].Agent != "OpenClaw" {
		t.Errorf("moved by variables: %+v", got)
	}
	b.vars["CODEX_HOME"] = "relative"
	if got := b.places(); got[0].Name != "~/.codex/sessions" {
		t.Errorf("a relative variable: %+v", got)
	}
}

func TestWorkingFolderIsAPlaceIfItLooksLikeOne(t *testing.T) {
	for file, want := range map[string]bool{
		"data/s.jsonl": true, "data/deep/down/S.JSONL.GZ": true, "data/x.traj": true, "data/my-session.json": true, "data/trajectories.json.zst": true,
		"data/package.json": false, "data/README.md": false, "data/s.gz": false,
	} {
		b := newBench(t)
		b.file(file, "{}")
		b.in("data")
		places := b.places()
		if (len(places) == 1) != want {
			t.Errorf("%s: %+v", file, places)
		}
		if want && (places[0].Name != "~/data" || !places[0].Doubtful || len(places[0].Paths) != 1) {
			t.Errorf("%s: %+v", file, places)
		}
	}
}

// TestHomeIsNeverOfferedWhole: who starts the program at home does not mean
// everything that is there.
func TestHomeIsNeverOfferedWhole(t *testing.T) {
	b := newBench(t)
	b.file("mail/archive.jsonl", "{}")
	b.in(".")
	if places := b.places(); len(places) != 0 {
		t.Errorf("%+v", places)
	}
	path := b.file("s.jsonl", "{}")
	b.file("settings.json", "{}")
	places := b.places()
	if len(places) != 1 || !reflect.DeepEqual(places[0].Paths, []string{path}) || places[0].Name != "~/*" {
		t.Errorf("%+v", places)
	}
	b.file(".claude/projects/p/a.jsonl", "{}")
	b.in(".claude/projects/p")
	if places := b.places(); len(places) != 1 || places[0].Agent != "Claude Code" {
		t.Errorf("inside of a place: %+v", places)
	}
}

// TestPlacesAreMeasured: what an import would look at is counted, links and
// loops included, and counting ends.
func TestPlacesAreMeasured(t *testing.T) {
	b := newBench(t)
	home := b.Home
	b.file("p/a.jsonl", "12345")
	b.file("p/.hidden/b.txt", "123")
	b.file("other/c.jsonl", "1")
	for link, to := range map[string]string{"p/loop": "p", "p/other": "other", "p/again": "other", "p/dangling": "nowhere"} {
		if err := os.Symlink(filepath.Join(home, to), filepath.Join(home, link)); err != nil {
			return // links need a privilege here
		}
	}
	size := func(ctx context.Context) Size {
		s, err := b.Measure(ctx, Place{Paths: []string{filepath.Join(home, "p"), filepath.Join(home, "other"), filepath.Join(home, "none")}})
		if err != nil && ctx.Err() == nil {
			t.Error(err)
		}
		return s
	}
	if got := size(context.Background()); got != (Size{Files: 3, Bytes: 9}) {
		t.Errorf("%+v", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := size(ctx); got.Files != 0 {
		t.Errorf("after it was stopped: %+v", got)
	}
	c := counter{ctx: context.Background(), met: mostEntries - 1}
	for i := range 5 {
		b.file(fmt.Sprintf("many/%d/x.jsonl", i), "1")
	}
	c.visit(filepath.Join(home, "many"))
	if !c.more || c.files > 1 {
		t.Errorf("%d files, more: %v", c.files, c.more)
	}
}
