package metric

import (
	"strconv"
	"strings"
)

// cited collects the numbers of the messages that a reason names: the first
// few, and how many others there are.
type cited struct {
	list [citedMost]int
	n    int
	last int
}

// citedMost is how many messages a reason names: more are nobody's to look up.
const citedMost = 4

// add names a message, once if several things are wrong with it in a row.
func (c *cited) add(n int) {
	if n == c.last {
		return
	}
	c.last = n
	if c.n < citedMost {
		c.list[c.n] = n
	}
	c.n++
}

// String is "#12", "#12 and #15", "#12, #15, #20, #31 and 3 more".
func (c *cited) String() string {
	var b strings.Builder
	shown := min(c.n, citedMost)
	for i := range shown {
		switch {
		case i == 0:
		case i == c.n-1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		b.WriteString("#" + strconv.Itoa(c.list[i]))
	}
	if c.n > shown {
		b.WriteString(" and " + strconv.Itoa(c.n-shown) + " more")
	}
	return b.String()
}

// count is "1 call", "3 calls".
func count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}

// of is "27 of 30 tool results", "the only tool result", "all 30 tool results".
func of(part, all int, one string) string {
	switch {
	case all == 1 && part == 1:
		return "the only " + one
	case part == all:
		return "all " + count(all, one)
	case part == 0:
		return "none of " + count(all, one)
	}
	return strconv.Itoa(part) + " of " + count(all, one)
}

// plural is the verb to a number of things.
func plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}
