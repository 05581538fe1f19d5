package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/compress"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/tui/keys"
	screen "winnow/tui/screens/compress"
)

// startCompressions opens the compression of the first segment; the first three have a
// proposal.
func startCompressions(t *testing.T, w, h int, with ...func(*fakeCompressions, *Options)) (*harness, *fakeCompressions) {
	t.Helper()
	lib := wholeLibrary()
	f := compressible(lib, 3)
	x := start(t, lib, w, h, func(o *Options) {
		o.Compressions = f
		for _, do := range with {
			do(f, o)
		}
	})
	x.press("C")
	return x, f
}

// proposed is the proposal of the i-th segment.
func (f *fakeCompressions) proposed(i int) *proposal.Proposal {
	return f.lib.proposed[f.lib.segments[i].ID]
}

// under is the line under the cursor, without its mark.
func (x *harness) under() (said string) {
	for _, l := range x.lines() {
		if rest, ok := strings.CutPrefix(l, x.app.G.Mark); ok {
			said = strings.TrimSpace(rest)
		}
	}
	return said
}

func withCompressions(s *scene, o *Options) {
	f := compressible(s.lib, 3)
	f.of = func(string) proposal.Conversation {
		c := files(12)
		for i := range c.Messages {
			c.Messages[i].Content = s.say(c.Messages[i].Content)
		}
		return c
	}
	for i := range min(3, len(s.lib.segments)) {
		f.proposeOf(&s.lib.segments[i], f.options).By = s.say("ben")
	}
	o.Compressions = f
}

func TestCompression80x24(t *testing.T) {
	x, _ := startCompressions(t, 80, 24)
	golden.RequireEqual(t, x.screen())
}

// TestCompressionOnNarrowScreens: how it was made and the keys that change that are told
// in 80 columns, as is what all samples cost together.
func TestCompressionOnNarrowScreens(t *testing.T) {
	x, _ := startCompressions(t, 80, 24)
	x.wants("tokens in all", "t target 1,400  s extract  f split  chars/4", "A all")
	for range 4 {
		if x.press("["); strings.Contains(x.screen(), "counting") {
			t.Error(x.screen())
		}
	}
	x.press("f")
	x.wants("t target 1,400  s extract  f fold  chars/4", "7 answers no longer trained")
	if strings.Contains(x.screen(), "in all") {
		t.Error("one sample is all")
	}
}

func TestCompression200x60(t *testing.T) {
	x, _ := startCompressions(t, 200, 60)
	x.press("J enter j j j enter")
	golden.RequireEqual(t, x.screen())
}

func TestCompressionASCII(t *testing.T) {
	x, _ := startCompressions(t, 80, 24, func(_ *fakeCompressions, o *Options) { o.ASCII = true })
	for _, keys := range []string{"", "J enter", "j enter", "["} {
		x.press(keys)
		if strings.ContainsAny(x.screen(), "●✓✗▌│⚠▸▾−→") {
			t.Errorf("not ASCII after %q:\n%s", keys, x.screen())
		}
	}
}

// TestCompressionsAreJudged: a verdict is for what was seen, and the next one that is
// not judged follows; undo comes back to it.
func TestCompressionsAreJudged(t *testing.T) {
	x, f := startCompressions(t, 100, 30)
	first := f.lib.segments[0].ID
	x.press("a")
	if p := f.proposed(0); p.Status != proposal.Accepted || p.Judge != "ann" || f.judged[0].Seen[first].Segment != first {
		t.Fatalf("%+v, %+v", p, f.judged)
	}
	x.wants("accepted: “Fix flaky parser test”", "u undo")
	if got := x.selected(); got != f.lib.segments[1].Short() {
		t.Errorf("it went on to %s", got)
	}
	x.wants("Docker compose")
	x.press("r a")
	if f.proposed(1).Status != proposal.Rejected || f.proposed(2).Status != proposal.Accepted {
		t.Errorf("%s, %s", f.proposed(1).Status, f.proposed(2).Status)
	}
	x.wants("no other proposal of the list is to be judged")
	x.press("p p")
	x.wants("Fix flaky", "accepted by ann")
	x.press("x")
	if f.proposed(0).Status != proposal.Proposed {
		t.Error("the verdict was not taken back")
	}
	x.press("u u")
	x.wants("proposed")
	if f.proposed(2).Status != proposal.Proposed || f.proposed(0).Status != proposal.Accepted {
		t.Errorf("undone: %s %s", f.proposed(0).Status, f.proposed(2).Status)
	}
	if x.selected() != f.lib.segments[2].Short() || x.app.in(keys.InCompression) == nil {
		t.Errorf("undo led to %s", x.selected())
	}
	x.wants(x.app.NameOf(&f.lib.segments[2])[:12])
	x.press("esc")
	if x.app.in(keys.InCompression) != nil || x.app.Context() != keys.InList {
		t.Error("it did not go back to the list")
	}
}

