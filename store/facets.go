package store

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"winnow/core/metric"
)

// facets are columns with all that lists of segments are filtered and sorted
// by, about 250 bytes and the topic for each segment: what takes SQLite a tenth
// of a second for 200,000 segments takes a millisecond here. They are a copy
// that is never ahead of the database and is brought up to date before it is
// asked; see library.
//
// A segment has a slot in all columns, which another one gets when it leaves.
// Facets are not safe for concurrent changes.
type facets struct {
	sessions sessionFacets

	slots map[int64]int32 // by rowid
	free  []int32
	live  rowSet

	rowid     []int64
	id        []segmentID
	session   []int32 // number in sessions
	body      []int64
	start     []int32
	recorded  []int64 // microseconds since 1970, never if unknown
	created   []int64
	reviewed  []int64
	score     []float64 // NaN: none
	bucket    []int8    // of the histogram, -1 without a score
	marks     []rowMarks
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

	orders [sortings]placement
	turned inTurn
}

// never is a time that is unknown; before all others, as NULL is.
const never = math.MinInt64

// rowMarks are what is true of a segment or not.
type rowMarks uint8

const (
	markStale rowMarks = 1 << iota
	markThink
	markImage
	markEdit
)

// segmentID is an id: its bytes are in the order of its text.
type segmentID [16]byte

// parseSegmentID reads an id as the database has it. Another form would be sorted
// elsewhere, so it is refused.
func parseSegmentID(text string) (id segmentID, err error) {
	if len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		var digits [32]byte
		at := 0
		for _, from := range [5][2]int{{0, 8}, {9, 13}, {14, 18}, {19, 23}, {24, 36}} {
			at += copy(digits[at:], text[from[0]:from[1]])
		}
		if _, err := hex.Decode(id[:], digits[:]); err == nil && !bytes.ContainsAny(digits[:], "ABCDEF") {
			return id, nil
		}
	}
	return id, fmt.Errorf("%q is no id as this program makes them", text)
}

// String returns the id as the database has it.
func (id segmentID) String() string {
	var b [36]byte
	hex.Encode(b[:8], id[:4])
	hex.Encode(b[9:13], id[4:6])
	hex.Encode(b[14:18], id[6:8])
	hex.Encode(b[19:23], id[8:10])
	hex.Encode(b[24:], id[10:])
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
	return string(b[:])
}

func (id segmentID) compare(o segmentID) int { return bytes.Compare(id[:], o[:]) }

func newFacets() *facets {
	return &facets{
		clusters: newClusterNumbers(),
		sessions: newSessionFacets(), slots: map[int64]int32{}, metrics: make([][]uint16, len(metric.Names())),
		agent: newWords(), verdict: newWords(), kind: newWords(), cut: newWords(), reviewer: newWords(), note: newWords(),
		flags: newWords(), tools: newWords(), tags: newWords(),
	}
}

func (f *facets) wordColumns() [9]*words {
	return [...]*words{&f.agent, &f.verdict, &f.kind, &f.cut, &f.reviewer, &f.note, &f.flags, &f.tools, &f.tags}
}

// size is the number of slots, free ones among them.
func (f *facets) size() int { return len(f.rowid) }

// reserve makes room for a number of rows, without the spare room that columns
// get when they grow.
func (f *facets) reserve(rows int) {
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
func (f *facets) slot() int32 {
	if last := len(f.free) - 1; last >= 0 {
		slot := f.free[last]
		f.free = f.free[:last]
		return slot
	}
	slot := int32(f.size())
	f.rowid, f.id, f.session, f.body = append(f.rowid, 0), append(f.id, segmentID{}), append(f.session, 0), append(f.body, 0)
	f.start = append(f.start, 0)
	f.recorded, f.created, f.reviewed = append(f.recorded, never), append(f.created, never), append(f.reviewed, never)
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
func (f *facets) put(r *facetRow) (slot int32, text bool) {
	session := f.sessions.number(r.body)
	slot, known := f.slots[r.rowid]
	if !known {
		slot = f.slot()
		f.slots[r.rowid] = slot
		f.live.add(slot)
	}
	// Numbers of rows that left are given again.
	same := known && f.id[slot] == r.id
	text = !same || f.body[slot] != r.body || f.start[slot] != r.start || f.messages[slot] != r.messages
	before := f.keys(slot)
	f.rowid[slot], f.id[slot], f.session[slot], f.body[slot], f.start[slot] = r.rowid, r.id, session, r.body, r.start
	f.recorded[slot], f.created[slot], f.reviewed[slot] = r.recorded, r.created, r.reviewed
	f.score[slot], f.bucket[slot], f.marks[slot] = r.score, r.bucket, r.marks
	f.turns[slot], f.messages[slot], f.tokens[slot] = r.turns, r.messages, r.tokens
	f.toolCalls[slot], f.toolFails[slot] = r.toolCalls, r.toolFails
	f.setCluster(slot, r.cluster)
	for i := range f.metrics {
		f.metrics[i][slot] = r.metrics[i]
	}
	for i, c := range f.wordColumns() {
		c.set(slot, r.words[i])
	}
	f.topic.set(slot, r.topic)
	after := f.keys(slot)
	for by := range f.orders {
		if !same || before[by] != after[by] {
			f.orders[by].misplace(slot)
		}
	}
	return slot, text
}

// remove forgets a row that left.
func (f *facets) remove(rowid int64) (slot int32, known bool) {
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
	for by := range f.orders {
		f.orders[by].misplace(slot)
	}
	f.free = append(f.free, slot)
	return slot, true
}

// putSessions writes sessions that are new or changed, and returns the slots of
// their segments.
func (f *facets) putSessions(list []sessionFacet) rowSet {
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
		f.whereSession(rows, func(n int32) bool { return moved[n] }).each(f.orders[byPlace].misplace)
	}
	return rows
}
