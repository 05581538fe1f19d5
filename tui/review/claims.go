package review

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// Claims tell what the others who work on the database read, and keep two
// curators from being led to the same segment.
type Claims interface {
	// Claim notes what this program reads, and gives it the first of next that
	// nobody else holds to go on to; "" if somebody holds each of them.
	Claim(ctx context.Context, reads string, next []string) (review.Claimed, error)
	// Others returns what the other programs hold. It is asked at every poll.
	Others(ctx context.Context) ([]review.Claim, error)
	// Release gives up what this program holds.
	Release(ctx context.Context) error
}

const (
	// claimAfter is how long a selection must rest until it is told to others:
	// rows that are only passed are nobody's.
	claimAfter = 200 * time.Millisecond
	// RenewAfter is when a key press renews what is held, in good time before
	// review.ClaimFor is over.
	RenewAfter = review.ClaimFor / 3
	// claimMargin is how much of its time a claim must have left to be relied
	// on: the clocks of two machines may differ by seconds.
	claimMargin = 5 * time.Second
	// offered is how many segments one may be led to are offered at once. Each
	// of the others holds two.
	offered = 64
)

// claiming is what the screen knows of its own claims and of others'. One
// question is under way at a time: whichever is answered last is what the
// database holds.
type claiming struct {
	lib    Claims
	others map[string]review.Claim // by segment; those that read it go first

	asking  bool
	waits   bool   // the way to the next segment waits for the answer
	aloud   bool   // it says so if there is none
	due     bool   // the timer of claimAfter runs
	rested  string // the selection when it was set
	atOnce  string // the selection that needs no rest
	none    bool   // the last answer was that nothing is free
	failed  bool   // the last question; the next one waits for RenewAfter
	reads   string // the segment that was selected when it was asked last
	next    string // what the screen may go on to from there
	at      time.Time
	presses int // of the keys, when it was asked last
	pressed time.Time
}

// PollClaims asks what others hold. An error is not told: the poll beside it tells what
// is wrong with the database.
func (r *Room) PollClaims() tea.Cmd {
	lib := r.claims.lib
	if lib == nil {
		return nil
	}
	return r.askNow(func(ctx context.Context, _ rows.Library) work.Show {
		others, err := lib.Others(ctx)
		return Showing(func() {
			if err == nil {
				r.tookOthers(others)
			}
		})
	})
}

// tookOthers takes what others hold. What somebody reads who went there by hand is not
// gone on to.
func (r *Room) tookOthers(others []review.Claim) {
	c := &r.claims
	c.none = false
	c.others = make(map[string]review.Claim, len(others))
	for _, o := range others {
		if had, ok := c.others[o.Segment]; !ok || had.Next {
			c.others[o.Segment] = o
		}
	}
	if o, ok := r.heldBy(c.next); ok && !o.Next {
		c.next = ""
	}
}

// heldBy returns who else holds a segment.
func (r *Room) heldBy(id string) (review.Claim, bool) {
	o, ok := r.claims.others[id]
	return o, ok && r.now().Before(o.Until)
}

// readBy says who else reads a segment or is about to, "" for nobody.
func (r *Room) readBy(s *review.Segment) string {
	o, ok := r.heldBy(s.ID)
	name := clean.Line(draw.Head(o.Curator))
	switch {
	case !ok:
		return ""
	case o.Curator == r.curator:
		return "you read it in another window"
	case o.Next:
		return name + " reads it next"
	}
	return name + " is reading"
}

