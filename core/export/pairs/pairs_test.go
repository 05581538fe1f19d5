package pairs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
)

// told is a run in short: "u" asks, "a" answers, "t" is a tool's result; a
// capital answer may not stand on its side.
type told struct {
	approved bool
	messages string
}

// find adds the runs as segments of their own and returns the pairs as texts
// "prompt: chosen over rejected".
func find(runs []told, most int, seed uint64) (texts []string, found Found) {
	var forks Forks
	before := map[Sum]string{}
	for i, run := range runs {
		var r Run
		text := ""
		for n, word := range strings.Fields(run.messages) {
			m := message(word)
			step := Step{Before: r.At(), Asked: r.Asked(), Place: Place{int32(i), int32(n + 1)}, Approved: run.approved, Kind: Other}
			before[r.At()] = text
			step.Sum = r.Next(&m)
			switch word[0] {
			case 'a':
				step.Kind = Answer
			case 'A':
				step.Kind = Unfit
			}
			forks.Add(step)
			text = strings.TrimSpace(text + " " + strings.ToLower(word))
		}
	}
	word := func(p Place) string {
		return strings.ToLower(strings.Fields(runs[p.Segment].messages)[p.N-1])
	}
	found = forks.Find(most, seed)
	for _, p := range found.Pairs {
		texts = append(texts, before[p.Prompt]+": "+word(p.Chosen)+" over "+word(p.Rejected))
	}
	return texts, found
}

func message(word string) chat.Message {
	word = strings.ToLower(word)
	return chat.Message{Role: map[byte]chat.Role{'u': chat.User, 'a': chat.Assistant, 't': chat.Tool, 's': chat.System}[word[0]], Content: word}
}

func TestForks(t *testing.T) {
	const good, bad = true, false
	for name, c := range map[string]struct {
		runs []told
		want []string
		why  map[int32]Reason
	}{
		"at an answer":     {[]told{{good, "s u a1 u2 a2"}, {bad, "s u a1 u2 a3 u4"}}, []string{"s u a1 u2: a2 over a3"}, nil},
		"at a prompt":      {[]told{{good, "u a1 u2 a2"}, {bad, "u a1 u3 a3"}}, nil, map[int32]Reason{0: AtPrompt, 1: AtPrompt}},
		"at a result":      {[]told{{good, "u a1 t2 a2"}, {bad, "u a1 t3 a3"}}, nil, map[int32]Reason{0: AtPrompt, 1: AtPrompt}},
		"asked or told":    {[]told{{good, "u a1 a2"}, {bad, "u a1 u3"}}, nil, map[int32]Reason{0: AtPrompt, 1: AtPrompt}},
		"nothing alike":    {[]told{{good, "u a1"}, {bad, "u2 a3"}}, nil, map[int32]Reason{0: AtPrompt, 1: AtPrompt}},
		"one goes on":      {[]told{{good, "u a1 u2 a2"}, {bad, "u a1"}}, nil, map[int32]Reason{0: Apart, 1: Apart}},
		"the same":         {[]told{{good, "u a1"}, {bad, "u a1"}}, nil, map[int32]Reason{0: Apart, 1: Apart}},
		"two approved":     {[]told{{good, "u a1"}, {good, "u a2"}}, nil, map[int32]Reason{0: Apart, 1: Apart}},
		"nobody asked":     {[]told{{good, "s a1 u"}, {bad, "s a2 u"}}, nil, map[int32]Reason{0: Unasked, 1: Unasked}},
		"unfit":            {[]told{{good, "u a1"}, {bad, "u A2"}}, nil, map[int32]Reason{0: UnfitThere, 1: UnfitHere}},
		"unfit, then fit":  {[]told{{good, "u a1"}, {bad, "u A2"}, {bad, "u a2"}}, []string{"u: a1 over a2"}, map[int32]Reason{1: UnfitHere}},
		"equal answers":    {[]told{{good, "u a1"}, {good, "u a1 u"}, {bad, "u a2"}}, []string{"u: a1 over a2"}, map[int32]Reason{1: Enough}},
		"both verdicts":    {[]told{{good, "u a1 u2"}, {bad, "u a1 u3"}, {bad, "u a2"}}, []string{"u: a1 over a2"}, map[int32]Reason{1: AtPrompt}},
		"against another":  {[]told{{good, "u a1"}, {bad, "u a1"}, {good, "u a2"}, {bad, "u a2"}}, []string{"u: a1 over a2", "u: a2 over a1"}, nil},
		"at several forks": {[]told{{good, "u a1 u2 a2"}, {bad, "u a1 u2 a3"}, {bad, "u a4"}}, []string{"u: a1 over a4", "u a1 u2: a2 over a3"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, found := find(c.runs, 4, 0)
			if !slices.Equal(got, c.want) {
				t.Errorf("found %q, not %q", got, c.want)
			}
			if len(found.Why) != len(c.why) {
				t.Errorf("reasons %v, not %v", found.Why, c.why)
			}
			for segment, why := range c.why {
				if found.Why[segment] != why {
					t.Errorf("segment %d: reason %d, not %d", segment, found.Why[segment], why)
				}
			}
		})
	}
}

