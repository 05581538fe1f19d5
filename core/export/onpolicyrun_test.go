package export

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/export/lineage"
	"winnow/core/graph"
	"winnow/core/review"
	"winnow/core/session"
)

// everyGap lets samples pass whatever is missing.
var everyGap, _ = ParseGaps(allGaps)

// trainedBy exports on policy and returns for each answer that is trained what stands
// before it and it, and the report.
func trainedBy(t *testing.T, l *library, opts Options) (trained []string, r Report) {
	t.Helper()
	opts.OnPolicy = true
	opts.Path = filepath.Join(t.TempDir(), "out.jsonl")
	r = run(t, l, opts)
	exactlyAddsUp(t, l, &r)
	e, err := Find(opts.As)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Files {
		for line := range strings.Lines(read(t, f.Path)) {
			trained = append(trained, trainedOf(t, l, e, strings.TrimSuffix(line, "\n"))...)
		}
	}
	return trained, r
}

// trainedOf reads a record as it stands there, and lists what is trained.
func trainedOf(t *testing.T, l *library, e *Emitter, line string) (list []string) {
	t.Helper()
	var samples []*Sample
	if e.Tree() {
		tree, err := e.ReadTree([]byte(line))
		if err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		samples = tree.Samples()
		if found := e.CheckTree(tree); len(found) > 0 {
			t.Errorf("%v: %s", found, line)
		}
	} else {
		s, err := e.Read([]byte(line))
		if err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		samples = []*Sample{s}
	}
	for _, s := range samples {
		said := ""
		for i := range s.Messages {
			m := &s.Messages[i]
			if said += " " + m.Content; l.sealed[graph.SayingOf(&chat.Message{Role: m.Role, Content: m.Content})] {
				t.Errorf("sealed: %s", said)
			}
			if m.Train {
				list = append(list, said[1:])
			}
		}
	}
	return list
}

// exactlyAddsUp looks whether every segment is in a sample or named with a reason.
func exactlyAddsUp(t *testing.T, l *library, r *Report) {
	t.Helper()
	ids := map[string]bool{}
	for _, out := range r.LeftOut {
		if out.Check == "" || out.Detail == "" || ids[out.Segment] {
			t.Errorf("left out without a reason, or twice: %+v", out)
		}
		ids[out.Segment] = true
	}
	approved := 0
	for i := range l.segments {
		if l.segments[i].Verdict == review.Approved {
			approved++
		}
	}
	if p := r.Policy; p.Segments+len(r.LeftOut)-p.Partly != approved || r.Candidates != approved {
		t.Errorf("%d segments in samples and %d left out, %d of them partly, are not %d: %+v", p.Segments, len(r.LeftOut), p.Partly, approved, r.LeftOut)
	}
}

