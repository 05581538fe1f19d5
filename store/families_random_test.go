package store

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// uttered is one entry of a conversation: each says something that no other does,
// but for those that share it.
type uttered struct {
	id, parent, turn string
	kind             string // user, text, call, result, nothing
	text             string
	at               int
}

func (e *uttered) line(session string) string {
	if e.kind == "nothing" {
		return fmt.Sprintf(`{"type":"progress","uuid":%q,"parentUuid":%q,"sessionId":%q}`, e.id, e.parent, session)
	}
	content := fmt.Sprintf(`[{"type":"text","text":%q}]`, e.text)
	role := "assistant"
	switch e.kind {
	case "user":
		role, content = "user", strconv.Quote(e.text)
	case "call":
		content = fmt.Sprintf(`[{"type":"tool_use","id":"call-%s","name":"Bash","input":{"command":%q}}]`, e.id, e.text)
	case "result":
		role, content = "user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"call-%s","content":%q}]`, e.parent, e.text)
	}
	turn := ""
	if e.turn != "" {
		turn = fmt.Sprintf(`"id":%q,`, e.turn)
	}
	parent := "null"
	if e.parent != "" {
		parent = strconv.Quote(e.parent)
	}
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":%q,"timestamp":"2026-05-%02dT10:%02d:%02d.000Z","message":{%s"role":%q,"content":%s}}`,
		role, e.id, parent, session, 1+e.at/3600%28, e.at/60%60, e.at%60, turn, role, content)
}

// talks makes conversations.
type talks struct {
	*rand.Rand
	n int
}

// more returns n entries that go on after one, "" for none.
func (g *talks) more(parent string, n int) (list []uttered) {
	for len(list) < n {
		g.n++
		e := uttered{id: fmt.Sprintf("e%d", g.n), parent: parent, text: fmt.Sprintf("word%d", g.n), at: g.n}
		last := uttered{}
		if len(list) > 0 {
			last = list[len(list)-1]
		}
		switch {
		case last.kind != "call" && parent != "" && g.IntN(6) == 0:
			e.kind, e.text = "nothing", ""
		case last.kind == "call":
			e.kind = "result"
		case len(list) == 0 || last.kind == "nothing" || last.kind != "user" && g.IntN(3) == 0:
			e.kind = "user"
		default:
			e.kind = []string{"text", "call"}[g.IntN(2)]
			e.turn = fmt.Sprintf("m%d", g.n)
			if (last.kind == "text" || last.kind == "result") && g.IntN(2) == 0 {
				e.turn = last.turn // another line of the same answer
			}
		}
		if e.kind == "result" {
			e.turn = last.turn
		}
		list = append(list, e)
		parent = e.id
	}
	for i := range list {
		if list[i].kind == "result" || list[i].kind == "user" {
			list[i].turn = ""
		}
	}
	return list
}

// files returns two to four files that share ids, beginnings, ends or slices.
func (g *talks) files() [][]uttered {
	base := g.more("", 3+g.IntN(12))
	files := [][]uttered{base}
	for range 1 + g.IntN(3) {
		from := files[g.IntN(len(files))]
		cut := 1 + g.IntN(len(from))
		var f []uttered
		switch g.IntN(8) {
		case 0: // a beginning
			f = slices.Clone(from[:cut])
		case 1: // a beginning, and another end
			f = append(slices.Clone(from[:cut]), g.more(from[cut-1].id, 1+g.IntN(6))...)
		case 2: // a slice
			to := cut + g.IntN(len(from)-cut+1)
			f = slices.Clone(from[cut-1 : to])
		case 3: // what follows
			f = g.more(from[len(from)-1].id, 1+g.IntN(6))
		case 4: // an end, and what follows
			f = append(slices.Clone(from[cut-1:]), g.more(from[len(from)-1].id, 1+g.IntN(6))...)
		case 5: // the same first words, and nothing else
			f = g.more("", 2+g.IntN(6))
			f[0].text = base[0].text
		case 6: // another beginning, the same end
			f = append(g.more("", 1+g.IntN(4)), from[cut-1:]...)
		case 7: // all of it
			f = slices.Clone(from)
		}
		if len(f) > 0 {
			files = append(files, f)
		}
	}
	return files
}

// life is one way of importing files.
type life struct {
	t     testing.TB
	s     *Store
	agent string
	dir   string
	given map[string]string // what was judged, by the id of the segment
}

func (l *life) write(n int, entries []uttered) string {
	var b strings.Builder
	for i := range entries {
		b.WriteString(entries[i].line("s1") + "\n")
	}
	path := filepath.Join(l.dir, fmt.Sprintf("%d.jsonl", n))
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		l.t.Fatal(err)
	}
	return path
}

func (l *life) load(paths ...string) {
	im := &hub.Importer{Store: l.s, Clock: newClock().Now, Agent: l.agent, Jobs: 1}
	if _, err := im.Import(l.t.Context(), paths, nil); err != nil {
		l.t.Fatal(err)
	}
}

