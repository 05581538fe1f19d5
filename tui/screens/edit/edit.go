package edit

import (
	"cmp"
	"context"
	"os/exec"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/ledger"
	"winnow/core/review"
	"winnow/core/textdiff"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Library is what the screen needs of the database. It may take long and is called
// from commands only.
type Library interface {
	// Standing returns what stands in the place of a message now, and what depends
	// on it.
	Standing(ctx context.Context, of ledger.Message) (Standing, error)
	// Able says why such an edit can't be made, "" if it can. It takes no time.
	Able(op edit.Op) string
}

// Drafts are texts in private files, for an editor. They take time, too.
type Drafts interface {
	// Write makes a file of a name with a text, in a folder of its own.
	Write(name, text string) (path string, err error)
	// Open returns what opens a file in the curator's editor. Its error says what
	// is missing.
	Open(path string) (*exec.Cmd, error)
	Read(path string) (text string, err error)
	// Remove removes a file that is not needed any more, with its folder.
	Remove(path string)
}

// Standing is what one has to know of a message to change it.
type Standing struct {
	Message chat.Message   // that stands there now
	Edit    *edit.Edit     // that put it there, nil: it is as recorded
	Behind  int            // how many answers follow it in the session
	Broken  bool           // these follow another text than they were given to already
	Segment review.Segment // that it is in, zero for none
}

// Program is what the screen needs of the program.
type Program interface {
	// Message is the one that is current in the reader.
	Message() ledger.Message
	// Exec gives the terminal to a command. done runs beside the program when it
	// has ended, then runs what it returns in the program.
	Exec(cmd *exec.Cmd, done func(error) func())
	// Keep has a change written, and goes back to the message.
	Keep(Change)
}

// Change is one that the curator has decided on.
type Change struct {
	review.EditChange
	Body   int64
	Label  string // what is changed: "content"
	Draft  string // file that holds the text, "" for none
	Name   string // that a file for it has
	Text   string // of the field
	Drafts Drafts
}

// Screen changes one message.
type Screen struct {
	screen.Seat
	program  Program
	lib      Library
	drafts   Drafts
	of       ledger.Message
	standing screen.Question[Standing]
	choices  []choice
	cur      int

	opening screen.Question[opened] // an editor
	draft   string                  // file of the text, "" for none

	comparing bool // the text before and after is shown
	op        edit.Op
	text      string // that is to be there
	why       edit.Why
	problem   string // of the text, "" for none
	compared  screen.Question[compared]
	view      view
}

type opened struct {
	path string
	cmd  *exec.Cmd
}

type compared struct {
	pairs []textdiff.Line
	left  int // pairs that are not shown
}

// New opens the screen for the message that is current in the reader.
func New(seat screen.Seat, p Program, lib Library, drafts Drafts) *Screen {
	return &Screen{Seat: seat, program: p, lib: lib, drafts: drafts, of: p.Message(), why: edit.Fix}
}

// Rows returns the keys of the screen.
func Rows() []keys.Row[*Screen] {
	after := func(key, name, help, foot string, run func(*Screen), why func(*Screen) string) keys.Row[*Screen] {
		return keys.Key(key, name, help, foot, keys.InCompare, keys.Do(run), why)
	}
	return []keys.Row[*Screen]{
		screen.Key("enter", "change", "change what is chosen: a field in $VISUAL or $EDITOR", "editor", (*Screen).change, (*Screen).noChange),
		screen.Key("tab", "type", "type the field here, in a line", "type here", (*Screen).typeIt, (*Screen).noTyping),
		screen.Key("q esc E", keys.Back, "leave the message as it is", "back", (*Screen).Back, nil),
		after("enter", "keep", "keep the change", "keep", (*Screen).keep, (*Screen).noKeep),
		after("r", "redact", "make it a redaction, or a fix again: what it takes out is in no training data", "redact", (*Screen).redact, nil),
		after("e", "again", "change the text again", "again", (*Screen).again, (*Screen).noAgain),
		after("x", "drop", "drop a message whose text is empty", "", (*Screen).dropIt, (*Screen).noDrop),
		after("q esc", keys.Back, "don't keep it; the text stays in a file", "don't keep", (*Screen).Back, nil),
	}
}

// Place is where a change is decided on, once there is one.
func (s *Screen) Place() keys.Place {
	if s.comparing {
		return keys.InCompare
	}
	return keys.InEdit
}

// Awaits has keys wait for the message, the editor and the comparison.
func (s *Screen) Awaits() bool {
	return s.standing.Awaited() || s.opening.Open || s.comparing && s.compared.Open
}

// Follow asks for the message, and lays out what changes.
func (s *Screen) Follow(f screen.Frame) {
	if !s.standing.Asked() {
		s.Reload()
	}
	s.layOut(f)
}

// Reload reads the message again.
func (s *Screen) Reload() {
	if s.comparing || s.opening.Open {
		return
	}
	lib, of := s.lib, s.of
	s.standing.Ask(&s.Seat, func(ctx context.Context) (Standing, error) { return lib.Standing(ctx, of) }, func(st Standing, err error) {
		if err == nil {
			s.choices, s.cur = choices(&st.Message)
		}
	})
}

// Move moves the cursor, or scrolls.
func (s *Screen) Move(m keys.Motion) {
	if s.comparing {
		s.scroll(m)
		return
	}
	s.cur = m.Among(s.cur, len(s.choices))
}

// Back drops the change, or leaves.
func (s *Screen) Back() {
	s.Leave()
	if s.comparing && s.draft != "" {
		s.Say("not kept: the text is in " + s.ShortPath(s.draft))
	}
}

func (s *Screen) chosen() *choice { return &s.choices[s.cur] }

func (s *Screen) noChange() string {
	if len(s.choices) == 0 {
		return "there is no message"
	}
	return s.lib.Able(s.chosen().op)
}

func (s *Screen) noTyping() string {
	if reason := s.noChange(); reason != "" {
		return reason
	}
	return s.chosen().typed()
}

// change does what is chosen: a text is changed in an editor.
func (s *Screen) change() {
	c := s.chosen()
	if c.op == edit.Drop {
		s.compare(edit.Drop, "")
		return
	}
	s.openEditor(c.text)
}

// openEditor has a text changed in the editor: that of the draft, if there is one.
func (s *Screen) openEditor(text string) {
	drafts, name, path := s.drafts, s.chosen().file, s.draft
	s.opening.Ask(&s.Seat, func(context.Context) (o opened, err error) {
		if o.path = path; path == "" {
			o.path, err = drafts.Write(name, text)
		}
		if err == nil {
			o.cmd, err = drafts.Open(o.path)
		}
		if err != nil && path == "" && o.path != "" {
			drafts.Remove(o.path)
		}
		return o, err
	}, func(o opened, err error) {
		if err != nil {
			s.noEditor(err)
			return
		}
		s.draft = o.path
		s.program.Exec(o.cmd, func(err error) func() {
			text, readErr := drafts.Read(o.path)
			if err == nil {
				err = readErr
			}
			return func() { s.wasEdited(text, err) }
		})
	})
}

// noEditor says why there is none; short fields are typed then.
func (s *Screen) noEditor(err error) {
	if !s.comparing && s.chosen().typed() == "" {
		s.typeIt()
		return
	}
	s.Fail("not changed", err)
}

// wasEdited takes what an editor left.
func (s *Screen) wasEdited(text string, err error) {
	if s.Ctx.Err() != nil {
		return
	}
	c := s.chosen()
	text = c.ended(text)
	switch {
	case text == s.before() && c.op == edit.Set || text == "" && c.op == edit.Add:
		s.discard()
		if s.Leave(); err != nil {
			s.Fail("nothing is changed: the editor failed", err)
			return
		}
		s.Say("nothing is changed: the text is as it was")
	case err != nil:
		s.Leave()
		s.Fail("nothing is changed, the text is in "+s.ShortPath(s.draft)+": the editor failed", err)
	default:
		s.compare(c.op, text)
	}
}

// typeIt has the field typed in a line.
func (s *Screen) typeIt() {
	c := s.chosen()
	s.Type(screen.Line{Label: c.label + " of message " + draw.Grouped(s.of.N), Text: cmp.Or(s.text, c.text)}, func(text string) {
		if text == s.before() {
			s.Leave()
			s.Say("nothing is changed: the text is as it was")
			return
		}
		s.compare(c.op, text)
	})
}

// before is the text that the change takes the place of.
func (s *Screen) before() string { return s.chosen().text }

// discard removes the file of the text, beside the program.
func (s *Screen) discard() {
	if s.draft == "" {
		return
	}
	drafts, path := s.drafts, s.draft
	s.draft = ""
	var q screen.Question[struct{}]
	q.Ask(&s.Seat, func(context.Context) (struct{}, error) { drafts.Remove(path); return struct{}{}, nil }, nil)
}

// compare shows what a change does.
func (s *Screen) compare(op edit.Op, text string) {
	c := s.chosen()
	s.comparing, s.op, s.text, s.problem = true, op, text, c.problem(text)
	s.view = view{}
	before := c.text
	if op == edit.Drop {
		before = whole(&s.standing.Got.Message)
	}
	s.compared = screen.Question[compared]{}
	s.compared.Ask(&s.Seat, func(context.Context) (compared, error) {
		pairs, left := textdiff.Compare(before, text)
		return compared{pairs, left}, nil
	}, nil)
}

// whole is all text of a message.
func whole(m *chat.Message) string {
	text := m.Content
	if m.Reasoning != "" {
		text = m.Reasoning + "\n" + text
	}
	for i := range m.ToolCalls {
		text += "\n" + m.ToolCalls[i].Name + " " + m.ToolCalls[i].Arguments
	}
	return text
}

func (s *Screen) noKeep() string {
	return keys.Reason(s.problem != "", s.problem+": "+s.Key("again")+" changes it again")
}

func (s *Screen) noAgain() string {
	return keys.Reason(s.op == edit.Drop, "there is no text to change")
}

// again changes the text again.
func (s *Screen) again() {
	if s.draft == "" && s.chosen().typed() == "" {
		s.typeIt()
		return
	}
	s.openEditor(s.text)
}

func (s *Screen) redact() {
	if s.why == edit.Redact {
		s.why = edit.Fix
		return
	}
	s.why = edit.Redact
}

func (s *Screen) emptied() bool {
	return s.op == edit.Set && s.text == "" && s.chosen().field == "content"
}

func (s *Screen) noDrop() string {
	return cmp.Or(keys.Reason(!s.emptied(), "only a message whose text is empty is dropped here"), s.lib.Able(edit.Drop))
}

func (s *Screen) dropIt() { s.compare(edit.Drop, "") }

// keep has the change written.
func (s *Screen) keep() {
	c, m := s.chosen(), s.standing.Got.Message
	sum := chat.SumOf(&m)
	k := Change{
		EditChange: review.EditChange{Session: s.of.Session, N: s.of.N, Op: s.op, Why: s.why, Seen: &sum},
		Body:       s.of.Body, Label: c.label, Draft: s.draft, Name: c.file, Text: s.text, Drafts: s.drafts,
	}
	switch s.op {
	case edit.Set:
		if err := edit.SetField(&m, c.field, s.text); err != nil {
			s.Fail("not kept", err)
			return
		}
		k.Message = m
	case edit.Add:
		k.Seen, k.Untrained = nil, true
		k.Message = chat.Message{Role: roleBehind(&m), Content: s.text}
	}
	s.program.Keep(k)
}

// roleBehind is whose message follows another one: a model's, unless it has spoken.
func roleBehind(m *chat.Message) chat.Role {
	if m.Role == chat.Assistant {
		return chat.User
	}
	return chat.Assistant
}

// Header is that of the list.
func (s *Screen) Header(int) []draw.Part { return nil }

// Label names the field under the cursor, "" for none.
func (s *Screen) Label() string {
	if len(s.choices) == 0 {
		return ""
	}
	return s.chosen().field
}
