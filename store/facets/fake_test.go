package facets

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
)

// fake is a Feed of rows that a test holds.
type fake struct {
	mu       sync.Mutex
	rows     map[int64]Row
	sessions map[int64]Session
	changed  []int64 // numbers of rows, negative ones of sessions, 0: the text index
	dropped  int64   // changes that are not kept
	searched []string
}

func newFake() *fake { return &fake{rows: map[int64]Row{}, sessions: map[int64]Session{}} }

// put writes a row, and a session for it.
func (s *fake) put(r Row) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows[r.Rowid] = r
	s.changed = append(s.changed, r.Rowid)
}

func (s *fake) putSession(r Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[r.Rowid] = r
	s.changed = append(s.changed, -r.Rowid)
}

func (s *fake) remove(row int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.rows, row)
	s.changed = append(s.changed, row)
}

func (s *fake) Kept(context.Context) (first, last int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dropped + 1, int64(len(s.changed)), nil
}

func (s *fake) Changes(_ context.Context, since int64) (*Changes, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Changes{To: int64(len(s.changed)), Lost: since < s.dropped}
	if c.Lost {
		return c, nil
	}
	known := map[int64]bool{}
	for _, n := range s.changed[since:] {
		if known[n] {
			continue
		}
		known[n] = true
		row, there := s.rows[n]
		session, some := s.sessions[-n]
		switch {
		case n == 0:
			c.Text = true
		case there:
			c.Rows = append(c.Rows, row)
		case n > 0:
			c.Gone = append(c.Gone, n)
		case some:
			c.Sessions = append(c.Sessions, session)
		default:
			c.Left = append(c.Left, -n)
		}
	}
	return c, nil
}

func (s *fake) Len(context.Context) (int, error) { return len(s.rows), nil }

func (s *fake) Sessions(_ context.Context, put func(*Session)) error {
	for _, r := range s.sessions {
		put(&r)
	}
	return nil
}

func (s *fake) Rows(_ context.Context, put func(*Row)) error {
	for _, r := range s.rows {
		r.Cluster = 0
		put(&r)
	}
	return nil
}

func (s *fake) Clusters(_ context.Context, put func(row, cluster int64)) error {
	for row, r := range s.rows {
		put(row, r.Cluster)
	}
	return nil
}

// Search finds a text in topics.
func (s *fake) Search(_ context.Context, text filter.Text, found func(rows []int64) error) error {
	s.mu.Lock()
	s.searched = append(s.searched, text.Value)
	var rows []int64
	for row, r := range s.rows {
		if strings.Contains(r.Topic, text.Value) {
			rows = append(rows, row)
		}
	}
	s.mu.Unlock()
	slices.Sort(rows)
	return found(rows)
}

func (s *fake) Together(context.Context, []string) ([]int64, error) { return nil, nil }

func (s *fake) Topic(_ context.Context, row int64) (string, error) { return s.rows[row].Topic, nil }

func randomID(random *rand.Rand) (id ID) {
	binary.BigEndian.PutUint64(id[:], random.Uint64N(1<<20)<<40) // some begin alike
	binary.BigEndian.PutUint64(id[8:], random.Uint64())
	return id
}

// randomRow returns a row of one of a few sessions.
func randomRow(random *rand.Rand, row int64) Row {
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	r := Row{
		Rowid: row, ID: randomID(random), Body: 1 + random.Int64N(5), Start: int32(random.IntN(4)),
		Recorded: Never, Created: random.Int64N(5), Reviewed: Never, Score: float64(random.IntN(6)) / 5, Marks: Marks(random.IntN(16)),
		Turns: int32(random.IntN(4)), Messages: int32(random.IntN(9)), ToolCalls: int32(random.IntN(4)), ToolFails: int32(random.IntN(3)), Errors: int32(random.IntN(3)), Exits: int32(random.IntN(3)), Tokens: random.Int64N(100),
		Agent: pick("main", "nightly"), Verdict: string(review.Verdicts[random.IntN(len(review.Verdicts))]), Type: pick("code", "data", "qa"), Cut: pick("offline", "llm"),
		Reviewer: pick("", "ann"), Note: pick("", "Übel"), Flags: pick("", "\nloop\n", "\nloop\nunfinished\n"), Tools: pick("", "\nterminal\n"), Tags: pick("", "\nkeep\n"),
		Topic: pick("", "Fix the parser", "Write tests", "ZÜRICH"), Cluster: random.Int64N(4) * random.Int64N(2),
	}
	if random.IntN(3) > 0 {
		r.Likely = float64(1+random.IntN(3)) / 4
	}
	if r.Messages > 0 {
		r.Seen = random.Int32N(r.Messages + 1)
	}
	if random.IntN(4) == 0 {
		r.Score = math.NaN()
	}
	if random.IntN(2) == 0 {
		r.Recorded = random.Int64N(5)
	}
	for range metric.Names() {
		r.Metrics = append(r.Metrics, []uint16{0, 5000, 10000, metric.Unmeasured}[random.IntN(4)])
	}
	return r
}
