package tui

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/amend"
	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/tui/keys"
	screen "winnow/tui/screens/edit"
)

// fakeEdits are edits of the messages of a fake library, and drafts in memory.
type fakeEdits struct {
	lib    *fakeLibrary
	st     screen.Standing // what is known besides the message
	by     []review.EditedBy
	fails  error
	made   []review.Editing
	files  map[string]string
	gone   []string
	noEdit error // why there is no editor
	// editor is what one writes, and how it ends.
	editor func(text string) (string, error)
	opened int
}

func (f *fakeEdits) Standing(ctx context.Context, at screen.At) (screen.Standing, error) {
	st := f.st
	st.Last = len(f.lib.messages)
	list, err := f.lib.Messages(ctx, at.Body, 1, st.Last)
	for i := range list {
		if list[i].N == at.N && list[i].Part == at.Part && at.Dropped == 0 {
			st.Message = list[i]
		}
	}
	st.Family, st.Results = screen.Family(list, at.N, at.Part)
	return st, err
}

// Plan asks for the changes as the program does, with the edit of Standing as the only
// one.
func (f *fakeEdits) Plan(ctx context.Context, id string, rows []amend.Row) (p screen.Plan, err error) {
	span := amend.Span{Session: id, Body: 1, From: 1, To: len(f.lib.messages), Messages: len(f.lib.messages)}
	asked := amend.Asked{Store: amended{f}, Find: func(context.Context, string) (amend.Span, error) { return span, nil }}
	for i := range rows {
		r := &rows[i]
		if err := asked.Take(ctx, r); err != nil {
			return p, err
		}
		if r.Do != amend.Text && r.Do != amend.Insert {
			now, _ := f.lib.Messages(ctx, 1, r.N, max(r.N, r.To))
			p.Now = append(p.Now, now...)
			p.Recorded = append(p.Recorded, now...)
		}
	}
	p.Changes = asked.Changes
	p.Torn, err = asked.Torn(ctx)
	return p, err
}

// amended is the database of a Plan.
type amended struct{ *fakeEdits }

func (a amended) Messages(ctx context.Context, body int64, from, to int) ([]chat.Message, error) {
	return a.lib.Messages(ctx, body, from, to)
}

func (a amended) EachMessage(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	return a.lib.EachMessage(ctx, body, from, to, f)
}

func (a amended) EachRecorded(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	return a.lib.EachMessage(ctx, body, from, to, f)
}

func (a amended) Edits(context.Context, int64, int, int) ([]edit.Edit, error) {
	if a.st.Edit == nil {
		return nil, nil
	}
	return []edit.Edit{*a.st.Edit}, nil
}

func (a amended) SegmentsOf(context.Context, string) ([]review.Segment, error) { return nil, nil }

func (f *fakeEdits) Edit(_ context.Context, w review.Editing) (review.Entry, error) {
	if f.fails != nil {
		return review.Entry{}, f.fails
	}
	f.made = append(f.made, w)
	c := &w.Changes[0]
	for i := range f.lib.messages {
		if f.lib.messages[i].N == c.N && c.Op == edit.Set {
			f.lib.messages[i].Content = c.Message.Content
		}
	}
	return review.Entry{ID: int64(len(f.made)), Action: review.ActEdit, Edits: []review.Edited{{Place: edit.Place{N: c.N}}}}, nil
}

func (f *fakeEdits) Write(name, text string) (string, error) {
	path := fmt.Sprintf("/tmp/draft-%d/%s", len(f.files)+1, name)
	f.files[path] = text
	return path, nil
}

func (f *fakeEdits) Open(path string) (*exec.Cmd, error) {
	f.opened++
	return &exec.Cmd{Path: "ed", Args: []string{"ed", path}}, f.noEdit
}

func (f *fakeEdits) Read(path string) (string, error) { return f.files[path], nil }

func (f *fakeEdits) Remove(path string) { f.gone = append(f.gone, path) }

// exec is the terminal of the test: the editor changes the file.
func (f *fakeEdits) exec(cmd *exec.Cmd, done tea.ExecCallback) tea.Cmd {
	return func() tea.Msg {
		path := cmd.Args[1]
		text, err := f.editor(f.files[path])
		f.files[path] = text
		return done(err)
	}
}

