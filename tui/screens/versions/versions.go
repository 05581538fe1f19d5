package versions

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"winnow/core/ledger"
	"winnow/core/review"
	"winnow/core/textdiff"
	"winnow/core/versions"
	"winnow/core/versions/tree"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/list"
	"winnow/tui/screen"
)

// Library is what the screen needs of the database. It may take long and is called
// from commands only.
type Library interface {
	// Tree returns what there is of a session.
	Tree(ctx context.Context, session string) (tree.Tree, error)
	// Compare returns the messages in which two versions differ.
	Compare(ctx context.Context, before, after Side) (Compared, error)
}

// Side is a version of a session, or a session as it is now.
type Side struct {
	Session string
	Now     bool
	Entry   int64 // if not Now; 0 is what was recorded
	Name    string
}

// Compared are the messages in which two versions differ.
type Compared struct {
	Messages []Message
	Same     int // so many don't
	More     int // messages that differ and are not told
}

// Message is one that differs.
type Message struct {
	N    int // its number
	What string
	// Fields are its parts that differ, each with its lines.
	Fields []Field
}

// Field is a part of a message, line by line. Its lines are safe to be shown.
type Field struct {
	Name  string
	Lines []textdiff.Line
	Left  int
}

// Program is what the screen needs of the program.
type Program interface {
	// Message is the one that is current in the reader, and its session.
	Message() ledger.Message
	// Read goes to a message of that session, Visit to one of another session.
	Read(n int)
	Visit(session, title string, at int)
	// Revert has a session brought back to what it was after an entry, or its
	// messages n. What takes redactions of these back is only done where one is sure.
	Revert(session string, entry int64, sure bool, n ...int)
	// Undo takes the last action back, Redo gives it again.
	Undo()
	Redo()
	// NoChange says why nothing can be changed, "" if it can.
	NoChange() string
}

// Screen shows what there is of a session.
type Screen struct {
	screen.Seat
	program       Program
	lib           Library
	of            ledger.Message
	width, height int

	tree   screen.Question[tree.Tree]
	rows   list.Span[row]
	marked []string // keys of rows, the first one marked first
	asked  string   // key of the row that the message was to be brought back to by the last key

	comparing bool
	sides     [2]Side
	compared  screen.Question[Compared]
	view      view
}

// row is a line of the tree: a version, or what stands beside it.
type row struct {
	version *versions.Version // nil: what was recorded, unless it is beside
	beside  *tree.Beside
}

// key names a row however the tree changes.
func (r *row) key() string {
	if r.beside != nil {
		return r.beside.ID
	}
	return "@" + fmt.Sprint(r.entry())
}

// entry is that of a version.
func (r *row) entry() int64 {
	if r.version == nil {
		return 0
	}
	return r.version.Entry
}

// New opens the screen for the session that is read.
func New(seat screen.Seat, p Program, lib Library) *Screen {
	return &Screen{Seat: seat, program: p, lib: lib, of: p.Message()}
}

// Rows returns the keys of the screen.
func Rows() []keys.Row[*Screen] {
	differ := func(key, name, help, foot string, run func(*Screen), why func(*Screen) string) keys.Row[*Screen] {
		return keys.Key(key, name, help, foot, keys.InDifference, keys.Do(run), why)
	}
	return []keys.Row[*Screen]{
		screen.Key("enter", "look", "show what the entry changed; go to the session that stands there", "look", (*Screen).look, (*Screen).noLook),
		screen.Key("space", "mark", "mark the row, to compare it with another one", "mark", (*Screen).mark, (*Screen).noRow),
		screen.Key("D", "compare", "compare the two marked rows; the marked one, or the session as it is now, with the one under the cursor", "compare", (*Screen).compareRows, (*Screen).noRow),
		screen.Key("R", "revert", "bring the session back to the version under the cursor", "revert", (*Screen).revert, (*Screen).noRevert),
		screen.Key("r", "revert-message", "bring only the message back that the reader stands at", "revert message", (*Screen).revertMessage, (*Screen).noRevertMessage),
		screen.Key("u", "undo", "undo the last action", "", (*Screen).undo, (*Screen).noChange),
		screen.Key("U", "redo", "redo what was undone last", "", (*Screen).redo, (*Screen).noChange),
		screen.Key("q esc V", keys.Back, "go back to the reader", "back", (*Screen).Back, nil),
		differ("enter", "read", "go to the message at the top in the reader", "read", (*Screen).read, (*Screen).noRead),
		differ("q esc D", keys.Back, "go back to the versions", "back", (*Screen).Back, nil),
	}
}

