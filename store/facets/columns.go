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
	sessions *sessionFacets

	slots map[int64]int32 // by rowid
	free  []int32
	live  rowSet

	rowid     values[int64]
	id        values[ID]
	session   values[int32] // number in sessions
	body      values[int64]
	start     values[int32]
	recorded  values[int64] // microseconds since 1970, Never if unknown
	created   values[int64]
	reviewed  values[int64]
	score     values[float64] // NaN: none
	likely    values[float64] // NaN: none
	seen      values[float64] // share of the messages
	bucket    values[int8]    // of the histogram, -1 without a score
	marks     values[Marks]
	turns     values[int32]
	messages  values[int32]
	toolCalls values[int32]
	toolFails values[int32]
	errors    values[int32]
	exits     values[int32]
	tokens    values[int64]
	metrics   metrics
	cluster   values[int32] // number in clusters
	clusters  clusterNumbers

	// Lists are kept as one text, each of their words between line feeds.
	agent, verdict, kind, cut, reviewer, note words
	flags, tools, tags                        words // lists
	topic                                     texts

	all   []column                 // those above
	words [9]*words                // in the order in which put writes them
	named map[filter.Column]column // what filters ask for, of segments and of sessions

	orders placements
	turned inTurn
}

func newColumns() *columns {
	f := &columns{
		orders: newPlacements(), clusters: newClusterNumbers(), sessions: newSessionFacets(), slots: map[int64]int32{}, metrics: make(metrics, len(metric.Names())),
	}
	f.words = [...]*words{&f.agent, &f.verdict, &f.kind, &f.cut, &f.reviewer, &f.note, &f.flags, &f.tools, &f.tags}
	f.all = []column{
		&f.rowid, &f.id, &f.session, &f.body, &f.start, &f.recorded, &f.created, &f.reviewed, &f.score, &f.likely, &f.seen, &f.bucket, &f.marks,
		&f.turns, &f.messages, &f.toolCalls, &f.toolFails, &f.errors, &f.exits, &f.tokens, f.metrics, &f.cluster, &f.clusters, &f.topic,
	}
	for _, c := range f.words {
		*c = newWords()
		f.all = append(f.all, c)
	}
	f.named = map[filter.Column]column{
		"id": &f.id, "agent_id": &f.agent, "verdict": &f.verdict, "task_type": &f.kind, "cut_by": &f.cut, "reviewer": &f.reviewer,
		"note": &f.note, "topic": &f.topic, "flags": &f.flags, "tools": &f.tools, "tags": &f.tags,
		"score": &f.score, "likely": &f.likely, "seen": &f.seen, "measures": f.metrics, "turns": &f.turns, "messages": &f.messages, "tokens": &f.tokens,
		"tool_calls": &f.toolCalls, "tool_fails": &f.toolFails, "errors": &f.errors, "exits": &f.exits, "recorded": &f.recorded, "reviewed_at": &f.reviewed,
		"stale": mark{&f.marks, MarkStale}, "reasonings": mark{&f.marks, MarkThink}, "media": mark{&f.marks, MarkImage}, "edited": mark{&f.marks, MarkEdit},
		"compression": mark{&f.marks, MarkCompression}, "compression.proposed": mark{&f.marks, MarkProposed}, "compression.accepted": mark{&f.marks, MarkAccepted},
		"compression.rejected": mark{&f.marks, MarkRejected}, "compression.failed": mark{&f.marks, MarkFailed}, "compression.stale": mark{&f.marks, MarkOutdated},
		"fixes": mark{&f.marks, MarkFix}, "redactions": mark{&f.marks, MarkRedact}, "squashes": mark{&f.marks, MarkSquash}, "clashes": mark{&f.marks, MarkClash},
		"session.id": &f.sessions.id, "session.session_file": &f.sessions.file, "session.copied": &f.sessions.copied,
		"session.format": &f.sessions.format, "session.model": &f.sessions.model, "session.created_at": &f.sessions.created,
	}
	return f
}

// size is the number of slots, free ones among them.
func (f *columns) size() int { return len(f.rowid) }

// reserve makes room for a number of rows, without the spare room that columns
// get when they grow.
func (f *columns) reserve(rows int) {
	f.slots = make(map[int64]int32, rows)
	f.live = slices.Grow(f.live, rows/64+1)
	for _, c := range f.all {
		c.reserve(rows)
	}
}

// slot returns a free slot.
func (f *columns) slot() int32 {
	if last := len(f.free) - 1; last >= 0 {
		slot := f.free[last]
		f.free = f.free[:last]
		return slot
	}
	slot := int32(f.size())
	for _, c := range f.all {
		c.grow()
	}
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
	if f.likely[slot] = r.Likely; r.Likely == 0 {
		f.likely[slot] = math.NaN()
	}
	f.seen[slot] = review.Share(int(r.Seen), int(r.Messages))
	f.turns[slot], f.messages[slot], f.tokens[slot] = r.Turns, r.Messages, r.Tokens
	f.toolCalls[slot], f.toolFails[slot] = r.ToolCalls, r.ToolFails
	f.errors[slot], f.exits[slot] = r.Errors, r.Exits
	f.setCluster(slot, r.Cluster)
	for i := range f.metrics {
		f.metrics[i][slot] = r.Metrics[i]
	}
	texts := [...]string{r.Agent, r.Verdict, r.Type, r.Cut, r.Reviewer, r.Note, r.Flags, r.Tools, r.Tags}
	for i, c := range f.words {
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
	for _, c := range f.words {
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
	var changed, moved rowSet
	for i := range list {
		n, m := f.sessions.put(&list[i])
		if changed = changed.grown(int(n) + 1); m {
			moved = moved.grown(int(n) + 1)
			moved.add(n)
		}
		changed.add(n)
	}
	if len(changed) == 0 {
		return make(rowSet, len(f.live))
	}
	rows := f.whereSession(f.live, changed)
	if len(moved) > 0 {
		f.whereSession(rows, moved).each(f.orders.by(review.ByPlace).misplace)
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