// startEdit opens the change of a message of the conversation: of its answer
// (message 2).
func startEdit(t *testing.T, w, h int, with ...func(*Options)) (*harness, *fakeEdits) {
	t.Helper()
	f := &fakeEdits{files: map[string]string{}}
	f.st.Behind = 3
	x := startWith(t, w, h, append([]func(*Options){func(o *Options) { o.Edits, o.Drafts, o.Exec = f, f, f.exec }}, with...)...)
	f.lib = x.lib
	f.st.Segment = review.Segment{ID: "1a2b3c4d-0000", Verdict: review.Approved, Reviewer: "bob"}
	f.editor = func(text string) (string, error) { return strings.Replace(text, "parser", "lexer", 1) + "\n", nil }
	x.press("tab E")
	return x, f
}

func TestEditChoices80x24(t *testing.T) {
	x, _ := startEdit(t, 80, 24)
	golden.RequireEqual(t, x.screen())
}

func TestEditChoices200x60(t *testing.T) {
	x, _ := startEdit(t, 200, 60)
	golden.RequireEqual(t, x.screen())
}

func TestEditCompared80x24(t *testing.T) {
	x, _ := startEdit(t, 80, 24)
	x.press("enter")
	golden.RequireEqual(t, x.screen())
}

func TestEditCompared200x60(t *testing.T) {
	x, _ := startEdit(t, 200, 60)
	x.press("enter r")
	golden.RequireEqual(t, x.screen())
}

func TestEditComparedASCII(t *testing.T) {
	x, _ := startEdit(t, 80, 24, func(o *Options) { o.ASCII = true })
	x.wantsASCII()
	x.press("enter")
	x.wantsASCII()
}

// TestEditIsKept: what the editor left is what is written, without the line end that
// it put behind, on the message that was seen.
func TestEditIsKept(t *testing.T) {
	x, f := startEdit(t, 100, 30)
	was := x.lib.messages[0].Content
	x.press("enter")
	x.wants("3 answers after it in the session", "Segment 1a2b3c4d becomes stale: it was approved by bob", "keep")
	x.press("r")
	x.wants("redaction: what it takes out", "stays approved by bob")
	x.press("r enter")
	if len(f.made) != 1 {
		t.Fatalf("made %+v\n%s", f.made, x.screen())
	}
	w := f.made[0]
	c := &w.Changes[0]
	if want := strings.Replace(was, "parser", "lexer", 1); w.Curator != "ann" || c.N != 1 || c.Op != edit.Set || c.Why != edit.Fix || c.Message.Content != want || c.Seen == nil {
		t.Errorf("%+v, content %q, want %q", c, c.Message.Content, want)
	}
	if x.app.in(keys.InEdit) != nil || len(f.gone) != 1 {
		t.Errorf("it stays open, or its file: %v", f.gone)
	}
	x.wants("message 1 is changed", "u undo")
}

func TestEditUnchanged(t *testing.T) {
	x, f := startEdit(t, 100, 30)
	f.editor = func(text string) (string, error) { return text + "\n", nil }
	x.press("enter")
	x.wants("nothing is changed: the text is as it was")
	if x.app.in(keys.InEdit) != nil || len(f.gone) != 1 || len(f.made) != 0 {
		t.Errorf("%v %v", f.gone, f.made)
	}
	f.editor = func(text string) (string, error) { return text, errors.New("exit status 1") }
	x.press("E enter")
	x.wants("nothing is changed: the editor failed: exit status 1")
	f.editor = func(text string) (string, error) { return "half", errors.New("signal: killed") }
	x.press("E enter")
	x.wants("the text is in /tmp/draft-")
	if len(f.gone) != 2 || len(f.made) != 0 {
		t.Errorf("%v %v", f.gone, f.made)
	}
}

// TestEditRefused: what somebody else was faster with stays in a file; so does what
// is not kept.
func TestEditRefused(t *testing.T) {
	x, f := startEdit(t, 120, 30)
	x.press("enter esc")
	x.wants("not kept: the text is in /tmp/draft-1/content.md")
	f.fails = fmt.Errorf("message 1: %w", review.ErrConflict)
	x.press("E enter enter")
	x.wants("not kept, the text is in /tmp/draft-2/content.md")
	if x.app.in(keys.InEdit) != nil || len(f.gone) != 0 {
		t.Error("the change stays open, or its text is lost")
	}
	// What was typed gets a file then.
	x.press("E tab")
	x.write(" please")
	x.press("enter enter")
	x.wants("the text is in /tmp/draft-3/content.md")
	f.fails = errors.New("disk full")
	x.press("E enter enter")
	x.wants("disk full", "change message 1")
}