// Place is where two versions are compared, once they are.
func (s *Screen) Place() keys.Place {
	if s.comparing {
		return keys.InDifference
	}
	return keys.InVersions
}

// Awaits has keys wait for the tree, and for what was compared.
func (s *Screen) Awaits() bool {
	return s.tree.Awaited() || s.comparing && (s.compared.Open || s.view.laid.Open)
}

// Follow asks for the tree, and sizes what is shown.
func (s *Screen) Follow(f screen.Frame) {
	s.width, s.height = f.Width, f.Height
	s.rows.Resize(max(1, f.Height-titleLines-detailLines))
	if !s.tree.Asked() {
		s.Reload()
	}
	s.layOut(f)
}

// Reload reads the tree again. The cursor stays on its row; at first it is on the
// newest version.
func (s *Screen) Reload() {
	if s.comparing {
		return
	}
	lib, session := s.lib, s.of.Session
	s.tree.Ask(&s.Seat, func(ctx context.Context) (tree.Tree, error) { return lib.Tree(ctx, session) }, func(t tree.Tree, err error) {
		if err == nil {
			s.took(&t)
		}
	})
}

func (s *Screen) took(t *tree.Tree) {
	at := "@0"
	if n := len(t.Versions); n > 0 {
		at = "@" + fmt.Sprint(t.Versions[n-1].Entry)
	}
	if r := s.rows.Selected(); r != nil && r.key() != s.newest() {
		at = r.key()
	}
	all := []row{{}}
	for i := range t.Versions {
		all = append(all, row{version: &t.Versions[i]})
	}
	for i := range t.Beside {
		all = append(all, row{beside: &t.Beside[i]})
	}
	s.rows.Put(all)
	s.marked = slices.DeleteFunc(s.marked, func(key string) bool { return s.find(key) < 0 })
	s.rows.Pick(max(0, s.find(at)))
}

// newest is the key of the last version.
func (s *Screen) newest() string {
	at := ""
	for i := range s.rows.Rows {
		if s.rows.Rows[i].beside == nil {
			at = s.rows.Rows[i].key()
		}
	}
	return at
}

func (s *Screen) find(key string) int {
	return slices.IndexFunc(s.rows.Rows, func(r row) bool { return r.key() == key })
}

// Changed reads the tree again: somebody did something.
func (s *Screen) Changed(int64) { s.Reload() }

// Move moves the cursor, or scrolls.
func (s *Screen) Move(m keys.Motion) {
	if s.comparing {
		s.scroll(m)
		return
	}
	s.asked = ""
	s.rows.Move(m)
}

// Click selects a row; a second click looks into it.
func (s *Screen) Click(_, y int) {
	if !s.comparing && s.rows.Click(y-titleLines) {
		s.Act("look")
	}
}

// Back goes back to the tree, or leaves.
func (s *Screen) Back() {
	if !s.comparing {
		s.Leave()
		return
	}
	s.compared.GiveUp()
	s.view.laid.GiveUp()
	s.comparing = false
}

// Why keys do nothing.

func (s *Screen) noRow() string {
	return keys.Reason(s.rows.Selected() == nil, "there is no version")
}

