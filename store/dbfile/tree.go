package dbfile

import (
	"encoding/binary"
	"slices"
)

// The kinds of pages of a tree.
const (
	indexInner = 0x02
	tableInner = 0x05
	indexLeaf  = 0x0a
	tableLeaf  = 0x0d
)

// Row is a row of a table, or an entry of an index.
type Row struct {
	ID     int64 // of a table that has such numbers
	Values []any // int64, float64, string, []byte or nil
}

// Tree is a table or an index.
type Tree struct {
	Root  uint32
	Index bool // an index, or a table that is kept as one
	// Fits tells whether values can be a row of it.
	Fits func(values []any) bool
}

// Loss is what can't be read of a tree.
type Loss struct {
	Pages []uint32 // that are wrong, or not there
	Rows  int      // known to have been on pages that can be read
}

// Any reports whether anything is lost.
func (l *Loss) Any() bool { return len(l.Pages) > 0 || l.Rows > 0 }

// Walk calls yield for all rows of a tree that can be read, in their order as
// far as that is whole. A row may come twice if pages of the tree are doubled.
func (f *File) Walk(t Tree, yield func(Row) error) (Loss, error) {
	w := walk{f: f, tree: t, yield: yield, seen: map[uint32]bool{}}
	err := w.page(t.Root, 0)
	slices.Sort(w.loss.Pages)
	w.loss.Pages = slices.Compact(w.loss.Pages)
	return w.loss, err
}

// deepest is more than the height of any tree.
const deepest = 20

type walk struct {
	f     *File
	tree  Tree
	yield func(Row) error
	seen  map[uint32]bool
	loss  Loss
}

func (w *walk) bad(page uint32) { w.loss.Pages = append(w.loss.Pages, page) }

func (w *walk) page(n uint32, depth int) error {
	if n == 0 || n > w.f.pages || w.seen[n] || depth > deepest {
		w.bad(n)
		return nil
	}
	w.seen[n] = true
	b, err := w.f.Page(n)
	if err != nil {
		w.bad(n)
		return nil
	}
	p := newPage(w.f, n, b, &w.tree)
	if p == nil {
		w.bad(n)
		return nil
	}
	w.f.used[n] = true
	cells, whole := p.cells()
	if !whole {
		w.bad(n)
	}
	for i := range cells {
		c := &cells[i]
		if p.inner() {
			if err := w.page(c.child, depth+1); err != nil {
				return err
			}
		}
		if p.kind == tableInner {
			continue
		}
		if err := w.row(p, c); err != nil {
			return err
		}
	}
	if p.inner() {
		return w.page(p.right(), depth+1)
	}
	return nil
}

func (w *walk) row(p *page, c *cell) error {
	row, err := p.read(c, true)
	if err != nil {
		w.loss.Rows++
		w.bad(p.n)
		return nil
	}
	return w.yield(row)
}

// page is one page of a tree.
type page struct {
	f     *File
	n     uint32
	b     []byte
	start int // of its header
	kind  byte
	tree  *Tree
}

// newPage returns a page as one of a tree, nil if it can't be one. A byte that
// tells of what kind it is may be damaged itself.
func newPage(f *File, n uint32, b []byte, t *Tree) *page {
	p := &page{f: f, n: n, b: b, tree: t}
	if n == 1 {
		p.start = headerSize
	}
	kinds := [2]byte{tableLeaf, tableInner}
	if t.Index {
		kinds = [2]byte{indexLeaf, indexInner}
	}
	if p.kind = b[p.start]; slices.Contains(kinds[:], p.kind) {
		return p
	}
	for _, kind := range kinds {
		p.kind = kind
		cells, whole := p.cells()
		good := 0
		for i := range cells {
			if p.inner() {
				if c := cells[i].child; c > 0 && c <= f.pages {
					good++
				}
			} else if _, err := p.read(&cells[i], false); err == nil {
				good++
			}
		}
		if whole && good == len(cells) && good > 0 {
			return p
		}
	}
	return nil
}

func (p *page) inner() bool { return p.kind == tableInner || p.kind == indexInner }

// pointers is where the list of cells begins.
func (p *page) pointers() int {
	if p.inner() {
		return p.start + 12
	}
	return p.start + 8
}

func (p *page) right() uint32 { return binary.BigEndian.Uint32(p.b[p.start+8:]) }

// cell is an entry of a page.
type cell struct {
	at, size int
	child    uint32
	id       int64
	length   int // of the payload
	payload  int // where it begins
	local    int // bytes of it that lie on the page
}

// longest is the largest row that SQLite keeps.
const longest = 1 << 30

// cell reads the outline of the entry that begins at a place.
func (p *page) cell(at int) (c cell, ok bool) {
	if at < p.pointers() || at >= len(p.b) {
		return c, false
	}
	c.at = at
	pos := at
	if p.inner() {
		if pos+4 > len(p.b) {
			return c, false
		}
		c.child = binary.BigEndian.Uint32(p.b[pos:])
		pos += 4
	}
	if p.kind != tableInner {
		v, n := varint(p.b[pos:])
		if n == 0 || v > longest || int64(v) > int64(p.f.pages)*int64(p.f.size) {
			return c, false
		}
		c.length = int(v)
		pos += n
	}
	if p.kind == tableInner || p.kind == tableLeaf {
		v, n := varint(p.b[pos:])
		if n == 0 {
			return c, false
		}
		c.id = int64(v)
		pos += n
	}
	c.payload, c.local = pos, p.local(c.length)
	pos += c.local
	if c.local < c.length {
		pos += 4
	}
	c.size = max(pos-at, 4)
	return c, at+c.size <= len(p.b)
}

// local is how much of a payload lies on the page itself.
func (p *page) local(length int) int {
	room := p.f.size
	most := room - 35
	if p.kind != tableLeaf {
		most = (room-12)*64/255 - 23
	}
	if length <= most {
		return length
	}
	least := (room-12)*32/255 - 23
	if n := least + (length-least)%(room-4); n <= most {
		return n
	}
	return least
}

// read reads the row of an entry; use marks the pages that the rest of a long
// one lies on as its.
func (p *page) read(c *cell, use bool) (Row, error) {
	payload := p.b[c.payload : c.payload+c.local]
	if c.local < c.length {
		payload = append(make([]byte, 0, c.length), payload...)
		next := binary.BigEndian.Uint32(p.b[c.payload+c.local:])
		for len(payload) < c.length {
			if next == 0 || next > p.f.pages || next == p.n {
				return Row{}, errRecord
			}
			b, err := p.f.Page(next)
			if err != nil {
				return Row{}, errRecord
			}
			if use {
				p.f.used[next] = true
			}
			next = binary.BigEndian.Uint32(b)
			payload = append(payload, b[4:4+min(c.length-len(payload), p.f.size-4)]...)
		}
		if next != 0 {
			return Row{}, errRecord
		}
	}
	values, err := record(payload)
	if err == nil && !p.tree.Fits(values) {
		err = errRecord
	}
	return Row{c.id, values}, err
}