func TestEditArguments(t *testing.T) {
	x, f := startEdit(t, 100, 30)
	x.press("esc J E")
	x.wants("change message 2", "call 1: ")
	texts := []string{"{", "[1]\n", `{"a":2}` + "\n"}
	f.editor = func(string) (string, error) { t := texts[0]; texts = texts[1:]; return t, nil }
	for x.app.in(keys.InEdit).Layer.(*screen.Screen).Label() != "args:1" {
		x.press("j")
	}
	x.press("enter")
	x.wants("the arguments are not valid JSON")
	x.press("enter")
	x.wants("e changes it again")
	x.press("e")
	x.wants("the arguments are no JSON object")
	x.press("e enter")
	if f.opened != 3 || len(f.files) != 1 {
		t.Errorf("opened %d times, files %v", f.opened, f.files)
	}
	if len(f.made) != 1 || f.made[0].Changes[0].Message.ToolCalls[0].Arguments != `{"a":2}` {
		t.Errorf("made %+v", f.made)
	}
}

func TestEditEmptied(t *testing.T) {
	x, f := startEdit(t, 100, 30)
	f.editor = func(string) (string, error) { return "\n", nil }
	x.press("enter")
	x.wants("The text is empty now.")
	x.wants("x drops the message instead")
	x.press("x enter")
	if len(f.made) != 1 || f.made[0].Changes[0].Op != edit.Drop {
		t.Errorf("made %+v", f.made)
	}
}

// TestEditInline: without an editor a short field is typed.
func TestEditInline(t *testing.T) {
	x, f := startEdit(t, 100, 30)
	f.noEdit = errors.New("no editor is set: name one in VISUAL or EDITOR, as in EDITOR=vim")
	x.press("enter")
	x.write(" now")
	x.press("enter")
	x.wants("fix: training data has the text below")
	x.press("enter")
	if len(f.made) != 1 || !strings.HasSuffix(f.made[0].Changes[0].Message.Content, " now") || len(f.gone) != 1 {
		t.Errorf("made %+v, gone %v", f.made, f.gone)
	}
}

func TestEditSaysWhyNot(t *testing.T) {
	x, _ := startEdit(t, 100, 30, func(o *Options) { o.ReadOnly = true })
	x.wants("the database is read-only: messages can't be changed")
	x = startWhole(t, 100, 30)
	x.press("tab E")
	x.wants("messages can't be changed here")
}

func TestEditHostile(t *testing.T) {
	for _, p := range payloads {
		for _, size := range [][2]int{{80, 24}, {200, 60}} {
			x, f := startEdit(t, size[0], size[1])
			x.press("esc")
			x.lib.messages[0].Content = p.text + "\n" + p.text
			f.st.Segment.Reviewer = p.text
			x.press("E")
			x.harmless()
			f.editor = func(text string) (string, error) { return text + p.text, nil }
			x.press("enter")
			x.harmless()
			f.fails = errorText(p.text)
			x.press("enter")
			x.harmless()
		}
	}
}

// editTalk is a conversation with a call, for tests of what is dropped and inserted.
func editTalk(x *harness, f *fakeEdits) {
	x.lib.messages = []chat.Message{
		{N: 1, Role: chat.User, Content: "Count the files."},
		{N: 2, Role: chat.Assistant, Content: "I look.", ToolCalls: []chat.ToolCall{{ID: "c1", Name: "bash", Arguments: `{"command":"ls"}`}}},
		{N: 3, Role: chat.Tool, ToolCallID: "c1", Name: "bash", Content: "a b c"},
		{N: 4, Role: chat.Assistant, Content: "There are four."},
	}
	f.st.Starts = []string{"c1"}
}

// openEdit opens the change of message n.
func openEdit(x *harness, n int) {
	if x.app.in(keys.InEdit) != nil {
		x.press("esc")
	}
	x.press("g")
	for range n - 1 {
		x.press("J")
	}
	x.press("E")
}

