package boundaries

import (
	"cmp"
	"slices"

	"winnow/core/segment"
)

// Lines of the screen: each segment has one that names it, and below it one
// for each of its messages. They are counted from 0 and found by arithmetic:
// in front of message n stand n-1 messages and the names of all segments up to
// its own. The first line on the screen always names the segment that its
// messages belong to, even if these begin above the screen.

// bandAt returns the index of the segment that message n is in.
func (b *Screen) bandAt(n int) int { return bandWith(b.bands, n) }

// bandWith returns the index of the segment that message n is in, 0 for those
// outside.
func bandWith(bands []segment.Row, n int) int {
	i, begins := slices.BinarySearchFunc(bands, n, func(s segment.Row, n int) int { return cmp.Compare(s.Start, n) })
	if !begins {
		i--
	}
	return max(0, i)
}

// lineOf returns the line of message n.
func (b *Screen) lineOf(n int) int { return n + b.bandAt(n) }

// at returns what stands in a line: message n of segment i, or its name if n
// is 0.
func (b *Screen) at(line int) (i, n int) {
	i, names := slices.BinarySearchFunc(b.bands, line, func(s segment.Row, line int) int {
		return cmp.Compare(s.Start-1+s.Index, line) // its name stands above its messages
	})
	if names {
		return i, 0
	}
	i = max(0, i-1)
	return i, line - i
}

// lines is the number of lines there are.
func (b *Screen) lines() int { return b.messages() + len(b.bands) }

// resize sets the number of lines on the screen.
func (b *Screen) resize(height int) {
	b.height = max(2, height)
	if !b.placed {
		b.placed = true
		b.top = b.lineOf(b.cur) - b.height/3 // what precedes it gives it its place
	}
	b.scroll()
}

// inSight is the number of lines that stay in sight on either side of the
// cursor: where a segment begins is seen by what surrounds it.
const inSight = 3

// scroll moves the screen as little as needed to show the message under the
// cursor and what surrounds it below the name on top, and leaves no gap below
// the last one.
func (b *Screen) scroll() {
	b.cur = max(1, min(b.cur, b.messages()))
	if len(b.bands) == 0 || !b.placed {
		return
	}
	line := b.lineOf(b.cur)
	margin := min(inSight, (b.height-2)/3)
	b.top = min(b.top, line-1-margin)
	b.top = max(b.top, line-b.height+1+margin)
	b.top = max(0, min(b.top, b.lines()-b.height))
}

// visible returns the first and last message on the screen.
func (b *Screen) visible() (from, to int) {
	i, n := b.at(b.top)
	if n == 0 {
		n = b.bands[i].Start
	}
	i, to = b.at(min(b.top+b.height, b.lines()) - 1)
	if to == 0 {
		to = b.bands[i].Start
	}
	return max(1, n), max(n, min(to, b.messages()))
}
