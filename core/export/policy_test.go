package export

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/session"
	"winnow/core/token"
)

// cut makes a session of the messages with a segment from each place on.
func (l *library) cut(places []int, messages ...chat.Message) {
	l.add(nil, messages...)
	whole := l.segments[len(l.segments)-1]
	l.segments = l.segments[:len(l.segments)-1]
	for i, start := range places {
		seg := whole
		seg.ID = fmt.Sprintf("%08d-%04d", whole.Body, i)
		seg.Start, seg.End = start, len(messages)
		if i+1 < len(places) {
			seg.End = places[i+1] - 1
		}
		seg.Index = i
		seg.Digest = chat.DigestOf(l.messages[seg.Body][seg.Start-1 : seg.End])
		l.segments = append(l.segments, seg)
	}
}

// outlines exports all as hf and renders the samples as outline does.
func outlines(t *testing.T, l *library, opts Options) (list []string, r Report) {
	t.Helper()
	opts.Path = filepath.Join(t.TempDir(), "out.jsonl")
	r = run(t, l, opts)
	if len(r.Files) == 0 {
		return nil, r
	}
	for line := range strings.Lines(read(t, opts.Path)) {
		s, err := hf.Read([]byte(strings.TrimSuffix(line, "\n")))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, outline(s))
	}
	return list, r
}

func compacted(m chat.Message) chat.Message {
	m.Marks |= chat.MarkCompaction
	return m
}

