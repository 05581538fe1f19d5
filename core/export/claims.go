package export

import (
	"slices"

	"winnow/core/export/onpolicy"
	"winnow/core/graph"
)

// claim is what a row trains, and others do not for that.
type claim struct {
	row   int // its number in the order of the export
	nodes []graph.NodeID
}

// claims keep which row trains what.
type claims struct {
	trained onpolicy.Trained
	denied  map[graph.NodeID]bool // what rows do not train as others do
	rows    int                   // so far
	// barred are rows that are known to be left out, which claim nothing.
	barred map[int]Finding
	lost   []lostClaim
}

// lostClaim is one of a row that was left out after it was made.
type lostClaim struct {
	claim
	why Finding
}

// mostPasses bounds how often an export begins anew to give others what rows claimed
// that are left out then.
const mostPasses = 4

func newClaims(barred map[int]Finding) claims {
	return claims{trained: onpolicy.Trained{}, denied: map[graph.NodeID]bool{}, barred: barred}
}

// next counts a row and reports whether it is barred, and why.
func (c *claims) next() (row int, why Finding, barred bool) {
	c.rows++
	why, barred = c.barred[c.rows]
	return c.rows, why, barred
}

// make claims what a row trains, and reports whether something of it was taken.
func (c *claims) make(row int, r *onpolicy.Row) (made claim, changed bool) {
	wanted := trainedNodes(r)
	changed = c.trained.Claim(r)
	made = claim{row, trainedNodes(r)}
	if changed {
		for _, node := range wanted {
			if !slices.Contains(made.nodes, node) {
				c.denied[node] = true
			}
		}
	}
	return made, changed
}

func trainedNodes(r *onpolicy.Row) (list []graph.NodeID) {
	for i := range r.Messages {
		if r.Messages[i].Train {
			list = append(list, r.Messages[i].Node)
		}
	}
	return list
}

// lose notes that rows are left out. What comes after a limit is left out, too: nobody
// waits for what these claimed.
func (c *claims) lose(list []claim, why Finding) {
	if why.Check == OutLimit {
		return
	}
	for _, one := range list {
		c.lost = append(c.lost, lostClaim{one, why})
	}
}

// bar bars rows that claimed what others would train, and reports whether there are any.
func (c *claims) bar() (any bool) {
	for i := range c.lost {
		one := &c.lost[i]
		if slices.ContainsFunc(one.nodes, func(node graph.NodeID) bool { return c.denied[node] }) {
			c.barred[one.row], any = one.why, true
		}
	}
	return any
}
