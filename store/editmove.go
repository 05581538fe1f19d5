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
	for _, f := range formers { // before any of them is moved to where another one's were
		var err error
		if f.edits, err = editsAmong(im.Rows, f.body, f.keep+1, maxMessages); err != nil {
			return err
		}
	}
	for _, f := range formers {
		into, err := im.rehome(f, written)
		if err != nil {
			return err
		}
		anew = append(append(anew, f.body), into...)
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

// rehome moves the edits of a former body, and returns the bodies that have them
// now.
func (im *importing) rehome(f *former, written []int64) (into []int64, err error) {
	edits, moved := f.edits, map[edit.Place]edit.Place{}
	homes := append([]int64{f.home}, written...)
	for i, body := range homes {
		if body == 0 || slices.Contains(homes[:i], body) || len(moved) == len(edits) {
			continue
		}
		if err := im.find(f, body, edits, moved); err != nil {
			return nil, err
		}
	}
	if f.home != 0 && len(moved) < len(edits) {
		if err := im.neighbours(f, edits, moved); err != nil {
			return nil, err
		}
	}
	return im.moveEdits(f, edits, moved)
}

// find finds messages again among those of a body; what is in front of the first
// stays there.
func (im *importing) find(f *former, body int64, edits []edit.Edit, moved map[edit.Place]edit.Place) error {
	to, _, behind, err := im.sameAs(f, body)
	for i := range edits {
		e := &edits[i]
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
func (im *importing) neighbours(f *former, edits []edit.Edit, moved map[edit.Place]edit.Place) error {
	to, roles, behind, err := im.sameAs(f, f.home)
	taken := make(map[int]bool, len(to))
	for _, n := range to {
		taken[n] = true
	}
	to[0] = 0
	for i := range edits {
		e := &edits[i]
		if _, done := moved[e.Place]; done || e.N <= f.keep {
			continue
		}
		was := e.N - f.keep
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

// moveEdits gives edits their new places. Those that have none, or whose place is
// taken, leave.
func (im *importing) moveEdits(f *former, edits []edit.Edit, moved map[edit.Place]edit.Place) (into []int64, err error) {
	var gone []edit.Edit
	var changes []placeChange
	for i := range edits {
		e := edits[i]
		switch to, there := moved[e.Place]; {
		case !there:
			gone = append(gone, e)
		case to != e.Place:
			const drop = "DELETE FROM edits WHERE body = ? AND n = ? AND part = ?"
			if err := im.do(drop, e.Body, e.N, e.Part); err != nil {
				return nil, err
			}
			e.Place = to
			changes = append(changes, placeChange{Place: to, after: &e})
		}
	}
	for i := range changes {
		c := &changes[i]
		has, err := im.editAt(c.Place)
		if err == nil && has == nil {
			err = im.putEdit(c.after)
		} else if err == nil {
			gone = append(gone, *c.after)
		}
		if err != nil {
			return nil, err
		}
		into = append(into, c.Body)
	}
	slices.SortFunc(changes, func(a, b placeChange) int { return comparePlaces(a.Place, b.Place) })
	if err := im.searchAnew(changes); err != nil {
		return nil, err
	}
	var session string
	if _, err := im.Rows("SELECT session_id FROM bodies WHERE id = ?", f.body).Maybe(&session); err != nil {
		return nil, err
	}
	if err := im.depart(gone, session, im.now); err != nil {
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