func TestSystemPolicy(t *testing.T) {
	type m = []chat.Message
	plain := m{sys("be good"), user("u1"), says("a1"), user("u2"), says("a2")}
	for _, c := range []struct {
		name     string
		places   []int
		messages m
		policy   System
		want     []string
	}{
		{"keep: later segments too", []int{1, 4}, plain, System{}, []string{"sbe good | uu1 | aa1", "sbe good | uu2 | aa2"}},
		{"drop", []int{1, 4}, plain, System{Drop: true}, []string{"uu1 | aa1", "uu2 | aa2"}},
		{"text", []int{1, 4}, plain, System{Text: "new"}, []string{"snew | uu1 | aa1", "snew | uu2 | aa2"}},
		{"text without a recorded one", []int{1}, m{user("u"), says("a")}, System{Text: "new"}, []string{"snew | uu | aa"}},
		{"none at all", []int{1, 3}, m{user("u1"), says("a1"), user("u2"), says("a2")}, System{}, []string{"uu1 | aa1", "uu2 | aa2"}},
		{"only a later segment", []int{4}, plain, System{}, []string{"sbe good | uu2 | aa2"}},
		{"two in front", []int{1, 5}, m{sys("one"), sys("two"), user("u1"), says("a1"), user("u2"), says("a2")}, System{},
			[]string{"sone//two | uu1 | aa1", "sone//two | uu2 | aa2"}},
		{"two in front replaced", []int{1}, m{sys("one"), sys("two"), user("u1"), says("a1")}, System{Text: "new"}, []string{"snew | uu1 | aa1"}},
		{"behind a user message", []int{2, 4}, m{user("env"), sys("late"), user("u1"), user("u2"), says("a2")}, System{}, []string{"slate | uu2 | aa2"}},
		{"behind an answer", []int{4}, m{user("u1"), says("a1"), sys("note"), user("u2"), says("a2")}, System{}, []string{"uu2 | aa2"}},
		{"one of its own", []int{1, 4}, m{sys("first"), user("u1"), says("a1"), sys("second"), user("u2"), says("a2")}, System{},
			[]string{"sfirst | uu1 | aa1", "ssecond | uu2 | aa2"}},
		{"a summary of the user's", []int{1, 4}, m{sys("be"), user("u1"), says("a1"), compacted(user("summary")), says("a2")}, System{},
			[]string{"sbe | uu1 | aa1", "sbe | usummary | aa2"}},
		{"a summary of the system's", []int{1, 4}, m{sys("be"), user("u1"), says("a1"), compacted(sys("summary")), user("u2"), says("a2")}, System{},
			[]string{"sbe | uu1 | aa1", "sbe//summary | uu2 | aa2"}},
		{"a summary is no prompt", []int{1}, m{compacted(sys("summary")), user("u"), says("a")}, System{Drop: true}, []string{"ssummary | uu | aa"}},
		{"cut before a summary", []int{1}, m{sys("be"), user("u1"), says("a1"), compacted(user("summary")), says("a2")}, System{}, []string{"sbe | uu1 | aa1"}},
		{"drop spares one inside", []int{1}, m{user("u1"), sys("x"), says("a1")}, System{Drop: true}, nil},
	} {
		l := &library{}
		l.cut(c.places, c.messages...)
		if got, _ := outlines(t, l, Options{System: c.policy}); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// A session that goes on begins with the prompt of what it follows; one that a
// call started does not.
func TestAPromptIsInherited(t *testing.T) {
	for kind, want := range map[session.Kind]string{
		session.Continuation: "sbe good | uu | aa", session.Subagent: "uu | aa",
	} {
		l := &library{}
		l.add(nil, sys("be good"), user("u0"), says("a0"))
		for range 2 { // the last one goes on from one that itself goes on
			l.add(func(_ *review.Segment, s *review.Session) {
				s.Parent, s.Origin.Kind = fmt.Sprintf("session-%d", len(l.segments)-1), kind
			}, user("u"), says("a"))
		}
		if got, _ := outlines(t, l, Options{}); len(got) != 3 || got[1] != want || got[2] != want {
			t.Errorf("%s: %q", kind, got)
		}
	}
	// A circle of parents ends.
	l := &library{}
	l.add(func(_ *review.Segment, s *review.Session) { s.Parent, s.Origin.Kind = s.ID, session.Continuation }, user("u"), says("a"))
	if got, _ := outlines(t, l, Options{}); !slices.Equal(got, []string{"uu | aa"}) {
		t.Errorf("%q", got)
	}
}

func TestAPromptStandsInFrontOfLaterSegmentsOnly(t *testing.T) {
	l := &library{}
	l.cut([]int{1, 4}, user("env"), sys("late"), says("a1"), user("u2"), says("a2"))
	p := prompts{src: l}
	for i, want := range []int{0, 1} {
		seg := &l.segments[i]
		sess := l.sessions[seg.SessionID]
		if got, err := p.before(t.Context(), seg, &sess); err != nil || len(got) != want {
			t.Errorf("segment %d: %v, %v", i, got, err)
		}
	}
}

func TestThePromptIsReadOncePerSession(t *testing.T) {
	l := &library{}
	l.cut([]int{1, 4, 6, 8}, sys("s"), user("u"), says("a"), user("u"), says("a"), user("u"), says("a"), user("u"), says("a"))
	reads := 0
	l.onRead = func() { reads++ }
	if got, _ := outlines(t, l, Options{}); len(got) != 4 {
		t.Fatal(got)
	}
	if reads != 5 {
		t.Errorf("%d reads for 4 segments", reads)
	}
}

func TestEphemeralTextIsCut(t *testing.T) {
	const e = "Be brief today."
	for _, c := range []struct{ text, want string }{
		{"You are x.", "You are x."},
		{"You are x.\n\n" + e, "You are x."},
		{"You are x.\n\n" + e + "\n", "You are x."},
		{e + "\n\nYou are x.", "You are x."},
		{"You are x.\n\n" + e + "\n\nUse tools.", "You are x.\n\nUse tools."},
		{"You are x. " + e + " Use tools.", "You are x. Use tools."},
		{"a\n" + e + "\n" + e + "\nb", "a\nb"},
		{e, ""},
		{" \n" + e + "\n", ""},
		{"  keeps its ends\n", "  keeps its ends\n"},
	} {
		s := sampleOf(sys(c.text), user(e), says(e))
		cutEphemeral(s, "\n"+e+"\n")
		want := "s" + c.want + " | u" + e + " | a" + e
		if c.want == "" {
			want = want[len("s | "):]
		}
		if got := outline(s); got != strings.ReplaceAll(want, "\n", "/") {
			t.Errorf("%q: %q", c.text, got)
		}
	}
	s := sampleOf(sys(" "), user("u"), says("a"))
	if cutEphemeral(s, " \n"); len(s.Messages) != 3 {
		t.Error("a blank text cuts")
	}
	l := &library{}
	l.cut([]int{1, 4}, sys("Be good. "+e), user("u1"), says("a1"), user("u2"), says("a2"))
	if got, _ := outlines(t, l, Options{Ephemeral: e}); !slices.Equal(got, []string{"sBe good. | uu1 | aa1", "sBe good. | uu2 | aa2"}) {
		t.Errorf("%q", got)
	}
}

func failing(id string) chat.Message { return result(id, "Error: no") }

func TestTrainPolicy(t *testing.T) {
	type m = []chat.Message
	tried := m{user("u"), calls("1"), failing("1"), calls("2"), result("2", "ok"), says("a"), user("v"), says("b")}
	parallel := m{user("u"), calls("1", "2"), result("1", "ok"), failing("2"), says("a")}
	for _, c := range []struct {
		name     string
		policy   Train
		messages m
		masked   []int
		want     string // of the assistant messages: 1 is trained, "" is left out
	}{
		{"all", TrainAll, tried, nil, "1111"},
		{"all, masked", TrainAll, tried, []int{2}, "0111"},
		{"last", TrainLast, tried, nil, "0001"},
		{"last, another masked", TrainLast, tried, []int{2}, "0001"},
		{"last, masked", TrainLast, tried, []int{8}, ""},
		{"after errors", TrainAfterErrors, tried, nil, "0111"},
		{"after errors, masked", TrainAfterErrors, tried, []int{6}, "0101"},
		{"after errors without one", TrainAfterErrors, m{user("u"), calls("1"), result("1", "ok"), says("a")}, nil, "11"},
		{"after errors, all behind masked", TrainAfterErrors, parallel, []int{5}, ""},
		{"after parallel calls", TrainAfterErrors, parallel, nil, "01"},
		{"succeeded", TrainSucceeded, tried, nil, "0111"},
		{"succeeded, one of two failed", TrainSucceeded, parallel, nil, "01"},
		{"succeeded, masked", TrainSucceeded, tried, []int{4, 6}, "0001"},
	} {
		l := &library{}
		l.add(func(seg *review.Segment, _ *review.Session) { seg.Masked = c.masked }, c.messages...)
		path := filepath.Join(t.TempDir(), "out.jsonl")
		r := run(t, l, Options{Path: path, Train: c.policy})
		got := ""
		if r.Written == 1 {
			s, err := hf.Read([]byte(strings.TrimSpace(read(t, path))))
			if err != nil {
				t.Fatal(err)
			}
			for i := range s.Messages {
				if m := &s.Messages[i]; m.Role == chat.Assistant {
					got += map[bool]string{true: "1", false: "0"}[m.Train]
				}
			}
			if r.Trained != strings.Count(got, "1") {
				t.Errorf("%s: reports %d trained", c.name, r.Trained)
			}
		} else if r.LeftOut[0].Check != "no_assistant" {
			t.Errorf("%s: %+v", c.name, r.LeftOut)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// wordCounter counts words.
type wordCounter struct{ token.Counter }

func (wordCounter) Count(text string) int { return len(strings.Fields(text)) }

// countingCounter counts how often it is asked.
type countingCounter struct {
	wordCounter
	n atomic.Int32
}

func (c *countingCounter) Count(text string) int {
	c.n.Add(1)
	return c.wordCounter.Count(text)
}

func TestMaxTokens(t *testing.T) {
	type m = []chat.Message
	two := m{sys("a b"), user("c d"), says("e f"), user("g h"), says("i j")}
	three := append(slices.Clone(two), user("k l"), calls("1"), result("1", "m n"), says("o"))
	for _, c := range []struct {
		name     string
		messages m
		most     int
		how      TooLong
		want     string // "" is left out
	}{
		{"fits", two, 10, DropLong, "sa b | uc d | ae f | ug h | ai j"},
		{"dropped", two, 9, DropLong, ""},
		{"cut", two, 9, CutLong, "sa b | uc d | ae f"},
		{"cut at the last that fits", three, 15, CutLong, "sa b | uc d | ae f | ug h | ai j"},
		{"cut at one that is just enough", three, 6, CutLong, "sa b | uc d | ae f"},
		{"no place", three, 5, CutLong, ""},
		{"never inside a call", m{user("a"), calls("1"), user("b"), result("1", "c"), says("d e f g h i j")}, 5, CutLong, ""},
		{"never behind a result", m{user("a"), says("b"), user("c"), calls("1"), result("1", "d"), user("e e e e e"), says("f")}, 9, CutLong, "ua | ab"},
		{"two users in a row", m{user("a"), says("b"), user("c"), user("d d d d"), says("e")}, 4, CutLong, "ua | ab"},
		{"nobody asked before", m{says("a"), user("b b b"), says("c")}, 2, CutLong, ""},
	} {
		l := &library{}
		l.add(nil, c.messages...)
		got, r := outlines(t, l, Options{MaxTokens: c.most, TooLong: c.how, Counter: wordCounter{}})
		if strings.Join(got, "") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if r.Tokens > c.most {
			t.Errorf("%s: %d tokens", c.name, r.Tokens)
		}
		cut := c.want != "" && len(got) == 1 && c.how == CutLong
		if cut != slices.ContainsFunc(r.Repairs, func(r RepairCount) bool { return r.Check == tooLong }) {
			t.Errorf("%s: repairs %+v", c.name, r.Repairs)
		}
		if c.want == "" && c.name != "nobody asked before" && !slices.ContainsFunc(r.LeftOut, func(l LeftOut) bool { return l.Check == tooLong || l.More > 0 }) {
			t.Errorf("%s: %+v", c.name, r.LeftOut)
		}
	}
	// Each text is counted once.
	counter := &countingCounter{}
	once := &library{}
	once.add(nil, two...)
	for _, most := range []int{10, 9} {
		counter.n.Store(0)
		if _, r := outlines(t, once, Options{MaxTokens: most, TooLong: CutLong, Counter: counter}); counter.n.Load() != 11 || r.Tokens != most/10*4+6 {
			t.Errorf("counted %d times, %d tokens", counter.n.Load(), r.Tokens)
		}
	}
	// What is trained last is decided after the cut.
	l := &library{}
	l.add(nil, two...)
	if _, r := outlines(t, l, Options{MaxTokens: 9, TooLong: CutLong, Counter: wordCounter{}, Train: TrainLast}); r.Written != 1 || r.Trained != 1 {
		t.Errorf("%+v", r)
	}
	// The tools cost something, and so do reasoning and calls.
	l = &library{}
	l.add(withTools, user("u"), with(calls("1"), func(m *chat.Message) { m.Reasoning = "r r" }), result("1", "ok"), says("a"))
	if _, r := outlines(t, l, Options{Counter: wordCounter{}}); r.Tokens != 1+1+2+1+2+1+1 {
		t.Errorf("%d tokens", r.Tokens)
	}
}
