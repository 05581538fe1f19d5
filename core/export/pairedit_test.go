package export

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/graph"
	"winnow/core/review"
	"winnow/core/session"
)

// edited is a library of one approved session of three answers, of which the first
// and the last are rewritten.
func edited() *library {
	l := &library{}
	l.add(nil, user("one"), says("a1"), user("two"), says("a2"), user("three"), says("a3"))
	l.edit(0, edit.Fix, 2, 0, says("b1"))
	l.edit(0, edit.Fix, 6, 0, says("b3"))
	return l
}

// An answer that a curator rewrote is better than what the model wrote there, after
// what stands before it now.
func TestPairsOfEdits(t *testing.T) {
	first := `{"prompt":[{"role":"user","content":"one"}],"chosen":[{"role":"assistant","content":"b1"}],"rejected":[{"role":"assistant","content":"a1"}]}`
	last := `{"prompt":[{"role":"user","content":"one"},{"role":"assistant","content":"b1"},{"role":"user","content":"two"},{"role":"assistant","content":"a2"},{"role":"user","content":"three"}],"chosen":[{"role":"assistant","content":"b3"}],"rejected":[{"role":"assistant","content":"a3"}]}`
	secret := says("a1")
	for name, tt := range map[string]struct {
		change func(l *library)
		want   []string
	}{
		"two":             {func(*library) {}, []string{first, last}},
		"pending":         {func(l *library) { l.segments[0].Verdict = review.Pending }, nil},
		"rejected":        {func(l *library) { l.segments[0].Verdict = review.Rejected }, nil},
		"a mark":          {func(l *library) { l.segments[0].Masked = []int{2} }, []string{last}},
		"a redaction":     {func(l *library) { l.edits[0][0].Why = edit.Redact }, []string{last}},
		"a clash":         {func(l *library) { l.edits[0][1].Clash = true }, []string{first}},
		"no model":        {func(l *library) { l.messages[0][1].Model = chat.NoModel }, []string{last}},
		"repaired":        {func(l *library) { l.messages[0][1].Marks = chat.MarkRepaired }, []string{last}},
		"an edited user":  {func(l *library) { l.edits[0][0].N, l.edits[0][0].Message = 1, user("one") }, []string{strings.ReplaceAll(last, "b1", "a1")}},
		"sealed":          {func(l *library) { l.sealed = map[graph.Saying]bool{graph.SayingOf(&secret): true} }, []string{last}},
		"the same, twice": {func(l *library) { again(l) }, []string{first, last}},
		"a fork has it, too": {func(l *library) {
			l.add(func(seg *review.Segment, _ *review.Session) { seg.Verdict = review.Rejected }, user("one"), says("a1"))
		}, []string{first, last}},
	} {
		l := edited()
		tt.change(l)
		got, r := exported(t, l, Options{As: "dpo"})
		if lines := strings.Join(tt.want, "\n"); strings.TrimSuffix(got, "\n") != lines {
			t.Errorf("%s:\n%s\n%+v\nwanted:\n%s", name, got, r.LeftOut, lines)
		}
		if p := r.Pairs; len(tt.want) > 0 && p.Found != r.Written+len(r.LeftOut)-left(r)+p.More {
			t.Errorf("%s: %+v %+v", name, p, r.LeftOut)
		}
	}
}

// left counts segments that are left out, not pairs.
func left(r Report) (n int) {
	for i := range r.LeftOut {
		if r.LeftOut[i].Rejected == "" {
			n++
		}
	}
	return n
}

// again adds a copy of the first session with its edits.
func again(l *library) {
	l.add(nil, l.messages[0]...)
	for _, e := range l.edits[0] {
		l.edit(1, e.Why, e.N, 0, e.Message)
	}
}