// TestCompressionKeysWait: verdicts that are typed faster than proposals are read fall
// on the ones that they are meant for.
func TestCompressionKeysWait(t *testing.T) {
	x, f := startCompressions(t, 100, 30)
	x.hold = true
	x.press("a r a")
	for x.release(); len(x.held) > 0; x.release() {
	}
	for i, want := range []proposal.Status{proposal.Accepted, proposal.Rejected, proposal.Accepted} {
		if got := f.proposed(i).Status; got != want {
			t.Errorf("proposal %d is %s, want %s", i, got, want)
		}
	}
}

// TestCompressionIsRefused: what somebody else changed meanwhile is shown anew.
func TestCompressionIsRefused(t *testing.T) {
	x, f := startCompressions(t, 100, 30)
	f.fails = review.ErrConflict
	x.press("a")
	x.wants("not changed:")
	f.fails = nil
	if f.proposed(0).Status != proposal.Proposed {
		t.Error("it was judged")
	}
	x.press("ctrl+l a")
	if f.proposed(0).Status != proposal.Accepted {
		t.Error("it can't be judged any more")
	}
	x, f = startCompressions(t, 100, 30, func(_ *fakeCompressions, o *Options) { o.ReadOnly = true })
	for _, key := range strings.Fields("a r x e < m s f t A u") {
		x.press(key)
		if x.wants("read-only"); len(f.judged) != 0 {
			t.Errorf("%s changes what is read-only", key)
		}
	}
}

// TestCompressionIsMoved: the ends of a region go by whole calls, with an entry each, and
// a refusal says why.
func TestCompressionIsMoved(t *testing.T) {
	x, f := startCompressions(t, 140, 40)
	was := f.proposed(0).Layers[len(f.proposed(0).Layers)-1][0]
	region := func() compress.Region { l := f.proposed(0).Layers; return l[len(l)-1][0] }
	x.press("J {")
	if g := region(); g.To != was.To-2 || g.From != was.From || !f.proposed(0).Changed {
		t.Fatalf("%+v, it was %+v\n%s", g, was, x.screen())
	}
	x.wants("left out:", "changed by hand")
	if ln := x.under(); !strings.HasPrefix(ln, "− ▸ #4–13") {
		t.Errorf("the cursor is on %q", ln)
	}
	x.press("} >")
	if g := region(); g.To != was.To || g.From != was.From+2 {
		t.Errorf("%+v", g)
	}
	x.press("u u u")
	if g := region(); g.From != was.From || g.To != was.To || g.Text != was.Text {
		t.Errorf("undone: %+v", g)
	}
	x.press("g J }")
	x.wants("not changed:", "message 16 is a user's: it stays")
	x.press("g <")
	x.wants("the cursor is on no messages that are left out")
}

