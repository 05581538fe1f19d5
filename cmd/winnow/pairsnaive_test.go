package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/export/lineage"
)

// forkSession is a session of a database, as "show" prints it.
type forkSession struct {
	ID       string `json:"id"`
	Parent   string `json:"parent"`
	At       int    `json:"parent_at"`
	now      []line
	recorded []line
	segments []verdictOn
	edits    []editRow
}

type line struct {
	N       int    `json:"n"`
	Part    int    `json:"part"`
	Role    string `json:"role"`
	Content string `json:"content"`
}

// verdictOn is a segment and what it was judged.
type verdictOn struct {
	ID      string `json:"id"`
	Session string `json:"session_id"`
	Start   int    `json:"start_line"`
	End     int    `json:"end_line"`
	verdict string
}

// editRow is a line for "edit --from". Messages are put in by Insert.
type editRow struct {
	ID     string `json:"id"`
	N      int    `json:"n"`
	Text   string `json:"text,omitempty"`
	Why    string `json:"why"`
	Drop   bool   `json:"drop,omitempty"`
	Insert *line  `json:"insert,omitempty"`
}

// forkBench are sessions that were made by chance, in one database.
type forkBench struct {
	*bench
	*rand.Rand
	all []*forkSession
}

// roundSessions is how many sessions are made.
const roundSessions = 20

// made makes a file of one session, which may hold a second one that branches off. It
// returns how many. Few different texts begin and go on alike often; one that stands
// nowhere else may be redacted.
func (b *forkBench) made(k int, branch bool) (text string, sessions int) {
	var out strings.Builder
	n, last, texts := 0, "", map[string]string{}
	add := func(role, content string) {
		n++
		id, parent := fmt.Sprintf("u%d-%d", k, n), "null"
		if last != "" {
			parent = fmt.Sprintf("%q", last)
		}
		said := fmt.Sprintf("%q", content)
		if role == "assistant" {
			said = fmt.Sprintf(`[{"type":"text","text":%q}]`, content)
		}
		fmt.Fprintf(&out, `{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":"s%d","message":{"role":%[1]q,"id":"m%[2]s","model":"claude","content":%[5]s}}`+"\n", role, id, parent, k, said)
		texts[id], last = content, id
	}
	turns := func(from, to int) {
		for i := from; i < to; i++ {
			if b.IntN(8) == 0 {
				add("user", fmt.Sprintf("key %d-%d", k, n))
			} else {
				add("user", fmt.Sprint("ask ", b.IntN(2)))
			}
			add("assistant", fmt.Sprint("say ", b.IntN(3)))
		}
	}
	add("user", fmt.Sprint("task ", b.IntN(3)))
	add("assistant", fmt.Sprint("say ", b.IntN(3)))
	count := 1 + b.IntN(3)
	turns(0, count)
	if !branch {
		return out.String(), 1
	}
	at := 1 + b.IntN(2*count) // messages of the session that the branch has, too
	last = fmt.Sprintf("u%d-%d", k, at)
	if at%2 == 1 { // another answer
		for was := texts[fmt.Sprintf("u%d-%d", k, at+1)]; ; {
			if text := fmt.Sprint("say ", b.IntN(4)); text != was {
				add("assistant", text)
				break
			}
		}
	}
	turns(0, 1+b.IntN(2))
	return out.String(), 2
}

// load imports what was made, splits some of it, edits it and judges it.
func (b *forkBench) load() {
	for k, n := 0, 0; n < roundSessions; k++ {
		text, sessions := b.made(k, n+2 <= roundSessions && b.IntN(2) == 0)
		b.file(fmt.Sprintf("s/%d.jsonl", k), text)
		n += sessions
	}
	b.ok("import", filepath.Join(b.vars["HOME"], "s"))
	each(b, func(t *forkSession) { b.all = append(b.all, t) }, "sessions")
	if len(b.all) != roundSessions {
		b.t.Fatalf("%d sessions", len(b.all))
	}
	for _, t := range b.all {
		t.recorded = b.lines(t.ID, "--recorded")
	}
	each(b, func(g *verdictOn) {
		if g.End-g.Start > 3 && b.IntN(2) == 0 {
			b.ok("split", g.ID, fmt.Sprint(g.Start+2))
		}
	}, "list", "--limit", "0")
	var rows bytes.Buffer
	for _, t := range b.all {
		b.edit(t)
		for i := range t.edits {
			text, err := json.Marshal(&t.edits[i])
			if err != nil {
				b.t.Fatal(err)
			}
			rows.Write(append(text, '\n'))
		}
	}
	b.ok("edit", "--from", b.file("rows.jsonl", rows.String()))
	each(b, func(g *verdictOn) {
		if g.verdict = []string{"approve", "reject", "reset"}[b.IntN(3)]; g.verdict != "reset" {
			b.ok(g.verdict, g.ID)
		}
		of := b.all[slices.IndexFunc(b.all, func(t *forkSession) bool { return t.ID == g.Session })]
		of.segments = append(of.segments, *g)
	}, "list", "--limit", "0")
	for _, t := range b.all {
		t.now = b.lines(t.ID)
	}
}

