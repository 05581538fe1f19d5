package export

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/export/lineage"
	"winnow/core/review"
	"winnow/core/session"
)

// A branch forks off its parent, and so do two branches of it.
func TestPairsAlongBranches(t *testing.T) {
	branch := func(parent string, at int, verdict review.Verdict) func(*review.Segment, *review.Session) {
		return func(seg *review.Segment, sess *review.Session) {
			seg.Verdict, sess.Body, sess.Parent = verdict, seg.Body, parent
			sess.Origin = session.Origin{Kind: session.Branch, At: at}
		}
	}
	l := &library{}
	l.add(nil, sys("s"), user("u"), says("good"), user("v"), says("fine"))
	l.add(branch("session-0", 2, review.Rejected), says("bad"), user("w"))
	l.add(branch("session-0", 4, review.Rejected), says("poor"))
	l.add(branch("session-2", 0, review.Rejected), says("from nowhere"))
	for id, s := range l.sessions {
		if s.Parent == "" {
			s.Body = 0
			l.sessions[id] = s
		}
	}
	got, _, report := pairsOf(t, l, Options{})
	if want := []string{"s u: good over bad", "s u good v: fine over poor"}; !slices.Equal(got, want) {
		t.Errorf("wrote %q, not %q", got, want)
	}
	if len(report.LeftOut) != 1 || report.LeftOut[0].Check != fork {
		t.Errorf("left out %v", report.LeftOut)
	}
}

// Twenty runs with equal beginnings, judged by a rule, give the pairs that a look
// at every two of them gives.
func TestPairsAreThoseOfEveryTwoRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		l := &library{}
		var runs [][]string
		var good []bool
		for n := range 20 {
			messages := []chat.Message{sys("s"), user("u" + string("12"[rng.IntN(2)]))}
			for range 1 + rng.IntN(5) {
				answer := says("a" + string("123"[rng.IntN(3)]))
				if rng.IntN(3) == 0 {
					id := fmt.Sprintf("call-%d-%d", n, rng.IntN(1000)) // of this run only
					answer = calls(id)
					answer.Content = "c" + string("12"[rng.IntN(2)])
					messages = append(messages, answer, result(id, "r"+string("12"[rng.IntN(2)])))
					continue
				}
				messages = append(messages, answer, user("v"+string("12"[rng.IntN(2)])))
			}
			var words []string
			ends := 0
			for i := range messages {
				words = append(words, messages[i].Content)
				ends += len(messages[i].Content) * (i + 1)
			}
			runs, good = append(runs, words), append(good, ends%3 == 0)
			l.add(func(seg *review.Segment, sess *review.Session) {
				if !good[n] {
					seg.Verdict = review.Rejected
				}
				sess.Body, sess.Tools = seg.Body, toolsRecorded
			}, messages...)
		}
		var want []string
		for i := range runs {
			for j := range runs {
				if !good[i] || good[j] {
					continue
				}
				for k := range min(len(runs[i]), len(runs[j])) {
					if a, b := runs[i][k], runs[j][k]; a != b {
						if strings.Contains("ac", a[:1]) && strings.Contains("ac", b[:1]) {
							want = append(want, strings.Join(runs[i][:k], " ")+": "+a+" over "+b)
						}
						break
					}
				}
			}
		}
		slices.Sort(want)
		want = slices.Compact(want)
		got, _, _ := pairsOf(t, l, Options{Pairs: 1000})
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("of %q, good %v\nwrote  %q\nwanted %q", runs, good, got, want)
		}
	}
}

// At most so many pairs of a prompt are written, and the same ones each time.
func TestMostPairsOfAPrompt(t *testing.T) {
	l := &library{}
	for i := range 6 {
		l.add(nil, user("u"), says(fmt.Sprint("good", i)))
		l.add(rejected, user("u"), says(fmt.Sprint("bad", i)))
	}
	for most, want := range map[int]int{0: MostPairs, 2: 2, 100: 36} {
		got, _, report := pairsOf(t, l, Options{Pairs: most})
		again, _, _ := pairsOf(t, l, Options{Pairs: most})
		if len(got) != want || !slices.Equal(got, again) || report.Pairs.More != 36-want {
			t.Errorf("%d wanted: %q and %d more", most, got, report.Pairs.More)
		}
	}
}

// All pairs of sessions that begin alike are in one part, and equal ones are
// written once.
func TestPairsSplitAndDedupe(t *testing.T) {
	l := &library{}
	for i := range 30 {
		begin := user("question " + string(rune('a'+i%26)) + strings.Repeat(string(rune('a'+i%26)), i))
		l.add(nil, begin, says("good"), user("v"), says("good"))
		l.add(rejected, begin, says("good"), user("v"), says("bad"))
		l.add(rejected, begin, says("worse"))
	}
	dir := filepath.Join(t.TempDir(), "set")
	report := run(t, l, Options{Path: dir + "/", As: "dpo", Splits: halves, Dedupe: DedupeExact})
	addUp(t, &report)
	if len(report.Splits) != 2 || report.Splits[0].Samples == 0 || report.Splits[1].Samples == 0 || report.Written != 60 {
		t.Fatalf("%+v", report.Splits)
	}
	parts, at := map[string]string{}, map[string]string{}
	for _, f := range report.Files {
		at[filepath.Base(f.Path)] = f.Split
	}
	_, err := lineage.ReadFile(dir, func(s *lineage.Sample) error {
		for _, id := range []string{s.Segment, s.Rejected.Segment} {
			if part, met := parts[id]; met && part != at[filepath.Base(s.File)] {
				t.Errorf("segment %s is in %s and %s", id, part, s.File)
			}
			parts[id] = at[filepath.Base(s.File)]
		}
		return nil
	}, nil)
	if err != nil {
		t.Error(err)
	}
	for i := 0; i < 90; i += 3 {
		if a, b := parts[l.segments[i].ID], parts[l.segments[i+2].ID]; a != b {
			t.Errorf("runs %d begin alike and are in %q and %q", i, a, b)
		}
	}
}