// TestCompressionIsWritten: a text is changed in the editor, is checked and counted, and
// what is not kept stays in its file.
func TestCompressionIsWritten(t *testing.T) {
	e := &fakeEdits{files: map[string]string{}}
	x, f := startCompressions(t, 140, 40, func(_ *fakeCompressions, o *Options) { o.Drafts, o.Exec = e, e.exec })
	e.editor = func(text string) (string, error) { return "The files were read one by one.\n", nil }
	x.press("J e")
	l := f.proposed(0).Layers
	if g := l[len(l)-1][0]; g.Text != compress.Prefix+" The files were read one by one." || !g.Written || len(e.gone) != 1 {
		t.Fatalf("%+v, %v\n%s", g, e.gone, x.screen())
	}
	x.wants("the text is changed:", "written by hand", "src/part1.go")
	e.editor = func(text string) (string, error) { return text, nil }
	x.press("e")
	if x.wants("nothing is changed"); len(e.gone) != 2 {
		t.Errorf("files %v", e.gone)
	}
	e.editor = func(text string) (string, error) { return "  \n", nil }
	x.press("e")
	if x.wants("a summary that says nothing"); len(e.gone) != 2 {
		t.Errorf("the text is gone: %v", e.gone)
	}
	began := ""
	e.editor = func(text string) (string, error) { began = text; return "Read.", nil }
	x.press("e")
	if began != "  \n" || len(e.gone) != 3 {
		t.Errorf("the editor began with %q, %v", began, e.gone)
	}
	e.noEdit = errors.New("no editor is set")
	x.press("e")
	x.wants("not changed: no editor is set")
}

// TestCompressionIsMadeAnew: other ways make another proposal at once, which undo takes
// back.
func TestCompressionIsMadeAnew(t *testing.T) {
	x, f := startCompressions(t, 140, 40)
	was := *f.proposed(0)
	x.press("f")
	if p := f.proposed(0); p.Made.Form != "fold" || p.By != "ann" || p.Samples != 1 || p.Dropped == 0 {
		t.Fatalf("%+v", p)
	}
	x.wants("7 answers no longer trained", "s extract  f fold")
	x.press("s")
	if p := f.proposed(0); p.Made.Strategy != "clear" || p.Dropped != 0 {
		t.Errorf("%+v", p.Made)
	}
	x.wants("8 results cleared", "s clear  f fold")
	x.press("J enter")
	x.wants("[cleared: read_file")
	x.press("s t")
	x.write("2k")
	x.press("enter")
	if p := f.proposed(0); p.Target != 2000 || p.Made.Strategy != "extract" {
		t.Errorf("%+v", p)
	}
	x.press("t")
	x.write("80008k")
	x.press("enter")
	x.wants("a target is 100 to 10,000,000 tokens")
	x.press("t enter t")
	x.write("20k")
	x.press("enter")
	x.wants("nothing to compress: it costs 3,247 tokens, the target is 20,000")
	x.press("u u u u")
	if p := f.proposed(0); p.Made != was.Made || p.Target != was.Target {
		t.Errorf("undone: %+v", p)
	}
}

// TestNoCompression: a segment without one offers to make it; one that fits says so.
func TestNoCompression(t *testing.T) {
	x, f := startCompressions(t, 80, 24)
	x.press("esc j j j C")
	x.wants("There is no proposal yet", "3,247 tokens", "target is 1,400", "winnow compress --to 1400")
	x.press("f s")
	x.wants("clear · fold")
	x.press("s m")
	p := f.proposed(3)
	if p == nil || p.Made.Form != "fold" || p.By != "ann" {
		t.Fatalf("%+v\n%s", p, x.screen())
	}
	x.wants("10 messages are left out", "proposed by ann")
	f.options.Target = 5000
	x.press("esc j C")
	x.wants("It fits", "3,247 tokens", "target is 5,000")
	x.press("m")
	if x.wants("nothing to compress"); f.proposed(4) != nil {
		t.Error("something is proposed")
	}
	f.fails = errors.New("disk full")
	x.press("esc j C")
	x.wants("The segment could not be read", "disk full")
	f.fails = nil
	x.press("ctrl+l")
	x.wants("It fits")
}

// TestStaleCompression: what is of other messages says so, can't be accepted, and is made
// anew.
func TestStaleCompression(t *testing.T) {
	x, f := startCompressions(t, 80, 24)
	of := f.of
	f.of = func(id string) proposal.Conversation {
		c := of(id)
		c.Messages[3].Content += "."
		return c
	}
	x.press("ctrl+l")
	x.wants("~ stale", "it was proposed", "exports write the segment whole")
	x.press("a")
	if x.wants("the messages have changed since"); f.proposed(0).Status != proposal.Proposed {
		t.Error("it was accepted")
	}
	x.press("m")
	x.wants("● proposed by ann", "12 messages are left out")
}

