package export

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"winnow/core/chat"
	"winnow/core/export/lineage"
	"winnow/core/filter"
	"winnow/core/review"
)

// ofPairs are the formats that write pairs.
func ofPairs() []Emitter {
	return slices.DeleteFunc(slices.Clone(Emitters()), func(e Emitter) bool { return !e.Pairs() })
}

func rejected(seg *review.Segment, _ *review.Session) { seg.Verdict = review.Rejected }

// dpoRow is a record of the format dpo.
type dpoRow struct {
	Prompt, Chosen, Rejected []wireMessage
	Tools                    string
}

func (r *dpoRow) short() string {
	var words []string
	for _, m := range r.Prompt {
		words = append(words, m.Content)
	}
	return strings.Join(words, " ") + ": " + r.Chosen[0].Content + " over " + r.Rejected[0].Content
}

// pairsOf exports a library as dpo and returns the pairs in short.
func pairsOf(t *testing.T, l *library, opts Options) (short []string, rows []dpoRow, report Report) {
	t.Helper()
	opts.Path, opts.As = filepath.Join(t.TempDir(), "pairs.jsonl"), "dpo"
	report = run(t, l, opts)
	addUp(t, &report)
	for _, f := range report.Files {
		text := read(t, f.Path)
		if n, err := dpo.Validate(strings.NewReader(text)); err != nil || n != f.Rows {
			t.Errorf("%d of %d rows are valid: %v", n, f.Rows, err)
		}
		for line := range strings.Lines(text) {
			var row dpoRow
			if err := json.Unmarshal([]byte(line), &row, json.MatchCaseInsensitiveNames(true)); err != nil {
				t.Fatal(err)
			}
			rows, short = append(rows, row), append(short, row.short())
		}
	}
	return short, rows, report
}

// addUp looks whether every pair and every segment is accounted for.
func addUp(t *testing.T, r *Report) {
	t.Helper()
	pairs, segments := 0, 0
	for _, l := range r.LeftOut {
		if l.Check == "" || l.Detail == "" {
			t.Errorf("left out without a reason: %+v", l)
		}
		if l.Rejected != "" {
			pairs++
		} else {
			segments++
		}
	}
	if r.Written+pairs+r.Pairs.More != r.Pairs.Found {
		t.Errorf("%d pairs written, %d left out and %d more are not %d", r.Written, pairs, r.Pairs.More, r.Pairs.Found)
	}
	if r.Pairs.Segments+segments != r.Candidates {
		t.Errorf("%d segments in pairs and %d in none are not %d", r.Pairs.Segments, segments, r.Candidates)
	}
}

