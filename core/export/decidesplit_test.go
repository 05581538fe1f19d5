package export

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

var twoParts = []Split{{Name: "train", Share: 0.8}, {Name: "validation", Share: 0.2}}

// growing is a data set that sessions are added to.
type growing struct {
	r        *rand.Rand
	rows     []row
	texts    []string
	shingles []map[string]bool
}

// add adds a session of some samples. One of them may be a variant of one that
// is there, or a copy.
func (g *growing) add() {
	n := len(g.rows)
	session := fmt.Sprintf("session-%d", n)
	place := lotOf(&review.Session{AgentID: "a", File: "/data/" + session + ".jsonl"}, 1)
	like := g.r.IntN(3) == 0 && n > 0
	for i := range 1 + g.r.IntN(3) {
		words := make([]string, 20+g.r.IntN(200))
		for j := range words {
			words[j] = fmt.Sprint("w", g.r.IntN(100_000))
		}
		text := strings.Join(words, " ")
		if like && i == 0 {
			words = strings.Fields(g.texts[g.r.IntN(n)])
			for range g.r.IntN(1 + len(words)/20) { // down to a similarity of 0.6
				words[g.r.IntN(len(words))] = "changed"
			}
			text = strings.Join(words, " ")
		}
		row := rowSaying(fmt.Sprint(n, "-", i), session, text)
		row.lot, row.joined = place, int64(n)
		g.rows, g.texts, g.shingles = append(g.rows, row), append(g.texts, text), append(g.shingles, shinglesOf(text))
	}
}

// shinglesOf are the runs of five words of a text.
func shinglesOf(text string) map[string]bool {
	words, set := strings.Fields(text), map[string]bool{}
	for i := range len(words) - 4 {
		set[strings.Join(words[i:i+5], " ")] = true
	}
	return set
}

// exactly is how similar two texts are.
func exactly(x, y map[string]bool) float64 {
	both := 0
	for s := range x {
		if y[s] {
			both++
		}
	}
	return float64(both) / float64(len(x)+len(y)-both)
}

// Whatever is added: no session and no pair of near duplicates lies in two
// parts, and what was there stays where it was.
func TestSplitHoldsWhatBelongsTogether(t *testing.T) {
	for seed := range uint64(10 / slower) {
		g := &growing{r: rand.New(rand.NewPCG(seed, 1))}
		var before []verdictOfRow
		for step := range 6 {
			for range 15 {
				g.add()
			}
			got := decide(g.rows, &Options{Splits: twoParts})
			for i := range got {
				for j := range i {
					if got[i].split == got[j].split {
						continue
					}
					if g.rows[i].session == g.rows[j].session {
						t.Fatalf("seed %d: a session in two parts", seed)
					}
					few := min(len(g.shingles[i]), len(g.shingles[j])) < 40 // those are alike only if they are equal
					if s := exactly(g.shingles[i], g.shingles[j]); s >= nearDuplicate && !few || s == 1 {
						t.Fatalf("seed %d: texts with a similarity of %.2f in two parts", seed, s)
					}
				}
			}
			for i := range before {
				if before[i].split != got[i].split {
					t.Fatalf("seed %d, step %d: sample %d was in %s and is in %s", seed, step, i, before[i].split, got[i].split)
				}
			}
			before = got
		}
	}
}

// The one case in which a part must change: what is new is like two that had
// nothing in common. The later ones follow the first.
func TestSplitJoinsWhatANewSessionJoins(t *testing.T) {
	one, two := textOf("one", 100, 0), textOf("two", 100, 0)
	at := func(r row, at uint64, joined int64) row {
		r.lot.at, r.joined = at, joined
		return r
	}
	rows := []row{at(rowSaying("1", "a", one), math.MaxUint64, 2), at(rowSaying("2", "b", two), 0, 1)}
	if got := decide(rows, &Options{Splits: twoParts}); got[0].split != "validation" || got[1].split != "train" {
		t.Fatal(got)
	}
	rows = append(rows, at(rowSaying("3", "c", one), math.MaxUint64, 3), at(rowSaying("4", "c", two), math.MaxUint64, 3))
	for i, v := range decide(rows, &Options{Splits: twoParts}) {
		if v.split != "train" {
			t.Errorf("sample %d is in %s", i+1, v.split)
		}
	}
}

