package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/proposal"
	"winnow/core/review"
)

// fakeLibrary is a database in memory. It counts what it is asked.
type fakeLibrary struct {
	mu        sync.Mutex
	segments  []review.Segment // in natural order
	version   int64
	journal   []review.Entry
	undone    []review.Entry
	pages     int
	rows      int // rows handed out
	queries   []review.Query
	counts    []string       // filters that were counted
	cancelled map[string]int // questions that nobody waited for any more, by method
	share     [2]int64       // messages in the text index, of all
	titles    map[string]string
	fail      map[string]error // by method
	reads     int              // how often messages were read,
	furthest  int              // up to which number
	messages  []chat.Message   // of every segment
	children  map[string][]review.Child
	sessions  map[string]review.Session // besides those with titles
	proposed  map[string]*proposal.Proposal
}

func (l *fakeLibrary) gaveUp(method string) {
	if l.cancelled == nil {
		l.cancelled = map[string]int{}
	}
	l.cancelled[method]++
}

func (l *fakeLibrary) failing(method string) error { return l.fail[method] }

func key(s *review.Segment, o review.Order) float64 {
	score := -1.0
	if s.Score != nil {
		score = *s.Score
	}
	switch o {
	case review.BestScore:
		return -score
	case review.WorstScore:
		return score
	case review.MostTokens:
		return -float64(s.Tokens)
	case review.LeastToken:
		return float64(s.Tokens)
	case review.Longest:
		return -float64(s.Messages)
	case review.Shortest:
		return float64(s.Messages)
	case review.MostFailures:
		return -float64(s.ToolFails)
	case review.LeastFailure:
		return float64(s.ToolFails)
	case review.Newest:
		return -float64(s.CreatedAt.Unix())
	case review.Oldest:
		return float64(s.CreatedAt.Unix())
	}
	return 0
}

// rowAt returns a row that stands where a cursor does.
func rowAt(c review.Cursor) review.Segment {
	s := review.Segment{ID: c.ID}
	switch k := c.Key.(type) {
	case time.Time:
		s.CreatedAt = k
	case float64:
		s.Score = &k
	case int:
		s.Tokens, s.Messages, s.ToolFails = k, k, k
	}
	return s
}

func order(o review.Order, seed ...uint64) func(a, b review.Segment) int {
	return func(a, b review.Segment) int {
		if o == review.Random {
			return cmp.Or(cmp.Compare(shuffled(&a, seed[0]), shuffled(&b, seed[0])), strings.Compare(a.ID, b.ID))
		}
		return cmp.Or(cmp.Compare(key(&a, o), key(&b, o)), strings.Compare(a.ID, b.ID))
	}
}

func (l *fakeLibrary) Segments(ctx context.Context, q review.Query) (review.Page, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queries = append(l.queries, q)
	if err := ctx.Err(); err != nil {
		l.gaveUp("Segments")
		return review.Page{}, err
	}
	if err := l.failing("Segments"); err != nil {
		return review.Page{}, err
	}
	if q.Limit < 1 {
		return review.Page{}, fmt.Errorf("limit %d", q.Limit)
	}
	l.pages++
	all := l.passing(q.Filter)
	by := order(q.Order, q.Seed)
	if q.Order != review.Natural && !q.Hasty {
		all = slices.Clone(all)
		slices.SortStableFunc(all, by)
	}
	at := func(c review.Cursor) (int, bool) {
		return slices.BinarySearchFunc(all, rowAt(c), by)
	}
	from, to := 0, len(all)
	none := review.Cursor{}
	switch {
	case q.Back:
		if q.After != none {
			to, _ = at(q.After)
		}
		from = max(0, to-q.Limit)
	default:
		if q.After != none {
			i, found := at(q.After)
			from = i
			if found {
				from++
			}
		}
		to = min(len(all), from+q.Limit)
	}
	p := review.Page{Segments: slices.Clone(all[from:to]), More: !q.Back && to < len(all) || q.Back && from > 0}
	if n := len(p.Segments); n > 0 {
		p.Before, p.Of = from, len(all)
		p.First, p.Last = review.CursorOf(q.Order, &p.Segments[0]), review.CursorOf(q.Order, &p.Segments[n-1])
	}
	l.rows += len(p.Segments)
	return p, nil
}

func (l *fakeLibrary) find(id string) *review.Segment {
	i := slices.IndexFunc(l.segments, func(s review.Segment) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return &l.segments[i]
}

func (l *fakeLibrary) Segment(_ context.Context, id string) (review.Segment, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.segments, func(s review.Segment) bool { return strings.HasPrefix(s.ID, id) })
	if i >= 0 {
		return l.segments[i], nil
	}
	return review.Segment{}, review.ErrNotFound
}

