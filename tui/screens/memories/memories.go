// Package memories is the screen of what was learned: a list of memories, and beside or
// below it the one under the cursor with the quotes that prove it. They are judged with
// the keys of segments; enter goes to the message that a quote is from.
//
// How it looks is in the goldens of tui, what its keys do in the tests there.
package memories

import (
	"cmp"
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/list"
	"winnow/tui/screen"
)

// Library has the memories. It may take long and is asked from commands only.
type Library interface {
	Memories(ctx context.Context, q memory.Query) (memory.Page, error)
}

// Drafts are texts in private files, for an editor.
type Drafts interface {
	Write(name, text string) (path string, err error)
	Open(path string) (*exec.Cmd, error)
	Read(path string) (text string, err error)
	Remove(path string)
}

// Program is what the screen needs of the program.
type Program interface {
	// Segment is the one that is selected in the list, nil for none.
	Segment() *review.Segment
	// Judge has memories judged or changed, as one action. done says what was done; to
	// it is added how many were passed by for their flags.
	Judge(j memory.Judgement, done string, ended func(error))
	// Rewrite gives a memory other words, once they are checked.
	Rewrite(m memory.Memory, w memory.Words, ended func(error))
	// Export writes the approved ones of a filter into a file for agents.
	Export(path string, f memory.Filter)
	// Read goes to a message of a segment in the reader.
	Read(segment string, message int)
	Undo()
	Redo()
	NoChange() string // why nothing can be changed, "" if it can
	Exec(cmd *exec.Cmd, done func(error) func())
}

// most is how many memories the screen shows: who has more narrows them by a filter.
const most = 2000

// Screen lists memories.
type Screen struct {
	screen.Seat
	program Program
	lib     Library
	drafts  Drafts
	frame   screen.Frame

	typed  string // the filter
	filter memory.Filter
	only   string // id of the segment whose memories are shown, "" for all
	order  memory.Order

	got     screen.Question[memory.Page]
	stale   bool // it is to be read again
	rows    list.Span[memory.Memory]
	keep    string // id of the row that the cursor is to be on
	onward  bool   // the next one that is proposed is to be selected
	cite    int    // of the memory under the cursor
	of      string // the memory that cite is of
	writing bool
	asks    asking
	opening screen.Question[opened]
}

// asking is whether many are judged.
type asking struct {
	to      memory.Status
	all     []memory.Memory
	flagged int
}

// opened is a file with a text, and what opens it.
type opened struct {
	path string
	cmd  *exec.Cmd
}

// New opens the screen.
func New(seat screen.Seat, p Program, lib Library, drafts Drafts) *Screen {
	return &Screen{Seat: seat, program: p, lib: lib, drafts: drafts, order: memory.Newest}
}

// Place is where a question is answered while there is one.
func (s *Screen) Place() keys.Place {
	if s.asks.to != "" {
		return keys.InMemoriesAsk
	}
	return keys.InMemories
}

// Awaits has keys wait for the memories that they are for.
func (s *Screen) Awaits() bool { return s.got.Awaited() || s.writing || s.opening.Open || s.stale }

// Follow sizes the list, and reads what is to be read.
func (s *Screen) Follow(f screen.Frame) {
	s.frame = f
	s.rows.Resize(s.listHeight())
	if !s.got.Asked() || s.stale && !s.got.Open {
		s.read()
	}
	if m := s.rows.Selected(); m != nil && m.ID != s.of {
		s.of, s.cite = m.ID, 0
	}
}

// read reads the memories that the filter lets through.
func (s *Screen) read() {
	s.stale = false
	lib, q := s.lib, memory.Query{Filter: s.asked(), Order: s.order, Limit: most}
	s.got.Ask(&s.Seat, func(ctx context.Context) (memory.Page, error) { return lib.Memories(ctx, q) }, func(p memory.Page, err error) {
		if err != nil {
			s.Fail("the memories could not be read", err)
			return
		}
		s.put(p.Memories)
	})
}

// asked is the filter in force.
func (s *Screen) asked() memory.Filter {
	if s.only != "" {
		return s.filter.With("segment", s.only)
	}
	return s.filter
}

// put shows memories. The cursor stays on its memory, or goes on to the next one that is
// proposed.
func (s *Screen) put(all []memory.Memory) {
	at := slices.IndexFunc(all, func(m memory.Memory) bool { return m.ID == s.keep })
	if at < 0 {
		at = s.rows.Cur
	}
	if s.onward {
		for i := range all {
			if k := (at + i) % len(all); all[k].Status == memory.Proposed {
				at = k
				break
			}
		}
	}
	s.keep, s.onward = "", false
	s.rows.Put(all)
	s.rows.Pick(at)
}