// followClaims tells the others what is read now, when the selection has
// rested there, and takes care that there is a segment to go on to. A screen
// that nobody touches claims nothing.
func (r *Room) followClaims() tea.Cmd {
	c := &r.claims
	if c.lib == nil || !r.ready || c.asking || r.wait.finding {
		return nil
	}
	now, reads := r.now(), r.readsNow()
	if c.failed && now.Sub(c.at) < RenewAfter {
		return nil
	}
	used := c.presses != r.Presses
	if used {
		c.pressed = now
	}
	if now.Sub(c.pressed) >= review.ClaimFor {
		return nil
	}
	lacks := c.next == "" && (used || !c.none) && len(r.candidates(1)) > 0
	switch moved := reads != c.reads; {
	case moved && reads == c.atOnce, !moved && (lacks || used && now.Sub(c.at) >= RenewAfter):
		return r.claim()
	case moved && !c.due:
		c.due, c.rested = true, reads
		return r.after(claimAfter, work.Then(func() tea.Cmd {
			if c.due = false; c.rested == r.readsNow() { // else it gets its time anew
				c.atOnce = c.rested
			}
			return nil
		}))
	}
	return nil
}

// readsNow returns the id of the selected segment.
func (r *Room) readsNow() string {
	if s := r.List.Selected(); s != nil {
		return s.ID
	}
	return ""
}

// claim asks for the selected segment, and for one to go on to.
func (r *Room) claim() tea.Cmd { return r.claimAs(r.readsNow(), r.candidates(offered)) }

// claimAs asks once the verdicts under way are written: a claim gives up what
// was held before it, and what was judged must not look free until that is known.
func (r *Room) claimAs(reads string, next []string) tea.Cmd {
	c := &r.claims
	c.asking, c.presses, c.at, c.reads, c.next, c.atOnce = true, r.Presses, r.now(), reads, "", ""
	ask, lib := r.askNow, c.lib
	if r.writes.Open() {
		ask = r.askAfter
	}
	return ask(func(ctx context.Context, _ rows.Library) work.Show {
		got, err := lib.Claim(ctx, reads, next)
		return func() tea.Cmd { return r.tookClaim(reads, got, err) }
	})
}

// tookClaim takes what the screen was given when it told what it reads. If claims do
// not work, one goes on without them.
func (r *Room) tookClaim(reads string, got review.Claimed, err error) tea.Cmd {
	c := &r.claims
	c.asking = false
	if err == nil {
		r.tookOthers(got.Others)
		c.next, c.none = got.Next, got.Next == ""
	} else if !c.failed {
		r.Fail("others cannot see what you read", err)
	}
	c.failed = err != nil
	if !c.waits {
		return nil
	}
	c.waits, r.wait.finding = false, false
	switch i, s := r.List.Index(c.next), r.List.Selected(); {
	case err == nil && reads == "" && i >= 0: // it is what one begins with
		r.List.Pick(i)
		c.atOnce = c.next
		return r.Arrived()
	case reads == "" && s != nil && s.Verdict == review.Pending && r.readBy(s) == "": // what was to be begun with has left
		return r.Arrived()
	case err == nil && c.none:
		return r.noneFree()
	}
	return r.goOn(c.aloud)
}

// candidates are at most n pending segments in memory that pass the filter and that
// nobody else is known to hold: first those below the selected one, then those
// above it.
func (r *Room) candidates(n int) []string {
	w := &r.List
	var ids []string
	next := w.NextPending
	if !r.showsPending() {
		next = r.nextPassing
	}
	take := func(from, to int) {
		for i := next(from); i >= 0 && i < to && len(ids) < n; i = next(i + 1) {
			if _, held := r.heldBy(w.Rows[i].ID); !held {
				ids = append(ids, w.Rows[i].ID)
			}
		}
	}
	take(w.Cur+1, len(w.Rows))
	if w.AtEnd && w.AtTop {
		take(0, w.Cur)
	}
	return ids
}

// beginFree selects the first pending segment that nobody else reads; the keys
// wait for it.
func (r *Room) beginFree() tea.Cmd {
	c := &r.claims
	c.pressed = r.now()
	next := r.candidates(offered)
	if s := r.List.Selected(); s.Verdict == review.Pending {
		next = append([]string{s.ID}, next...)
	}
	if len(next) == 0 {
		return r.nextRow(false)
	}
	c.waits, c.aloud, r.wait.finding = true, false, true
	return r.claimAs("", next)
}

