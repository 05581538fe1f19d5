// Package memories is the screen of what was learned: a list of memories, and beside or
// below it the one under the cursor with the quotes that prove it. They are judged with
// the keys of segments; enter goes to the message that a quote is from.
//
// How it looks is in the goldens of tui, what its keys do in the tests there.
package memories

import (
	"cmp"
	"context"
	"os/exec"
	"slices"

	"winnow/core/memory"
	"winnow/core/review"
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
	// it is added how many were passed by for their flags. What is done with a best one
	// it says itself.
	Judge(j memory.Judgement, done string, ended func(error))
	// Rewrite gives a memory other words, once they are checked.
	Rewrite(m memory.Memory, w memory.Words, ended func(error))
	// Export writes the approved ones of a filter into a file for agents.
	Export(path string, f memory.Filter)
	// Read goes to a message of a segment in the reader. The way back from there leads to
	// the screen as it was.
	Read(segment string, message int, from *Screen)
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
	newest bool   // the newest first; else those that wait, the best first

	got      screen.Question[memory.Page]
	stale    bool // it is to be read again
	rows     list.Span[memory.Memory]
	keep     string // id of the row that the cursor is to be on
	cite     int    // of the memory under the cursor
	top      int    // the first line of it that shows
	of       string // the memory that cite and top are of
	writing  bool
	asks     asking
	opening  screen.Question[opened]
	choosing screen.Question[choice]
}

// asking is whether many are judged.
type asking struct {
	to      memory.Status
	all     []memory.Memory
	flagged int
	best    *memory.Memory // nil, or the one that is approved while all others get the status
	from    string         // id of the memory under the cursor when the best was asked for
}

// opened is a file with a text, and what opens it.
type opened struct {
	path string
	cmd  *exec.Cmd
}

// New opens the screen; as it was left if there is an old one.
func New(seat screen.Seat, p Program, lib Library, drafts Drafts, old *Screen) *Screen {
	s := &Screen{Seat: seat, program: p, lib: lib, drafts: drafts}
	if old == nil {
		return s
	}
	s.typed, s.filter, s.only, s.newest = old.typed, old.filter, old.only, old.newest
	s.rows, s.of, s.cite, s.top = old.rows, old.of, old.cite, old.top
	if m := s.rows.Selected(); m != nil {
		s.keep = m.ID
	}
	return s
}

// Place is where a question is answered while there is one.
func (s *Screen) Place() keys.Place {
	if s.asks.to != "" {
		return keys.InMemoriesAsk
	}
	return keys.InMemories
}

// Awaits has keys wait for the memories that they are for.
func (s *Screen) Awaits() bool {
	return s.got.Awaited() || s.writing || s.opening.Open || s.choosing.Open || s.stale
}

// Follow sizes the list, and reads what is to be read.
func (s *Screen) Follow(f screen.Frame) {
	s.frame = f
	s.rows.Resize(s.listHeight())
	if !s.got.Asked() || s.stale && !s.got.Open {
		s.read()
	}
	if m := s.rows.Selected(); m != nil && m.ID != s.of {
		s.of, s.cite, s.top = m.ID, 0, 0
	}
	s.cite = min(s.cite, max(0, len(s.quotes())-1)) // a source may have left
}

// read reads the memories that the filter lets through.
func (s *Screen) read() {
	s.stale = false
	lib, f, newest := s.lib, s.asked(), s.newest
	s.got.Ask(&s.Seat, func(ctx context.Context) (memory.Page, error) {
		if newest {
			return lib.Memories(ctx, memory.Query{Filter: f, Order: memory.Newest, Limit: most})
		}
		return waitingFirst(ctx, lib, f)
	}, func(p memory.Page, err error) {
		if err != nil {
			s.Fail("the memories could not be read", err)
			return
		}
		s.put(p.Memories)
	})
}

// waitingFirst reads those that wait for a verdict, then the others by status, each the
// best first.
func waitingFirst(ctx context.Context, lib Library, f memory.Filter) (memory.Page, error) {
	waiting, err := lib.Memories(ctx, memory.Query{Filter: f.With("status", string(memory.Proposed)), Order: memory.Best, Limit: most})
	if err != nil || waiting.More {
		return waiting, err
	}
	all, err := lib.Memories(ctx, memory.Query{Filter: f, Order: memory.Best, Limit: most})
	if err != nil {
		return all, err
	}
	list := waiting.Memories
	for i := range all.Memories {
		if all.Memories[i].Status != memory.Proposed {
			list = append(list, all.Memories[i])
		}
	}
	slices.SortStableFunc(list, func(a, b memory.Memory) int {
		return cmp.Compare(slices.Index(states[:], state(&a)), slices.Index(states[:], state(&b)))
	})
	n := min(len(list), most)
	return memory.Page{Memories: list[:n], More: all.More || n < len(list)}, nil
}

// asked is the filter in force.
func (s *Screen) asked() memory.Filter {
	if s.only != "" {
		return s.filter.With("segment", s.only)
	}
	return s.filter
}

// put shows memories. The cursor stays on its memory.
func (s *Screen) put(all []memory.Memory) {
	at := slices.IndexFunc(all, func(m memory.Memory) bool { return m.ID == s.keep })
	if at < 0 {
		at = s.rows.Cur
	}
	s.keep = ""
	s.rows.Put(all)
	s.rows.Pick(at)
}

// onward is the id of the next memory that is proposed, other than those that are judged,
// "" if none is left. Where it is after a verdict says the id only: what is judged goes
// down the list.
func (s *Screen) onward(judged []string) string {
	for i := range s.rows.Rows {
		if m := &s.rows.Rows[(s.rows.Cur+1+i)%len(s.rows.Rows)]; m.Status == memory.Proposed && m.ID != s.rows.Selected().ID && !slices.Contains(judged, m.ID) {
			return m.ID
		}
	}
	return ""
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
		if s.asks.best != nil {
			s.pick(s.asks.from)
		}
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

// ended takes what became of a write, of those that are judged if they are several.
func (s *Screen) ended(onward bool, judged ...string) func(error) {
	next := ""
	if onward {
		next = s.onward(judged)
	}
	return func(err error) {
		if s.writing = false; s.Ctx.Err() != nil {
			return
		}
		if err == nil {
			s.keep = next
		}
		s.Reload()
	}
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