// EditedBy tells the reader of edits.
func (f *fakeEdits) EditedBy(context.Context, int64, int, int) ([]review.EditedBy, error) {
	return f.by, nil
}

func (f *fakeEdits) RecordedMessages(ctx context.Context, body int64, from, to int) ([]chat.Message, error) {
	return f.lib.Messages(ctx, body, from, to)
}

func (f *fakeEdits) EachRecorded(ctx context.Context, body int64, from, to int, do func(*chat.Message) error) error {
	return f.lib.EachMessage(ctx, body, from, to, do)
}

// down moves to the choice of a label.
func down(x *harness, label string) {
	x.t.Helper()
	for range 20 {
		for _, l := range strings.Split(x.screen(), "\n") {
			if strings.HasPrefix(l, "▌ "+label) {
				return
			}
		}
		x.press("j")
	}
	x.t.Fatalf("no choice %q:\n%s", label, x.screen())
}

func TestEditChoicesOfACall80x24(t *testing.T) {
	x, f := startEdit(t, 80, 24)
	editTalk(x, f)
	openEdit(x, 2)
	golden.RequireEqual(t, x.screen())
}

// TestEditDropsACallWithItsResults: a call is never parted from its results without a
// word.
func TestEditDropsACallWithItsResults(t *testing.T) {
	for _, n := range []int{2, 3} {
		x, f := startEdit(t, 120, 30)
		editTalk(x, f)
		openEdit(x, n)
		x.press("x")
		x.wants("call of message 2", "c drops messages 2, 3 together")
		x.press("c")
		x.wants("training data lacks 2 messages")
		x.press("n")
		x.write("a detour")
		x.press("enter")
		x.wants("note: a detour")
		x.press("enter")
		if len(f.made) != 1 || len(f.made[0].Changes) != 2 || f.made[0].Note != "a detour" {
			t.Fatalf("made %+v\n%s", f.made, x.screen())
		}
		for i, c := range f.made[0].Changes {
			if c.Op != edit.Drop || c.Seen == nil || c.N != 2 && c.N != 3 || c.N == f.made[0].Changes[1-i].N {
				t.Errorf("%+v", c)
			}
		}
		x.wants("2 messages are dropped")
	}
}

func TestEditDropsARun(t *testing.T) {
	x, f := startEdit(t, 120, 30)
	editTalk(x, f)
	openEdit(x, 2)
	f.st.Behind = 1
	openEdit(x, 2)
	down(x, "drop up to")
	x.press("enter")
	x.write("9")
	x.press("enter")
	x.wants("no message from 2 to 4: 9")
	x.press("enter")
	x.write("4")
	x.press("enter")
	x.wants("training data lacks 3 messages", "No answer follows", "There are four.")
	x.press("r")
	x.wants("redaction: what it takes out")
	x.press("enter")
	if len(f.made) != 1 || len(f.made[0].Changes) != 3 || f.made[0].Changes[0].Why != edit.Redact {
		t.Fatalf("made %+v", f.made)
	}
}

// TestEditInserts: after the results of a call, never between; whose message it is can
// be chosen, and whether it is trained.
func TestEditInserts(t *testing.T) {
	x, f := startEdit(t, 120, 30)
	f.editor = func(string) (string, error) { return "Now as a number.\n", nil }
	editTalk(x, f)
	openEdit(x, 2)
	x.wants("a prompt of the user, after the results of its calls")
	x.press("i")
	x.wants("training data has one more message", "+  Now as a number.")
	x.press("enter")
	if c := f.made[0].Changes[0]; c.N != 3 || c.Op != edit.Add || c.Message.Role != chat.User || c.Message.Content != "Now as a number." {
		t.Fatalf("made %+v", f.made)
	}
	openEdit(x, 1)
	x.press("i")
	x.wants("The answer is trained: t leaves it out")
	x.press("t")
	x.wants("The answer is not trained")
	x.press("enter")
	if c := f.made[1].Changes[0]; c.N != 1 || c.Message.Role != chat.Assistant || !c.Untrained {
		t.Fatalf("made %+v", f.made)
	}
	openEdit(x, 1)
	down(x, "insert before it")
	x.press("enter enter")
	if c := f.made[2].Changes[0]; c.N != 0 || c.Message.Role != chat.System {
		t.Fatalf("made %+v", f.made)
	}
}