// Reload reads everything again, Changed as somebody did something.
func (s *Screen) Reload() {
	if m := s.rows.Selected(); m != nil && s.keep == "" {
		s.keep = m.ID
	}
	s.stale = true
}

// Changed is Reload for a new version of the database.
func (s *Screen) Changed(int64) { s.Reload() }

// Back drops what is asked, or leaves.
func (s *Screen) Back() {
	if s.asks.to != "" {
		s.asks = asking{}
		s.Say("nothing was changed")
		return
	}
	s.Leave()
}

// Move chooses another memory.
func (s *Screen) Move(m keys.Motion) { s.rows.Move(m) }

// Click selects a memory; a second click goes to its quote.
func (s *Screen) Click(x, y int) {
	if s.wide() && x > s.listWidth() {
		return
	}
	if s.rows.Click(y - 1) {
		s.Act("go-to-quote")
	}
}

// Copied is what the memory under the cursor says.
func (s *Screen) Copied() (text, what string) {
	if m := s.rows.Selected(); m != nil {
		return m.Content, "what the memory says"
	}
	return "", ""
}

// ended takes what became of a write.
func (s *Screen) ended(onward bool) func(error) {
	return func(err error) {
		if s.writing = false; s.Ctx.Err() != nil {
			return
		}
		s.onward = onward && err == nil
		s.Reload()
	}
}

// judging gives the memory under the cursor a status, and goes on.
func judging(to memory.Status, done string) func(*Screen) {
	return func(s *Screen) {
		m := *s.rows.Selected()
		s.writing = true
		s.program.Judge(memory.Judgement{IDs: []string{m.ID}, Status: to, Seen: seen(m)}, "memory "+done+": "+s.name(&m), s.ended(to != memory.Proposed))
	}
}

// seen are memories as they were looked at.
func seen(list ...memory.Memory) map[string]memory.Memory {
	all := make(map[string]memory.Memory, len(list))
	for _, m := range list {
		all[m.ID] = m
	}
	return all
}

// name is how messages name a memory.
func (s *Screen) name(m *memory.Memory) string {
	return s.G.Quote + draw.Cut(clean.Line(draw.Head(m.Title)), 40, s.G.More) + s.G.Unquote
}

// note has a note typed, retag tags.
func (s *Screen) note() {
	m := *s.rows.Selected()
	s.Type(screen.Line{Label: "note", Text: m.Note}, func(text string) {
		text = strings.TrimSpace(text)
		s.writing = true
		s.program.Judge(memory.Judgement{IDs: []string{m.ID}, Note: &text}, "noted on "+s.name(&m), s.ended(false))
	})
}

func (s *Screen) retag() {
	m := *s.rows.Selected()
	own := slices.DeleteFunc(slices.Clone(m.Tags), memory.Derived)
	s.Type(screen.Line{Label: "tags", Text: strings.Join(own, " ")}, func(text string) {
		now := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
		off := slices.DeleteFunc(slices.Clone(own), func(tag string) bool { return slices.Contains(now, tag) })
		if len(now)+len(off) == 0 {
			return
		}
		s.writing = true
		s.program.Judge(memory.Judgement{IDs: []string{m.ID}, TagsOn: now, TagsOff: off}, "tagged "+s.name(&m), s.ended(false))
	})
}

// narrow has a filter typed.
func (s *Screen) narrow() {
	s.Type(screen.Line{Label: "filter", Text: s.typed, Offer: "status:proposed kind:rule -flag:any words"}, func(text string) {
		f, err := memory.ParseFilter(text, filter.Options{Now: s.Now(), Zone: s.Now().Location()})
		var bad *filter.Error
		if errors.As(err, &bad) {
			s.Say(clean.Line(draw.Head(bad.Text)) + ": " + clean.Line(draw.Head(bad.Hint)))
			return
		}
		s.typed, s.filter = strings.TrimSpace(text), f
		s.Reload()
	})
}

// ofSegment shows what was learned in the selected segment only, or all.
func (s *Screen) ofSegment() {
	if s.only != "" {
		s.only = ""
	} else {
		s.only = s.program.Segment().ID
	}
	s.Reload()
}

func (s *Screen) otherOrder() {
	if s.order == memory.Newest {
		s.order = memory.Best
		s.Say("the best first, by grade")
	} else {
		s.order = memory.Newest
		s.Say("the newest first")
	}
	s.Reload()
}