// TestOnPolicy holds which answers an export on policy trains, and after what.
func TestOnPolicy(t *testing.T) {
	part := func(from, to int) func(*review.Segment, *review.Session) {
		return func(s *review.Segment, _ *review.Session) { s.Start, s.End = from, to }
	}
	branch := func(parent string, at int) func(*review.Segment, *review.Session) {
		return func(_ *review.Segment, s *review.Session) {
			s.Parent, s.Origin = parent, session.Origin{Kind: session.Branch, At: at}
		}
	}
	summary := with(user("sum"), func(m *chat.Message) { m.Marks = chat.MarkCompaction })
	for name, c := range map[string]struct {
		add  func(l *library)
		want []string
		left []string
		rows int
	}{
		"a retry trains only what is its own": {add: func(l *library) {
			l.add(nil, sys("s"), user("u"), says("a"), user("v"), says("b"))
			l.add(nil, sys("s"), user("u"), says("a"), user("v"), says("c"))
		}, want: []string{"s u a", "s u a v b", "s u a v c"}, rows: 2},
		"a copy trains nothing": {add: func(l *library) {
			l.add(nil, sys("s"), user("u"), says("a"))
			l.add(nil, sys("s"), user("u"), says("a"))
		}, want: []string{"s u a"}, left: []string{OutElsewhere}, rows: 1},
		"what is before a segment is context": {add: func(l *library) {
			l.add(part(4, 5), sys("s"), user("u"), says("a"), user("v"), says("b"))
		}, want: []string{"s u a v b"}, rows: 1},
		"two segments make one row": {add: func(l *library) {
			l.add(part(1, 3), sys("s"), user("u"), says("a"), user("v"), says("b"), user("w"), says("c"))
			other := l.segments[0]
			other.ID, other.Start, other.End = "00000000-0001", 6, 7
			l.segments = append(l.segments, other)
		}, want: []string{"s u a", "s u a v b w c"}, rows: 1},
		"a segment over a compaction": {add: func(l *library) {
			l.add(nil, sys("s"), user("u"), says("a"), summary, user("v"), says("b"))
		}, want: []string{"s u a", "s sum v b"}, rows: 2},
		"with what it kept": {add: func(l *library) {
			l.add(nil, sys("s"), user("u"), says("a"), summary, user("v"), says("b"))
			l.contexts = map[int64][]review.Context{0: {{N: 4, Known: true, Keeps: [][2]int{{2, 3}}}}}
		}, want: []string{"s u a", "s u a sum v b"}, rows: 2},
		"with a summary of the system's": {add: func(l *library) {
			l.add(nil, sys("s"), user("u"), says("a"), with(summary, func(m *chat.Message) { m.Role = chat.System }), user("v"), says("b"))
			l.contexts = map[int64][]review.Context{0: {{N: 4, Known: true, Keeps: [][2]int{{2, 3}}}}}
		}, want: []string{"s u a", "s u a sum v b"}, rows: 2},
		"a branch": {add: func(l *library) {
			l.add(nil, sys("s"), user("u"), says("a"), user("v"), says("b"))
			l.add(branch("session-0", 3), user("w"), says("c"))
		}, want: []string{"s u a", "s u a v b", "s u a w c"}, rows: 2},
		"a branch of what nobody judged": {add: func(l *library) {
			l.add(func(s *review.Segment, _ *review.Session) { s.Verdict = review.Pending }, sys("s"), user("u"), says("a"))
			l.add(branch("session-0", 3), user("w"), says("c"))
		}, want: []string{"s u a w c"}, rows: 1},
		"a branch off nobody knows what": {add: func(l *library) {
			l.add(branch("gone", 3), user("w"), says("c"))
		}, left: []string{fork}},
		"a rewritten answer": {add: func(l *library) {
			l.add(nil, sys("s"), user("u"), says("a"), user("v"), says("b"), user("w"), says("c"))
			l.edit(0, edit.Fix, 5, 0, says("better"))
		}, want: []string{"s u a"}, rows: 1},
		"the first one": {add: func(l *library) {
			l.add(nil, sys("s"), user("u"), says("a"), user("v"), says("b"))
			l.edit(0, edit.Fix, 3, 0, says("better"))
		}, left: []string{OutUnsampled}},
		"a call at the end": {add: func(l *library) {
			l.add(withTools, sys("s"), user("u"), with(calls("1"), func(m *chat.Message) { m.Content = "look" }), result("1", "r"), user("v"), says("b"))
			l.segments[0].Masked = []int{6}
		}, want: []string{"s u look"}, rows: 1},
		"answers in a row, one of them elsewhere": {add: func(l *library) {
			l.add(nil, sys("s"), user("u"), says("a"))
			l.add(nil, sys("s"), user("u"), says("a"), says("b"))
		}, want: []string{"s u a", "s u a b"}, rows: 2},
		"a row that fails keeps nothing from others": {add: func(l *library) {
			l.add(withTools, sys("s"), user("u"), says("a"), user("v"), says(""), result("?", "nothing asked"), says("b"))
			l.add(withTools, sys("s"), user("u"), says("a"), user("v"), says("c"))
		}, want: []string{"s u a", "s u a v c"}, left: []string{"empty_assistant"}, rows: 1},
		"sealed": {add: func(l *library) {
			l.add(nil, sys("s"), user("u"), says("a"), user("secret"), says("b"))
			l.add(nil, sys("s"), user("secret"), says("b"))
			m := user("secret")
			l.sealed = map[graph.Saying]bool{graph.SayingOf(&m): true}
		}, want: []string{"s u a"}, left: []string{sealed, sealed}, rows: 1},
	} {
		t.Run(name, func(t *testing.T) {
			for _, as := range append(OnPolicy(), "graph") {
				l := &library{}
				c.add(l)
				got, r := trainedBy(t, l, Options{As: as, Gaps: everyGap})
				var left []string
				for _, out := range r.LeftOut {
					left = append(left, out.Check)
				}
				slices.Sort(got)
				want := slices.Sorted(slices.Values(c.want))
				if !slices.Equal(got, want) || !slices.Equal(left, c.left) {
					t.Errorf("%s: got %q, left out %v\nwant %q, %q", as, got, r.LeftOut, want, c.left)
				}
				if as == "hf" && r.Written != c.rows || r.Trained != len(want) {
					t.Errorf("%s: %d samples, %d trained", as, r.Written, r.Trained)
				}
			}
		})
	}
}