func TestPairs(t *testing.T) {
	mask := func(seg *review.Segment, _ *review.Session) { seg.Masked = []int{2} }
	both := func(changes ...func(*review.Segment, *review.Session)) func(*review.Segment, *review.Session) {
		return func(seg *review.Segment, sess *review.Session) {
			for _, change := range changes {
				change(seg, sess)
			}
		}
	}
	marked := func(m chat.Marks) chat.Message {
		return with(says("b"), func(msg *chat.Message) { msg.Marks = m })
	}
	for name, c := range map[string]struct {
		add  func(l *library)
		opts Options
		want []string
		left []string // checks of what is left out, pairs first
	}{
		"a fork": {add: func(l *library) {
			l.add(nil, sys("s"), user("u"), says("a"), user("v"), says("good"))
			l.add(rejected, sys("s"), user("u"), says("a"), user("v"), says("bad"), user("w"), says("more"))
		}, want: []string{"s u a v: good over bad"}},
		"a fork at a prompt": {add: func(l *library) {
			l.add(nil, user("u"), says("a"), user("v"), says("good"))
			l.add(rejected, user("u"), says("a"), user("w"), says("bad"))
		}, left: []string{lineage.OutAtPrompt, lineage.OutAtPrompt}},
		"alone": {add: func(l *library) {
			l.add(nil, user("u"), says("a"))
			l.add(rejected, user("v"), says("b"))
		}, left: []string{lineage.OutAlone, lineage.OutAlone}},
		"pending": {add: func(l *library) {
			l.add(nil, user("u"), says("a"))
			l.add(func(s *review.Segment, _ *review.Session) { s.Verdict = review.Pending }, user("u"), says("b"))
		}, opts: Options{Selection: Selection{AnyVerdict: true}}, left: []string{lineage.OutAlone}},
		"two approved": {add: func(l *library) {
			l.add(nil, user("u"), says("a"))
			l.add(nil, user("u"), says("b"))
		}, left: []string{lineage.OutAlone, lineage.OutAlone}},
		"a rejected answer that is masked": {add: func(l *library) {
			l.add(nil, user("u"), says("a"))
			l.add(both(rejected, mask), user("u"), says("b"))
		}, left: []string{lineage.OutUnfit, lineage.OutUnfit}},
		"an approved answer that is masked": {add: func(l *library) {
			l.add(mask, user("u"), says("a"))
			l.add(rejected, user("u"), says("b"))
		}, left: []string{lineage.OutUnfit, lineage.OutUnfit}},
		"a rejected answer of the recorder": {add: func(l *library) {
			l.add(nil, user("u"), says("a"))
			l.add(rejected, user("u"), with(says("b"), func(m *chat.Message) { m.Model = chat.NoModel }))
		}, left: []string{lineage.OutUnfit, lineage.OutUnfit}},
		"a rejected answer that was repaired": {add: func(l *library) {
			l.add(nil, user("u"), says("a"))
			l.add(rejected, user("u"), marked(chat.MarkRepaired))
			l.add(rejected, user("u"), with(marked(chat.MarkMalformedCall), func(m *chat.Message) { m.Content = "c" }))
		}, left: []string{lineage.OutUnfit, lineage.OutUnfit, lineage.OutUnfit}},
		"an approved answer that was repaired": {add: func(l *library) {
			l.add(nil, user("u"), marked(chat.MarkRepaired))
			l.add(rejected, user("u"), says("c"))
		}, want: []string{"u: b over c"}},
		"right after another answer": {add: func(l *library) {
			l.add(nil, user("u"), says("a"), says("good"))
			l.add(rejected, user("u"), says("a"), says("bad"))
		}, left: []string{"prompt_end", "prompt_end", "prompt_end"}},
		"a verdict on a part": {add: func(l *library) {
			l.add(func(s *review.Segment, _ *review.Session) { s.Start = 3 }, user("u"), says("a"), user("v"), says("good"))
			l.add(both(rejected, func(s *review.Segment, _ *review.Session) { s.Start = 3 }), user("u"), says("a"), user("v"), says("bad"))
		}, want: []string{"u a v: good over bad"}},
		"a verdict elsewhere": {add: func(l *library) {
			l.add(func(s *review.Segment, _ *review.Session) { s.End = 2 }, user("u"), says("a"), user("v"), says("good"))
			l.add(both(rejected, func(s *review.Segment, _ *review.Session) { s.End = 2 }), user("u"), says("a"), user("v"), says("bad"))
		}, left: []string{lineage.OutAlone, lineage.OutAlone}},
		"the same with other ids and white space": {add: func(l *library) {
			l.add(nil, user("u"), calls("x"))
			l.add(rejected, user("u"), with(calls("y"), func(m *chat.Message) { m.ToolCalls[0].Arguments = ` {"cmd":  "ls"}` }))
		}, left: []string{"same_answer", "same_answer", "same_answer"}},
		"a summary in between": {add: func(l *library) {
			sum := with(user("so far"), func(m *chat.Message) { m.Marks = chat.MarkCompaction })
			l.add(nil, sys("s"), user("u"), says("a"), sum, user("v"), says("good"))
			l.add(rejected, sys("s"), user("u"), says("a"), sum, user("v"), says("bad"))
		}, want: []string{"s so far v: good over bad"}},
		"the system message is replaced": {add: func(l *library) {
			l.add(nil, sys("s"), user("u"), says("good"))
			l.add(rejected, sys("s"), user("u"), says("bad"))
		}, opts: Options{System: System{Text: "own"}}, want: []string{"own u: good over bad"}},
		"a filter": {add: func(l *library) {
			l.add(nil, user("u"), says("good"))
			l.add(rejected, user("u"), says("bad"))
		}, opts: Options{Selection: Selection{Filter: filter.Term{Field: filter.Status, Op: filter.Is, Value: string(review.Approved)}}}, left: []string{lineage.OutAlone}},
		"too long": {add: func(l *library) {
			l.add(nil, user("u"), says("good"))
			l.add(rejected, user("u"), says(strings.Repeat("bad ", 100)))
		}, opts: Options{MaxTokens: 50}, left: []string{tooLong, tooLong, tooLong}},
		"a limit": {add: func(l *library) {
			for i := range 3 {
				l.add(nil, user(fmt.Sprint(i)), says("good"))
				l.add(rejected, user(fmt.Sprint(i)), says("bad"))
			}
		}, opts: Options{Selection: Selection{Limit: 1}}, want: []string{"0: good over bad"}, left: []string{"limit", "limit", "limit", "limit"}},
	} {
		t.Run(name, func(t *testing.T) {
			l := &library{}
			c.add(l)
			got, _, report := pairsOf(t, l, c.opts)
			if !slices.Equal(got, c.want) {
				t.Errorf("wrote %q, not %q", got, c.want)
			}
			var left []string
			for _, l := range report.LeftOut {
				left = append(left, l.Check)
			}
			if c.opts.Limit > 0 {
				for i := range left {
					if left[i] != "limit" {
						left[i] = "limit" // how far the reading came is not for certain
					}
				}
			}
			if !slices.Equal(left, c.left) {
				t.Errorf("left out %v, not %q", report.LeftOut, c.left)
			}
		})
	}
}
