package facets

import (
	"math"
	"slices"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
)

// columns have all that lists of segments are filtered and sorted by. A segment
// has a slot in all of them, which another one gets when it leaves. They are not
// safe for concurrent changes.
type columns struct {
	sessions sessionFacets

	slots map[int64]int32 // by rowid
	free  []int32
	live  rowSet

	rowid     []int64
	id        []ID
	session   []int32 // number in sessions
	body      []int64
	start     []int32
	recorded  []int64 // microseconds since 1970, Never if unknown
	created   []int64
	reviewed  []int64
	score     []float64 // NaN: none
	bucket    []int8    // of the histogram, -1 without a score
	marks     []Marks
	turns     []int32
	messages  []int32
	toolCalls []int32
	toolFails []int32
	tokens    []int64
	metrics   [][]uint16 // by metric, in the order of metric.Names
	cluster   []int32    // number in clusters
	clusters  clusterNumbers

	// Lists are kept as one text, each of their words between line feeds.
	agent, verdict, kind, cut, reviewer, note words
	flags, tools, tags                        words // lists
	topic                                     texts

	orders placements
	turned inTurn
}

func newColumns() *columns {
	return &columns{
		orders:   newPlacements(),
		clusters: newClusterNumbers(),
		sessions: newSessionFacets(), slots: map[int64]int32{}, metrics: make([][]uint16, len(metric.Names())),
		agent: newWords(), verdict: newWords(), kind: newWords(), cut: newWords(), reviewer: newWords(), note: newWords(),
		flags: newWords(), tools: newWords(), tags: newWords(),
	}
}

func (f *columns) wordColumns() [9]*words {
	return [...]*words{&f.agent, &f.verdict, &f.kind, &f.cut, &f.reviewer, &f.note, &f.flags, &f.tools, &f.tags}
}

// size is the number of slots, free ones among them.
func (f *columns) size() int { return len(f.rowid) }

// reserve makes room for a number of rows, without the spare room that columns
// get when they grow.
func (f *columns) reserve(rows int) {
	f.slots = make(map[int64]int32, rows)
	f.live = slices.Grow(f.live, rows/64+1)
	f.rowid, f.id, f.session, f.body = slices.Grow(f.rowid, rows), slices.Grow(f.id, rows), slices.Grow(f.session, rows), slices.Grow(f.body, rows)
	f.start = slices.Grow(f.start, rows)
	f.recorded, f.created, f.reviewed = slices.Grow(f.recorded, rows), slices.Grow(f.created, rows), slices.Grow(f.reviewed, rows)
	f.score, f.bucket, f.marks = slices.Grow(f.score, rows), slices.Grow(f.bucket, rows), slices.Grow(f.marks, rows)
	f.turns, f.messages, f.tokens = slices.Grow(f.turns, rows), slices.Grow(f.messages, rows), slices.Grow(f.tokens, rows)
	f.cluster = slices.Grow(f.cluster, rows)
	f.clusters.reserve(rows)
	f.toolCalls, f.toolFails = slices.Grow(f.toolCalls, rows), slices.Grow(f.toolFails, rows)
	for i := range f.metrics {
		f.metrics[i] = slices.Grow(f.metrics[i], rows)
	}
	for _, c := range f.wordColumns() {
		c.at = slices.Grow(c.at, rows)
	}
	f.topic.at, f.topic.from, f.topic.owner = slices.Grow(f.topic.at, rows), slices.Grow(f.topic.from, rows), slices.Grow(f.topic.owner, rows)
}

// slot returns a free slot.
func (f *columns) slot() int32 {
	if last := len(f.free) - 1; last >= 0 {
		slot := f.free[last]
		f.free = f.free[:last]
		return slot
	}
	slot := int32(f.size())
	f.rowid, f.id, f.session, f.body = append(f.rowid, 0), append(f.id, ID{}), append(f.session, 0), append(f.body, 0)
	f.start = append(f.start, 0)
	f.recorded, f.created, f.reviewed = append(f.recorded, Never), append(f.created, Never), append(f.reviewed, Never)
	f.score, f.bucket, f.marks = append(f.score, 0), append(f.bucket, 0), append(f.marks, 0)
	f.turns, f.messages, f.tokens = append(f.turns, 0), append(f.messages, 0), append(f.tokens, 0)
	f.toolCalls, f.toolFails = append(f.toolCalls, 0), append(f.toolFails, 0)
	f.cluster = append(f.cluster, 0)
	f.clusters.grow()
	for i := range f.metrics {
		f.metrics[i] = append(f.metrics[i], metric.Unmeasured)
	}
	for _, c := range f.wordColumns() {
		c.grow()
	}
	f.topic.grow()
	f.live = f.live.grown(f.size())
	return slot
}

