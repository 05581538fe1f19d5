package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/session"
	"winnow/store/sqlite"
)

// mutants is how many changed sources of each format TestMutants imports;
// MUTANTS in the environment asks for others.
const mutants = 64

const (
	// mutantsAtOnce is how many of each format are in one folder.
	mutantsAtOnce = 8
	// broods is how many folders share a database.
	broods = 4
)

// TestMutants imports samples of all formats as they never should be: with
// parents that are missing or in a circle, ids that stand twice, other types,
// lines lost, doubled, exchanged and damaged. Whatever it is, what is stored is
// what was read, the doctor finds nothing, the same source again changes
// nothing, and a source that grew is stored as one that was there at once.
func TestMutants(t *testing.T) {
	n := mutants / slower
	if text := os.Getenv("MUTANTS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	samples := mutantSamples(t)
	const step = mutantsAtOnce * broods
	for from := 0; from < n; from += step {
		t.Run(fmt.Sprint(from), func(t *testing.T) {
			t.Parallel()
			all := newFolder(t)
			for at := from; at < min(from+step, n); at += mutantsAtOnce {
				b := &brood{folder: &folder{t: t, s: all.s, dir: filepath.Join(all.dir, fmt.Sprint(at))}}
				for _, format := range slices.Sorted(maps.Keys(samples)) {
					for i := at; i < min(at+mutantsAtOnce, n); i++ {
						b.make(format, samples[format], i)
					}
				}
				b.run()
			}
			(&brood{folder: all}).together()
		})
	}
}

const (
	// maxMutant is the size of samples: many small sources find more than
	// a few large ones.
	maxMutant     = 24 << 10
	maxMutantLine = 6 << 10
)

// mutantSamples returns the sample sources, and the real ones if they are
// beside the checkout, by the format they are recognized as.
func mutantSamples(t *testing.T) map[string][][]*value {
	samples := map[string][][]*value{}
	for _, dir := range []string{"../testdata/formats", "../testdata/sessions", "../../shared/data"} {
		err := filepath.WalkDir(filepath.FromSlash(dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || filepath.Ext(path) == ".golden" {
				return nil
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return nil // there are such among the hostile ones
			}
			var lines []*value
			size := 0
			for _, v := range valuesOf(src[:min(len(src), 8*maxMutant)]) {
				if n := len(v.append(nil)); n <= maxMutantLine || len(lines) == 0 && n < maxMutant {
					lines = append(lines, v)
					size += n
				}
				if size > maxMutant {
					break
				}
			}
			if len(lines) == 0 {
				return nil
			}
			if read := readPlain(t, src); read.state.Format != "" && len(read.keys) > 0 {
				samples[read.state.Format] = append(samples[read.state.Format], lines)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(samples) < 8 {
		t.Fatalf("samples of %d formats", len(samples))
	}
	return samples
}

// brood is a folder of mutants. Few are of one sample, so that they are hardly
// ever taken for copies.
type brood struct {
	*folder
	list []*mutant
}

// mutant is one source.
type mutant struct {
	name string
	src  []byte
	ends []int // where it is cut while it grows
	want *plain
}

// make adds the mutant of a format with that number: always the same.
func (b *brood) make(format string, samples [][]*value, n int) {
	name := fnv.New64()
	fmt.Fprint(name, format)
	rng := rand.New(rand.NewPCG(name.Sum64(), uint64(n)))
	lines := func(n int) (list []*value) {
		for _, v := range samples[n%len(samples)] {
			list = append(list, v.clone())
		}
		return list
	}
	src := (&mutator{rng, lines(n), lines(rng.Int())}).mutate()
	m := &mutant{name: fmt.Sprintf("%s-%d.jsonl", format, n), src: src, want: readPlain(b.t, src)}
	for range 2 {
		m.ends = append(m.ends, rng.IntN(len(src)+1))
	}
	slices.Sort(m.ends)
	m.ends = append(m.ends, len(src))
	b.list = append(b.list, m)
}

// run imports all mutants at once, again, and growing. If there is something
// wrong it looks for those that alone give the same.
func (b *brood) run() {
	wrong := b.whole(b.list) + b.grown(b.list)
	if wrong == "" {
		return
	}
	b.t.Error(wrong)
	for _, m := range b.list {
		alone := &brood{folder: newFolder(b.t)}
		wrong := alone.whole([]*mutant{m}) + alone.grown([]*mutant{m}) + alone.sick()
		if wrong == "" {
			continue
		}
		path := filepath.Join(os.TempDir(), m.name)
		if err := os.WriteFile(path, m.src, 0o600); err != nil {
			b.t.Fatal(err)
		}
		b.t.Errorf("kept as %s, cut at %v:%s", path, m.ends, wrong)
	}
}

// together imports all that lies in the folder and below it as one agent's, who
// has many sessions that are alike, and has the doctor look at it.
func (b *brood) together() {
	b.importAs("all")
	if r := b.importAs("all"); r.New+r.Updated+r.NewMessages > 0 {
		b.t.Errorf("all again: %d new, %d updated, %d messages", r.New, r.Updated, r.NewMessages)
	}
	if wrong := b.sick(); wrong != "" {
		b.t.Error(wrong)
	}
}

// sick returns what the doctor finds.
func (b *brood) sick() (text string) {
	found, err := b.s.Check(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	for i := range found {
		text += "\n" + found[i].String()
	}
	return text
}

// put writes a source up to an end, with a date that none had.
func (b *brood) put(m *mutant, end int) {
	path := filepath.Join(b.dir, m.name)
	err := errors.Join(os.MkdirAll(b.dir, 0o700), os.WriteFile(path, m.src[:end], 0o600))
	b.age++
	when := time.Date(2026, 5, 1, 0, 0, b.age, 0, time.UTC)
	if err := errors.Join(err, os.Chtimes(path, when, when)); err != nil {
		b.t.Fatal(err)
	}
}

// importAs imports the folder as an agent's, and sees that the report tells what
// that did to the database.
func (b *brood) importAs(agent string) hub.Report {
	before := b.stored(agent)
	im := &hub.Importer{Store: b.s, Clock: newClock().Now, Agent: agent, Jobs: 1}
	r, err := im.Import(b.t.Context(), []string{b.dir}, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, no := range r.Refused {
		b.t.Errorf("%s: %v", no.Path, no.Err)
	}
	after := b.stored(agent)
	born, changed, touched, was, is, came := 0, 0, 0, 0, 0, 0
	for id, row := range after {
		is += row.messages
		old, there := before[id]
		came += max(0, row.messages-old.messages)
		switch same := old; {
		case !there:
			born++
		default:
			if same.touched = row.touched; same != row {
				changed++
			}
			if old != row {
				touched++
			}
		}
	}
	for _, row := range before {
		was += row.messages
	}
	if r.New != born || r.Updated < changed || r.Updated > touched {
		b.t.Errorf("%s: %d new, %d updated, but %d are new, %d changed, %d were written", agent, r.New, r.Updated, born, changed, touched)
	}
	if r.Messages != is || r.NewMessages < is-was || r.NewMessages > came {
		b.t.Errorf("%s: %d messages, %d of them new, but %d are stored, %d before", agent, r.Messages, r.NewMessages, is, was)
	}
	return r
}

// storedRow is what an import tells about a session.
type storedRow struct {
	file, trace       string
	messages, touched int
}

// stored returns an agent's sessions by their ids.
func (b *brood) stored(agent string) map[string]storedRow {
	const text = "SELECT id, session_file, coalesce(hex(trace), ''), messages, touched FROM trajectory_records WHERE source_agent_id = ?"
	all := map[string]storedRow{}
	var id string
	var r storedRow
	rows := b.s.db.Rows(b.t.Context(), text, agent)
	for range rows.Into(&id, &r.file, &r.trace, &r.messages, &r.touched) {
		all[id] = r
	}
	if err := rows.Err(); err != nil {
		b.t.Fatal(err)
	}
	return all
}

// whole imports sources at once, and again with other dates.
func (b *brood) whole(list []*mutant) (wrong string) {
	agent := "whole " + b.dir
	for _, m := range list {
		b.put(m, len(m.src))
	}
	b.importAs(agent)
	wrong = b.compare(agent, list)
	for _, m := range list {
		b.put(m, len(m.src))
	}
	if r := b.importAs(agent); r.New+r.Updated+r.NewMessages > 0 {
		wrong += fmt.Sprintf("\nagain: %d new, %d updated, %d messages", r.New, r.Updated, r.NewMessages)
	}
	return wrong
}

// grown imports sources while they grow.
func (b *brood) grown(list []*mutant) string {
	agent := "grown " + b.dir
	for i := range list[0].ends {
		for _, m := range list {
			b.put(m, m.ends[i])
		}
		b.importAs(agent)
	}
	return b.compare(agent, list)
}

// compare compares what is stored with what was read.
func (b *brood) compare(agent string, list []*mutant) (wrong string) {
	errorf := func(format string, args ...any) { wrong += fmt.Sprintf("\n"+agent[:5]+": "+format, args...) }
	sources, err := b.s.Sources(b.t.Context(), agent)
	if err != nil {
		b.t.Fatal(err)
	}
	rows, err := b.s.sessionRows(b.t.Context(), "SELECT "+sessionColumns+" FROM trajectory_records WHERE source_agent_id = ?", agent)
	if err != nil {
		b.t.Fatal(err)
	}
	sessions := map[string]review.Session{}
	for _, s := range rows {
		sessions[s.File] = s
	}
	for _, m := range list {
		src := sources[filepath.Join(b.dir, m.name)]
		if src == nil {
			errorf("%s is not stored", m.name)
			continue
		}
		if got, want := b.issues(src.ID), m.want.issues; !slices.Equal(got, want) {
			errorf("%s: the ledger has\n%+v, want\n%+v", m.name, got, want)
		}
		if got, want := src.Counts(), m.want.counts(); got != want || src.State.Lines != m.want.state.Lines {
			errorf("%s: %d lines, %+v, want %d, %+v", m.name, src.State.Lines, got, m.want.state.Lines, want)
		}
		elsewhere, here, err := b.s.Shares(b.t.Context(), src.ID)
		if err != nil {
			b.t.Fatal(err)
		}
		if elsewhere || here { // of one sample as another one: they hold the same messages
			maps.DeleteFunc(sessions, func(name string, s review.Session) bool { return s.SourceID == src.ID })
			continue
		}
		for key, want := range m.want.sessions {
			name := src.Path
			if key != "" {
				name += "#" + key
			}
			s, ok := sessions[name]
			delete(sessions, name)
			if src.Copies > 0 {
				continue
			}
			if !ok || s.Messages != len(want.packed) {
				errorf("%s: session %q has %d messages, want %d", m.name, key, s.Messages, len(want.packed))
				continue
			}
			if n, got := b.differs(&s, want); n > 0 {
				errorf("%s: session %q: message %d is\n%q, want\n%q", m.name, key, n, got, want.packed[n-1])
			}
		}
	}
	for name := range sessions {
		errorf("session %s was not read", name)
	}
	return wrong
}

// issues returns what the ledger has of a source.
func (b *brood) issues(source int64) []session.Issue {
	const text = "SELECT line, offset, length, severity, reason FROM import_issues WHERE source_id = ? ORDER BY id"
	list, err := sqlite.List(b.s.db.Rows(b.t.Context(), text, source), func(i *session.Issue) []any {
		return []any{&i.Line, &i.Offset, &i.Length, &i.Severity, &i.Reason}
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

// differs returns the first message of a stored session that is not what was
// read, and its number; 0 if there is none.
func (b *brood) differs(s *review.Session, want *plainSession) (int, []byte) {
	got, err := b.s.Messages(b.t.Context(), s.Body, 1, s.Messages)
	if err != nil {
		b.t.Fatal(err)
	}
	for i := range got {
		if p := packed(&got[i]); !bytes.Equal(p, want.packed[i]) {
			return i + 1, p
		}
	}
	return 0, nil
}

// plain keeps what is read as lists.
type plain struct {
	state    session.State
	pending  int64
	keys     []string
	issues   []session.Issue
	sessions map[string]*plainSession
}

type plainSession struct{ packed [][]byte }

func readPlain(t testing.TB, src []byte) *plain {
	p := &plain{sessions: map[string]*plainSession{}}
	text, _, err := session.Decode(bytes.NewReader(src))
	if err != nil {
		return p
	}
	res, err := session.Read(context.Background(), text, session.Options{}, session.State{}, p)
	if err != nil {
		t.Fatal(err)
	}
	p.state, p.pending = res.State, res.Pending
	for key, s := range p.sessions {
		if len(s.packed) == 0 {
			delete(p.sessions, key)
		}
	}
	return p
}

func (p *plain) counts() session.Counts {
	c := p.state.Counts
	c.Pending = p.pending
	return c
}

func (p *plain) of(key string) *plainSession {
	if p.sessions[key] == nil {
		p.keys = append(p.keys, key)
		p.sessions[key] = &plainSession{}
	}
	return p.sessions[key]
}

func packed(m *chat.Message) []byte {
	it := *m
	it.N = 0
	return chat.AppendMessage(nil, &it)
}

func (p *plain) Meta(string, session.Meta) error { return nil }

func (p *plain) Message(key string, m *chat.Message) error {
	s := p.of(key)
	s.packed = append(s.packed, packed(m))
	return nil
}

func (p *plain) Amend(key string, back int, m *chat.Message) error {
	s := p.of(key)
	s.packed[len(s.packed)-1-back] = packed(m)
	return nil
}

func (p *plain) Move(from string, after int, to string) error {
	source, target := p.of(from), p.of(to)
	target.packed = append(target.packed, source.packed[after:]...)
	source.packed = source.packed[:after:after]
	return nil
}

func (p *plain) Issue(i session.Issue) error {
	p.issues = append(p.issues, i)
	return nil
}

func (p *plain) LineDone(*session.State) error { return nil }