func TestSplitMeetsItsShares(t *testing.T) {
	const n = 4000
	parts := []Split{{Name: "train", Share: 0.7}, {Name: "validation", Share: 0.2}, {Name: "test", Share: 0.1}}
	sides := map[uint64][]string{}
	for _, seed := range []uint64{1, 2} {
		var rows []row
		for i := range n {
			id := fmt.Sprint(i)
			r := row{sample: id, session: id, lot: lotOf(&review.Session{AgentID: "a", File: "/d/x.jsonl#L" + id}, seed)}
			copy(r.messages[:], id)
			rows = append(rows, r)
		}
		counts := map[string]int{}
		for _, v := range decide(rows, &Options{Splits: parts}) {
			counts[v.split]++
			sides[seed] = append(sides[seed], v.split)
		}
		for _, p := range parts {
			// Four standard deviations of so many throws.
			if d := math.Abs(float64(counts[p.Name]) - n*p.Share); d > 4*math.Sqrt(n*p.Share*(1-p.Share)) {
				t.Errorf("seed %d: %d in %s", seed, counts[p.Name], p.Name)
			}
		}
	}
	if slices.Equal(sides[1], sides[2]) {
		t.Error("the seed changes nothing")
	}
}

// Sessions that belong together and came at the same time fall into a part as
// often as one alone does.
func TestSplitMeetsItsSharesWithDuplicates(t *testing.T) {
	const clusters, each = 2000, 4
	var rows []row
	for i := range clusters * each {
		id := fmt.Sprint(i)
		r := row{sample: id, session: id, lot: lotOf(&review.Session{File: "/d/x.jsonl#L" + id}, 1)}
		copy(r.messages[:], fmt.Sprint(i/each))
		rows = append(rows, r)
	}
	n := 0
	for _, v := range decide(rows, &Options{Splits: twoParts}) {
		if v.split == "validation" {
			n++
		}
	}
	if share := float64(n) / (clusters * each); math.Abs(share-0.2) > 4*math.Sqrt(0.2*0.8/clusters) {
		t.Errorf("%.3f of the samples are in the part of 0.2", share)
	}
}

// A session falls where it fell, wherever its file lies and whichever database
// it was read into; sessions of one file, or of files of one name, do not all
// fall to one place.
func TestPlaceOfASession(t *testing.T) {
	at := func(agent, file, native string) lot {
		return lotOf(&review.Session{ID: file + native, AgentID: agent, File: file, NativeID: native}, 1)
	}
	for _, c := range []struct {
		name string
		a, b lot
		same bool
	}{
		{"moved", at("a", "/x/p/s.jsonl", "n1"), at("a", "/y/q/s.jsonl", "n1"), true},
		{"moved with its folder", at("a", "/x/p/s.jsonl", ""), at("a", "/y/p/s.jsonl", ""), true},
		{"moved to another system", at("a", "/x/p/s.jsonl#L2", ""), at("a", `C:\x\p\s.jsonl#L2`, ""), true},
		{"a line inserted before it", at("a", "/x/s.jsonl#L2", "n1"), at("a", "/x/s.jsonl#L3", "n1"), true},
		{"another line", at("a", "/x/s.jsonl#L2", ""), at("a", "/x/s.jsonl#L3", ""), false},
		{"another session of the file", at("a", "/x/s.jsonl#s=n1", "n1"), at("a", "/x/s.jsonl#s=n2", "n2"), false},
		{"a branch", at("a", "/x/s.jsonl", "n1"), at("a", "/x/s.jsonl#b=e1", "n1"), false},
		{"files of one name", at("a", "/x/1/s.jsonl", ""), at("a", "/x/2/s.jsonl", ""), false},
		{"another agent", at("a", "/x/s.jsonl", "n1"), at("b", "/x/s.jsonl", "n1"), false},
	} {
		if (c.a == c.b) != c.same {
			t.Errorf("%s: same place %v", c.name, c.a == c.b)
		}
	}
}

// What comes first is what was judged first, where verdicts decide, else what
// was imported first.
func TestSplitKnowsWhatCameFirst(t *testing.T) {
	rows := []row{
		{sample: "1", joined: 2, created: 1}, {sample: "2", joined: 1, created: 2},
		{sample: "3", joined: 1, created: 1, lot: lot{at: 1, rank: 3}}, {sample: "4", joined: 1, created: 1, lot: lot{at: 2, rank: 2}},
	}
	d := decision{rows: rows}
	order := []int{0, 1, 2, 3}
	slices.SortFunc(order, func(i, j int) int {
		if d.older(i, j) {
			return -1
		}
		return 1
	})
	if !slices.Equal(order, []int{3, 2, 1, 0}) {
		t.Error(order)
	}
}