// Each gap leaves a sample out, unless it is allowed; it is told with the sample.
func TestGaps(t *testing.T) {
	marked := func(m chat.Marks) chat.Message {
		return with(user("u"), func(msg *chat.Message) { msg.Marks = m })
	}
	for gap, add := range map[string]func(l *library){
		"system": func(l *library) { l.add(nil, user("u"), says("a")) },
		"tools":  func(l *library) { l.add(nil, sys("s"), user("u"), calls("1"), result("1", "r"), says("a")) },
		"reasoning": func(l *library) {
			l.add(func(_ *review.Segment, s *review.Session) { s.Format = "codex" }, sys("s"), user("u"), says("a"))
		},
		"media":      func(l *library) { l.add(nil, sys("s"), marked(chat.MarkImage), says("a")) },
		"repaired":   func(l *library) { l.add(nil, sys("s"), marked(chat.MarkRepaired), says("a")) },
		"compaction": func(l *library) { l.add(nil, sys("s"), user("q"), marked(chat.MarkCompaction), says("a")) },
	} {
		l := &library{}
		add(l)
		_, strict := trainedBy(t, l, Options{})
		if strict.Written != 0 || len(strict.LeftOut) != 1 || strict.LeftOut[0].Check != gapCheck || strict.LeftOut[0].Gaps != gap ||
			strict.Policy.Gaps[gap] != (lineage.GapCount{LeftOut: 1}) || strict.Failed() != 1 {
			t.Errorf("%s: %+v %+v", gap, strict.LeftOut, strict.Policy)
		}
		allowed, err := ParseGaps(gap)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "set")
		r := run(t, l, Options{Path: dir + "/", OnPolicy: true, Gaps: allowed})
		if r.Written != 1 || r.Policy.Gaps[gap] != (lineage.GapCount{Written: 1}) {
			t.Errorf("%s allowed: %+v", gap, r)
			continue
		}
		if text := read(t, r.Files[0].Path); !strings.Contains(text, `\"policy\":\"on\"`) || !strings.Contains(text, `\"gaps\":[\"`+gap+`\"]`) {
			t.Errorf("%s is not told: %s", gap, text)
		}
		m, err := lineage.ReadFile(dir, func(s *lineage.Sample) error {
			if !slices.Equal(s.Gaps, []string{gap}) || s.From == 0 || len(s.Trained) != r.Trained {
				t.Errorf("%s: %+v", gap, s)
			}
			return nil
		}, nil)
		if err != nil || m.Options.Policy != "on" || m.Counts.Gaps[gap].Written != 1 {
			t.Errorf("%s: %+v, %v", gap, m, err)
		}
	}
	if list, err := ParseGaps("tools,system"); err != nil || gapNames(list) != "system,tools" {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := ParseGaps("system,toolz"); err == nil || !strings.Contains(err.Error(), "system,tools,reasoning,media,compaction,repaired") {
		t.Error(err)
	}
}

// What contradicts an export on policy is refused, and so are formats that can't say
// what is trained.
func TestOnPolicyRefuses(t *testing.T) {
	for _, e := range Emitters() {
		err := (&Options{OnPolicy: true}).Exact(&e)
		if can := slices.Contains(append(OnPolicy(), "graph"), e.Name); can != (err == nil) {
			t.Errorf("%s: %v", e.Name, err)
		} else if err != nil && !strings.Contains(err.Error(), "hf, openai, swift, twinkle, steps") {
			t.Error(err)
		}
	}
	for _, opts := range []Options{
		{Train: TrainLast}, {System: System{Drop: true}}, {System: System{Text: "x"}}, {Ephemeral: "x"}, {MaxTokens: 9, TooLong: CutLong},
	} {
		opts.Check, opts.OnPolicy = true, true
		if _, err := Run(t.Context(), good(1), opts, nil); err == nil {
			t.Errorf("%+v is taken", opts)
		}
	}
	if _, err := Run(t.Context(), good(1), Options{Check: true, Gaps: everyGap}, nil); err == nil {
		t.Error("gaps without a policy are taken")
	}
}

// An export without the policy asks nothing more of the source.
func TestPolicyOffAsksNothing(t *testing.T) {
	l := good(3)
	asked := asking{library: l}
	if _, err := Run(t.Context(), &asked, Options{Check: true}, nil); err != nil || asked.times > 0 {
		t.Errorf("asked %d times, %v", asked.times, err)
	}
}

// asking counts what only an export on policy asks for.
type asking struct {
	*library
	times int
}

func (a *asking) Contexts(ctx context.Context, body int64, from, to int) ([]review.Context, error) {
	a.times++
	return a.library.Contexts(ctx, body, from, to)
}