// TestEditDropsARange: from the message that was marked to the one where the change is
// opened again, whichever comes first, as one entry.
func TestEditDropsARange(t *testing.T) {
	for _, c := range []struct{ from, to, first, last int }{{1, 4, 1, 4}, {4, 2, 2, 4}} {
		x, f := startEdit(t, 140, 30)
		editTalk(x, f)
		openEdit(x, c.from)
		x.press("v")
		if x.wants(fmt.Sprintf("message %d is one end of a range: E on the other end drops all of it", c.from)); x.app.in(keys.InEdit) != nil {
			t.Fatal("still open")
		}
		openEdit(x, c.to)
		x.wants(fmt.Sprintf("▌ drop %d to %d", c.first, c.last), "the range that you marked")
		x.press("x")
		x.wants(fmt.Sprintf("training data lacks %d messages", c.last-c.first+1))
		x.press("enter")
		if len(f.made) != 1 || len(f.made[0].Changes) != c.last-c.first+1 {
			t.Fatalf("made %+v", f.made)
		}
		for i, change := range f.made[0].Changes {
			if change.N != c.first+i || change.Op != edit.Drop || change.Seen == nil {
				t.Errorf("%+v", change)
			}
		}
		openEdit(x, 1)
		if strings.Contains(x.screen(), "the range that you marked") {
			t.Error("the mark is left")
		}
	}
	x, f := startEdit(t, 140, 30)
	lacks := func(text string) {
		t.Helper()
		if strings.Contains(x.screen(), text) {
			t.Errorf("%q is on the screen:\n%s", text, x.screen())
		}
	}
	editTalk(x, f)
	openEdit(x, 2)
	x.press("v")
	openEdit(x, 2) // at the same end there is no range
	lacks("the range that you marked")
	x.press("q")
	openEdit(x, 3)
	x.wants("drop 2 to 3")
	x.press("v")
	x.wants("the mark is taken away")
	lacks("drop 2 to 3")
	x.press("q")
	openEdit(x, 4)
	lacks("the range that you marked")
}

// TestEditOfArgumentsSaysWhatContradicts: the result of the call, and the sub-agent that
// began with it.
func TestEditOfArgumentsSaysWhatContradicts(t *testing.T) {
	x, f := startEdit(t, 120, 30)
	editTalk(x, f)
	f.editor = func(text string) (string, error) { return strings.Replace(text, "ls", "ls -a", 1), nil }
	openEdit(x, 2)
	down(x, "call 1")
	x.press("enter")
	x.wants("Message 3 answers the call as it was", "Its sub-agent begins with this text", "3 answers after it in the session", "becomes stale: it was approved by bob")
}

// TestEditBringsBack: what is edited, and what is dropped.
func TestEditBringsBack(t *testing.T) {
	x, f := startEdit(t, 120, 30)
	editTalk(x, f)
	openEdit(x, 4)
	x.press("b")
	x.wants("nothing is edited here")
	f.st.Edit = &edit.Edit{Place: edit.Place{Body: 1, N: 4}, Op: edit.Set, Message: chat.Message{Role: chat.Assistant, Content: "three"}}
	openEdit(x, 4)
	x.press("b")
	x.wants("training data has what was recorded again")
	x.press("enter")
	if c := f.made[0].Changes[0]; c.N != 4 || c.Op != "" || c.Seen == nil {
		t.Fatalf("made %+v", f.made)
	}
	x.wants("message 4 is as recorded")
	f.st.Edit.Why = edit.Redact
	openEdit(x, 4)
	x.press("b")
	x.wants("this takes a redaction back: training data has what was recorded again")
	x, f = startEdit(t, 120, 30, func(o *Options) {
		o.Edited = &fakeEdits{by: []review.EditedBy{{N: 2, Op: edit.Drop, By: "ann"}, {N: 3, Op: edit.Drop, By: "ann"}}, lib: sampleLibrary()}
	})
	editTalk(x, f)
	f.st.Edit = &edit.Edit{Place: edit.Place{Body: 1, N: 2}, Op: edit.Drop}
	openEdit(x, 2)
	x.wants("change message 2 to 3  dropped", "bring back", "what was recorded: 2 messages", "bring back message 3")
	x.press("enter enter")
	if c := f.made[0].Changes[0]; c.N != 2 || c.Op != "" {
		t.Fatalf("made %+v", f.made)
	}
}