// TestStaleCompressionHasNoLines: what becomes stale under the cursor, of fewer messages
// than there were, leaves no lines that keys could act on.
func TestStaleCompressionHasNoLines(t *testing.T) {
	for _, key := range []string{"v", "y", "e", "enter", "Z", "J", "{"} {
		x, f := startCompressions(t, 80, 24)
		x.press("Z G")
		f.of = func(string) proposal.Conversation { return files(2) }
		x.press("ctrl+l")
		x.wants("~ stale")
		x.press(key)
		if x.app.in(keys.InCompression) == nil || f.proposed(0).Changed {
			t.Errorf("%s does something:\n%s", key, x.screen())
		}
	}
}

// TestStaleCompressionIsUndone: what was written by hand comes back.
func TestStaleCompressionIsUndone(t *testing.T) {
	x, f := startCompressions(t, 140, 24, func(f *fakeCompressions, _ *Options) { f.proposed(0).Changed = true })
	of, was := f.of, f.proposed(0)
	f.of = func(id string) proposal.Conversation {
		c := of(id)
		c.Messages[3].Content += "."
		return c
	}
	x.press("ctrl+l m")
	if x.wants("what was written by hand is gone", "u undo"); f.proposed(0) == was {
		t.Fatal("it was not made anew")
	}
	x.press("u")
	if x.wants("~ stale", "changed by hand"); f.proposed(0) != was {
		t.Errorf("undone: %+v", f.proposed(0))
	}
}

// TestCompressionChoicesStay: what others write makes nobody choose anew, and reads the
// segment again only if it is about it.
func TestCompressionChoicesStay(t *testing.T) {
	x, f := startCompressions(t, 80, 24)
	x.press("esc j j j C f s")
	looks := f.looks
	for range 3 {
		f.lib.propose(f.lib.segments[5].ID, nil)
		x.tick()
	}
	x.wants("clear · fold")
	if f.looks != looks {
		t.Errorf("read %d times more", f.looks-looks)
	}
	x.press("ctrl+l")
	x.wants("clear · fold")
	f.proposeOf(&f.lib.segments[3], f.options)
	x.tick()
	if x.wants("● proposed by winnow"); f.looks != looks+2 {
		t.Errorf("read %d times more", f.looks-looks)
	}
}

// TestCompressionFindings: each finding leads to its message.
func TestCompressionFindings(t *testing.T) {
	x, f := startCompressions(t, 140, 40, func(f *fakeCompressions, _ *Options) {
		f.options.By = compress.Extract{Foresight: true}
		f.proposeOf(&f.lib.segments[0], f.options)
	})
	if len(f.proposed(0).Findings) == 0 {
		t.Fatal("nothing was found")
	}
	n := f.proposed(0).Findings[0].N
	x.wants("names what is no longer there")
	x.press("!")
	if at := x.under(); !strings.Contains(at, "#27 assistant") || n != 27 {
		t.Errorf("message %d is %q", n, at)
	}
	x.press("esc C J v")
	if x.app.in(keys.InCompression) != nil {
		t.Error("it did not go to the reader")
	}
}

// TestCompressionSamples: the samples of a split are shown one after the other, with what
// they train.
func TestCompressionSamples(t *testing.T) {
	x, _ := startCompressions(t, 140, 40)
	x.wants("sample 4 of 4", "trains 3 answers")
	x.press("[ [ [")
	x.wants("sample 1 of 4", "not in this sample")
	x.press("]")
	x.wants("sample 2 of 4", "given in another context")
}

// TestAllCompressions: all in which nothing was found are accepted, once it was asked with
// counts; one undo takes them back.
func TestAllCompressions(t *testing.T) {
	x, f := startCompressions(t, 100, 30, func(f *fakeCompressions, _ *Options) {
		o := f.options
		o.By = compress.Extract{Foresight: true}
		f.proposeOf(&f.lib.segments[2], o)
	})
	x.press("A")
	x.wants("Accept 2 compressions, all there are?", "1 with findings is left", "y do it")
	x.press("n")
	if x.wants("nothing was changed"); len(f.judged) != 0 {
		t.Error("judged without a yes")
	}
	x.press("A y")
	if len(f.judged) != 1 || len(f.judged[0].IDs) != 2 || f.proposed(2).Status != proposal.Proposed || f.proposed(1).Status != proposal.Accepted {
		t.Fatalf("%+v", f.judged)
	}
	x.wants("2 compressions accepted")
	x.press("A")
	x.wants("nothing to accept", "1 with findings is left")
	x.press("u")
	if f.proposed(0).Status != proposal.Proposed || f.proposed(1).Status != proposal.Proposed {
		t.Error("not undone")
	}
}

