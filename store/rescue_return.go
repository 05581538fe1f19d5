package store

import (
	"cmp"

	"github.com/go-json-experiment/json"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// returning brings segments back that only the journal knows of.
type returning struct {
	*importing
	out    *Rescued
	wanted map[string][]lostVerdict // by fingerprint
}

const lostVerdictsSQL = `SELECT segment_id, after, fingerprint, detail FROM journal_changes c
	WHERE NOT EXISTS (SELECT 1 FROM task_segments s WHERE s.id = c.segment_id)
	AND NOT EXISTS (SELECT 1 FROM journal_changes l WHERE l.segment_id = c.segment_id AND (l.entry, l.n) > (c.entry, c.n))`

func (r *returning) run() error {
	var row lostVerdict
	var after string
	rows := r.Rows(lostVerdictsSQL)
	for range rows.Into(&row.id, &after, &row.content.Fingerprint, &row.content.Detail) {
		v := row
		if err := json.Unmarshal([]byte(after), &v.mark); err != nil {
			return err
		}
		if v.mark.Verdict != "" { // else it left, and an entry says so
			r.wanted[v.content.Fingerprint] = append(r.wanted[v.content.Fingerprint], v)
		}
	}
	if rows.Err() != nil || len(r.wanted) == 0 {
		return rows.Err()
	}
	if err := r.search(); err != nil {
		return err
	}
	for _, list := range r.wanted {
		for i := range list {
			if v := &list[i]; !v.placed {
				if err := r.retired(v); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// retired notes that a segment left with a verdict.
func (r *returning) retired(v *lostVerdict) error {
	if v.mark.Verdict.Judged() {
		r.out.Retired++
	}
	e := review.Entry{Action: review.ActRetire, Changes: []review.Change{{Segment: v.id, Before: v.mark, Content: v.content}}}
	return r.appendEntry(&e, r.now)
}

// uncut is a segment that nobody has cut or judged.
type uncut struct {
	id, session string
	body        int64
	start, end  int
}

// search looks for the content of lost segments among the messages that nobody
// has cut.
func (r *returning) search() error {
	all, err := sqlite.List(r.Rows("SELECT id, session_id, body, start_line, end_line FROM task_segments WHERE cut_by = ? AND verdict = 'pending' AND NOT stale",
		review.CutProvisional), func(u *uncut) []any { return []any{&u.id, &u.session, &u.body, &u.start, &u.end} })
	for i := range all {
		if err == nil {
			err = r.searchIn(&all[i])
		}
	}
	return err
}

// thorough is the number of messages up to which a lost segment is looked for
// from each of them; of more, only from where the one before it ends.
const thorough = 500

// foundVerdict is a lost segment and where its content is.
type foundVerdict struct {
	*lostVerdict
	start, end int
}

func (r *returning) searchIn(u *uncut) error {
	list, err := r.messages(u)
	if err != nil {
		return err
	}
	var found []foundVerdict
	for from := 0; from < len(list); {
		v, to := r.match(list[from:])
		switch {
		case v != nil:
			found = append(found, foundVerdict{v, u.start + from, u.start + from + to})
			from += to + 1
		case len(list) > thorough:
			from = len(list)
		default:
			from++
		}
	}
	if len(found) == 0 {
		return nil
	}
	return r.split(u, found)
}

func (r *returning) messages(u *uncut) (list []chat.Message, err error) {
	var data []byte
	rows := r.Rows("SELECT data FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id", messageID(u.body, 1), messageID(u.body, u.end))
	for range rows.Into(&data) {
		all, err := chat.ReadChunk(data)
		if err != nil {
			return nil, err
		}
		for i := range all {
			if n := all[i].N; n >= u.start && n <= u.end {
				list = append(list, all[i])
			}
		}
	}
	return list, rows.Err()
}

// match returns the lost segment that some messages begin with, and the place of
// its last one.
func (r *returning) match(list []chat.Message) (*lostVerdict, int) {
	h := chat.NewHasher()
	for i := range list {
		h.Add(&list[i])
		for _, n := range []int{1, 2, 3} { // among segments of equal content
			wanted := r.wanted[h.Nth(n)]
			for j := range wanted {
				if v := &wanted[j]; !v.placed && v.content.Detail == h.Digest().Detail {
					v.placed = true
					return v, i
				}
			}
		}
	}
	return nil, 0
}

// split puts found segments in the place of one that nobody has cut.
func (r *returning) split(u *uncut, found []foundVerdict) error {
	const text = "SELECT id, source_agent_id, session_file, body FROM trajectory_records WHERE id = ?"
	var p target
	if err := r.Rows(text, u.session).One(&p.session, &p.agent, &p.file, &p.body); err != nil {
		return err
	}
	if err := r.deleteRow(u.id); err != nil {
		return err
	}
	next := u.start
	for _, f := range found {
		if f.start > next {
			if err := r.anew(p, next, f.start-1, nil); err != nil {
				return err
			}
		}
		if err := r.anew(p, f.start, f.end, f.lostVerdict); err != nil {
			return err
		}
		next = f.end + 1
		r.out.Restored++
	}
	if next <= u.end {
		return r.anew(p, next, u.end, nil)
	}
	return nil
}

// anew makes a segment: a lost one, or one that nobody has cut. Repair numbers it,
// and hashes it.
func (r *returning) anew(p target, start, end int, v *lostVerdict) (err error) {
	w := review.SegmentWrite{Segment: review.Segment{Index: start, Start: start, End: end, CutBy: review.CutProvisional}}
	if v != nil {
		w.ID, w.CutBy, w.Digest = v.id, review.CutOffline, v.content
		setMark(&w.Segment, &v.mark)
	} else if w.ID, err = r.segmentID(); err != nil {
		return err
	}
	w.Fingerprint = cmp.Or(w.Fingerprint, w.ID)
	return r.insertRow(p, &w, w.ID, r.now)
}