// nextFree is nextRow where others work, too: it goes where nobody else is, to
// what was claimed while the curator read. If that is not done yet, or is over,
// the keys wait for it.
func (r *Room) nextFree(aloud bool) tea.Cmd {
	c, w := &r.claims, &r.List
	held := c.next != "" && c.reads == r.readsNow() && r.now().Sub(c.at) < review.ClaimFor-claimMargin
	if i := w.Index(c.next); held && !c.asking && i >= 0 && i != w.Cur && r.goesOnTo(&w.Rows[i]) {
		if i < w.Cur {
			r.Add("from the top again")
		}
		w.Pick(i)
		c.atOnce = c.next
		return nil
	}
	if !c.asking && len(r.candidates(1)) == 0 {
		if i := w.NextPending(0); r.showsPending() && w.AtEnd && w.AtTop && i >= 0 && (i != w.Cur || w.NextPending(i+1) >= 0) {
			return r.search()
		}
		return r.nextRow(aloud)
	}
	c.waits, c.aloud, r.wait.finding = true, aloud, true
	if c.asking {
		return nil
	}
	return r.claim()
}

// noneFree goes on where none of the rows in memory is free to come next: others
// hold them, or an import has put others in their place. The database knows.
func (r *Room) noneFree() tea.Cmd {
	if !r.showsPending() {
		return r.thenKeys(r.pass())
	}
	return r.search()
}

// goesOnTo reports whether a row is one that verdicts go on to.
func (r *Room) goesOnTo(row *review.Segment) bool {
	if r.showsPending() {
		return row.Verdict == review.Pending
	}
	may, _ := review.Passes(r.Filter.Node, row.Verdict)
	return may
}

// pass moves on to the next row that passes the filter still, of those that
// nobody else is known to hold: below, else from the top on.
func (r *Room) pass() tea.Cmd {
	w := &r.List
	if i := r.nextPassing(w.Cur + 1); i >= 0 {
		w.Pick(i)
		return nil
	}
	if !w.AtTop || !w.AtEnd {
		return r.exhausted("the next rows are still loading")
	}
	if i := r.nextPassing(0); i >= 0 && i != w.Cur {
		w.Pick(i)
		r.Add("from the top again")
		return nil
	}
	return r.exhausted("nothing else passes the filter")
}

// nextPassing returns the index of the first such row from i on, or -1.
func (r *Room) nextPassing(i int) int {
	for ; i < len(r.List.Rows); i++ {
		row := &r.List.Rows[i]
		if _, held := r.heldBy(row.ID); !held && r.goesOnTo(row) {
			return i
		}
	}
	return -1
}

// firstFree looks for the first segment of a query that nobody else holds, and
// claims it; without claims it is the first one. held says that others hold
// some, if all that the query gives are held or read.
func firstFree(ctx context.Context, lib rows.Library, claims Claims, q review.Query, reads string) (page review.Page, held bool, err error) {
	if claims == nil {
		q.Limit = 1
		page, err = lib.Segments(ctx, q)
		return page, false, err
	}
	for {
		q.Limit = offered
		page, err = lib.Segments(ctx, q)
		if err != nil || len(page.Segments) == 0 {
			return page, held, err
		}
		ids := make([]string, len(page.Segments))
		for i := range page.Segments {
			ids[i] = page.Segments[i].ID
		}
		got, err := claims.Claim(ctx, reads, ids)
		if err != nil {
			return rows.PageOf(q.Order, page.Segments[0]), false, nil // one goes on without
		}
		if i := slices.Index(ids, got.Next); i >= 0 {
			return rows.PageOf(q.Order, page.Segments[i]), false, nil
		}
		held = held || slices.ContainsFunc(got.Others, func(o review.Claim) bool { return slices.Contains(ids, o.Segment) })
		if q.After = page.Last; !page.More {
			return review.Page{}, held, nil
		}
	}
}

// Release gives up what the program holds. What could not be given up is over
// soon.
func (r *Room) Release() {
	if lib := r.claims.lib; lib != nil {
		_ = lib.Release(context.WithoutCancel(r.Ctx))
	}
}