// edit makes edits of a session by chance, one of a message at most.
func (b *forkBench) edit(t *forkSession) {
	for _, m := range t.recorded {
		e := editRow{ID: t.ID, N: m.N, Why: "fix"}
		switch kind := b.IntN(12); {
		case strings.HasPrefix(m.Content, "key ") && kind < 6:
			e.Why, e.Text = "redact", "[gone]"
		case kind == 0 && m.Role == "user":
			e.Text = "ask 9"
		case kind < 3 && m.Role == "assistant":
			e.Text = "say " + []string{"7", "8"}[b.IntN(2)]
		case kind == 3 && m.N > 1 && m.N%2 == 1:
			e.Drop = true
		case kind == 4:
			e.Insert = &line{Role: "user", Content: "and so on"}
		default:
			continue
		}
		t.edits = append(t.edits, e)
	}
}

// each calls f with each row that a command prints.
func each[T any](b *forkBench, f func(*T), args ...string) {
	b.t.Helper()
	for text := range strings.Lines(b.ok(append(args, "--json")...)) {
		row := new(T)
		if err := json.Unmarshal([]byte(text), row); err != nil {
			b.t.Fatal(err)
		}
		f(row)
	}
}

func (b *forkBench) lines(id string, flags ...string) (list []line) {
	type shown struct {
		Messages []line `json:"messages"`
	}
	each(b, func(s *shown) { list = s.Messages }, append([]string{"show", id}, flags...)...)
	return list
}

// before is what the model of a branch saw before it: as it was recorded, but for what
// a redaction took out.
func (b *forkBench) before(t *forkSession) (list []line) {
	for _, p := range b.all {
		if p.ID != t.Parent {
			continue
		}
		for _, m := range p.recorded[:t.At] {
			for _, e := range p.edits {
				if e.N == m.N && e.Why == "redact" {
					m.Content = e.Text
				}
			}
			list = append(list, m)
		}
		return append(b.before(p), list...)
	}
	return nil
}

// told is an answer, and all that stands before it.
type told struct {
	before, own []string // own: of the session itself, from the segment on
	answer      string
	recorded    string // what stood there, if a curator rewrote it
	verdict     string
	ownWords    bool // the model gave it to just that
}

// answers are the answers of a session that were judged.
func (b *forkBench) answers(t *forkSession) (list []told) {
	path := b.before(t)
	for i, m := range t.now {
		for _, g := range t.segments {
			if m.Role != "assistant" || m.Part > 0 || m.N < g.Start || m.N > g.End || g.verdict == "reset" {
				continue
			}
			one := told{answer: m.Content, verdict: g.verdict, ownWords: true}
			for _, before := range append(slices.Clone(path), t.now[:i]...) {
				one.before = append(one.before, before.Role+" "+before.Content)
			}
			first := slices.IndexFunc(t.now, func(m line) bool { return m.N >= g.Start })
			if one.own = one.before[len(path)+first:]; g.Start == 1 {
				one.own = one.before
			}
			for _, e := range t.edits {
				if e.N == m.N && e.Insert == nil {
					one.recorded, one.ownWords = t.recorded[m.N-1].Content, false
				}
				if e.N < m.N && e.Why == "fix" {
					one.ownWords = false
				}
			}
			list = append(list, one)
		}
	}
	return list
}