// Every format of pairs has them, and the manifest tells both sides.
func TestPairsOfEditsInEveryFormat(t *testing.T) {
	for _, e := range Emitters() {
		if !e.Pairs() {
			continue
		}
		got, r := exported(t, edited(), Options{As: e.Name})
		if r.Written != 2 {
			t.Errorf("%s: %+v", e.Name, r)
		}
		for line := range strings.Lines(got) {
			if p, err := e.ReadPair([]byte(strings.TrimSuffix(line, "\n"))); err != nil || p.Chosen.answer().Content[0] != 'b' || p.Rejected.answer().Content[0] != 'a' {
				t.Errorf("%s: %v: %s", e.Name, err, line)
			}
		}
	}
}

// An answer in a branch is given to what its model saw before the fork.
func TestPairsOfEditsInABranch(t *testing.T) {
	l := edited()
	l.add(func(_ *review.Segment, s *review.Session) {
		s.Parent, s.Origin = "session-0", session.Origin{Kind: session.Branch, At: 2}
	}, user("four"), says("a4"))
	l.edit(1, edit.Fix, 2, 0, says("b4"))
	got, _ := exported(t, l, Options{As: "dpo"})
	want := `{"prompt":[{"role":"user","content":"one"},{"role":"assistant","content":"a1"},{"role":"user","content":"four"}],"chosen":[{"role":"assistant","content":"b4"}],"rejected":[{"role":"assistant","content":"a4"}]}`
	if !strings.Contains(got, want) {
		t.Error(got)
	}
}

// A session of several tasks gives each answer what its own segment says before it, and
// the system message of the session.
func TestPairsOfEditsInALaterTask(t *testing.T) {
	l := &library{}
	l.add(func(seg *review.Segment, s *review.Session) { seg.Start, s.Messages = 4, 5 },
		chat.Message{Role: chat.System, Content: "be kind"}, user("one"), says("a1"), user("two"), says("a2"))
	l.edit(0, edit.Fix, 5, 0, says("b2"))
	got, r := exported(t, l, Options{As: "dpo"})
	want := `{"prompt":[{"role":"system","content":"be kind"},{"role":"user","content":"two"}],"chosen":[{"role":"assistant","content":"b2"}],"rejected":[{"role":"assistant","content":"a2"}]}` + "\n"
	if got != want {
		t.Errorf("%s%+v", got, r.LeftOut)
	}
}

