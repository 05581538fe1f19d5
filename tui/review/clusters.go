package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// Clusters tell of segments that are nearly the same. Every method may take long
// and is called from commands only.
type Clusters interface {
	// AlikeSegments returns the segments of a cluster that a filter lets through, in
	// natural order.
	AlikeSegments(ctx context.Context, cluster int64, within filter.Node) ([]review.Segment, error)
}

// clustering is how the list shows segments that are alike.
type clustering struct {
	lib     Clusters // nil: each is a row
	loose   bool     // each is a row although they are known
	all     bool     // all clusters are open but the turned ones
	turned  map[int64]bool
	confirm bestAsked // what B asks about
}

// collapses reports whether segments that are alike are one row.
func (c *clustering) collapses() bool { return c.lib != nil && !c.loose }

func (c *clustering) isOpen(cluster int64) bool { return c.turned[cluster] != c.all }

// turn opens a cluster or closes it.
func (c *clustering) turn(cluster int64) {
	if c.turned[cluster] {
		delete(c.turned, cluster)
		return
	}
	if c.turned == nil {
		c.turned = map[int64]bool{}
	}
	c.turned[cluster] = true
}

// into says in a query how clusters are shown.
func (c *clustering) into(q *review.Query) {
	if q.Collapse = c.collapses(); q.Collapse {
		q.Opened, q.AllOpened = slices.Sorted(maps.Keys(c.turned)), c.all
	}
}

// ClusterKeys are the keys of segments that are alike.
func ClusterKeys() []roomRow {
	return []roomRow{
		keys.Key("z", "open-alike", "show or hide the segments that are alike, below the row; without any, fold in the reader beside it", "", keys.InList, (*Room).turnCluster, (*Room).noClusterOrFold),
		keys.Key("Z", "open-all-alike", "the same for all rows; without any, fold everything in the reader", "", keys.InList, (*Room).turnClusters, (*Room).noClustersOrReader),
		keys.Key("B", "best", "approve the best-scored of the segments that are alike, reject the rest; go on", "best", keys.InList, (*Room).best, (*Room).noCluster),
		keys.Key("", "clusters", "show segments that are alike as one row, or each in its own", "", keys.InList, (*Room).toggleClusters, (*Room).noClusterLib),
	}
}

// alike returns what passes the filter of a row's cluster; ok is false if that is
// the row alone, or if nothing is collapsed.
func (r *Room) alike(s *review.Segment) (g review.Alike, ok bool) {
	if s == nil || s.Cluster == 0 || !r.clusters.collapses() {
		return g, false
	}
	g, ok = r.List.Alike[s.Cluster]
	return g, ok
}

// leftTexts say how many of the segments that a row stands for are pending, where it
// hides them: of a pending row, which tells that itself, only while it is selected.
func (r *Room) leftTexts(s *review.Segment) []string {
	g, ok := r.alike(s)
	if !ok || g.Front != s.ID || r.clusters.isOpen(s.Cluster) {
		return nil
	}
	left := g.Pending
	if s.Verdict == review.Pending {
		if on := r.List.Selected(); on == nil || on.ID != s.ID {
			return nil
		}
		left--
	}
	if left < 1 {
		return nil
	}
	text := draw.Grouped(left) + " alike pending"
	return []string{text + " " + r.G.Dot + " " + r.keys.Key("best", keys.InList), text, draw.Grouped(left) + " left"}
}

func (r *Room) noClusterLib() string {
	return keys.Reason(r.clusters.lib == nil, "it is not known which segments are alike")
}

func (r *Room) noClusters() string {
	if r.clusters.lib != nil && r.clusters.loose {
		return "each segment is a row of its own: " + r.keys.Key("clusters", keys.InList) + " changes that"
	}
	return cmp.Or(r.noClusterLib(), keys.Reason(r.List.Loose, "which segments are alike is still being read"))
}

func (r *Room) noCluster() string {
	_, ok := r.alike(r.List.Selected())
	return cmp.Or(r.NoSegment(), r.noClusters(), keys.Reason(!ok, "no other segment here is like this one"))
}

// foldsBeside reports whether a key of alike segments folds in the reader instead: it
// means nothing in a list that has none.
func (r *Room) foldsBeside(alike bool) bool {
	return !alike && r.ReaderShows() && (!r.List.Loose || !r.clusters.collapses())
}

func (r *Room) noClusterOrFold() string {
	if _, ok := r.alike(r.List.Selected()); r.foldsBeside(ok) {
		return cmp.Or(r.NoSegment(), r.noFold())
	}
	return r.noCluster()
}

func (r *Room) noClustersOrReader() string {
	if r.foldsBeside(len(r.List.Alike) > 0) {
		return r.NoSegment()
	}
	return r.noClusters()
}

// turnCluster opens the cluster of the selected row; the row that stands for it
// is selected when it closes.
func (r *Room) turnCluster() tea.Cmd {
	if _, ok := r.alike(r.List.Selected()); r.foldsBeside(ok) {
		return r.Reader.ToggleFold()
	}
	r.clusters.turn(r.List.Selected().Cluster)
	return r.rearrange()
}

func (r *Room) turnClusters() tea.Cmd {
	if r.foldsBeside(len(r.List.Alike) > 0) {
		return r.Reader.ToggleAllFolds()
	}
	c := &r.clusters
	c.all, c.turned = !c.all, nil
	r.sayWhether(c.all, "segments that are alike are shown below their best", "segments that are alike are one row")
	return r.rearrange()
}

