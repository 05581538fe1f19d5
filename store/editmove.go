package store

import (
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
	carry "winnow/core/segment"
	"winnow/store/sqlite"
)

// former is what a body held that an import is about to change and that has edits:
// by it they find their messages again.
type former struct {
	body  int64
	keep  int   // messages up to here stay as they are
	home  int64 // the body that the session has from now on; 0: it leaves
	sums  carry.Sums
	roles []chat.Role
	edits []edit.Edit // over them
}

// formerly remembers the messages of a body after keep, if any of them is edited.
func (im *importing) formerly(body int64, keep int, home int64) error {
	var some bool
	const text = "SELECT edits > 0 AND EXISTS (SELECT 1 FROM edits e WHERE e.body = b.id AND (e.n > ?2 OR ?2 = 0)) FROM bodies b WHERE id = ?1"
	if _, err := im.Rows(text, body, keep).Maybe(&some); err != nil || !some {
		return err
	}
	known := func(f *former) bool { return f.body == body }
	if i := slices.IndexFunc(im.formers, known); i >= 0 {
		if home != 0 {
			im.formers[i].home = home
		}
		return nil
	}
	f := &former{body: body, keep: keep, home: home}
	err := im.eachStored(body, keep, func(m *chat.Message) bool {
		f.sums.Add(m)
		f.roles = append(f.roles, m.Role)
		return true
	})
	im.formers = append(im.formers, f)
	return err
}

// eachStored calls f for the recorded messages of a body after keep, until it returns
// false.
func (t *tx) eachStored(body int64, keep int, f func(*chat.Message) bool) error {
	var last int
	var c chunkFrom
	const text = "SELECT last, data FROM chunks WHERE id BETWEEN ? AND ? AND last > ? ORDER BY id"
	rows := t.Rows(text, messageID(body, 1), lastID(body), keep)
	for range rows.Into(&last, &c) {
		list, err := c.Rest()
		if err != nil {
			return err
		}
		for i := range list {
			if list[i].N > keep && !f(&list[i]) {
				return nil
			}
		}
	}
	return rows.Err()
}

// settleEdits brings edits to where their messages are after sessions were written:
// in what their session holds now, else in another one that was written, as a branch
// that took them. One whose message is another one by now waits in its place. What
// finds no place leaves into the journal.
func (im *importing) settleEdits() error {
	formers, written := im.formers, im.written
	im.formers, im.written = nil, nil
	var anew []int64
	to := make([][]placeChange, len(formers))
	for i, f := range formers {
		var err error
		if f.edits, err = editsAmong(im.Rows, f.body, f.keep+1, maxMessages); err == nil {
			to[i], err = im.rehome(f, written)
		}
		if err != nil {
			return err
		}
	}
	for i, f := range formers { // where one was may be where another one comes to
		if err := im.clear(to[i]); err != nil {
			return err
		}
		anew = append(anew, f.body)
	}
	for i, f := range formers {
		into, err := im.moveEdits(f, to[i])
		if err != nil {
			return err
		}
		anew = append(anew, into...)
	}
	for _, body := range written {
		some := len(formers) > 0 // segments with edits may have come without them
		if _, err := im.Rows("SELECT edits > 0 OR ?2 FROM bodies WHERE id = ?1", body, some).Maybe(&some); err != nil {
			return err
		}
		if some {
			anew = append(anew, body)
		}
	}
	slices.Sort(anew)
	for _, body := range slices.Compact(anew) {
		if err := im.editedAnew(body); err != nil {
			return err
		}
	}
	return nil
}

// editedAnew derives what follows from the edits over a body. A verdict on a
// segment that gets or loses edits here becomes stale, if it is not already: that
// happens where two sessions become one, or a message is not found again.
func (im *importing) editedAnew(body int64) error {
	type judged struct{ id, edited string }
	const text = "SELECT id, edited FROM task_segments WHERE body = ? AND verdict <> 'pending'"
	before, err := sqlite.List(im.Rows(text, body), func(j *judged) []any { return []any{&j.id, &j.edited} })
	if err == nil {
		err = im.refreshEdits(body, im.now)
	}
	if err == nil {
		err = im.titlesAnew(body)
	}
	for i := range before {
		if err != nil {
			break
		}
		err = im.outdatedBy(before[i].id, before[i].edited)
	}
	return err
}

// outdatedBy makes the verdict on a segment stale if edits came over it or left it. One
// that only got another number among equal ones looks the same, and is, too.
func (im *importing) outdatedBy(id, edited string) error {
	var now string
	var rowid int64
	if err := im.Rows("SELECT edited, rowid FROM task_segments WHERE id = ?", id).One(&now, &rowid); err != nil || now == edited {
		return err
	}
	row, err := im.storedSegment(id)
	if err == nil {
		err = im.mark(id, row.outdated())
	}
	if err == nil {
		err = im.do(uncutAgainSQL, idList([]int64{rowid}))
	}
	return err
}