// Of many pairs of a prompt some are taken: as many as are wanted, each once,
// of all answers before one is taken again, the same ones at each time, and
// others with another seed.
func TestMostOfAPrompt(t *testing.T) {
	var runs []told
	for i := range 6 {
		runs = append(runs, told{true, fmt.Sprintf("u a%d", i)}, told{false, fmt.Sprintf("u a%d", i+4)})
	}
	all, found := find(runs, 100, 0)
	if found.Opposed != 2 { // a4 over a5 and a5 over a4
		t.Errorf("%d pairs are opposed", found.Opposed)
	}
	if len(all) != 6*6-2 || found.More != 0 { // a4 and a5 are on both sides
		t.Errorf("%d pairs and %d more", len(all), found.More)
	}
	if sorted := slices.Sorted(slices.Values(all)); len(slices.Compact(sorted)) != len(all) {
		t.Errorf("a pair twice: %q", sorted)
	}
	four, found := find(runs, 4, 1)
	chosen := map[string]bool{}
	for _, text := range four {
		chosen[strings.Fields(text)[1]] = true
	}
	if len(four) != 4 || len(chosen) != 4 || found.More != 6*6-2-4 {
		t.Errorf("%q and %d more", four, found.More)
	}
	if again, _ := find(runs, 4, 1); !slices.Equal(again, four) {
		t.Errorf("first %q, then %q", four, again)
	}
	if others, _ := find(runs, 4, 2); slices.Equal(others, four) {
		t.Errorf("another seed gives the same: %q", others)
	}
}

// Pairs are those that a look at every two runs finds.
func TestForksAreThoseOfEveryTwoRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var runs []told
		for range 2 + rng.IntN(12) {
			words := []string{"u"}
			for range rng.IntN(6) {
				words = append(words, []string{"a", "a", "A", "u", "t"}[rng.IntN(5)]+[]string{"1", "2"}[rng.IntN(2)])
			}
			runs = append(runs, told{rng.IntN(2) == 0, strings.Join(words, " ")})
		}
		got, found := find(runs, 1000, 7)
		slices.Sort(got)
		if want := naive(runs); !slices.Equal(got, want) {
			t.Fatalf("of %v\nfound  %q\nwanted %q", runs, got, want)
		}
		for _, p := range found.Pairs {
			if _, alone := found.Why[p.Chosen.Segment]; alone {
				t.Fatalf("%v: segment %d is in a pair and has a reason for none", runs, p.Chosen.Segment)
			}
		}
	}
}

func naive(runs []told) (pairs []string) {
	for _, good := range runs {
		for _, bad := range runs {
			if !good.approved || bad.approved {
				continue
			}
			a, b := strings.Fields(good.messages), strings.Fields(bad.messages)
			for i := range min(len(a), len(b)) {
				if strings.EqualFold(a[i], b[i]) {
					continue
				}
				if a[i][0] == 'a' && b[i][0] == 'a' {
					pairs = append(pairs, strings.ToLower(strings.Join(a[:i], " "))+": "+a[i]+" over "+b[i])
				}
				break
			}
		}
	}
	slices.Sort(pairs)
	return slices.Compact(pairs)
}

// Recorders make ids of calls up: two runs that differ in nothing else go on
// together. A result of another call is another result.
func TestIdsCountByTheirPlace(t *testing.T) {
	run := func(ids ...string) Sum {
		var r Run
		for _, id := range ids {
			role := chat.Assistant
			m := chat.Message{Role: role, Model: id, ToolCalls: []chat.ToolCall{{ID: id, Name: "f"}}}
			if answers, is := strings.CutPrefix(id, "="); is {
				m = chat.Message{Role: chat.Tool, ToolCallID: answers}
			}
			r.Next(&m)
		}
		return r.At()
	}
	if run("x", "=x", "y", "=y") != run("p", "=p", "q", "=q") {
		t.Error("other ids give another sum")
	}
	if run("x", "y", "=x") == run("x", "y", "=y") {
		t.Error("the result of another call gives the same sum")
	}
}

// A branch goes on from its fork, whatever its parent goes on with.
func TestFork(t *testing.T) {
	one, two := message("u"), message("a1")
	three := chat.Message{Role: chat.Assistant, ToolCalls: []chat.ToolCall{{ID: "c", Name: "f"}}}
	var parent, alone Run
	parent.Next(&one)
	branch := parent.Fork()
	parent.Next(&three)
	branch.Next(&two)
	alone.Next(&one)
	alone.Next(&two)
	if branch.At() != alone.At() || !branch.Asked() {
		t.Error("a branch is not what stands before its fork and its own")
	}
}