func (l *fakeLibrary) Children(_ context.Context, id string) ([]review.Child, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.children[id], nil
}

func (l *fakeLibrary) Session(_ context.Context, id string) (review.Session, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if found, ok := l.sessions[id]; ok {
		return found, nil
	}
	if t, ok := l.titles[id]; ok {
		return review.Session{ID: id, Title: t}, nil
	}
	return review.Session{}, review.ErrNotFound
}

func (l *fakeLibrary) Totals(context.Context) (review.Totals, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.failing("Totals"); err != nil {
		return review.Totals{}, err
	}
	t := review.Totals{Segments: len(l.segments), ByVerdict: map[review.Verdict]int{}}
	for i := range l.segments {
		s := &l.segments[i]
		t.ByVerdict[s.Verdict]++
		t.Messages += s.Messages
		if s.Score != nil {
			t.Labeled++
			t.Scored++
			t.ScoreSum += *s.Score
			t.Histogram[min(19, int(*s.Score*20))]++
		}
	}
	return t, nil
}

func (l *fakeLibrary) Heads(ctx context.Context, body int64, from, to int) ([]review.Head, error) {
	messages, err := l.Messages(ctx, body, from, to)
	heads := make([]review.Head, len(messages))
	for i := range messages {
		heads[i] = headOf(&messages[i])
	}
	return heads, err
}

// headOf returns the index entry of a message, a result judged without its call.
func headOf(m *chat.Message) review.Head {
	h := review.HeadOf(m)
	h.Judge(outcome.Of(outcome.CallOf(m.Name, ""), m), true)
	return h
}

// Messages returns the conversation, whatever the body.
func (l *fakeLibrary) Messages(_ context.Context, _ int64, from, to int) ([]chat.Message, error) {
	l.mu.Lock()
	l.reads, l.furthest = l.reads+1, max(l.furthest, to)
	l.mu.Unlock()
	if err := l.failing("Messages"); err != nil {
		return nil, err
	}
	n := len(l.messages)
	return l.messages[min(from-1, n):min(to, n)], nil
}

func (l *fakeLibrary) EachMessage(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	messages, err := l.Messages(ctx, body, from, to)
	for i := range messages {
		if err := f(&messages[i]); err != nil {
			return err
		}
	}
	return err
}

func (l *fakeLibrary) Judge(_ context.Context, j review.Judgement) (review.Entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.failing("Judge"); err != nil {
		return review.Entry{}, err
	}
	e := review.Entry{Curator: j.Curator, Action: review.ActJudge}
	for _, id := range j.IDs {
		s := l.find(id)
		if s == nil {
			return e, review.ErrNotFound
		}
		c := review.Change{Segment: id, Before: review.Mark{Verdict: s.Verdict, Note: s.Note, Tags: review.TagText(s.Tags), Masked: review.MaskText(s.Masked), Stale: s.Stale}}
		if v := j.VerdictOf(id); v != "" {
			s.Verdict, s.Stale = v, false
		}
		if j.Note != nil {
			s.Note = *j.Note
		}
		s.Masked = s.MaskedWith(j.MaskOff, j.MaskOn)
		s.Tags = review.TagsWith(s.Tags, j.TagsOn, j.TagsOff)
		c.After = review.Mark{Verdict: s.Verdict, Note: s.Note, Tags: review.TagText(s.Tags), Masked: review.MaskText(s.Masked)}
		e.Changes = append(e.Changes, c)
	}
	l.journal, l.undone = append(l.journal, e), nil
	l.version++
	return e, nil
}

func (l *fakeLibrary) step(from, to *[]review.Entry, mark func(review.Change) review.Mark) (review.Entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(*from) == 0 {
		return review.Entry{}, review.ErrNothing
	}
	e := (*from)[len(*from)-1]
	*from, *to = (*from)[:len(*from)-1], append(*to, e)
	if r := e.Recut; r != nil {
		rows := r.Before
		if from == &l.undone {
			rows = r.After
		}
		if now := l.of(r.Session); now[len(now)-1].End != rows[len(rows)-1].End {
			return e, review.ErrConflict // an import added messages
		}
		l.replace(r.Session, rows)
		return e, nil
	}
	for _, c := range e.Changes {
		s, m := l.find(c.Segment), mark(c)
		if s == nil {
			continue
		}
		s.Verdict, s.Note, s.Stale = m.Verdict, m.Note, m.Stale
		s.Masked, _ = review.ParseMask(m.Masked)
		s.Tags, _ = review.ParseTags(m.Tags)
	}
	for _, c := range e.Proposals {
		was := c.Before
		if from == &l.undone {
			was = c.After
		}
		l.propose(c.Segment, was)
	}
	l.version++
	return e, nil
}

