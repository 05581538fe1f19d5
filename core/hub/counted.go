package hub

// Change is what one transaction did to a session.
type Change struct {
	ID      string
	Was, Is Extent // zero: it was not there, or is not any more
}

// Extent is what counts of a stored session.
type Extent struct {
	Messages int
	Sum      uint64 // of its name, its messages and what is told of it; not 0
	// Kin are what it exchanges messages with: its native id, which others may
	// have as well, and the id of the session that it is a branch of, or "".
	Kin [2]string
}

// counts are what the transactions of an import did in all. A session may
// change several times: what counts is how it was before the first, and how it
// is after the last.
type counts struct {
	isNew, updated, messages int

	index map[string]int // of what follows, by the ids of sessions and families
	all   []counted
}

// counted is a session, or what only names a family.
type counted struct {
	changed bool
	was, is uint64 // sums
	family  int    // index of what stands for its family, perhaps itself
	grew    int    // messages of the family, if it stands for one
}

// add counts what a transaction did. With exchange its sessions had messages of
// each other: they are one family.
func (c *counts) add(list []Change, exchange bool) {
	for i := range list {
		ch := &list[i]
		n := c.at(ch.ID)
		s := &c.all[n]
		if !s.changed {
			s.changed, s.was, s.is = true, ch.Was.Sum, ch.Was.Sum
		}
		c.session(s, -1)
		s.is = ch.Is.Sum
		c.session(s, 1)
		c.grow(c.root(n), ch.Is.Messages-ch.Was.Messages)
		for _, kin := range [...]string{ch.Was.Kin[0], ch.Was.Kin[1], ch.Is.Kin[0], ch.Is.Kin[1]} {
			if kin != "" {
				c.unite(n, c.at(kin))
			}
		}
		if exchange {
			c.unite(n, c.at(list[0].ID))
		}
	}
}

// at returns the index of an id.
func (c *counts) at(id string) int {
	n, known := c.index[id]
	if !known {
		if c.index == nil {
			c.index = map[string]int{}
		}
		n = len(c.all)
		c.index[id], c.all = n, append(c.all, counted{family: n})
	}
	return n
}

// session counts a session, or takes it out again with sign -1.
func (c *counts) session(s *counted, sign int) {
	switch {
	case s.is == 0 || s.is == s.was:
	case s.was == 0:
		c.isNew += sign
	default:
		c.updated += sign
	}
}

// grow counts the messages that came to a family. Those that only went from one
// of its sessions to another did not come.
func (c *counts) grow(root, by int) {
	f := &c.all[root]
	c.messages += max(0, f.grew+by) - max(0, f.grew)
	f.grew += by
}

// root returns what stands for a family.
func (c *counts) root(n int) int {
	for c.all[n].family != n {
		c.all[n].family = c.all[c.all[n].family].family
		n = c.all[n].family
	}
	return n
}

// unite makes one family of two.
func (c *counts) unite(a, b int) {
	if a, b = c.root(a), c.root(b); a != b {
		by := c.all[b].grew
		c.grow(b, -by)
		c.all[b].family = a
		c.grow(a, by)
	}
}

// count adds to the report what a transaction did.
func (r *run) count(list []Change, exchange bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts.add(list, exchange)
	r.report.New, r.report.Updated, r.report.NewMessages = r.counts.isNew, r.counts.updated, r.counts.messages
}
