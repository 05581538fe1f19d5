package store

import (
	carry "winnow/core/segment"

	"winnow/core/chat"
	"winnow/core/edit"
)

// titlesOf are the titles that a message gives to what it begins, with one edit over
// it and with another.
func titlesOf(before, after *edit.Edit, recorded *chat.Message) (titles [2]string) {
	for i, e := range []*edit.Edit{before, after} {
		m := recorded
		if e != nil && !e.Clash {
			m = &e.Message
		}
		if m != nil {
			titles[i], _ = carry.TitleFrom(m)
		}
	}
	return titles
}

// naming is a segment or a session that is called as a message of it says.
type naming struct {
	segment  string // id; "": the session
	body     int64
	from, to int
	titles   [2]string // that its messages give, before something changes and after
	// one are titles that single messages gave before and give after: what is called
	// so may have another first message by now.
	one [][2]string
}

// names finds what may be called otherwise after the changes.
func (p *editing) names() (list []naming, err error) {
	at, session := 0, 0
	for i := range p.changes {
		c := &p.changes[i]
		if c.titles[0] == c.titles[1] {
			continue
		}
		for p.held[at].body != c.Body || p.held[at].end < max(c.N, 1) {
			at++
		}
		if last := len(list) - 1; last < 0 || list[last].body != c.Body {
			session = len(list)
			list = append(list, naming{body: c.Body, from: 1, to: maxMessages})
		}
		h := &p.held[at]
		if list[len(list)-1].segment != h.id {
			list = append(list, naming{segment: h.id, body: h.body, from: h.start, to: h.end})
		}
		for _, n := range []*naming{&list[session], &list[len(list)-1]} {
			n.one = append(n.one, c.titles)
		}
	}
	for i := range list {
		if list[i].titles[0], err = p.titleNow(&list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// rename gives what is called as its messages said what they say now.
func (t *tx) rename(list []naming) (err error) {
	for i := range list {
		n := &list[i]
		if n.titles[1], err = t.titleNow(n); err != nil {
			return err
		}
		for _, one := range n.one {
			if one[1] == "" {
				one[1] = n.titles[1]
			}
			if one[0] != "" {
				if err := t.retitle(n, one); err != nil {
					return err
				}
			}
		}
		if err := t.retitle(n, n.titles); err != nil {
			return err
		}
	}
	return nil
}

// titleNow is the title that the current view gives. Mostly it is found where the
// first of many edits are.
func (t *tx) titleNow(n *naming) (string, error) {
	var name carry.Naming
	for from, to := n.from, 0; !name.Done && to < n.to; from = to + 1 {
		to = min(n.to, from+titleStep-1)
		if from > n.from {
			to = n.to
		}
		edits, err := t.editsNow(n.body, from, to)
		if err == nil {
			err = t.title(&name, n.body, from, to, edits)
		}
		if err != nil {
			return "", err
		}
	}
	return name.Title, nil
}

// titleStep is among how many messages the first prompt mostly is.
const titleStep = 64

// title finds the title that messages give with edits over them.
func (t *tx) title(name *carry.Naming, body int64, from, to int, edits []edit.Edit) error {
	over := edit.NewOverlay(edits)
	return t.eachStored(body, from-1, func(m *chat.Message) bool {
		for now := range over.At(m) {
			name.Add(now)
		}
		return !name.Done && m.N < to
	})
}

// retitle gives a segment or a session that has one title another. What a curator
// or a model called it stays.
func (t *tx) retitle(n *naming, titles [2]string) error {
	if titles[0] == titles[1] {
		return nil
	}
	if n.segment != "" {
		return t.do("UPDATE task_segments SET topic = ? WHERE id = ? AND topic = ? AND named = 0", titles[1], n.segment, titles[0])
	}
	const title = "UPDATE trajectory_records SET title = ?1 WHERE id = (SELECT session_id FROM bodies WHERE id = ?2) AND body = ?2 AND title = ?3"
	return t.do(title, titles[1], n.body, titles[0])
}

// titlesAnew gives what an import has called as recorded messages say the titles that
// they give now.
func (t *tx) titlesAnew(body int64) error {
	edits, err := t.editsNow(body, 1, maxMessages)
	if err != nil || len(edits) == 0 {
		return err
	}
	list := []naming{{body: body, from: 1, to: maxMessages}}
	n := naming{body: body}
	rows := t.Rows("SELECT id, start_line, end_line FROM task_segments WHERE body = ? AND edited <> '' ORDER BY start_line", body)
	for range rows.Into(&n.segment, &n.from, &n.to) {
		list = append(list, n)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for i := range list {
		n := &list[i]
		var was carry.Naming
		if err = t.title(&was, n.body, n.from, n.to, nil); err == nil {
			n.titles[0] = was.Title
			n.titles[1], err = t.titleNow(n)
		}
		if err == nil {
			err = t.retitle(n, n.titles)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