// Undo returns, as the store does, an entry of what the undo did to marks.
func (l *fakeLibrary) Undo(context.Context, string) (review.Entry, error) {
	e, err := l.step(&l.journal, &l.undone, func(c review.Change) review.Mark { return c.Before })
	e.Action, e.Target, e.Changes = review.ActUndo, e.ID, slices.Clone(e.Changes)
	for i := range e.Changes {
		c := &e.Changes[i]
		c.Before, c.After = c.After, c.Before
	}
	return e, err
}

func (l *fakeLibrary) Redo(context.Context, string) (review.Entry, error) {
	e, err := l.step(&l.undone, &l.journal, func(c review.Change) review.Mark { return c.After })
	e.Action, e.Target = review.ActRedo, e.ID
	return e, err
}

func (l *fakeLibrary) Version(context.Context) (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.version, l.failing("Version")
}

// change does what somebody else does to the database.
func (l *fakeLibrary) change(f func(*fakeLibrary)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(l)
	slices.SortStableFunc(l.segments, order(review.Natural))
	l.version++
}

// someday is the clock of all tests.
var someday = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// manySegments returns n segments, all pending, without a score.
func manySegments(n int) []review.Segment {
	segments := make([]review.Segment, n)
	for i := range segments {
		segments[i] = review.Segment{
			ID: fmt.Sprintf("%08x-0000-4000-8000-000000000000", i), SessionID: fmt.Sprint("s", i), SessionFile: fmt.Sprintf("/data/s%d.jsonl", i),
			Body: int64(i), Start: 1, End: 4, Verdict: review.Pending, Topic: fmt.Sprintf("Task number %d", i),
			CreatedAt: someday.Add(time.Duration(i) * time.Second), Recorded: someday.Add(time.Duration(i) * time.Second),
			Tally: review.Tally{Messages: 4, ToolCalls: i % 7, Tokens: 100 * (i % 13)},
		}
	}
	return segments
}

// sampleSegments are the rows of the drawing in the design, and hostile ones.
func sampleSegments() []review.Segment {
	score := func(v float64) *float64 { return &v }
	s := manySegments(11)
	set := func(i int, v review.Verdict, sc *float64, kind, topic string, msgs, calls, fails, tokens int) {
		s[i].Verdict, s[i].Score, s[i].TaskType, s[i].Topic = v, sc, kind, topic
		s[i].Messages, s[i].ToolCalls, s[i].ToolFails, s[i].Errors, s[i].Tokens = msgs, calls, fails, fails, tokens
	}
	set(0, review.Pending, score(.93), "code", "Fix flaky parser test", 14, 9, 0, 4100)
	set(1, review.Pending, score(.91), "code", "Docker compose for postgres", 8, 3, 0, 1900)
	set(2, review.Approved, score(.90), "data", "Load CSV, plot monthly totals", 22, 15, 1, 9800)
	set(3, review.Unsure, score(.88), "ops", "Rotate nginx logs", 11, 6, 0, 3000)
	set(4, review.Pending, score(.86), "code", "Port config loader to TOML", 31, 24, 3, 14200)
	set(5, review.Rejected, score(.71), "chat", "Small talk", 2, 0, 0, 60)
	set(6, review.Pending, nil, "", "", 12_345, 9_999, 120, 1_234_567)
	set(7, review.Pending, score(.42), "research", "把数据库迁移到新的服务器并检查所有索引是否正确", 40, 22, 0, 51_000)
	set(8, review.Pending, score(1), "ops", "\x1b]0;owned\x07\x1b[2Jhostile\r\nname \u202egnp.exe", 3, 1, 0, 900)
	set(9, review.Pending, nil, "", "", 6, 2, 0, 700)
	set(10, review.Pending, score(.77), "writing", "🧪 Emoji 👩‍👩‍👧 in a topic, and so long that it is cut wherever the window ends", 5, 0, 0, 888)
	s[3].Stale = false
	s[7].Stale, s[7].Was = true, review.Approved
	s[6].SessionFile, s[6].Start, s[6].End = "/data/big\x1b[31m.jsonl#L42", 1200, 13_544
	return s
}