// TestAllThatWereCounted: what was made anew after the question is left out, and told.
func TestAllThatWereCounted(t *testing.T) {
	x, f := startCompressions(t, 100, 30)
	x.press("A")
	x.wants("Accept 3 compressions")
	o := f.options
	o.By = compress.Extract{Foresight: true}
	f.proposeOf(&f.lib.segments[2], o)
	x.press("y")
	if len(f.judged) != 1 || len(f.judged[0].IDs) != 2 || len(f.judged[0].Seen) != 2 || f.proposed(2).Status != proposal.Proposed {
		t.Fatalf("%+v", f.judged)
	}
	x.wants("2 compressions accepted", "1 changed meanwhile and is left")
}

// TestOneModelAtATime: while a model is at it no other one is asked, by whatever key.
func TestOneModelAtATime(t *testing.T) {
	x, f := startCompressions(t, 100, 30)
	f.model, f.plan = "tiny-1", screen.Plan{Host: "api.example.com", Model: "tiny-1", Messages: 14, Tokens: 8100}
	x.press("ctrl+l s s")
	x.wants("Send 14 messages")
	x.app.work.Summary.Running = true // begun elsewhere, after the question
	x.press("y")
	if x.wants("a model is at it"); len(f.asked) != 0 {
		t.Error("a second one was asked")
	}
	x.press("s")
	if x.wants("a model is at it"); x.app.Context() != keys.InCompression {
		t.Error("it was asked whether a second one is sent the messages")
	}
}

// TestModelCompression: a model is asked only after a question with host and tokens, in
// the background, and what it made is proposed.
func TestModelCompression(t *testing.T) {
	x, f := startCompressions(t, 100, 30)
	x.press("s s")
	if got := f.proposed(0).Made.Strategy; got != "extract" {
		t.Errorf("without a model: %s", got)
	}
	f.model, f.plan = "tiny-1", screen.Plan{Host: "api.example.com", Model: "tiny-1", Messages: 14, Tokens: 8100}
	x.press("ctrl+l s s")
	x.wants("Send 14 messages, about 8.1k tokens, to api.example.com for tiny-1")
	x.press("esc")
	if x.wants("nothing was sent"); len(f.asked) != 0 || f.proposed(0).Made.Strategy != "clear" {
		t.Error("a model was asked")
	}
	x.press("s y")
	if len(f.asked) != 1 || f.asked[0].Strategy != "llm" || f.proposed(0).Made.Model != "tiny-1" || f.proposed(0).By != "ann" {
		t.Fatalf("%+v, %+v", f.asked, f.proposed(0).Made)
	}
	x.wants("by tiny-1", "the model's summary is proposed")
	f.fails = errors.New("no answer")
	x.press("m")
	x.wants("nothing is sent: no answer")
}

// TestCompressionMarks: rows of segments with a proposal have a mark of one character;
// the others are as they were.
func TestCompressionMarks(t *testing.T) {
	plain := start(t, wholeLibrary(), 100, 30).lines()
	lib := wholeLibrary()
	f := compressible(lib, 2)
	f.proposed(1).Status = proposal.Accepted
	lib.propose(lib.segments[1].ID, f.proposed(1))
	x := start(t, lib, 100, 30, func(o *Options) { o.Compressions = f })
	differ := 0
	for i, l := range x.lines() {
		if l != plain[i] {
			differ++
		}
	}
	if differ != 2 || !slices.ContainsFunc(x.lines(), func(l string) bool { return strings.Contains(l, " c ") }) {
		t.Errorf("%d lines differ:\n%s", differ, x.screen())
	}
	x.wants(" C ")
}