// rehome finds the places that the edits of a former body have now. Those that stay are
// not among the changes.
func (im *importing) rehome(f *former, written []int64) ([]placeChange, error) {
	moved := map[edit.Place]edit.Place{}
	homes := append([]int64{f.home}, written...)
	for i, body := range homes {
		if body == 0 || slices.Contains(homes[:i], body) || len(moved) == len(f.edits) {
			continue
		}
		if err := im.find(f, body, moved); err != nil {
			return nil, err
		}
	}
	if f.home != 0 && len(moved) < len(f.edits) {
		if err := im.neighbours(f, moved); err != nil {
			return nil, err
		}
	}
	return moves(f.edits, moved), nil
}

// moves are the changes of places that edits come to. Those that find none have nothing
// after.
func moves(edits []edit.Edit, moved map[edit.Place]edit.Place) (changes []placeChange) {
	for i := range edits {
		e := edits[i]
		c := placeChange{Place: e.Place, before: &edits[i]}
		to, there := moved[e.Place]
		if there && to == e.Place {
			continue
		}
		if there {
			c.Place, e.Place = to, to
			c.after = &e
		}
		changes = append(changes, c)
	}
	slices.SortFunc(changes, func(a, b placeChange) int { return comparePlaces(a.Place, b.Place) })
	return changes
}

// find finds messages again among those of a body; what is in front of the first
// stays there.
func (im *importing) find(f *former, body int64, moved map[edit.Place]edit.Place) error {
	to, _, behind, err := im.sameAs(f, body)
	for i := range f.edits {
		e := &f.edits[i]
		if _, done := moved[e.Place]; done {
			continue
		}
		if n := to[e.N-f.keep]; n > 0 {
			moved[e.Place] = edit.Place{Body: body, N: behind + n, Part: e.Part}
		} else if e.N == 0 && body == f.home {
			moved[e.Place] = edit.Place{Body: body, Part: e.Part}
		}
	}
	return err
}

// sameAs compares a former body with one: with all of it, or with what is behind
// the messages that stayed. Numbers count from there.
func (im *importing) sameAs(f *former, body int64) (to map[int]int, roles []chat.Role, behind int, err error) {
	if body == f.body {
		behind = f.keep
	}
	var now carry.Sums
	err = im.eachStored(body, behind, func(m *chat.Message) bool {
		now.Add(m)
		roles = append(roles, m.Role)
		return true
	})
	return carry.Same(&f.sums, &now), roles, behind, err
}

// neighbours finds messages of the same role that stand where the former ones did:
// between those that were in front of them and behind. Their edits wait there.
func (im *importing) neighbours(f *former, moved map[edit.Place]edit.Place) error {
	to, roles, behind, err := im.sameAs(f, f.home)
	taken := make(map[int]bool, len(to))
	for _, n := range to {
		taken[n] = true
	}
	to[0] = 0
	for i := range f.edits {
		e := &f.edits[i]
		was := e.N - f.keep
		if _, done := moved[e.Place]; done || was < 1 || was > len(f.roles) {
			continue
		}
		fits := func(at int) bool { return at > 0 && at <= len(roles) && !taken[at] && roles[at-1] == f.roles[was-1] }
		before, there := to[was-1]
		switch after := to[was+1]; {
		case there && fits(before+1):
			moved[e.Place] = edit.Place{Body: f.home, N: behind + before + 1, Part: e.Part}
		case fits(after - 1):
			moved[e.Place] = edit.Place{Body: f.home, N: behind + after - 1, Part: e.Part}
		}
	}
	return err
}

// clear takes edits from where they were.
func (im *importing) clear(changes []placeChange) error {
	for i := range changes {
		was := changes[i].before.Place
		if err := im.do("DELETE FROM edits WHERE body = ? AND n = ? AND part = ?", was.Body, was.N, was.Part); err != nil {
			return err
		}
	}
	return nil
}

// moveEdits gives edits their new places. Those that have none, or whose place is
// taken, leave. It returns the bodies that have them now.
func (im *importing) moveEdits(f *former, changes []placeChange) (into []int64, err error) {
	var gone []edit.Edit
	var come []placeChange
	for i := range changes {
		c := changes[i]
		var has *edit.Edit
		if c.after != nil {
			if has, err = im.editAt(c.Place); err != nil {
				return nil, err
			}
		}
		if c.after == nil || has != nil {
			gone = append(gone, *c.before)
			continue
		}
		if err := im.putEdit(c.after); err != nil {
			return nil, err
		}
		come = append(come, placeChange{Place: c.Place, after: c.after})
		into = append(into, c.Body)
	}
	if err := im.searchAnew(come); err != nil {
		return nil, err
	}
	var session string
	if _, err := im.Rows("SELECT session_id FROM bodies WHERE id = ?", f.body).Maybe(&session); err != nil {
		return nil, err
	}
	if err := im.departed(gone, session, im.now); err != nil {
		return nil, err
	}
	into = append(into, f.body)
	for _, body := range into {
		if err := im.countEdits(body); err != nil {
			return nil, err
		}
	}
	return into, nil
}