// startClash opens the change of a message whose edit waits.
func startClash(t *testing.T, w, h int) (*harness, *fakeEdits) {
	x, f := startEdit(t, w, h)
	editTalk(x, f)
	f.st.By = "ann"
	f.st.Edit = &edit.Edit{Place: edit.Place{Body: 1, N: 4}, Op: edit.Set, Why: edit.Redact, Clash: true, Message: chat.Message{Role: chat.Assistant, Content: "There are three."}}
	openEdit(x, 4)
	return x, f
}

func TestEditClash80x24(t *testing.T) {
	x, _ := startClash(t, 80, 24)
	golden.RequireEqual(t, x.screen())
}

func TestEditClash200x60(t *testing.T) {
	x, _ := startClash(t, 200, 60)
	x.press("enter")
	golden.RequireEqual(t, x.screen())
}

// TestEditClashIsDecided: the edit is made anew, removed, or changed again.
func TestEditClashIsDecided(t *testing.T) {
	x, f := startClash(t, 120, 30)
	x.wants("The recorded message changed: the edit of ann waits.")
	x.press("enter")
	x.wants("the edit is made over what is recorded now", "There are four.", "There are three.")
	x.press("enter")
	if c := f.made[0].Changes[0]; c.Op != edit.Set || c.Why != edit.Redact || c.Message.Content != "There are three." || c.Seen == nil {
		t.Fatalf("made %+v", f.made)
	}
	x, f = startClash(t, 120, 30)
	x.press("b")
	x.wants("the edit that waits is removed")
	x.press("enter")
	if c := f.made[0].Changes[0]; c.Op != "" {
		t.Fatalf("made %+v", f.made)
	}
	x, f = startClash(t, 120, 30)
	f.editor = func(text string) (string, error) { return text + " Or four.", nil }
	down(x, "edit again: content")
	x.press("enter enter")
	if c := f.made[0].Changes[0]; c.Op != edit.Set || c.Message.Content != "There are three. Or four." {
		t.Fatalf("made %+v", f.made)
	}
}

// TestEditAsksBeforeLargeTexts: an editor that loads megabytes is a wish, not an
// accident.
func TestEditAsksBeforeLargeTexts(t *testing.T) {
	x, f := startEdit(t, 120, 30)
	editTalk(x, f)
	x.lib.messages[3].Content = strings.Repeat("word ", 1<<18)
	openEdit(x, 4)
	x.press("enter")
	x.wants("content has 1.3 MB: enter again opens the editor with all of it")
	if f.opened != 0 {
		t.Fatal("it is open")
	}
	f.editor = func(text string) (string, error) { return "short", nil }
	x.press("enter")
	if f.opened != 1 {
		t.Fatal("it is not open")
	}
	x.wants("keep")
}

// TestEditOfALongSessionTakesFewKeys: an answer somewhere in 40 messages is fixed with
// fewer than ten keys besides its text.
func TestEditOfALongSessionTakesFewKeys(t *testing.T) {
	x, f := startEdit(t, 100, 30)
	x.press("esc")
	x.lib.messages = nil
	for n := 1; n <= 40; n++ {
		m := chat.Message{N: n, Role: chat.User, Content: fmt.Sprint("question ", n)}
		if n%2 == 0 {
			m.Role, m.Content = chat.Assistant, fmt.Sprint("answer ", n)
		}
		x.lib.messages = append(x.lib.messages, m)
	}
	for i := range x.lib.segments {
		x.lib.segments[i].Start, x.lib.segments[i].End, x.lib.segments[i].Messages = 1, 40, 40
	}
	x.press("ctrl+l")
	f.editor = func(string) (string, error) { return "the right answer\n", nil }
	keys := []string{":", "2", "6", "enter", "E", "enter", "enter"}
	for _, key := range keys {
		x.press(key)
	}
	if len(keys) >= 10 || len(f.made) != 1 || f.made[0].Changes[0].N != 26 || f.made[0].Changes[0].Message.Content != "the right answer" {
		t.Fatalf("%d keys made %+v\n%s", len(keys), f.made, x.screen())
	}
	x.wants("message 26 is changed")
}
