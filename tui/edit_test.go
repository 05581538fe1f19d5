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
	x.wants("3 answers after it lose their prefix", "Segment 1a2b3c4d becomes stale: it was approved by bob", "keep")
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