// naive finds the pairs by a look at every two answers.
func (b *forkBench) naive() (all []string) {
	var list []told
	for _, t := range b.all {
		list = append(list, b.answers(t)...)
	}
	met := map[string]bool{}
	put := func(one *told, prompt []string, worse string) {
		key := fmt.Sprint(one.before, one.answer, worse)
		asks := func(m string) bool { return strings.HasPrefix(m, "user") }
		if met[key] || one.answer == worse || !slices.ContainsFunc(prompt, asks) || !asks(prompt[len(prompt)-1]) {
			return
		}
		met[key] = true
		var said []string
		for _, m := range prompt {
			if last := len(said) - 1; last >= 0 && !asks(m) && !asks(said[last]) {
				said[last] += strings.Replace(m, "assistant ", "\n\n", 1) // written as one message
			} else {
				said = append(said, m)
			}
		}
		all = append(all, fmt.Sprintf("%s: %s over %s", strings.Join(said, ", "), one.answer, worse))
	}
	for i := range list {
		for k := range list {
			if list[i].verdict == "approve" && list[k].verdict == "reject" && list[k].ownWords && slices.Equal(list[i].before, list[k].before) {
				put(&list[i], list[i].before, list[k].answer)
			}
		}
	}
	for i := range list {
		if one := &list[i]; one.verdict == "approve" && one.recorded != "" {
			put(one, one.own, one.recorded)
		}
	}
	slices.Sort(all)
	return all
}

// exported exports all pairs in two parts and returns them. It checks that sessions
// that begin alike are in one of the parts.
func (b *forkBench) exported(dir string) (all []string) {
	var report struct {
		Left []struct{ Segment, Check, Rejected string } `json:"left_out"`
	}
	code := b.run("export", "-o", dir+"/", "--as", "dpo", "--pairs", "1000", "--split", "train=0.5,validation=0.5", "--json")
	if err := json.Unmarshal(b.stdout.Bytes(), &report); err != nil || code == exitFailed {
		b.t.Fatal(code, err, b.stderr.String())
	}
	for _, l := range report.Left {
		if l.Rejected != "" && l.Check != "prompt_end" && l.Check != "no_user" {
			b.t.Errorf("left out: %+v", l)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "data", "*.jsonl"))
	if err != nil {
		b.t.Fatal(err)
	}
	for _, path := range files {
		for text := range strings.Lines(readAll(b.t, path)) {
			var row struct{ Prompt, Chosen, Rejected []line }
			if err := json.Unmarshal([]byte(text), &row); err != nil {
				b.t.Fatal(err)
			}
			var prompt []string
			for _, m := range row.Prompt {
				prompt = append(prompt, m.Role+" "+m.Content)
			}
			if row.Chosen[0].Content == row.Rejected[0].Content {
				b.t.Errorf("both sides are the same: %s", text)
			}
			all = append(all, fmt.Sprintf("%s: %s over %s", strings.Join(prompt, ", "), row.Chosen[0].Content, row.Rejected[0].Content))
		}
	}
	slices.Sort(all)
	b.apart(dir)
	return all
}

// apart checks that pairs of one task are in one part.
func (b *forkBench) apart(dir string) {
	task := map[string]string{} // how the session of a segment begins, by the segment
	for _, t := range b.all {
		begin := append(b.before(t), t.now...)[0].Content
		for _, g := range t.segments {
			task[g.ID] = begin
		}
	}
	in := map[string]string{}
	_, err := lineage.ReadFile(dir, func(s *lineage.Sample) error {
		part, _, _ := strings.Cut(filepath.Base(s.File), "-")
		for _, segment := range []string{s.Segment, s.Rejected.Segment} {
			if at, met := in[task[segment]]; met && at != part {
				b.t.Errorf("%s is in %s and in %s", task[segment], at, part)
			}
			in[task[segment]] = part
		}
		return nil
	}, nil)
	if err != nil {
		b.t.Error(err)
	}
}

// Pairs of edits and forks are those that a look at every two answers of all sessions
// finds; none lies in two parts of an export, and none has equal sides.
func TestPairsAreThoseOfEveryTwoAnswers(t *testing.T) {
	found, edits := 0, 0
	for seed := range uint64(20 / slower) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			b := &forkBench{bench: newBench(t), Rand: rand.New(rand.NewPCG(seed, 5))}
			b.load()
			got, want := b.exported(filepath.Join(b.vars["HOME"], "set")), b.naive()
			if !slices.Equal(got, want) {
				t.Errorf("wrote\n%s\nwanted\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			found += len(want)
			for _, t := range b.all {
				edits += len(t.edits)
			}
		})
	}
	if t.Logf("%d pairs, %d edits", found, edits); found == 0 || edits == 0 {
		t.Error("there is nothing to compare")
	}
}

func readAll(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
