// Package sort is the menu of orders, over the list that it sorts. It needs of the
// program to know the order and to sort into another one (Program). Its tests are
// beside it; how it looks is in the goldens of tui.
package sort

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Program is what the menu needs of the program.
type Program interface {
	// Order is the order of the list. SortInto sorts it into another one.
	Order() review.Order
	SortInto(review.Order)
}

// Screen is the menu of orders, over the list that it sorts.
type Screen struct {
	screen.Seat
	program Program
	frame   screen.Frame
	cur     int
}

// sorting is one way to sort: by a key, again the other way.
type sorting struct {
	key, word string
	first     review.Order
	again     review.Order // where it is sorted so already
}

// sortings are the ways to sort, in the order of the menu.
var sortings = [...]sorting{
	{"s", "score", review.BestScore, review.WorstScore},
	{"d", "date", review.Newest, review.Oldest},
	{"t", "tokens", review.MostTokens, review.LeastToken},
	{"l", "length", review.Longest, review.Shortest},
	{"f", "failures", review.MostFailures, review.LeastFailure},
	{"v", "likely", review.Likeliest, review.Unlikeliest},
	{"u", "uncertain", review.Uncertain, review.Uncertain},
	{"b", "balance", review.Balance, review.Balance},
	{"r", "random", review.Random, review.Random},
	{"n", "natural", review.Natural, review.Natural},
}

// Rows returns the keys of the menu.
func Rows() []keys.Row[*Screen] {
	helps := map[string]string{
		"score": "by score, the best first", "date": "by date, the newest first", "tokens": "by tokens, the most first",
		"length": "by messages, the longest first", "failures": "by errors and exits of tools, the most first",
		"likely":    "by how likely you would approve it, the likeliest first",
		"uncertain": "as likely approved as not first, or by score, the closest to the threshold: these verdicts teach most",
		"balance":   "by task type, in turns by the quotas, the best score first",
		"random":    "at random; again, in a new order", "natural": "by file and place, the order of exports",
	}
	var rows []keys.Row[*Screen]
	for i, s := range sortings {
		help := helps[s.word]
		if s.first != s.again {
			help += "; again, the other way"
		}
		rows = append(rows, screen.Key(s.key, "sort-"+s.word, help, "", func(s *Screen) { s.sortBy(i) }, nil))
	}
	return append(rows,
		screen.Key("enter", "choose", "sort by the chosen order", "choose", func(s *Screen) { s.sortBy(s.cur) }, nil),
		screen.Key("q esc", keys.Back, "go back; sort as before", "back", (*Screen).Back, nil),
	)
}

// New shows the ways to sort; the one in use is chosen.
func New(seat screen.Seat, program Program) *Screen {
	now := program.Order()
	at := slices.IndexFunc(sortings[:], func(way sorting) bool { return way.first == now || way.again == now })
	return &Screen{Seat: seat, program: program, cur: max(0, at)}
}

// Follow takes the size.
func (s *Screen) Follow(f screen.Frame) { s.frame = f }

// Move chooses another way to sort.
func (s *Screen) Move(way keys.Motion) { s.cur = way.Among(s.cur, len(sortings)) }

// Click sorts by a row.
func (s *Screen) Click(x, y int) {
	row := y - 1
	if s.frame.Height >= len(sortings)+1+2 {
		row--
	}
	if row >= 0 && row < len(sortings) && x < s.cells() {
		s.sortBy(row)
	}
}

// cells is the width of the box.
func (s *Screen) cells() int { return min(40, s.frame.Width) }

// Column is where the box begins.
func (s *Screen) Column() int { return 0 }

// next returns the order to sort into when this way is chosen and the list is in
// the order now.
func (s *sorting) next(now review.Order) review.Order {
	if now == s.first {
		return s.again
	}
	return s.first
}

// sortBy sorts the list and goes to its top: who sorts wants to see what comes
// first. Keys wait for it.
func (s *Screen) sortBy(i int) {
	way, now := &sortings[i], s.program.Order()
	s.Leave()
	if way.first == review.Natural && now == review.Natural {
		s.Say("already sorted by file")
		return
	}
	s.program.SortInto(way.next(now))
}

// keyOf is the key of a way to sort, "" for none.
func (s *Screen) keyOf(way *sorting) string {
	if key := s.Key("sort-" + way.word); key[0] != ':' || key == ":" {
		return key
	}
	return ""
}

// Box draws the menu: a line for each way to sort, with what its key leads to,
// and a frame where height lines have room for it.
func (s *Screen) Box(height int) []string {
	width, now, keys := s.cells(), s.program.Order(), 0
	for i := range sortings {
		keys = max(keys, ansi.StringWidth(s.keyOf(&sortings[i])))
	}
	lines := []string{s.Ink.Name.On(draw.Fit(" sort by", width-2, ""))}
	for i := range sortings {
		way, what := &sortings[i], ""
		k, mark := s.Row(i == s.cur)
		switch {
		case way.first == now && way.first == way.again && way.first == review.Random:
			what = "anew"
		case way.first == now || way.again == now:
			what = now.Words()
			if way.first != way.again {
				what += " " + s.G.Arrow + " " + strings.TrimPrefix(way.next(now).Words(), "by ")
			}
		}
		text := mark + k.Key.On(draw.Fit(s.keyOf(way), keys, "")) + k.Text.On("  "+draw.Fit(way.word, 9, "")) + k.Muted.On(draw.Fit(what, width-15-keys, s.G.More))
		lines = append(lines, text+k.Text.On(" "))
	}
	return s.Pen.Box(lines, width-2, height >= len(lines)+2)
}
