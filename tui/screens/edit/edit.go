package edit

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"winnow/core/amend"
	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/edit"
	"winnow/core/ledger"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Library is what the screen needs of the database. It may take long and is called
// from commands only.
type Library interface {
	// Standing returns what stands at a place now, and what depends on it.
	Standing(ctx context.Context, at At) (Standing, error)
	// Plan finds out what edits of a session come to. Nothing is written.
	Plan(ctx context.Context, session string, rows []amend.Row) (Plan, error)
}

// At is where the message is.
type At struct {
	ledger.Message // N is 0 in front of the first message
	Part           int
	Dropped        int // how many messages are dropped from N on, 0: it is none
	From           int // the other end of a range that is to be dropped, 0: none is marked
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
	Edit    *edit.Edit     // that put it there, or waits; nil: it is as recorded
	By      string         // who made that
	Behind  int            // how many answers follow it in the session
	Broken  bool           // these follow another text than they were given to already
	Segment review.Segment // that it is in, zero for none
	Last    int            // the number of the last message of the session
	Family  []amend.Place  // its call with the results, nil for none
	Results []string       // names of the messages that answer its calls, one by one
	Starts  []string       // ids of calls that sub-agents begin with
}

// Program is what the screen needs of the program.
type Program interface {
	// At is where the message is that is current in the reader.
	At() At
	// Mark marks a message as one end of a range, and says so; 0 takes the mark away. At
	// has it until a change is kept.
	Mark(n int)
	// Exec gives the terminal to a command. done runs beside the program when it
	// has ended, then runs what it returns in the program.
	Exec(cmd *exec.Cmd, done func(error) func())
	// Keep has a change written, and goes back to the message.
	Keep(Change)
}

// Change is one that the curator has decided on.
type Change struct {
	Changes []review.EditChange
	Note    string // for the journal
	N       int    // the message
	Body    int64
	Done    string // what to say when it is written
	Draft   string // file that holds the text, "" for none
	Name    string // that a file for it has
	Text    string // of the field
	Drafts  Drafts
}

// Screen changes one message.
type Screen struct {
	screen.Seat
	program  Program
	lib      Library
	drafts   Drafts
	at       At
	standing screen.Question[Standing]
	choices  []choice
	cur      int

	opening screen.Question[opened] // an editor
	draft   string                  // file of the text, "" for none
	sure    bool                    // an editor is to open a large text

	comparing bool   // the text before and after is shown
	doing     choice // what is being decided on
	text      string // that is to be there
	why       edit.Why
	untrained bool   // an added answer is not trained
	note      string // for the journal
	problem   string // of the text, "" for none
	compared  screen.Question[compared]
	view      view
}

type opened struct {
	path string
	cmd  *exec.Cmd
}

// New opens the screen for the message that is current in the reader.
func New(seat screen.Seat, p Program, lib Library, drafts Drafts) *Screen {
	return &Screen{Seat: seat, program: p, lib: lib, drafts: drafts, at: p.At(), why: edit.Fix}
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
	lib, at := s.lib, s.at
	s.standing.Ask(&s.Seat, func(ctx context.Context) (Standing, error) { return lib.Standing(ctx, at) }, func(st Standing, err error) {
		if err == nil {
			s.choices, s.cur = choicesOf(&at, &st)
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
	return keys.Reason(len(s.choices) == 0, "there is no message")
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
	switch {
	case c.ranged:
		s.askLast(*c)
	case c.writes():
		s.openEditor(c.begins())
	default:
		s.compare(*c, "")
	}
}

// askLast asks for the last one of the messages that are dropped.
func (s *Screen) askLast(c choice) {
	s.Type(screen.Line{Label: "drop messages " + draw.Grouped(s.at.N) + " up to"}, func(text string) {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < s.at.N || n > s.standing.Got.Last {
			s.Say(fmt.Sprintf("no message from %d to %d: %s", s.at.N, s.standing.Got.Last, clean.Line(draw.Head(text))))
			return
		}
		c.places = []amend.Place{{N: s.at.N, To: n}}
		s.compare(c, "")
	})
}

// openEditor has a text changed in the editor: that of the draft, if there is one.
func (s *Screen) openEditor(text string) {
	if len(text) > large && !s.sure {
		s.sure = true
		s.Say(s.chosen().label + " has " + draw.Bytes(int64(len(text))) + ": " + s.Key("change") + " again opens the editor with all of it")
		return
	}
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
	case text == c.text && c.do == amend.Text || text == "" && c.do == amend.Insert:
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
		s.compare(*c, text)
	}
}

// typeIt has the field typed in a line.
func (s *Screen) typeIt() {
	c := s.chosen()
	label, inserts := strings.CutSuffix(c.label, " it")
	if !inserts {
		label += " of"
	}
	s.Type(screen.Line{Label: label + " message " + draw.Grouped(s.at.N), Text: cmp.Or(s.text, c.begins())}, func(text string) {
		if text == c.text {
			s.Leave()
			s.Say("nothing is changed: the text is as it was")
			return
		}
		s.compare(*c, text)
	})
}

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

func (s *Screen) noKeep() string {
	again := ""
	if s.doing.writes() {
		again = ": " + s.Key("again") + " changes it again"
	}
	return keys.Reason(s.problem != "", s.problem+again)
}

func (s *Screen) noAgain() string {
	return keys.Reason(!s.doing.writes(), "there is no text to change")
}

// again changes the text again.
func (s *Screen) again() {
	if s.draft == "" && s.chosen().typed() == "" {
		s.typeIt()
		return
	}
	s.openEditor(s.text)
}

func (s *Screen) noRedact() string {
	return keys.Reason(s.doing.do != amend.Text && s.doing.do != amend.Drop, "nothing is taken out")
}

func (s *Screen) redact() {
	if s.why = map[edit.Why]edit.Why{edit.Fix: edit.Redact, edit.Redact: edit.Fix}[s.why]; s.problem == "" {
		s.lay()
	}
}

// noteIt asks for a note.
func (s *Screen) noteIt() {
	s.Type(screen.Line{Label: "note in the journal", Text: s.note}, func(text string) { s.note = text })
}

func (s *Screen) emptied() bool {
	return s.doing.do == amend.Text && s.text == "" && s.doing.field == "content"
}

func (s *Screen) noDrop() string {
	return keys.Reason(!s.emptied(), "only a message whose text is empty is dropped here")
}

func (s *Screen) dropIt() {
	s.compare(choice{do: amend.Drop, label: "drop the message", places: s.doing.places}, "")
}

func (s *Screen) noDropCall() string {
	return keys.Reason(s.doing.do != amend.Drop || len(s.compared.Got.plan.Torn) == 0 || len(s.standing.Got.Family) < 2, "no call is parted from its results")
}

// dropCall drops the call and its results, too.
func (s *Screen) dropCall() {
	c := s.doing
	c.label, c.places = "drop call and results", slices.Clone(c.places)
	for _, p := range s.standing.Got.Family {
		if !slices.ContainsFunc(c.places, func(o amend.Place) bool { return p.Part == o.Part && o.N <= p.N && p.N <= max(o.N, o.To) }) {
			c.places = append(c.places, p)
		}
	}
	s.compare(c, "")
}

func (s *Screen) noTrain() string {
	return keys.Reason(s.doing.do != amend.Insert || s.doing.role != chat.Assistant, "only an answer that is inserted can be left out here")
}

func (s *Screen) train() {
	s.untrained = !s.untrained
	s.lay()
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
