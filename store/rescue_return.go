package store

import (
	"errors"

	"github.com/go-json-experiment/json"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// returning brings segments back that only the journal knows of.
type returning struct {
	*tx
	out    *Rescued
	wanted map[string][]lostVerdict // by fingerprint
	ids    *idSource
	now    string
}

const lostVerdictsSQL = `SELECT segment_id, after, fingerprint, detail FROM journal_changes c
	WHERE NOT EXISTS (SELECT 1 FROM task_segments s WHERE s.id = c.segment_id)
	AND NOT EXISTS (SELECT 1 FROM journal_changes l WHERE l.segment_id = c.segment_id AND (l.entry, l.n) > (c.entry, c.n))`

func (r *returning) run() error {
	rows, err := r.Query(lostVerdictsSQL)
	if err != nil {
		return err
	}
	some := false
	err = sqlite.Each(rows, func() error {
		var v lostVerdict
		var after string
		if err := rows.Scan(&v.id, &after, &v.content.Fingerprint, &v.content.Detail); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(after), &v.mark); err != nil || v.mark.Verdict == "" {
			return err // it left, and an entry says so
		}
		some = true
		r.wanted[v.content.Fingerprint] = append(r.wanted[v.content.Fingerprint], v)
		return nil
	})
	if err != nil || !some {
		return err
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
	e := review.Entry{Action: review.ActRetire}
	const text = "INSERT INTO journal (at, curator, action, target) VALUES (?, ?, ?, 0)"
	res, err := r.Exec(text, r.now, "", string(e.Action))
	if err != nil {
		return err
	}
	if e.ID, err = res.LastInsertId(); err != nil {
		return err
	}
	return r.appendChanges(e.ID, []review.Change{{Segment: v.id, Before: v.mark, Content: v.content}})
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
	rows, err := r.Query("SELECT id, session_id, body, start_line, end_line FROM task_segments WHERE cut_by = ? AND verdict = 'pending' AND NOT stale",
		string(review.CutProvisional))
	if err != nil {
		return err
	}
	var all []uncut
	err = sqlite.Each(rows, func() error {
		all = append(all, uncut{})
		u := &all[len(all)-1]
		return rows.Scan(&u.id, &u.session, &u.body, &u.start, &u.end)
	})
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
	rows, err := r.Query("SELECT data FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id", messageID(u.body, 1), messageID(u.body, u.end))
	if err != nil {
		return nil, err
	}
	err = sqlite.Each(rows, func() error {
		var data []byte
		if err := rows.Scan(&data); err != nil {
			return err
		}
		all, err := chat.ReadChunk(data)
		for i := range all {
			if n := all[i].N; n >= u.start && n <= u.end {
				list = append(list, all[i])
			}
		}
		return err
	})
	return list, err
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
	var p place
	if err := r.Row(text, []any{u.session}, &p.session, &p.agent, &p.file, &p.body); err != nil {
		return err
	}
	if _, err := r.Exec("DELETE FROM task_segments WHERE id = ?", u.id); err != nil {
		return err
	}
	next := u.start
	for _, f := range found {
		if f.start > next {
			if err := r.insert(p, "", next, f.start-1, nil); err != nil {
				return err
			}
		}
		if err := r.insert(p, f.id, f.start, f.end, f.lostVerdict); err != nil {
			return err
		}
		next = f.end + 1
		r.out.Restored++
	}
	if next <= u.end {
		return r.insert(p, "", next, u.end, nil)
	}
	return nil
}

// insert makes a segment; "" draws an id. Repair numbers it, and hashes it.
func (r *returning) insert(p place, id string, start, end int, v *lostVerdict) error {
	m := review.Mark{Verdict: review.Pending}
	cut := review.CutProvisional
	var d chat.Digest
	if v != nil {
		m, cut, d = v.mark, review.CutOffline, v.content
	}
	if id == "" {
		var err error
		im := importing{tx: r.tx, ids: r.ids}
		if id, err = im.segmentID(); err != nil {
			return err
		}
	}
	if d.Fingerprint == "" {
		d.Fingerprint = id
	}
	columns := "id, agent_id, session_file, body, session_id, segment_index, start_line, end_line, fingerprint, detail, cut_by, created_at, updated_at, " + markColumns
	args := []any{id, p.agent, p.file, p.body, p.session, start, start, end, d.Fingerprint, d.Detail, string(cut), r.now, r.now}
	_, err := r.Exec(insertSQL("task_segments", columns), append(args, markFields(&m)...)...)
	if sqlite.IsDuplicate(err) {
		err = errors.Join(errors.New("a lost segment is there already"), err)
	}
	return err
}
