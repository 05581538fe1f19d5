package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

// sortMenu is the list of orders, over the list that it sorts.
type sortMenu struct{ cur int }

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
	{"u", "uncertain", review.Uncertain, review.Uncertain},
	{"b", "balance", review.Balance, review.Balance},
	{"r", "random", review.Random, review.Random},
	{"n", "natural", review.Natural, review.Natural},
}

func sortKeys() []keyRow {
	helps := map[string]string{
		"score": "by score, the best first", "date": "by date, the newest first", "tokens": "by tokens, the most first",
		"length": "by messages, the longest first", "failures": "by failed tool results, the most first",
		"uncertain": "by score, the closest to the threshold first: where a verdict teaches most",
		"balance":   "by types of task, by turns as the quotas want them, the best score first",
		"random":    "at random; again, anew", "natural": "by file and place, as they are exported",
	}
	var rows []keyRow
	for i, s := range sortings {
		help := helps[s.word]
		if s.first != s.again {
			help += "; again, the other way"
		}
		rows = append(rows, keys.Key(s.key, "sort-"+s.word, help, "", keys.InSort, func(a *App) tea.Cmd { return a.sortBy(i) }, nil))
	}
	return append(rows,
		keys.Key("enter", "choose", "sort by what is chosen", "choose", keys.InSort, func(a *App) tea.Cmd { return a.sortBy(a.sorting.cur) }, nil),
		keys.Key("q esc", keys.Back, "sort as before", "back", keys.InSort, (*App).back, nil),
	)
}

// openSort shows the ways to sort; the one in use is chosen.
func (a *App) openSort() tea.Cmd {
	at := slices.IndexFunc(sortings[:], func(s sorting) bool { return s.first == a.order || s.again == a.order })
	a.sorting = &sortMenu{max(0, at)}
	return nil
}

// move chooses another way to sort.
func (m *sortMenu) move(way keys.Motion) {
	switch way {
	case keys.LineDown:
		m.cur++
	case keys.LineUp:
		m.cur--
	case keys.ToStart, keys.HalfUp, keys.PageUp:
		m.cur = 0
	case keys.ToEnd, keys.HalfDown, keys.PageDown:
		m.cur = len(sortings) - 1
	}
	m.cur = max(0, min(m.cur, len(sortings)-1))
}

func (a *App) moveSort(way keys.Motion) tea.Cmd {
	a.sorting.move(way)
	return nil
}

func (a *App) closeSort() tea.Cmd {
	a.sorting = nil
	return nil
}

// next returns the order that a choice leads to.
func (s *sorting) next(now review.Order) review.Order {
	if now == s.first {
		return s.again
	}
	return s.first
}

// sortBy sorts the list and goes to its top: who sorts wants to see what comes
// first. Keys wait for it.
func (a *App) sortBy(i int) tea.Cmd {
	s := &sortings[i]
	a.sorting = nil
	switch {
	case s.first == review.Natural && a.order == review.Natural:
		a.say("sorted by file already")
		return nil
	}
	return a.sortInto(s.next(a.order))
}

// sortInto sorts the list into an order.
func (a *App) sortInto(o review.Order) tea.Cmd {
	if (o == review.BestScore || o == review.WorstScore || o == review.Uncertain) && a.totals.Scored == 0 {
		a.say("no segment has a score yet")
		return nil
	}
	a.order = o
	if a.order == review.Random {
		a.seed += uint64(a.now().UnixNano()) | 1 // another one every time
	}
	a.orders.known = false
	a.say("sorted by " + orderNames[a.order])
	cmd := a.ask(pageRequest{want: wantStart})
	a.wait.finding, a.wait.awaited = true, true
	return cmd
}

// sortKey is the key of a way to sort, "" for none.
func (a *App) sortKey(s *sorting) string {
	if key := a.keyIn("sort-"+s.word, keys.InSort); key[0] != ':' || key == ":" {
		return key
	}
	return ""
}

// sortLines draws the menu: a line for each way to sort, with what its key
// leads to, and a frame where height lines have room for it.
func (a *App) sortLines(height int) []string {
	width := min(40, a.w)
	keys := 0
	for i := range sortings {
		keys = max(keys, ansi.StringWidth(a.sortKey(&sortings[i])))
	}
	lines := []string{a.Ink.Name.On(draw.Fit(" sort by", width-2, ""))}
	for i := range sortings {
		s, k, mark := &sortings[i], &a.Ink, " "
		if i == a.sorting.cur {
			k, mark = &a.Sel, a.Sel.Key.On(a.G.Mark)
		}
		what := ""
		switch {
		case s.first == a.order && s.first == s.again && s.first == review.Random:
			what = "anew"
		case s.first == a.order || s.again == a.order:
			what = orderNames[a.order]
			if s.first != s.again {
				what += " " + a.G.Arrow + " " + strings.TrimPrefix(orderNames[s.next(a.order)], "by ")
			}
		}
		text := mark + k.Key.On(draw.Fit(a.sortKey(s), keys, "")) + k.Text.On("  "+draw.Fit(s.word, 9, "")) + k.Muted.On(draw.Fit(what, width-15-keys, a.G.More))
		lines = append(lines, text+k.Text.On(" "))
	}
	return a.Box(lines, width-2, height >= len(lines)+2)
}

// orderNames say in words how a list is sorted.
var orderNames = map[review.Order]string{
	review.Natural: "file", review.Newest: "newest", review.Oldest: "oldest", review.BestScore: "best score",
	review.WorstScore: "worst score", review.MostTokens: "most tokens", review.LeastToken: "fewest tokens",
	review.Longest: "longest", review.Shortest: "shortest", review.MostFailures: "most failures",
	review.LeastFailure: "fewest failures", review.Random: "random", review.Uncertain: "most uncertain", review.Balance: "balance",
}
