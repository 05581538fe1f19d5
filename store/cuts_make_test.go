package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/store/sqlite"
)

// talked is a session whose messages a test knows.
type talked struct {
	id, file string
	list     []chat.Message
}

// trailOf is what an import keeps of messages, the last ones held back.
func trailOf(list []chat.Message, held int) review.Trail {
	all := review.Trail{Held: held}
	var settled chat.Trace
	for i := range list {
		if i == len(list)-held {
			settled = all.Settled
		}
		all.Follow(&list[i], chat.AppendMessage(nil, &list[i]))
	}
	if held == 0 {
		settled = all.Settled
	}
	all.Trace, all.Settled = all.Settled, settled
	return all
}

// stateOf is the hash state of messages from..to of list, but for those held
// back at the end of all.
func stateOf(list []chat.Message, from, held int) []byte {
	h := chat.NewHasher()
	for i := from - 1; i < len(list)-held; i++ {
		h.Add(&list[i])
	}
	state, err := h.MarshalBinary()
	if err != nil {
		panic(err)
	}
	return state
}

// numbered gives segments over list their digests and numbers, and the last its
// hash state.
func numbered(list []chat.Message, held int, rows []review.SegmentWrite) {
	count := map[string]int{}
	for i := range rows {
		r := &rows[i]
		h := chat.NewHasher()
		r.Index, r.Tally = i, review.Tally{}
		for j := r.Start - 1; j < r.End; j++ {
			h.Add(&list[j])
			r.Tally.Add(&list[j])
		}
		count[h.Nth(1)]++
		r.Nth = count[h.Nth(1)]
		r.Digest = chat.Digest{Fingerprint: h.Nth(r.Nth), Detail: h.Digest().Detail}
		if r.End == len(list) {
			r.HashState = stateOf(list, r.Start, held)
		}
	}
}

// recorded stores a session cut after the messages ends, the last messages
// held back.
func recorded(t testing.TB, s *Store, file string, list []chat.Message, held int, ends ...int) talked {
	t.Helper()
	w := write(file, list)
	sw := &w.Sessions[0]
	sw.Trail, sw.Segments = trailOf(list, held), nil
	start := 1
	for i, end := range append(ends, len(list)) {
		by := review.CutOffline
		if end == len(list) {
			by = review.CutProvisional
		}
		sw.Segments = append(sw.Segments, review.SegmentWrite{Segment: review.Segment{Start: start, End: end, CutBy: by, Topic: fmt.Sprint("task ", i)}})
		start = end + 1
	}
	numbered(list, held, sw.Segments)
	put(t, s, w)
	st, err := s.LoadSession(t.Context(), "default", file)
	if err != nil {
		t.Fatal(err)
	}
	return talked{st.ID, file, list}
}

// piece is a segment as a test wants it: its last message, and a topic that a
// curator gives it.
type piece struct {
	end   int
	topic string
}

func ends(list ...int) []piece {
	pieces := make([]piece, len(list))
	for i, end := range list {
		pieces[i].end = end
	}
	return pieces
}

