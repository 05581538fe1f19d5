package phrases

import (
	"slices"
	"strings"
)

// Index finds which of many phrases a text begins with.
type Index[P any] struct {
	long  map[uint32][]Entry[P] // by their first four bytes, longest first
	short map[uint32][]Entry[P] // those of two or three bytes, by their first two
	heads [1 << 15 / 64]uint64  // a bit for what any begins with, that few others share
}

// Entry is a phrase, of two bytes at least, and what it means.
type Entry[P any] struct {
	Text  string
	Means P
}

// NewIndex returns an Index of phrases. Of those that are equal the first comes
// first.
func NewIndex[P any](entries []Entry[P]) *Index[P] {
	x := &Index[P]{long: map[uint32][]Entry[P]{}, short: map[uint32][]Entry[P]{}}
	slices.SortStableFunc(entries, func(a, b Entry[P]) int { return len(b.Text) - len(a.Text) })
	for _, e := range entries {
		list, head := x.short, head2(e.Text)
		if len(e.Text) >= 4 {
			list, head = x.long, head4(e.Text)
		}
		list[head] = append(list[head], e)
		bit := headBit(head)
		x.heads[bit/64] |= 1 << (bit % 64)
	}
	return x
}

// Each calls f for the phrases that text begins with, the longest first, until
// it returns false.
func (x *Index[P]) Each(text string, f func(*Entry[P]) (more bool)) {
	if len(text) < 2 {
		return
	}
	if len(text) >= 4 && !each(x.at(x.long, head4(text)), text, f) {
		return
	}
	each(x.at(x.short, head2(text)), text, f)
}

func each[P any](list []Entry[P], text string, f func(*Entry[P]) bool) (more bool) {
	for i := range list {
		if strings.HasPrefix(text, list[i].Text) && !f(&list[i]) {
			return false
		}
	}
	return true
}

// at returns the phrases of a head. There are mostly none, which the bits tell
// quickly.
func (x *Index[P]) at(list map[uint32][]Entry[P], head uint32) []Entry[P] {
	if bit := headBit(head); x.heads[bit/64]&(1<<(bit%64)) == 0 {
		return nil
	}
	return list[head]
}

func head2(s string) uint32 { return uint32(s[0]) | uint32(s[1])<<8 }
func head4(s string) uint32 { return head2(s) | uint32(s[2])<<16 | uint32(s[3])<<24 }

func headBit(head uint32) uint32 { return head * 0x9E3779B1 >> 17 }
