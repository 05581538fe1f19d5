package store

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

// line is one entry of a file. No two say the same, so that a text tells a message.
type line struct{ id, parent, turn, role, text string }

func (l *line) json() string {
	turn := ""
	if l.turn != "" {
		turn = fmt.Sprintf(`"id":%q,`, l.turn)
	}
	return strings.Replace(entry(l.id, l.parent, l.role, l.text), `"message":{`, `"message":{`+turn, 1)
}

// editLife is a folder with edits and imports in any order, and the naive idea of
// it: what stands in the place of a text is what a curator wrote there last.
type editLife struct {
	*folder
	*rand.Rand
	plain *folder // the same files, without edits
	n     int
	made  int // edits
	files map[string][]line
	mine  map[stood]string               // what stands in a place, see stood
	lost  map[stood]bool                 // places whose text was gone once: their edits may be, too
	twice map[string]bool                // texts that stood in two sessions: either may be edited
	done  []madeEdit                     // by ann, in force
	taken []madeEdit                     // undone
	given map[verdictKey]map[string]bool // on what texts verdicts may stand
}

// stood is the place of a recorded text, or a part after it. What stands there is ""
// for what was recorded, which of a part is nothing, or dropped, or a text.
type stood struct {
	text string
	part int
}

const noneThere = "-"

// inFront and the id of a session stand for the text of its message 0.
const inFront = "in front of "

// madeEdit is what one entry did: what stood in places before, and after. Of a
// verdict it is empty.
type madeEdit struct {
	places        []stood // in the order of the entry
	before, after map[stood]string
}

type verdictKey struct {
	verdict review.Verdict
	at      time.Time
}

func newEditLife(t testing.TB, seed uint64) *editLife {
	f := newFolder(t)
	return &editLife{
		folder: f, Rand: rand.New(rand.NewPCG(seed, 7)), plain: &folder{t: t, s: openTemp(t), dir: f.dir},
		files: map[string][]line{}, mine: map[stood]string{}, lost: map[stood]bool{}, twice: map[string]bool{}, given: map[verdictKey]map[string]bool{},
	}
}

// more returns lines that go on after one.
func (l *editLife) more(last *line, n int) (list []line) {
	for range n {
		l.n++
		next := line{id: fmt.Sprint("id", l.n), role: []string{"user", "assistant"}[l.IntN(2)], text: fmt.Sprint("said", l.n)}
		if last != nil {
			next.parent = last.id
		}
		if next.role == "assistant" {
			next.turn = fmt.Sprint("turn", l.n)
			if last != nil && last.turn != "" && l.IntN(3) == 0 {
				next.turn = last.turn // amends what stands there
			}
		}
		list = append(list, next)
		last = &list[len(list)-1]
	}
	return list
}

// change changes a file as agents do.
func (l *editLife) change() {
	name := []string{"a.jsonl", "b.jsonl"}[l.IntN(2)]
	list := l.files[name]
	switch at := l.IntN(max(len(list), 1)); {
	case len(list) == 0 || l.IntN(3) > 0:
		var last *line
		if len(list) > 0 {
			last = &list[len(list)-1]
		}
		list = append(list, l.more(last, 1+l.IntN(4))...)
	case l.IntN(2) == 0: // goes back, and on from there
		list = append(list, l.more(&list[at], 1+l.IntN(3))...)
	default: // written anew, with other entries in the place of some
		with := l.more(nil, l.IntN(3))
		end := min(len(list), at+l.IntN(3))
		list = slices.Concat(list[:at:at], with, list[end:])
		for i := range list { // all of it is one line again
			if list[i].parent = ""; i > 0 {
				list[i].parent = list[i-1].id
			}
		}
	}
	l.files[name] = list
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = strings.Replace(list[i].json(), `"sessionId":"s"`, fmt.Sprintf(`"sessionId":%q`, name), 1)
	}
	l.save(name, texts...)
}