// toggleClusters shows segments that are alike as one row, or each in its own.
func (r *Room) toggleClusters() tea.Cmd {
	c := &r.clusters
	c.loose = !c.loose
	r.sayWhether(c.loose, "each segment is a row of its own", "segments that are alike are one row: "+r.keys.Key("open-alike", keys.InList)+" opens it")
	return r.rearrange()
}

// rearrange reads the rows around the selected one, or around the one that stands
// for it when that is hidden.
func (r *Room) rearrange() tea.Cmd {
	if g, ok := r.alike(r.List.Selected()); ok && !r.clusters.isOpen(r.List.Selected().Cluster) {
		if i := r.List.Index(g.Front); i >= 0 {
			r.List.Pick(i)
		}
	}
	return r.askOrder()
}

// showHidden opens the cluster of a row that was asked for, if it is hidden in
// it, and reads the rows anew; ok is false if it is not.
func (r *Room) showHidden(m *rows.Loaded) (cmd tea.Cmd, ok bool) {
	if m.Want != rows.WantAround && m.Want != rows.WantOrder {
		return nil, false
	}
	s := &m.Found.Segments[0]
	for _, p := range m.Pages {
		g, known := p.Alike[s.Cluster]
		if known && g.Front != s.ID && !r.clusters.isOpen(s.Cluster) && r.clusters.collapses() {
			r.clusters.turn(s.Cluster)
			return r.Ask(rows.Request{Want: m.Want, Found: rows.PageOf(r.Order, *s), Note: m.Note}), true
		}
	}
	return nil, false
}

// hidesPending reports whether a closed cluster has pending segments under a
// row that is judged.
func (r *Room) hidesPending() bool {
	for i := range r.List.Rows {
		s := &r.List.Rows[i]
		if g, ok := r.alike(s); ok && g.Pending > 0 && s.Verdict != review.Pending && !r.clusters.isOpen(s.Cluster) {
			return true
		}
	}
	return false
}

// bestGiven answers B: what was judged, or what it has to be asked about.
type bestGiven struct {
	from     string // id of the row
	best     review.Segment
	rejected int
	changes  int // of members that were judged otherwise, if that is asked about
	err      error
}

// bestAsked is a question that the next key may answer: of the cluster of a row,
// about so many verdicts that would change.
type bestAsked struct {
	row     string
	changes int
	press   int // of the key that answers it; see Room.Presses
}

// best approves the best of the selected row's cluster and rejects the others.
func (r *Room) best() tea.Cmd {
	s := *r.List.Selected()
	c := &r.clusters
	sure := c.confirm
	front := r.List.Alike[s.Cluster].Front
	c.confirm = bestAsked{}
	lib, within, curator, presses := c.lib, r.Filter.Node, r.curator, r.Presses
	r.wait.finding = true // the keys that follow are meant for the segment it goes on to
	return r.Enqueue(s.ID, func(ctx context.Context, write rows.Library) (work.Show, error) {
		m := bestGiven{from: s.ID}
		show := func() tea.Cmd { return r.handleBest(m) }
		list, err := lib.AlikeSegments(ctx, s.Cluster, within)
		if err == nil && len(list) < 2 {
			err = errors.New("nothing is like it any more")
		}
		if m.err = err; err != nil {
			return show, err
		}
		at := review.Best(list, front)
		m.best, m.rejected = list[at], len(list)-1
		j := review.Judgement{
			Curator: curator, Verdict: review.Rejected, Verdicts: map[string]review.Verdict{m.best.ID: review.Approved},
			IDs: []string{m.best.ID}, Seen: map[string]chat.Digest{},
		}
		for i := range list {
			one := &list[i]
			j.Seen[one.ID] = one.Digest
			if i != at {
				j.IDs = append(j.IDs, one.ID)
			}
			if one.Verdict.Judged() && one.Verdict != j.VerdictOf(one.ID) {
				m.changes++
			}
		}
		if m.changes == 0 || sure == (bestAsked{s.ID, m.changes, presses}) {
			m.changes = 0
			_, m.err = write.Judge(ctx, j)
		}
		return show, m.err
	})
}

// handleBest tells what B did and goes on.
func (r *Room) handleBest(m bestGiven) tea.Cmd {
	switch {
	case m.err != nil:
		r.reload = true
		r.Fail("the segments that are alike were not judged", m.err)
		return r.Nowhere()
	case m.changes > 0:
		r.clusters.confirm = bestAsked{m.from, m.changes, r.Presses + 1}
		r.Say(fmt.Sprintf("%s changes %s: press it again to approve %s and reject %d", r.keys.Key("best", keys.InList), draw.Plural(m.changes, "verdict"), r.NameOf(&m.best), m.rejected))
		return r.Nowhere()
	}
	r.keepRow(m.from)
	for i := range r.List.Rows {
		s := r.List.Rows[i]
		if s.Cluster != m.best.Cluster {
			continue
		}
		if s.ID == m.best.ID {
			s.Verdict = review.Approved
		} else if _, shown := r.alike(&s); shown {
			s.Verdict = review.Rejected
		}
		s.Stale = false
		r.show(s)
	}
	r.reload = true
	r.SayUndo(fmt.Sprintf("approved %s, rejected %d alike", r.NameOf(&m.best), m.rejected), r.keys.Key("undo", keys.InList)+" undo")
	r.wait.finding = false
	return r.thenKeys(r.advance())
}
