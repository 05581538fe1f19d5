package review

import (
	"reflect"
	"time"

	"winnow/core/filter"
)

// Order is how a list of segments is sorted. Ties are broken by id.
type Order string

// The orders. Natural is (session_file, start_line), the order of export. Dates
// are those of Segment.When, lengths are in messages. Random is a shuffle that
// Query.Seed decides.
const (
	Natural      Order = "natural"
	Newest       Order = "-date"
	Oldest       Order = "date"
	BestScore    Order = "-score"
	WorstScore   Order = "score"
	MostTokens   Order = "-tokens"
	LeastToken   Order = "tokens"
	Longest      Order = "-length"
	Shortest     Order = "length"
	MostFailures Order = "-failures"
	LeastFailure Order = "failures"
	Random       Order = "random"
	// Likeliest begins with what a curator would most likely approve, as was
	// learned from verdicts, Unlikeliest with what is least likely.
	Likeliest   Order = "-likely"
	Unlikeliest Order = "likely"
	// Uncertain begins where a verdict teaches most: with what is as likely
	// approved as not, or of what nothing was learned about with the scores
	// closest to Query.Threshold. Those without a score come last.
	Uncertain Order = "uncertain"
	// Balance serves the types of task by turns; see Quotas.
	Balance Order = "balance"
)

// Sorting says what an order does.
type Sorting struct {
	Order Order
	Words string // how a list is sorted
	By
	Desc bool // the highest first
}

// By is what an order sorts by.
type By struct {
	// Column is a column of filters, or one of those below. A missing score counts
	// as Unscored, a missing time of recording as Segment.CreatedAt.
	Column filter.Column
	// Index names the one by which the database has segments in this order, "" if
	// it has none: only what is in memory is sorted by it soon.
	Index string
	// Key is the Cursor.Key of a segment; nil if only the store can tell it, as an
	// int64 or a float64.
	Key func(*Segment) any
}

// What orders sort by: the place of the session and the first message, dates,
// scores, failures, Shuffle, DoubtOf and Turn.
const (
	ByPlace  filter.Column = "place"
	ByDate   filter.Column = "recorded"
	ByScore  filter.Column = "score"
	ByChance filter.Column = "chance"
	ByLikely filter.Column = "likely"
	ByFailed filter.Column = "failed" // errors and exits
	ByDoubt  filter.Column = "doubt"
	ByTurn   filter.Column = "turn"
)

var (
	byPlace    = By{ByPlace, "facets", func(s *Segment) any { return Place{s.Place, s.Start} }}
	byDate     = By{ByDate, "date", func(s *Segment) any { return s.When() }}
	byScore    = By{ByScore, "score", func(s *Segment) any { return s.scored() }}
	byTokens   = By{"tokens", "tokens", func(s *Segment) any { return s.Tokens }}
	byMessages = By{"messages", "length", func(s *Segment) any { return s.Messages }}
	byLikely   = By{ByLikely, "likely", func(s *Segment) any { return s.likely() }}
	byFailures = By{ByFailed, "failures", func(s *Segment) any { return s.Errors + s.Exits }}
)

// sortings has one row for each order.
var sortings = [...]Sorting{
	{Natural, "file", byPlace, false},
	{Newest, "newest", byDate, true},
	{Oldest, "oldest", byDate, false},
	{BestScore, "best score", byScore, true},
	{WorstScore, "worst score", byScore, false},
	{MostTokens, "most tokens", byTokens, true},
	{LeastToken, "fewest tokens", byTokens, false},
	{Longest, "longest", byMessages, true},
	{Shortest, "shortest", byMessages, false},
	{MostFailures, "most failures", byFailures, true},
	{LeastFailure, "fewest failures", byFailures, false},
	{Likeliest, "likeliest", byLikely, true},
	{Unlikeliest, "unlikeliest", byLikely, false},
	{Random, "random", By{Column: ByChance}, false},
	{Uncertain, "most uncertain", By{Column: ByDoubt}, false},
	{Balance, "balance", By{Column: ByTurn}, false},
}

// Orders lists all orders by name.
var Orders = func() (list [len(sortings)]Order) {
	for i := range sortings {
		list[i] = sortings[i].Order
	}
	return list
}()

// Sorting returns what an order does, "" is Natural; ok is false if there is none
// of that name.
func (o Order) Sorting() (s Sorting, ok bool) {
	for i := range sortings {
		if sortings[i].Order == o || o == "" {
			return sortings[i], true
		}
	}
	return s, false
}

// OrderNamed returns the order that is called so: by its name, in the words of its
// Sorting, or as "doubt", which is Uncertain; ok is false if there is none.
func OrderNamed(name string) (o Order, ok bool) {
	if name == string(ByDoubt) {
		return Uncertain, true
	}
	for i := range sortings {
		if s := &sortings[i]; string(s.Order) == name || s.Words == name {
			return s.Order, true
		}
	}
	return "", false
}

// Words says how a list is sorted.
func (o Order) Words() string {
	s, _ := o.Sorting()
	return s.Words
}

// First says of an order what comes first, or what it goes by.
func (o Order) First() string {
	switch o {
	case Natural, Balance:
		return "by " + o.Words()
	case Random:
		return "in random order"
	}
	return o.Words() + " first"
}

// Cursor names a row in an order. It stays valid when rows come and go.
type Cursor struct {
	Key any    // the value sorted by; opaque
	ID  string // of the row; "" is no cursor
	// Front is where the first row of its cluster stands, for a row that is
	// shown beneath it; opaque.
	Front any
}

// Place is the Cursor.Key of the natural order.
type Place struct {
	Session string // Segment.Place
	Start   int    // message number
}

// CursorOf returns the cursor of a segment in an order, for a page that begins
// beside a row one has. Of Random, Uncertain and Balance it has no Key: only the
// store can tell where that row is.
func CursorOf(o Order, s *Segment) Cursor {
	c := Cursor{ID: s.ID}
	if by, _ := o.Sorting(); by.Key != nil {
		c.Key = by.Key(s)
	}
	return c
}

// Fits reports whether a Cursor.Key may be of this column: a cursor of another
// order names no row of this one.
func (b *By) Fits(key any) bool {
	if b.Key != nil {
		return reflect.TypeOf(key) == reflect.TypeOf(b.Key(&Segment{}))
	}
	switch key.(type) {
	case int64:
		return b.Column != ByDoubt
	case float64:
		return b.Column == ByDoubt
	}
	return false
}

// Unscored is the Cursor.Key of a segment without a score in the orders by
// score, and of one that nothing was learned about in those by Segment.Likely: it
// counts as below 0.
const Unscored = -1.0

func (s *Segment) scored() float64 {
	if s.Score == nil {
		return Unscored
	}
	return *s.Score
}

func (s *Segment) likely() float64 {
	if s.Likely == nil {
		return Unscored
	}
	return *s.Likely
}

// When returns when a segment was recorded, or if that is unknown, when it
// came into the database.
func (s *Segment) When() time.Time {
	if s.Recorded.IsZero() {
		return s.CreatedAt
	}
	return s.Recorded
}