// noLook says why there is nothing to look at.
func (s *Screen) noLook() string {
	if reason := s.noRow(); reason != "" {
		return reason
	}
	r := s.rows.Selected()
	return keys.Reason(r.version != nil && r.version.Lost != "", "the version can't be shown: "+s.lost(r))
}

func (s *Screen) lost(r *row) string {
	if r.version == nil {
		return ""
	}
	return r.version.Lost
}

func (s *Screen) noRevert() string {
	if reason := cmp.Or(s.program.NoChange(), s.noRow()); reason != "" {
		return reason
	}
	r := s.rows.Selected()
	switch {
	case r.beside != nil:
		return "that is another session: a version is @ and a number"
	case s.lost(r) != "":
		return "nothing can be brought back to it: " + s.lost(r)
	}
	return ""
}

func (s *Screen) noRevertMessage() string {
	return cmp.Or(s.noRevert(), keys.Reason(s.of.N == 0, "the reader stands at no message"))
}

// What keys do.

// look shows what the entry did, or goes to the session.
func (s *Screen) look() {
	r := s.rows.Selected()
	if b := r.beside; b != nil {
		at := 0
		if b.Kind == tree.Same {
			at = b.At
		}
		s.Leave()
		s.program.Visit(b.ID, draw.Head(cmp.Or(b.Title, review.Short(b.ID))), at)
		return
	}
	if r.version == nil {
		s.compare(s.side(r), s.now())
		return
	}
	before := s.rows.Rows[s.rows.Cur-1] // what was recorded is the first row
	if s.lost(&before) != "" {
		before = s.rows.Rows[0]
	}
	s.compare(s.side(&before), s.side(r))
}

// mark marks a row, or takes the mark away: of two marked ones the older one goes.
func (s *Screen) mark() {
	key := s.rows.Selected().key()
	if i := slices.Index(s.marked, key); i >= 0 {
		s.marked = slices.Delete(s.marked, i, i+1)
		return
	}
	if s.marked = append(s.marked, key); len(s.marked) > 2 {
		s.marked = s.marked[1:]
	}
}

// side is a row as one side of a comparison.
func (s *Screen) side(r *row) Side {
	if r.beside != nil {
		return Side{Session: r.beside.ID, Now: true, Name: review.Short(r.beside.ID) + " as it is now"}
	}
	name := fmt.Sprintf("@%d", r.entry())
	if r.version == nil {
		name += " as it was recorded"
	}
	return Side{Session: s.of.Session, Entry: r.entry(), Name: name}
}

func (s *Screen) now() Side {
	return Side{Session: s.of.Session, Now: true, Name: "as it is now"}
}

// compareRows compares what is marked, in the order of the rows.
func (s *Screen) compareRows() {
	var at []int
	for _, key := range s.marked {
		at = append(at, s.find(key))
	}
	if len(at) < 2 && !slices.Contains(at, s.rows.Cur) {
		at = append(at, s.rows.Cur)
	}
	slices.Sort(at)
	for _, i := range at {
		if lost := s.lost(&s.rows.Rows[i]); lost != "" {
			s.Say("@" + fmt.Sprint(s.rows.Rows[i].entry()) + " can't be shown: " + lost)
			return
		}
	}
	if len(at) == 1 {
		a, now := s.side(&s.rows.Rows[at[0]]), s.now()
		if s.rows.Rows[at[0]].beside != nil {
			a, now = now, a
		}
		s.compare(a, now)
		return
	}
	s.compare(s.side(&s.rows.Rows[at[0]]), s.side(&s.rows.Rows[at[1]]))
}

// compare shows in which messages two versions differ.
func (s *Screen) compare(before, after Side) {
	s.view.laid.GiveUp()
	s.comparing, s.sides, s.view = true, [2]Side{before, after}, view{}
	s.compared = screen.Question[Compared]{}
	lib := s.lib
	s.compared.Ask(&s.Seat, func(ctx context.Context) (Compared, error) { return lib.Compare(ctx, before, after) }, nil)
}

func (s *Screen) noChange() string { return s.program.NoChange() }