// askAll asks whether all that are proposed get a status.
func askAll(to memory.Status) func(*Screen) {
	return func(s *Screen) {
		a := asking{to: to}
		for _, m := range s.rows.Rows {
			switch {
			case m.Status != memory.Proposed:
			case to == memory.Approved && len(m.Flags) > 0:
				a.flagged++
			default:
				a.all = append(a.all, m)
			}
		}
		if len(a.all) == 0 {
			s.Say("nothing is proposed here" + flaggedText(a.flagged, " but "))
			return
		}
		s.asks = a
	}
}

// flaggedText tells of memories with flags, "" of none.
func flaggedText(n int, lead string) string {
	if n == 0 {
		return ""
	}
	return lead + draw.OneOrMany(n, "memory with flags, to be looked at by itself", "memories with flags, to be looked at one by one")
}

// answer does what is asked.
func (s *Screen) answer() {
	a := s.asks
	s.asks = asking{}
	j := memory.Judgement{Status: a.to, Bulk: true, Seen: seen(a.all...)}
	for _, m := range a.all {
		j.IDs = append(j.IDs, m.ID)
	}
	s.writing = true
	s.program.Judge(j, draw.OneOrMany(len(a.all), "memory", "memories")+" "+string(a.to), s.ended(true))
}

// goToCite reads the message that the chosen quote is from.
func (s *Screen) goToCite() {
	q := s.quotes()[s.cite]
	s.Leave()
	s.program.Read(q.segment, q.message)
}

func (s *Screen) stepCite(by int) {
	n := len(s.quotes())
	s.cite = (s.cite + by + n) % n
}

// export has the path typed of a file that the approved ones are written to.
func (s *Screen) export() {
	path := "AGENTS.md"
	if m := s.rows.Selected(); m != nil && m.Dir != "" {
		path = strings.TrimRight(m.Dir, "/") + "/" + path
	}
	s.Type(screen.Line{Label: "write the approved ones to", Text: path}, func(text string) {
		if text = strings.TrimSpace(text); text != "" {
			s.program.Export(text, s.asked())
		}
	})
}

// edit has the words changed in the editor.
func (s *Screen) edit() {
	m := *s.rows.Selected()
	words := m.Words()
	drafts, begins := s.drafts, words.Sheet()
	s.opening.Ask(&s.Seat, func(context.Context) (o opened, err error) {
		if o.path, err = drafts.Write("memory.md", begins); err == nil {
			if o.cmd, err = drafts.Open(o.path); err != nil {
				drafts.Remove(o.path)
			}
		}
		return o, err
	}, func(o opened, err error) {
		if err != nil {
			s.Fail("not changed", err)
			return
		}
		s.program.Exec(o.cmd, func(err error) func() {
			text, readErr := drafts.Read(o.path)
			if err == nil {
				err = readErr
			}
			return func() { s.wasEdited(m, o.path, begins, text, err) }
		})
	})
}

// wasEdited takes what an editor left. The file stays until it is kept.
func (s *Screen) wasEdited(m memory.Memory, path, begins, text string, err error) {
	drafts := s.drafts
	if err == nil && strings.TrimSpace(text) == strings.TrimSpace(begins) {
		s.Run(func() tea.Msg { drafts.Remove(path); return nil })
		s.Say("nothing is changed: the text is as it was")
		return
	}
	var w memory.Words
	if err == nil {
		w, err = memory.ParseSheet(text)
	}
	if err != nil {
		s.Fail("not changed, the text is in "+s.ShortPath(path), err)
		return
	}
	s.writing = true
	ended := s.ended(false)
	s.program.Rewrite(m, w, func(err error) {
		if err == nil {
			drafts.Remove(path)
		}
		ended(err)
	})
}

// Why keys do nothing.

func (s *Screen) noMemory() string {
	return keys.Reason(s.rows.Selected() == nil, "there is no memory")
}

func (s *Screen) noWrite() string { return cmp.Or(s.program.NoChange(), s.noMemory()) }

func (s *Screen) noChange() string { return s.program.NoChange() }

func (s *Screen) noQuote() string {
	return cmp.Or(s.noMemory(), keys.Reason(len(s.quotes()) == 0, "no segment that it is from is here any more"))
}

func (s *Screen) noAgain() string {
	if reason := s.noWrite(); reason != "" {
		return reason
	}
	return keys.Reason(!s.rows.Selected().Stale, "it is not stale")
}

func (s *Screen) noEdit() string {
	return cmp.Or(s.noWrite(), keys.Reason(s.drafts == nil, "texts can't be changed here"))
}

func (s *Screen) noSegment() string {
	return keys.Reason(s.only == "" && s.program.Segment() == nil, "there is no segment")
}
