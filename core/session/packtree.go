package session

// pass passes the nodes with each session's key once, and the newest entries,
// most of which are the first of their node.
func (t *tree) pass(p *packer) {
	numbers := map[string]int{}
	var names []string
	for i := range t.nodes {
		key := t.nodes[i].key
		if _, ok := numbers[key]; !ok {
			numbers[key], names = len(names), append(names, key)
		}
	}
	passList(p, &names, p.text)
	passInt(p, &t.forgot)
	passList(p, &t.nodes, func(n *node) {
		key := numbers[n.key]
		p.id(&n.id)
		passInt(p, &key)
		passInt(p, &n.last)
		if uint(key) >= uint(len(names)) {
			p.failed = true
		} else if p.reads {
			n.key = names[key]
		}
	})
	entries := t.entries[max(0, len(t.entries)-maxEntries):]
	for i := range p.count(len(entries)) {
		var e treeEntry
		if !p.reads {
			e = entries[i]
		}
		t.passEntry(p, e)
	}
	passList(p, &t.branches, func(b *branch) {
		p.text(&b.key)
		p.text(&b.parent)
		passInt(p, &b.at)
		p.text((*string)(&b.kind))
		p.text(&b.call)
	})
	passInt(p, &t.named)
	passInt(p, &t.spent)
}

// passEntry writes an entry, or reads one and adds it.
func (t *tree) passEntry(p *packer, e treeEntry) {
	at := max(e.node-t.forgot, -1) + 1 // 0 for a node that is forgotten
	passInt(p, &at)
	passInt(p, &e.sum)
	if uint(at) > uint(len(t.nodes)) {
		p.failed = true
		return
	}
	first := at > 0 && t.nodes[at-1].id == e.id // of its node
	var node int                                // number of its node's last message
	if at > 0 {
		node = t.nodes[at-1].last
	}
	placed := e.first > 0 && at > 0
	plain := placed && e.first == node && e.last == node // most are
	placed = placed && !plain && e.last <= node && e.first <= e.last+1
	if p.flags([8]*bool{&first, &plain, &placed}); !first {
		p.id(&e.id)
	} else if at > 0 {
		e.id = t.nodes[at-1].id
	}
	back, many := node-e.last, e.last+1-e.first
	if placed {
		passInt(p, &back)
		passInt(p, &many)
	}
	switch {
	case !p.reads:
	case plain:
		e.first, e.last = node, node
	case placed && back >= 0 && many >= 0 && back <= node && many <= node-back:
		e.last = node - back
		e.first = e.last + 1 - many
	}
	if p.reads {
		t.link(e.id, t.forgot+at-1)
		t.seal(e.id, e.sum)
		t.place(e.id, e.first, e.last)
	}
}