// An export of a growing library: every session is in one file, texts that are
// alike are in one file, and what was in a file stays in it.
func TestRunSplitsByWhatBelongsTogether(t *testing.T) {
	l := &library{}
	grow := func(n int) {
		for range n {
			i := len(l.sessions)
			// Of four sessions two are about the same.
			text := textOf(fmt.Sprint("k", i-i%4%2), 60, 0)
			l.add(nil, user(text), says(fmt.Sprint("answer ", i)))
			// A second segment of the session, about something else.
			seg := l.segments[len(l.segments)-1]
			seg.ID, seg.Index, seg.Start, seg.End = seg.ID+"b", 1, 3, 4
			more := []chat.Message{user(fmt.Sprint("thanks for ", i)), says("bye")}
			seg.Digest = chat.DigestOf(more)
			l.messages[seg.Body] = append(l.messages[seg.Body], more...)
			l.segments = append(l.segments, seg)
		}
	}
	var before map[string]string
	for range 3 {
		grow(40)
		dir := t.TempDir() + "/"
		r := run(t, l, Options{Path: dir, Splits: twoParts})
		files := map[string]string{} // by sample
		sessions, topics := map[string]string{}, map[string]string{}
		for _, f := range r.Files {
			for line := range strings.Lines(read(t, f.Path)) {
				s, err := hf.Read([]byte(strings.TrimSuffix(line, "\n")))
				if err != nil {
					t.Fatal(err)
				}
				part, _, _ := strings.Cut(filepath.Base(f.Path), "-")
				session, _, _ := strings.Cut(s.ID, "-")
				files[s.ID] = part
				if was, met := sessions[session]; met && was != part {
					t.Errorf("session %s is in %s and in %s", session, was, part)
				}
				sessions[session] = part
				if topic := strings.Fields(s.Messages[0].Content)[0]; topic != "thanks" {
					if was, met := topics[topic]; met && was != part {
						t.Errorf("%s is in %s and in %s", topic, was, part)
					}
					topics[topic] = part
				}
			}
		}
		if len(files) != len(l.segments) || r.Splits[0].Samples == 0 || r.Splits[1].Samples == 0 {
			t.Errorf("%d of %d samples, %+v", len(files), len(l.segments), r.Splits)
		}
		for id, part := range before {
			if files[id] != part {
				t.Errorf("sample %s was in %s and is in %s", id, part, files[id])
			}
		}
		before = files
	}
}

// What was held back before is not trained, and neither is what is like it, whatever the
// lots say; all else stays where it is.
func TestWhatWasHeldBackIsNotTrained(t *testing.T) {
	g := growing{r: rand.New(rand.NewPCG(5, 5))}
	for range 60 {
		g.add()
	}
	before := decide(g.rows, &Options{Splits: twoParts})
	moved := 0
	for i := range g.rows {
		rows := slices.Clone(g.rows)
		rows[i].held = true
		after := decide(rows, &Options{Splits: twoParts})
		if after[i].split != "validation" {
			t.Errorf("%s is in %s", rows[i].sample, after[i].split)
		}
		for j := range rows {
			if after[j].split == before[j].split {
				continue
			}
			moved++
			if after[j].split != "validation" || before[i].split != "train" || before[j].split != "train" {
				t.Errorf("%s went from %s to %s as %s was held back", rows[j].sample, before[j].split, after[j].split, rows[i].sample)
			}
			if rows[j].session != rows[i].session && j != i && exactly(g.shingles[i], g.shingles[j]) == 0 && !like(&g, i, j) {
				t.Errorf("%s has nothing to do with %s", rows[j].sample, rows[i].sample)
			}
		}
		if one := decide(rows, &Options{Splits: []Split{{Name: "train", Share: 1}}}); one[i].split != "train" {
			t.Errorf("there is no other part than %q", one[i].split)
		}
	}
	if moved < len(g.rows) {
		t.Errorf("only %d moved", moved)
	}
}

// like reports whether the sessions of two samples are joined by others that are like
// some of theirs.
func like(g *growing, i, j int) bool {
	reached, grown := map[string]bool{g.rows[i].session: true}, true
	for grown {
		grown = false
		for a := range g.rows {
			for b := range g.rows {
				if reached[g.rows[a].session] && !reached[g.rows[b].session] && exactly(g.shingles[a], g.shingles[b]) > 0.3 {
					reached[g.rows[b].session], grown = true, true
				}
			}
		}
	}
	return reached[g.rows[j].session]
}
