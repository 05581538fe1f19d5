package dbfile

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// cells returns the entries of a page in their order. whole is false if the page
// contradicts itself; then they are those that can be made out.
func (p *page) cells() (list []cell, whole bool) {
	count := int(binary.BigEndian.Uint16(p.b[p.start+3:]))
	from := p.pointers()
	whole = count <= (len(p.b)-from)/2
	for i := range min(count, (len(p.b)-from)/2) {
		c, ok := p.cell(int(binary.BigEndian.Uint16(p.b[from+2*i:])))
		if ok {
			list = append(list, c)
		}
		whole = whole && ok
	}
	if whole && p.adds(list) {
		return list, true
	}
	return p.makeOut(), false
}

// adds reports whether entries, free room and remains are all of a page, none of
// it twice, and numbers are in order.
func (p *page) adds(list []cell) bool {
	if p.kind == tableLeaf || p.kind == tableInner {
		if !slices.IsSortedFunc(list, func(a, b cell) int { return cmp.Compare(a.id, b.id) }) {
			return false
		}
	}
	taken := p.freeRoom()
	if taken == nil {
		return false
	}
	for i := range list {
		taken = append(taken, span{list[i].at, list[i].size})
	}
	slices.SortFunc(taken, func(a, b span) int { return cmp.Compare(a.at, b.at) })
	at := int(binary.BigEndian.Uint16(p.b[p.start+5:]))
	if at == 0 {
		at = 1 << 16
	}
	if at > len(p.b) || at < p.pointers() {
		return false
	}
	remains := int(p.b[p.start+7])
	for _, s := range taken[1:] {
		if s.at < at {
			return false
		}
		remains -= s.at - at
		at = s.at + s.size
	}
	return remains-(len(p.b)-at) == 0
}

type span struct{ at, size int }

// freeRoom returns the free room between entries, after a first one of nothing;
// nil if it can't be right.
func (p *page) freeRoom() []span {
	list := []span{{}}
	for at := int(binary.BigEndian.Uint16(p.b[p.start+1:])); at != 0; {
		if at < p.pointers() || at+4 > len(p.b) || at < list[len(list)-1].at {
			return nil
		}
		size := int(binary.BigEndian.Uint16(p.b[at+2:]))
		if size < 4 || at+size > len(p.b) {
			return nil
		}
		list = append(list, span{at, size})
		if next := int(binary.BigEndian.Uint16(p.b[at:])); next != 0 && next <= at {
			return nil
		} else {
			at = next
		}
	}
	return list
}

// makeOut finds the entries of a page whose list of them is damaged: whatever
// the list names and reads as an entry, whatever it may have named, and what
// begins where another ends. None lies in another.
func (p *page) makeOut() []cell {
	from := p.pointers()
	count := min(int(binary.BigEndian.Uint16(p.b[p.start+3:])), (len(p.b)-from)/2)
	var list []cell
	taken := make([]bool, len(p.b))
	add := func(at int) bool {
		c, ok := p.cell(at)
		if !ok || slices.Contains(taken[at:at+c.size], true) || !p.plausible(&c) {
			return false
		}
		for i := range c.size {
			taken[at+i] = true
		}
		list = append(list, c)
		return true
	}
	for i := range count {
		add(int(binary.BigEndian.Uint16(p.b[from+2*i:])))
	}
	for at := from + 2*count; at+2 <= len(p.b) && !taken[at]; at += 2 {
		if !add(int(binary.BigEndian.Uint16(p.b[at:]))) {
			break
		}
	}
	for more := true; more; {
		more = false
		for _, c := range list {
			if end := c.at + c.size; end < len(p.b) && !taken[end] {
				more = add(end) || more
			}
		}
	}
	if p.kind == tableLeaf || p.kind == tableInner {
		slices.SortStableFunc(list, func(a, b cell) int { return cmp.Compare(a.id, b.id) })
	}
	return list
}

// plausible reports whether an entry of a damaged page is one.
func (p *page) plausible(c *cell) bool {
	if p.inner() && (c.child == 0 || c.child > p.f.pages) {
		return false
	}
	if p.kind == tableInner {
		return c.id >= 0
	}
	_, err := p.read(c, false)
	return err == nil
}