// cutWrite is what gives a session other segments. Rows with the place of a
// piece stay; of those that leave the verdict goes to the first new segment
// that shares messages with them.
func cutWrite(t testing.TB, s *Store, c talked, by review.CutBy, pieces []piece) *runs.CutWrite {
	t.Helper()
	st, err := s.SessionByID(t.Context(), c.id)
	if err != nil {
		t.Fatal(err)
	}
	w := &runs.CutWrite{Session: c.id, Body: st.Body, Messages: st.Messages}
	for i := range st.Segments {
		w.Known = append(w.Known, st.Segments[i].Segment)
	}
	rows := make([]review.SegmentWrite, len(pieces))
	stays := map[string]bool{}
	start := 1
	for i, p := range pieces {
		at := slices.IndexFunc(w.Known, func(k review.Segment) bool { return k.Start == start && k.End == p.end })
		if at >= 0 {
			rows[i].Segment = w.Known[at]
			stays[rows[i].ID] = true
			if r := &rows[i]; by != review.CutCurator && r.CutBy == review.CutProvisional && !r.Verdict.Judged() {
				r.CutBy = by
			}
		} else {
			rows[i].Segment = review.Segment{Start: start, End: p.end, CutBy: by, Topic: fmt.Sprint("cut at ", start)}
		}
		if p.topic != "" {
			rows[i].Topic, rows[i].Named = p.topic, true
		}
		start = p.end + 1
	}
	heirs(w, rows, stays)
	held := min(st.Held, rows[len(rows)-1].End-rows[len(rows)-1].Start+1)
	if held != st.Held {
		trail := trailOf(c.list, held)
		w.Trail = &trail
	}
	numbered(c.list, held, rows)
	for i := range rows {
		r := &rows[i]
		old := slices.IndexFunc(w.Known, func(k review.Segment) bool { return k.ID == r.ID })
		if old < 0 || r.Index != w.Known[old].Index || r.Nth != w.Known[old].Nth || r.Topic != w.Known[old].Topic || r.CutBy != w.Known[old].CutBy {
			w.Segments = append(w.Segments, *r)
		}
	}
	return w
}

// heirs retires the rows that do not stay.
func heirs(w *runs.CutWrite, rows []review.SegmentWrite, stays map[string]bool) {
	for i := range w.Known {
		k := &w.Known[i]
		if stays[k.ID] {
			continue
		}
		w.Retire = append(w.Retire, k.ID)
		for j := range rows {
			r := &rows[j]
			if r.ID != "" || r.End < k.Start || r.Start > k.End || r.Stale {
				continue
			}
			r.Verdict, r.Note, r.Tags = review.Pending, k.Note, k.Tags
			r.Stale, r.Was, r.WasBy, r.WasAt = k.Stale, k.Was, k.WasBy, k.WasAt
			r.WasBody, r.WasStart, r.WasEnd = k.WasBody, k.WasStart, k.WasEnd
			if k.Verdict.Judged() {
				r.Stale, r.Was, r.WasBy, r.WasAt = true, k.Verdict, k.Reviewer, k.ReviewedAt
				r.WasBody, r.WasStart, r.WasEnd = k.Body, k.Start, k.End
			}
			break
		}
	}
}

// byHand cuts a session as a curator.
func byHand(t testing.TB, s *Store, c talked, curator string, action review.Action, pieces []piece) review.Entry {
	t.Helper()
	w := cutWrite(t, s, c, review.CutCurator, pieces)
	w.Curator, w.Action = curator, action
	e, err := s.WriteCuts(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// byMachine cuts a session as a machine.
func byMachine(t testing.TB, s *Store, c talked, pieces []piece) {
	t.Helper()
	if _, err := s.WriteCuts(t.Context(), cutWrite(t, s, c, review.CutOffline, pieces)); err != nil {
		t.Fatal(err)
	}
}

// dump writes down every segment of a session and what cutting changes of that,
// but not when rows were updated.
func dump(t testing.TB, s *Store, session string) string {
	t.Helper()
	columns, err := sqlite.Column[string](s.db.Rows(t.Context(), "SELECT name FROM pragma_table_info('task_segments') WHERE name <> 'updated_at'"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, text := range []string{
		"SELECT quote(" + strings.Join(columns, ") || ' ' || quote(") + ") FROM task_segments WHERE session_id = ?1 ORDER BY segment_index, id",
		"SELECT id || ' ' || segmented || ' ' || held || ' ' || quote(settled) FROM trajectory_records WHERE id = ?1",
		"SELECT verdict || ' ' || bucket || ' ' || stale || ' ' || segments || ' ' || messages FROM segment_counts WHERE segments > 0 AND ?1 <> '' ORDER BY verdict, bucket, stale",
	} {
		found, err := sqlite.Column[string](s.db.Rows(t.Context(), text, session))
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, found...)
	}
	return strings.Join(lines, "\n")
}
