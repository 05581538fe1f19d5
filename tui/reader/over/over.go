// Package over tells what curators' edits do to the messages of a segment: which
// are changed, which dropped, and how many were added where. It is pure.
package over

import (
	"slices"
	"sort"

	"winnow/core/digest"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/tui/reader/gist"
)

// Run is dropped messages that stand together, by one curator and for one reason.
// Messages that were added follow its last one only.
type Run struct {
	From, To int // message numbers, inclusive; From 0 is none
	By       string
	Why      edit.Why
}

// Len returns how many messages it drops.
func (r Run) Len() int { return r.To - r.From + 1 }

// Edits are those over the messages of a segment. The zero value, and nil, have none.
type Edits struct {
	places map[[2]int]*review.EditedBy
	added  map[int]int
	runs   []Run
}

// Of returns the edits of a list, sorted by place, over messages from..to.
func Of(list []review.EditedBy, from, to int) *Edits {
	e := &Edits{places: map[[2]int]*review.EditedBy{}, added: map[int]int{}}
	list = slices.Clone(list)
	for i := range list {
		one := &list[i]
		if one.N > to || one.N < from && (one.N != 0 || from > 1) {
			continue
		}
		e.places[[2]int{one.N, one.Part}] = one
		switch {
		case one.Clash:
		case one.Op == edit.Add:
			e.added[one.N]++
		case one.Op == edit.Drop:
			e.drop(one)
		}
	}
	return e
}

// drop adds a message to the last run, or begins another.
func (e *Edits) drop(one *review.EditedBy) {
	if n := len(e.runs); n > 0 {
		last := &e.runs[n-1]
		if last.To == one.N-1 && last.By == one.By && last.Why == one.Why && e.added[last.To] == 0 {
			last.To = one.N
			return
		}
	}
	e.runs = append(e.runs, Run{one.N, one.N, one.By, one.Why})
}

// None reports whether nothing is edited.
func (e *Edits) None() bool { return e == nil || len(e.places) == 0 }

// At returns the edit of a place.
func (e *Edits) At(n, part int) (by review.EditedBy, ok bool) {
	if e == nil {
		return by, false
	}
	if one := e.places[[2]int{n, part}]; one != nil {
		return *one, true
	}
	return by, false
}

// Added returns how many messages were added after message n.
func (e *Edits) Added(n int) int {
	if e == nil {
		return 0
	}
	return e.added[n]
}

// Run returns the dropped messages among which message n is.
func (e *Edits) Run(n int) (Run, bool) {
	if e == nil {
		return Run{}, false
	}
	i := sort.Search(len(e.runs), func(i int) bool { return e.runs[i].To >= n })
	if i == len(e.runs) || e.runs[i].From > n {
		return Run{}, false
	}
	return e.runs[i], true
}

// Align has the groups of a digest, which was made of what is not dropped, hold all
// messages from..to, and each run one group alone.
func (e *Edits) Align(groups []digest.Group, from, to int) []digest.Group {
	if len(groups) == 0 {
		return groups
	}
	groups[0].From = from
	for i := range groups {
		g := &groups[i]
		if i > 0 {
			g.From = groups[i-1].To + 1
		}
		if r, ok := e.Run(g.To); ok {
			g.To = r.To
		}
		if i == len(groups)-1 {
			g.To = to
		}
		g.To = max(g.To, g.From-1)
	}
	whole := groups[:0]
	for _, g := range groups {
		if n := len(whole); g.To < g.From && n > 0 {
			whole[n-1].Rows = append(whole[n-1].Rows, g.Rows...)
			continue
		}
		whole = append(whole, g)
	}
	return whole
}

// Note says who changed what stands at a place, and why, after a sign; "" of what is as
// recorded. clash says that an edit waits.
func (e *Edits) Note(n, part int, sign, clash string) string {
	by, ok := e.At(n, part)
	switch {
	case !ok:
		return ""
	case by.Clash:
		return sign + " " + clash
	}
	note := sign + " " + gist.Line(by.By)
	switch {
	case by.Why == edit.Redact:
		note += " redacted"
	case by.Why == edit.Squash:
		note += " squashed"
	}
	switch by.Op {
	case edit.Add:
		note += " (added)"
	case edit.Drop:
		note += " (dropped)"
	}
	return note
}

// Label says who dropped the messages, and why.
func (r Run) Label() string {
	label := "dropped by " + gist.Line(r.By)
	switch r.Why {
	case edit.Redact:
		label += ", redacted"
	case edit.Squash:
		label += ", squashed"
	}
	return label
}