// imported imports in both databases.
func (l *editLife) imported() {
	for _, f := range []*folder{l.folder, l.plain} {
		if r := f.load(); len(r.Refused) > 0 {
			l.t.Fatal(r.Refused[0].Err)
		}
	}
	was := map[string]bool{} // in front of any session
	for at, text := range l.mine {
		if strings.HasPrefix(at.text, inFront) {
			was[text] = true
			delete(l.mine, at)
		}
	}
	there := map[string]bool{}
	for _, s := range l.sessions() {
		// It goes with its session, which may become one with another.
		now, _ := l.views(s.ID)
		for part, text := range now[0] {
			if l.mine[stood{inFront + s.ID, part}] = text; !was[text] {
				l.t.Fatalf("%q came to stand in front of %s", text, s.ID)
			}
		}
		_, recorded := texts(l.t, l.s, s.ID)
		for _, text := range recorded {
			if there[text] {
				l.twice[text] = true
			}
			there[text] = true
		}
	}
	for at := range l.mine {
		if !there[at.text] {
			l.lost[at] = true
		}
	}
}

// views are what stands in the places of a session, by part, and what was recorded
// there; number 0 is in front of the first.
func (l *editLife) views(session string) (now []map[int]string, recorded []string) {
	l.t.Helper()
	st, err := l.s.SessionByID(l.t.Context(), session)
	if err != nil {
		l.t.Fatal(err)
	}
	_, recorded = texts(l.t, l.s, session)
	recorded = append([]string{inFront + session}, recorded...)
	now = make([]map[int]string, len(recorded))
	for n := range now {
		now[n] = map[int]string{}
	}
	last := edit.Place{}
	err = l.s.EachMessage(l.t.Context(), st.Body, 1, st.Messages, func(m *chat.Message) error {
		at := edit.Place{N: m.N, Part: m.Part}
		if comparePlaces(at, last) <= 0 {
			l.t.Fatalf("message %+v follows %+v", at, last)
		}
		last = at
		now[m.N][m.Part] = m.Content
		return nil
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return now, recorded
}

// editOf is an edit of message n by chance.
func (l *editLife) editOf(session string, n int, now map[int]string) review.EditChange {
	l.n++
	text := fmt.Sprint("edited", l.n)
	c := review.EditChange{Session: session, N: n, Op: edit.Set, Message: chat.Message{Role: chat.User, Content: text}}
	kind := l.IntN(8)
	if _, there := now[0]; !there && kind < 5 {
		kind = 3 + l.IntN(2)
	}
	parts := slices.Sorted(maps.Keys(now))
	if n == 0 || kind > 5 {
		c.Op = edit.Add // a new one
		if last := len(parts) - 1; kind%2 == 0 && last >= 0 && parts[last] > 0 {
			c.Part = parts[last] // the last, otherwise
		}
		return c
	}
	switch kind {
	case 0, 1, 2:
		return says(l.t, l.s, session, n, text, "")
	case 3:
		c.Op = ""
	case 4:
		c.Op = edit.Drop
	case 5:
		if c.Op = ""; len(parts) > 0 {
			c.Part = parts[len(parts)-1]
		}
	}
	return c
}

// stands is what an edit of a place leaves there.
func stands(e *edit.Edit) string {
	switch {
	case e == nil || e.Clash:
		return ""
	case e.Op == edit.Drop:
		return noneThere
	}
	return e.Message.Content
}

// edits changes some messages at once.
func (l *editLife) edits() {
	all := l.sessions()
	names := slices.Sorted(maps.Keys(all))
	if len(names) == 0 {
		return
	}
	s := all[names[l.IntN(len(names))]]
	now, recorded := l.views(s.ID)
	var changes []review.EditChange
	why := []edit.Why{edit.Fix, edit.Redact, edit.Squash}[l.IntN(3)]
	for n := range recorded {
		if l.IntN(4) > 0 {
			continue
		}
		c := l.editOf(s.ID, n, now[n])
		c.Why = why
		changes = append(changes, c)
	}
	if len(changes) == 0 {
		return
	}
	e, err := l.s.Edit(l.t.Context(), review.Editing{Curator: "ann", Changes: changes})
	if err != nil && strings.Contains(err.Error(), "would have no message left") || err == nil && e.ID == 0 {
		return
	}
	if err != nil {
		l.t.Fatal(err)
	}
	made := madeEdit{before: map[stood]string{}, after: map[stood]string{}}
	l.made += len(e.Edits)
	for i := range e.Edits {
		d := &e.Edits[i]
		at := stood{recorded[d.N], d.Part}
		made.places = append(made.places, at)
		made.before[at], made.after[at] = stands(d.Before), stands(d.After)
	}
	l.apply(made.after)
	for at := range made.after {
		delete(l.lost, at)
	}
	l.done, l.taken = append(l.done, made), nil
	if why == edit.Redact {
		l.allow()
	}
}

func (l *editLife) apply(what map[stood]string) {
	for at, text := range what {
		if text == "" {
			delete(l.mine, at)
		} else {
			l.mine[at] = text
		}
	}
}

// want is what is to stand in the place of a recorded text.
func (l *editLife) want(n int, recorded string) map[int]string {
	want := map[int]string{}
	if n > 0 {
		want[0] = recorded
	}
	for at, text := range l.mine {
		switch {
		case at.text != recorded:
		case text == noneThere:
			delete(want, at.part)
		default:
			want[at.part] = text
		}
	}
	return want
}

// judge gives verdicts on what is shown.
func (l *editLife) judge() {
	page, err := l.s.Segments(l.t.Context(), reviewAll(50))
	if err != nil || len(page.Segments) == 0 {
		return
	}
	g := page.Segments[l.IntN(len(page.Segments))]
	verdict := []review.Verdict{review.Approved, review.Rejected}[l.IntN(2)]
	if e := judge(l.t, l.s, "ann", verdict, g.ID); e.ID == 0 {
		return // it has this verdict
	}
	l.done, l.taken = append(l.done, madeEdit{}), nil
	l.allow()
}

// allow notes that verdicts that stand now may stand on what their segments hold.
func (l *editLife) allow() {
	l.verdicts(func(key verdictKey, text string) {
		if l.given[key] == nil {
			l.given[key] = map[string]bool{}
		}
		l.given[key][text] = true
	})
}

func (l *editLife) verdicts(f func(key verdictKey, text string)) {
	page, err := l.s.Segments(l.t.Context(), reviewAll(1000))
	if err != nil {
		l.t.Fatal(err)
	}
	for i := range page.Segments {
		g := &page.Segments[i]
		if !g.Verdict.Judged() {
			continue
		}
		list, err := l.s.Messages(l.t.Context(), g.Body, g.Start, g.End)
		if err != nil {
			l.t.Fatal(err)
		}
		text := ""
		for k := range list {
			text += list[k].Content + "\n"
		}
		f(verdictKey{g.Verdict, g.ReviewedAt}, text)
	}
}

// step undoes or redoes. What is refused is passed by.
func (l *editLife) step(back bool) {
	step, from, to := l.s.Undo, &l.done, &l.taken
	if !back {
		step, from, to = l.s.Redo, &l.taken, &l.done
	}
	e, err := step(l.t.Context(), "ann")
	if errors.Is(err, review.ErrNothing) {
		return
	}
	if err != nil && !errors.Is(err, review.ErrConflict) {
		l.t.Fatal(err)
	}
	last := len(*from) - 1
	made := (*from)[last]
	*from = (*from)[:last]
	if err != nil {
		return
	}
	*to = append(*to, made)
	for i, at := range made.places {
		if after := e.Edits[i].After; after != nil && after.Clash {
			l.lost[at] = true // the text is elsewhere by now, and the edit waits here
		}
	}
	if back {
		l.apply(made.before)
	} else {
		l.apply(made.after)
	}
}
