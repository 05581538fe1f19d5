package export

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/graph"
	"winnow/core/review"
	"winnow/core/session"
)

// exported exports to a file and returns what is in it.
func exported(t *testing.T, l *library, opts Options) (string, Report) {
	t.Helper()
	opts.Path = filepath.Join(t.TempDir(), "out.jsonl")
	r := run(t, l, opts)
	text, err := os.ReadFile(opts.Path)
	if err != nil && r.Written > 0 {
		t.Fatal(err)
	}
	return string(text), r
}

// What is exported is what stands there now: other texts, dropped and added
// messages. A mark stays with its message.
func TestEditedSegment(t *testing.T) {
	l := &library{}
	l.add(func(seg *review.Segment, _ *review.Session) { seg.Masked = []int{4} }, user("one"), says("a1"), user("two"), says("a2"), user("three"), says("a3"))
	plain, _ := exported(t, l, Options{})
	l.edit(0, edit.Fix, 1, 0, user("mended"))
	l.edit(0, edit.Fix, 2, 0, chat.Message{})
	l.edit(0, edit.Fix, 2, 1, says("put in"))
	l.edit(0, edit.Fix, 6, 0, says("better"))
	got, r := exported(t, l, Options{As: "hf"})
	if r.Written != 1 {
		t.Fatalf("%+v", r)
	}
	for _, want := range []string{`"content":"mended"`, `"content":"put in","train":true`, `"content":"a2","train":false`, `"content":"better","train":true`, `edited\":\"` + l.segments[0].Edited} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	for _, not := range []string{`"one"`, `"a1"`, `"a3"`} {
		if strings.Contains(got, not) {
			t.Errorf("%s is in %s", not, got)
		}
	}
	if id := func(s string) string { return s[:strings.Index(s, ",")] }; id(got) == id(plain) {
		t.Error("it is the same sample")
	}
}

// All that was recorded may be dropped, and what is written stand in front of it and
// after it. Where nothing is left nothing is written.
func TestEditedSegmentAtItsEnds(t *testing.T) {
	l := &library{}
	l.add(nil, user("one"), says("a1"))
	l.edit(0, edit.Fix, 1, 0, chat.Message{})
	l.edit(0, edit.Fix, 2, 0, chat.Message{})
	for _, as := range []string{"hf", "openai", "steps", "sharegpt", "kto"} {
		if got, r := exported(t, l, Options{As: as}); r.Written != 0 {
			t.Errorf("%s: nothing is left, and %s is written", as, got)
		}
	}
	l.edit(0, edit.Fix, 0, 1, user("in front"))
	l.edit(0, edit.Fix, 2, 1, says("at the end"))
	got, r := exported(t, l, Options{As: "openai"})
	want := `{"messages":[{"role":"user","content":"in front"},{"role":"assistant","content":"at the end","weight":1}]}`
	if r.Written != 1 || strings.TrimSpace(got) != want {
		t.Errorf("%+v\n%s, want\n%s", r, got, want)
	}
}

// A message that is missing is no dropped one.
func TestEditedSegmentIsWhole(t *testing.T) {
	l := good(1)
	l.edit(0, edit.Fix, 2, 0, says("better"))
	l.segments[0].End = 3
	if _, err := Run(t.Context(), l, Options{Check: true}, nil); err == nil || !strings.Contains(err.Error(), "2 of 3 messages are stored") {
		t.Error(err)
	}
}

// A branch has in front of it what the model saw, but for what is redacted.
func TestBranchOfAnEditedSession(t *testing.T) {
	l := &library{}
	l.add(nil, user("one"), says("a1"), user("two"), says("a2"))
	l.add(func(_ *review.Segment, s *review.Session) {
		s.Parent, s.Origin = "session-0", session.Origin{Kind: session.Branch, At: 2}
	}, user("three"), says("a3"))
	l.edit(0, edit.Redact, 1, 0, user("[name]"))
	l.edit(0, edit.Fix, 2, 0, says("mended"))
	l.edit(0, edit.Redact, 1, 1, user("added"))
	got, _ := exported(t, l, Options{As: "hf"})
	if branch := got[strings.Index(got, "\n")+1:]; !strings.Contains(branch, `"[name]"`) || !strings.Contains(branch, `"a1"`) || strings.Contains(branch, "added") {
		t.Error(branch)
	}
}

// A message that a curator added to a session, redacted or not, is nothing to a branch:
// its answers are as a model gave them.
func TestBranchOnPolicyHasNothingAdded(t *testing.T) {
	l := &library{}
	l.add(nil, sys("s"), user("one"), says("a1"))
	l.add(func(_ *review.Segment, s *review.Session) {
		s.Parent, s.Origin = "session-0", session.Origin{Kind: session.Branch, At: 3}
	}, user("three"), says("a3"))
	l.edit(0, edit.Redact, 2, 1, user("added"))
	got, _ := trainedBy(t, l, Options{As: "hf", Gaps: everyGap})
	if want := []string{"s one a1 three a3"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What a redaction took out is left out, wherever it is said; a system message that
// is not written is not said.
func TestSealed(t *testing.T) {
	secret := sys("secret")
	l := &library{sealed: map[graph.Saying]bool{graph.SayingOf(&secret): true}}
	l.add(nil, secret, user("one"), says("a1"))
	l.add(nil, user("one"), says("a2"))
	if got, r := exported(t, l, Options{}); r.Written != 1 || r.LeftOut[0].Check != sealed || strings.Contains(got, "secret") {
		t.Errorf("%s %+v", got, r)
	}
	if got, r := exported(t, l, Options{System: System{Drop: true}}); r.Written != 2 || strings.Contains(got, "secret") {
		t.Errorf("%s %+v", got, r)
	}
	if lines, r, err := Preview(t.Context(), l, &l.segments[0], Options{}); err != nil || len(lines) > 0 || r.LeftOut[0].Check != sealed {
		t.Errorf("%s %+v %v", lines, r, err)
	}
}

// A fork is found in what stands there now. What a curator wrote is not held against
// a model, nor what it answered to something else.
func TestForksOfEditedSessions(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(l *library)
		want   int
	}{
		"as recorded":           {func(*library) {}, 1},
		"a better answer":       {func(l *library) { l.edit(0, edit.Fix, 2, 0, says("better")) }, 2},
		"a rewritten rejection": {func(l *library) { l.edit(1, edit.Fix, 2, 0, says("worse")) }, 0},
		"another prompt":        {func(l *library) { l.edit(1, edit.Fix, 1, 0, user("two")) }, 0},
		"the same put in both, and redacted": {func(l *library) {
			l.edit(0, edit.Redact, 1, 1, user("[name]"))
			l.edit(1, edit.Redact, 1, 1, user("[name]"))
		}, 0},
		"the same prompt, redacted in both": {func(l *library) {
			l.edit(0, edit.Redact, 1, 0, user("[name]"))
			l.edit(1, edit.Redact, 1, 0, user("[name]"))
		}, 1},
	} {
		l := &library{}
		l.add(nil, user("one"), says("a1"))
		l.add(func(seg *review.Segment, _ *review.Session) { seg.Verdict = review.Rejected }, user("one"), says("a2"))
		tt.change(l)
		if _, r := exported(t, l, Options{As: "dpo"}); r.Written != tt.want {
			t.Errorf("%s: %d pairs, not %d: %+v", name, r.Written, tt.want, r.LeftOut)
		}
	}
}