// The manifest names both sides of a pair, who judged them and when.
func TestManifestNamesBothSides(t *testing.T) {
	l := &library{}
	l.add(nil, user("u"), says("good"))
	l.add(rejected, user("u"), says("bad"), user("x"))
	l.segments[0].Reviewer, l.segments[1].Reviewer = "ann", "ben"
	dir := filepath.Join(t.TempDir(), "set")
	run(t, l, Options{Path: dir + "/", As: "dpo"})
	n := 0
	_, err := lineage.ReadFile(dir, func(s *lineage.Sample) error {
		n++
		if s.Segment != l.segments[0].ID || s.Verdict != "approved" || s.Curator != "ann" || !slices.Equal(s.Messages, []int{1, 2}) {
			t.Errorf("%+v", s)
		}
		if r := s.Rejected; r == nil || r.Segment != l.segments[1].ID || r.Verdict != "rejected" || r.Curator != "ben" || !slices.Equal(r.Messages, []int{2}) || r.End != 3 {
			t.Errorf("%+v", r)
		}
		return nil
	}, nil)
	if err != nil || n != 1 {
		t.Errorf("%d samples, %v", n, err)
	}
	if _, err := os.Stat(filepath.Join(dir, recipeFolder, "trl_dpo.py")); err != nil {
		t.Error(err)
	}
}

// What means nothing for a pair is refused.
func TestPairsRefuseWhatTheyCannot(t *testing.T) {
	for _, opts := range []Options{{Train: TrainLast}, {MaxTokens: 10, TooLong: CutLong}} {
		opts.As, opts.Check = "dpo", true
		if _, err := Run(t.Context(), good(2), opts, nil); err == nil {
			t.Errorf("%+v is taken", opts)
		}
	}
}

// A secret is found once on each side, and replaced in both by one placeholder.
func TestSecretsOfPairs(t *testing.T) {
	const key = "AKIAIOSFODNN7EXAMPLQ"
	for _, e := range ofPairs() {
		l := &library{}
		l.add(nil, user("use aws_access_key_id="+key), says("good"))
		l.add(rejected, user("use aws_access_key_id="+key), says("bad "+key))
		path := filepath.Join(t.TempDir(), "out.jsonl")
		report := run(t, l, Options{Path: path, As: e.Name, Redact: &Redaction{}})
		if len(report.Files) == 0 {
			t.Errorf("%s: %+v", e.Name, report.LeftOut)
			continue
		}
		text := read(t, report.Files[0].Path)
		if strings.Contains(text, key) || strings.Count(text, "<REDACTED:") < 2 || strings.Contains(text, ":2>") {
			t.Errorf("%s: %s", e.Name, text)
		}
	}
}

// Two exports of pairs are compared pair by pair, however many a segment is in.
func TestDiffOfPairs(t *testing.T) {
	l := &library{}
	l.add(nil, user("u"), says("good"))
	l.add(rejected, user("u"), says("bad"))
	l.add(rejected, user("u"), says("worse"))
	before, after := filepath.Join(t.TempDir(), "before"), filepath.Join(t.TempDir(), "after")
	run(t, l, Options{Path: before + "/", As: "dpo"})
	l.segments[2].Verdict = review.Pending
	l.add(rejected, user("u"), says("worst"))
	run(t, l, Options{Path: after + "/", As: "dpo"})
	d, err := lineage.Diff(before, after, nil)
	if err != nil || d.Old != 2 || d.New != 2 || d.Same != 1 || d.Came != 1 || d.Went != 1 || d.Changed != 0 {
		t.Errorf("%+v, %v", d, err)
	}
}

// Of prompts that are nearly the same one stays, with all its pairs.
func TestPairsOfSimilarPrompts(t *testing.T) {
	var words []string
	for i := range 80 {
		words = append(words, fmt.Sprint("word", i))
	}
	l := &library{}
	for _, last := range []string{"one", "two"} {
		ask := user(strings.Join(append(words, last), " "))
		l.add(nil, ask, says("good"))
		l.add(rejected, ask, says("bad"))
		l.add(rejected, ask, says("worse"))
	}
	got, _, report := pairsOf(t, l, Options{Dedupe: DedupeNear})
	if len(got) != 2 || got[0] == got[1] || report.LeftOut[0].Check != OutNearDuplicate || !strings.Contains(got[0]+got[1], " one: good over worse") {
		t.Errorf("wrote %d, left out %v", len(got), report.LeftOut)
	}
}