func (a *asking) EditedBy(ctx context.Context, body int64, from, to int) ([]review.EditedBy, error) {
	a.times++
	return a.library.EditedBy(ctx, body, from, to)
}

// stored makes sessions that begin alike, branch off each other, are compacted,
// edited, masked and judged in parts.
func stored(rnd *rand.Rand) *library {
	l := &library{contexts: map[int64][]review.Context{}}
	word := func() string { return string("abc"[rnd.IntN(3)]) }
	for i := range 4 + rnd.IntN(5) {
		var list []chat.Message
		parent := ""
		if i > 0 && rnd.IntN(3) == 0 {
			parent = fmt.Sprint("session-", rnd.IntN(i))
		} else {
			list = append(list, sys("s"), user("u"))
		}
		for range 3 + rnd.IntN(6) {
			switch rnd.IntN(8) {
			case 0:
				sum := user("sum")
				sum.Marks = chat.MarkCompaction
				if rnd.IntN(2) == 0 && len(list) > 2 {
					l.contexts[int64(i)] = append(l.contexts[int64(i)], review.Context{N: len(list) + 1, Known: true, Keeps: [][2]int{{2, len(list)}}})
				}
				list = append(list, sum)
			case 1:
				list = append(list, with(says("n"+word()), func(m *chat.Message) { m.Model = chat.NoModel }), user(word()))
			default:
				list = append(list, says(word()), user(word()))
			}
		}
		l.add(func(seg *review.Segment, sess *review.Session) {
			if parent != "" {
				sess.Parent, sess.Origin = parent, session.Origin{Kind: session.Branch, At: 2 + rnd.IntN(2)}
			}
			if seg.Verdict = review.Approved; rnd.IntN(5) == 0 {
				seg.Verdict = review.Rejected
			}
			seg.Start = 1 + rnd.IntN(3)
			for place := range seg.End - seg.Start + 1 {
				if rnd.IntN(8) == 0 {
					seg.Masked = append(seg.Masked, place+1)
				}
			}
		}, list...)
		if n := 1 + rnd.IntN(len(list)); rnd.IntN(3) == 0 {
			m := list[n-1]
			m.Content += "!"
			l.edit(i, []edit.Why{edit.Fix, edit.Redact}[rnd.IntN(2)], n, 0, m)
		}
	}
	return l
}

// TestOnPolicyOfStoredSessions exports random sessions in every format: all train the
// same answers, each once, after the same; a split keeps apart what shares nothing.
func TestOnPolicyOfStoredSessions(t *testing.T) {
	total := 0
	for seed := range uint64(120 / slower) {
		l := stored(rand.New(rand.NewPCG(seed, 3)))
		if seed%3 == 0 {
			m := user("c")
			l.sealed = map[graph.Saying]bool{graph.SayingOf(&m): true}
		}
		var first []string
		for _, as := range []string{"steps", "hf", "openai", "swift", "twinkle", "graph"} {
			got, r := trainedBy(t, l, Options{As: as, Gaps: everyGap})
			slices.Sort(got)
			if n := len(got); r.Trained != n || len(slices.Compact(slices.Clone(got))) != n {
				t.Fatalf("seed %d, %s: %d trained of %q", seed, as, r.Trained, got)
			}
			if as == "steps" {
				first = got
			} else if !slices.Equal(got, first) {
				t.Fatalf("seed %d: %s trains %q\nsteps  %q", seed, as, got, first)
			}
		}
		total += len(first)
		splitsApart(t, l)
	}
	if total < 1000/slower {
		t.Errorf("only %d answers", total)
	}
}

// splitsApart looks whether rows that share an answer are in one part.
func splitsApart(t *testing.T, l *library) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "set")
	r := run(t, l, Options{Path: dir + "/", OnPolicy: true, Gaps: everyGap, Splits: halves})
	parts := map[string]string{}
	for _, f := range r.Files {
		if f.Split == "" {
			continue
		}
		for line := range strings.Lines(read(t, f.Path)) {
			s, err := hf.Read([]byte(strings.TrimSuffix(line, "\n")))
			if err != nil {
				t.Fatal(err)
			}
			said := ""
			for i := range s.Messages {
				said += " " + s.Messages[i].Content
				if s.Messages[i].Role != chat.Assistant || !s.Messages[i].Train {
					continue
				}
				for from := range parts {
					if strings.HasPrefix(said+" ", from+" ") && parts[from] != f.Split {
						t.Fatalf("%q and %q are in different parts", said, from)
					}
				}
				parts[said] = f.Split
			}
		}
	}
}