// Sessions begin alike as they are now: an edit of a first question may make them, and
// what branches off still sees the one that was recorded.
func TestPairsOfEditedQuestions(t *testing.T) {
	l := &library{}
	l.add(nil, user("onne"), says("a1"))
	l.add(rejected, user("one"), says("a2"))
	l.add(rejected, user("onne"), says("a3"))
	l.add(func(seg *review.Segment, s *review.Session) {
		s.Parent, s.Origin = "session-0", session.Origin{Kind: session.Branch, At: 1}
	}, says("a4"))
	for id, s := range l.sessions {
		s.Begins, s.Messages = chat.Opening(&l.messages[s.Body][0]), len(l.messages[s.Body])
		l.sessions[id] = s
	}
	l.edit(0, edit.Fix, 1, 0, user("one"))
	got, _, _ := pairsOf(t, l, Options{})
	if want := []string{"one: a1 over a2", "onne: a4 over a3"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

// kto has an answer that was rewritten as wanted, and what the model wrote there as
// unwanted; of other segments one row, as ever.
func TestKTOOfEdits(t *testing.T) {
	l := edited()
	l.add(nil, user("five"), says("a5"))
	got, r := exported(t, l, Options{As: "kto"})
	const long = `{"prompt":[{"role":"user","content":"one"},{"role":"assistant","content":"b1"},{"role":"user","content":"two"},{"role":"assistant","content":"a2"},{"role":"user","content":"three"}],"completion":[{"role":"assistant","content":`
	want := strings.Join([]string{
		long + `"b3"}],"label":true}`,
		`{"prompt":[{"role":"user","content":"one"}],"completion":[{"role":"assistant","content":"b1"}],"label":true}`,
		`{"prompt":[{"role":"user","content":"one"}],"completion":[{"role":"assistant","content":"a1"}],"label":false}`,
		long + `"a3"}],"label":false}`,
		`{"prompt":[{"role":"user","content":"five"}],"completion":[{"role":"assistant","content":"a5"}],"label":true}`,
	}, "\n") + "\n"
	if got != want || r.Candidates != 5 {
		t.Errorf("%d candidates:\n%s\nwanted:\n%s", r.Candidates, got, want)
	}
	l.edits[0][0].Why = edit.Redact
	got, r = exported(t, l, Options{As: "kto"})
	if strings.Contains(got, `"a1"`) {
		t.Error("what a redaction took out is unwanted, and written:", got)
	}
	if r.Candidates != r.Written+len(r.LeftOut) || len(r.LeftOut) != 1 || r.Failed() > 0 {
		t.Errorf("%d candidates, %d written, left out %+v", r.Candidates, r.Written, r.LeftOut)
	}
}

// An answer that was redacted makes no pair, and is counted as that, as is its segment
// if nothing else makes one.
func TestPairsOfRedactedAnswers(t *testing.T) {
	l := edited()
	l.edits[0][0].Why = edit.Redact
	if _, _, r := pairsOf(t, l, Options{}); r.Pairs.Found != 2 || len(r.LeftOut) != 1 || r.LeftOut[0].Check != OutRedacted || r.LeftOut[0].Message != 2 || r.Failed() > 0 {
		t.Errorf("%+v %+v", r.Pairs, r.LeftOut)
	}
	l.edits[0][1].Why = edit.Redact
	_, _, r := pairsOf(t, l, Options{Dedupe: DedupeNear})
	if by := r.LeftOutBy(); len(by) != 1 || by[0].Name != OutRedacted || by[0].Samples != 3 || r.LeftOut[2].Rejected != "" {
		t.Errorf("%+v %+v", r.Pairs, r.LeftOut)
	}
	for name, change := range map[string]func(e *edit.Edit){
		"what the recorder wrote": func(e *edit.Edit) { e.Message.Model = chat.NoModel },
		"a question":              func(e *edit.Edit) { e.N, e.Message = 1, user("[name]") },
		"what is dropped":         func(e *edit.Edit) { e.Op = edit.Drop },
	} {
		l := edited()
		l.edits[0][0].Why = edit.Redact
		change(&l.edits[0][0])
		if _, _, r := pairsOf(t, l, Options{}); r.Pairs.Found != 1 {
			t.Errorf("%s makes a pair: %+v", name, r.LeftOut)
		}
	}
}

// What a curator wrote is trained alone.
func TestTrainEdited(t *testing.T) {
	l := edited()
	l.edit(0, edit.Redact, 4, 0, says("[name]"))
	l.add(nil, user("five"), says("a5"))
	got, r := exported(t, l, Options{Train: TrainEdited})
	for _, want := range []string{`"b1","train":true`, `"[name]","train":false`, `"b3","train":true`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	if r.Written != 1 || r.Trained != 2 || r.Failed() != 0 || r.LeftOut[0].Check != OutUnedited {
		t.Errorf("%+v", r)
	}
	if got, r := exported(t, l, Options{As: "kto", Train: TrainEdited}); r.Written != 4 || strings.Count(got, `"label":false`) != 2 {
		t.Errorf("%d: %s", r.Written, got)
	}
	if got, _ := exported(t, l, Options{As: "steps", Train: TrainEdited}); strings.Count(got, "\n") != 2 {
		t.Error(got)
	}
	l.edits[0] = append(l.edits[0], edit.Edit{Place: edit.Place{Body: 0, N: 6, Part: 1}, Op: edit.Add, Why: edit.Fix, Message: says("aside"), Untrained: true})
	if got, _ := exported(t, l, Options{As: "steps"}); strings.Contains(got, "aside") {
		t.Error(got)
	}
}