// texts returns what each session says, one word a message, and all segments.
func (l *life) texts() (sessions []string, segments map[string]string) {
	l.t.Helper()
	segments = map[string]string{}
	ids := map[string]string{}
	type session struct {
		id   string
		body int64
		n    int
	}
	all, err := sqlite.List(l.s.db.Rows(l.t.Context(), "SELECT id, body, messages FROM trajectory_records WHERE source_agent_id = ?", l.agent),
		func(s *session) []any { return []any{&s.id, &s.body, &s.n} })
	if err != nil {
		l.t.Fatal(err)
	}
	for _, s := range all {
		list, err := l.s.Messages(l.t.Context(), s.body, 1, s.n)
		if err != nil || len(list) != s.n {
			l.t.Fatalf("%d of %d messages: %v", len(list), s.n, err)
		}
		words := make([]string, len(list))
		for i := range list {
			words[i] = wordsOf(&list[i])
		}
		sessions = append(sessions, strings.Join(words, " "))
		ids[s.id] = sessions[len(sessions)-1]
		found, err := l.s.SegmentsOf(l.t.Context(), s.id)
		if err != nil {
			l.t.Fatal(err)
		}
		for _, g := range found {
			segments[g.ID] = strings.Join(words[g.Start-1:g.End], " ")
			if g.Verdict == review.Approved && !g.Stale && l.given[g.ID] != segments[g.ID] {
				l.t.Errorf("a verdict on %q stands on %q", l.given[g.ID], segments[g.ID])
			}
		}
	}
	slices.Sort(sessions)
	return sessions, segments
}

// wordsOf is all that is uttered in a message.
func wordsOf(m *chat.Message) string {
	list := strings.Fields(m.Content)
	for _, c := range m.ToolCalls {
		_, word, _ := strings.Cut(c.Arguments, `word`)
		word, _, _ = strings.Cut(word, `"`)
		list = append(list, "word"+word)
	}
	return strings.Join(list, "+")
}

// judge approves a segment of those that there are.
func (l *life) judge(r *rand.Rand) {
	_, segments := l.texts()
	for _, id := range slices.Sorted(maps.Keys(segments)) {
		if r.IntN(2) == 0 {
			judge(l.t, l.s, "ann", review.Approved, id)
			l.given[id] = segments[id]
		}
	}
}

// families is the number of random sets of files.
func families(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv("FAMILIES")); err == nil {
		return n
	}
	return 60 / slower
}

// TestRandomFamilies: of files that share messages every message is in one
// session, whatever was imported when, and no verdict is on other content.
func TestRandomFamilies(t *testing.T) {
	s := openTemp(t)
	dir := t.TempDir()
	first := 0
	if n, err := strconv.Atoi(os.Getenv("FAMILY")); err == nil {
		first = n
	}
	for seed := first; seed < first+families(t); seed++ {
		g := &talks{Rand: rand.New(rand.NewPCG(uint64(seed), 1))}
		files := g.files()
		want := wanted(files)
		var all []string
		for way := range 2 {
			l := &life{t: t, s: s, agent: fmt.Sprintf("%d-%d", seed, way), dir: filepath.Join(dir, strconv.Itoa(seed), strconv.Itoa(way)), given: map[string]string{}}
			if err := os.MkdirAll(l.dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if way == 0 {
				for n, f := range files {
					l.write(n, f)
				}
				l.load(l.dir)
			} else {
				l.live(g, files)
			}
			sessions, _ := l.texts()
			if way == 0 {
				all = sessions
			}
			if got := counted(sessions); !maps.Equal(got, want) {
				t.Errorf("seed %d, way %d: %s", seed, way, difference(want, got))
			} else if !slices.Equal(all, sessions) {
				t.Errorf("seed %d: in another order %q, not %q", seed, sessions, all)
			}
			if t.Failed() {
				for n, f := range files {
					t.Logf("file %d: %+v", n, f)
				}
				clean(t, s)
				t.FailNow()
			}
			if err := os.RemoveAll(l.dir); err != nil {
				t.Fatal(err)
			}
		}
		if seed%100 == 99 {
			clean(t, s)
			s = openTemp(t)
		}
	}
	clean(t, s)
}

// live imports files piece by piece in a random order, and judges meanwhile.
func (l *life) live(g *talks, files [][]uttered) {
	order := g.Perm(len(files))
	var steps []func()
	for _, n := range order {
		if f := files[n]; len(f) > 1 && g.IntN(2) == 0 {
			part := f[:1+g.IntN(len(f)-1)]
			steps = append(steps, func() { l.load(l.write(n, part)) })
		} else {
			steps = append(steps, func() { l.load(l.write(n, f)) })
		}
	}
	for _, n := range g.Perm(len(files)) {
		steps = append(steps, func() { l.load(l.write(n, files[n])) })
	}
	for _, step := range steps {
		step()
		if g.IntN(2) == 0 {
			l.judge(g.Rand)
		}
		l.texts()
	}
	l.load(l.dir)
}

// wanted is what must be uttered how often: the words of each entry once, those
// that several entries share as often as these.
func wanted(files [][]uttered) map[string]int {
	want, seen := map[string]int{}, map[string]bool{}
	for _, f := range files {
		for i := range f {
			if e := &f[i]; !seen[e.id] && e.text != "" {
				seen[e.id] = true
				want[e.text]++
			}
		}
	}
	return want
}

func counted(sessions []string) map[string]int {
	got := map[string]int{}
	for _, s := range sessions {
		for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '+' }) {
			got[word]++
		}
	}
	return got
}

func difference(want, got map[string]int) string {
	var b strings.Builder
	for _, word := range slices.Sorted(maps.Keys(want)) {
		if want[word] != got[word] {
			fmt.Fprintf(&b, "%s is there %d times, not %d; ", word, got[word], want[word])
		}
	}
	return b.String()
}