// put writes a row that is new or changed. text is whether other messages are
// in it than before.
func (f *columns) put(r *Row) (slot int32, text bool) {
	session := f.sessions.number(r.Body)
	slot, known := f.slots[r.Rowid]
	if !known {
		slot = f.slot()
		f.slots[r.Rowid] = slot
		f.live.add(slot)
	}
	// Numbers of rows that left are given again.
	same := known && f.id[slot] == r.ID
	text = !same || f.body[slot] != r.Body || f.start[slot] != r.Start || f.messages[slot] != r.Messages
	for _, p := range f.orders {
		p.stood = p.stand(f, slot)
	}
	f.rowid[slot], f.id[slot], f.session[slot], f.body[slot], f.start[slot] = r.Rowid, r.ID, session, r.Body, r.Start
	f.recorded[slot], f.created[slot], f.reviewed[slot] = r.Recorded, r.Created, r.Reviewed
	f.score[slot], f.bucket[slot], f.marks[slot] = r.Score, bucketOf(r.Score), r.Marks
	f.turns[slot], f.messages[slot], f.tokens[slot] = r.Turns, r.Messages, r.Tokens
	f.toolCalls[slot], f.toolFails[slot] = r.ToolCalls, r.ToolFails
	f.setCluster(slot, r.Cluster)
	for i := range f.metrics {
		f.metrics[i][slot] = r.Metrics[i]
	}
	texts := [...]string{r.Agent, r.Verdict, r.Type, r.Cut, r.Reviewer, r.Note, r.Flags, r.Tools, r.Tags}
	for i, c := range f.wordColumns() {
		c.set(slot, texts[i])
	}
	f.topic.set(slot, filter.Fold(r.Topic))
	for _, p := range f.orders {
		if !same || p.stand(f, slot) != p.stood {
			p.misplace(slot)
		}
	}
	return slot, text
}

// remove forgets a row that left.
func (f *columns) remove(rowid int64) (slot int32, known bool) {
	slot, known = f.slots[rowid]
	if !known {
		return slot, false
	}
	delete(f.slots, rowid)
	f.live.drop(slot)
	f.setCluster(slot, 0)
	for _, c := range f.wordColumns() {
		c.set(slot, "")
	}
	f.topic.set(slot, "")
	for _, p := range f.orders {
		p.misplace(slot)
	}
	f.free = append(f.free, slot)
	return slot, true
}

// putSessions writes sessions that are new or changed, and returns the slots of
// their segments.
func (f *columns) putSessions(list []Session) rowSet {
	changed, moved := map[int32]bool{}, map[int32]bool{}
	for i := range list {
		n, m := f.sessions.put(&list[i])
		changed[n] = true
		if m {
			moved[n] = true
		}
	}
	if len(changed) == 0 {
		return make(rowSet, len(f.live))
	}
	rows := f.whereSession(f.live, func(n int32) bool { return changed[n] })
	if len(moved) > 0 {
		f.whereSession(rows, func(n int32) bool { return moved[n] }).each(f.orders.by(review.ByPlace).misplace)
	}
	return rows
}

// bucketOf returns which bar of the histogram a score is of, -1 for NaN.
func bucketOf(score float64) int8 {
	if math.IsNaN(score) {
		return -1
	}
	const bars = len(review.Counts{}.Histogram)
	return int8(max(-1, min(bars-1, int(math.Round(score*metric.ScoreUnit))/(metric.ScoreUnit/bars))))
}

// apply writes changes and returns the slots of all segments that they are about;
// moved is whether some slots are of other segments or messages now.
func (f *columns) apply(c *Changes) (rows rowSet, moved bool) {
	f.turned.forget()
	var slots []int32
	for _, row := range c.Left {
		f.sessions.remove(row)
	}
	for _, row := range c.Gone {
		if slot, known := f.remove(row); known {
			slots, moved = append(slots, slot), true
		}
	}
	for i := range c.Rows {
		slot, other := f.put(&c.Rows[i])
		slots, moved = append(slots, slot), moved || other
	}
	rows = f.putSessions(c.Sessions).grown(f.size())
	for _, slot := range slots {
		rows.add(slot)
	}
	return rows, moved
}
