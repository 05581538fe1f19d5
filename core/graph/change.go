package graph

import (
	"fmt"
	"slices"

	"winnow/core/chat"
)

// Append adds a message to the head. Only an assistant's can be sampled: what a
// model wrote to exactly the messages before it.
func (c *Conversation) Append(m chat.Message, sampled bool) error {
	if err := checkRole(&m); err != nil {
		return err
	}
	if sampled && m.Role != chat.Assistant {
		return fmt.Errorf("a message of the role %s cannot be sampled; only an assistant's can", m.Role)
	}
	m = clone(m)
	head := c.head()
	if c.shared(c.current.on) {
		head = slices.Clip(head)
	}
	c.become(append(head, entry{message: &m, place: newPlace(&m)}), len(head))
	if sampled {
		last := c.head()[c.Len()-1]
		if c.graph.sampled == nil {
			c.graph.sampled = map[NodeID]bool{}
		}
		c.graph.sampled[last.node] = true
		if equal(last.place.original, &m) {
			last.place.model = true
		}
	}
	return nil
}

// Edit changes message i of the head by a function, as Set does with Fix.
func (c *Conversation) Edit(i int, change func(m *chat.Message)) error {
	if err := c.within(i, 1); err != nil {
		return err
	}
	m := c.At(i)
	change(&m)
	return c.Set(i, m, Fix)
}

// Set puts another message in the place of message i. An equal one changes
// nothing at all.
func (c *Conversation) Set(i int, m chat.Message, why Why) error {
	if err := checkRole(&m); err != nil {
		return err
	}
	if why != Fix && why != Redact {
		return fmt.Errorf("%d is no reason of a change; there are Fix and Redact", why)
	}
	if err := c.within(i, 1); err != nil {
		return err
	}
	c.broke = false
	old := c.head()[i]
	if equal(old.message, &m) {
		return nil
	}
	m = clone(m)
	said := SayingOf(&m)
	if why == Redact {
		c.graph.seal(old.place.said, said)
	}
	old.place.said[said] = true
	next := slices.Clone(c.head())
	next[i] = entry{message: &m, place: old.place}
	c.become(next, i)
	return nil
}

// seal takes out all of said but what the new message says.
func (g *Graph) seal(said map[Saying]bool, instead Saying) {
	if g.sealed == nil {
		g.sealed = map[Saying]bool{}
	}
	for s := range said {
		g.sealed[s] = true
	}
	delete(g.sealed, instead)
}

// Insert puts a message in front of position i, which may be the end.
func (c *Conversation) Insert(i int, m chat.Message) error {
	if err := checkRole(&m); err != nil {
		return err
	}
	if err := c.between(i); err != nil {
		return err
	}
	m = clone(m)
	c.become(slices.Insert(slices.Clone(c.head()), i, entry{message: &m, place: newPlace(&m)}), i)
	return nil
}

// Delete removes n messages from position i on.
func (c *Conversation) Delete(i, n int) error {
	if err := c.within(i, n); err != nil {
		return err
	}
	c.become(slices.Delete(slices.Clone(c.head()), i, i+n), i)
	return nil
}

// Squash puts one message, with a place of its own, where n stood.
func (c *Conversation) Squash(i, n int, m chat.Message) error {
	if err := checkRole(&m); err != nil {
		return err
	}
	if err := c.within(i, n); err != nil {
		return err
	}
	m = clone(m)
	c.become(slices.Replace(slices.Clone(c.head()), i, i+n, entry{message: &m, place: newPlace(&m)}), i)
	return nil
}

// become makes a list of messages the head. Its first from entries are those of
// the old one. Where an answer depended on what differs, or another branch
// stands on the old list, that one stays and the new list is another version;
// else it takes the old one's position.
func (c *Conversation) become(next []entry, from int) {
	old := c.current.on
	p := link(old.entries, next, from)
	c.broke = false
	if p == len(next) && p == len(old.entries) {
		return
	}
	c.broke = answered(old.entries[p:])
	same := c.find(leafOf(next))
	stays := c.broke || c.shared(old)
	switch {
	case stays:
		old.kept = old.kept || c.broke
		if same == nil {
			same = &version{entries: next}
			c.versions = append(c.versions, same)
		}
	case same != nil:
		same.kept = same.kept || old.kept
		c.remove(old)
	default:
		old.entries, old.verdict = next, Pending
		same = old
	}
	c.current.on = same
}

// link computes the nodes of next, whose first from entries are old ones, and
// returns how many messages both begin with.
func link(old, next []entry, from int) (common int) {
	common = from
	id := leafOf(old[:from])
	for i := from; i < len(next); i++ {
		id = id.Next(next[i].message)
		next[i].node = id
		if common == i && i < len(old) && old[i].node == id {
			common++
		}
	}
	return common
}

func answered(entries []entry) bool {
	return slices.ContainsFunc(entries, func(e entry) bool { return e.message.Role == chat.Assistant })
}

// find returns the version that ends in a node, or nil.
func (c *Conversation) find(leaf NodeID) *version {
	for _, v := range c.versions {
		if v.leaf() == leaf {
			return v
		}
	}
	return nil
}

// shared reports whether a branch other than the current one stands on v.
func (c *Conversation) shared(v *version) bool {
	return slices.ContainsFunc(c.branches, func(b *branch) bool { return b != c.current && b.on == v })
}

func (c *Conversation) remove(v *version) {
	c.versions = slices.DeleteFunc(c.versions, func(w *version) bool { return w == v })
}

// Fork makes a new branch with the first at messages of the head, and goes to it.
func (c *Conversation) Fork(at int, name string) error {
	if err := c.between(at); err != nil {
		return err
	}
	if name == "" {
		return fmt.Errorf("a branch needs a name")
	}
	if c.branch(name) != nil {
		return fmt.Errorf("%q has a branch %q already", c.name, name)
	}
	entries := c.head()[:at]
	on := c.find(leafOf(entries))
	if on == nil {
		on = &version{entries: slices.Clone(entries)}
		c.versions = append(c.versions, on)
	}
	c.current = &branch{name: name, on: on}
	c.branches = append(c.branches, c.current)
	c.broke = false
	return nil
}

// Switch goes to another branch.
func (c *Conversation) Switch(name string) error {
	b := c.branch(name)
	if b == nil {
		return fmt.Errorf("%q has no branch %q", c.name, name)
	}
	c.current, c.broke = b, false
	return nil
}

func (c *Conversation) branch(name string) *branch {
	for _, b := range c.branches {
		if b.name == name {
			return b
		}
	}
	return nil
}

// Revert takes the current branch to another version, by its position. A
// version that was left stays if an answer of it would be lost, or if it was
// kept before or is another branch's.
func (c *Conversation) Revert(to int) error {
	if to < 0 || to >= len(c.versions) {
		return fmt.Errorf("%q has no version %d; it has %d", c.name, to, len(c.versions))
	}
	old, next := c.current.on, c.versions[to]
	c.broke = false
	if old == next {
		return nil
	}
	p := 0
	for p < len(old.entries) && p < len(next.entries) && old.entries[p].node == next.entries[p].node {
		p++
	}
	c.broke = answered(old.entries[p:])
	old.kept = old.kept || c.broke
	if !old.kept && !c.shared(old) {
		c.remove(old)
	}
	c.current.on = next
	return nil
}

// Judge gives the head a verdict; Pending takes it away.
func (c *Conversation) Judge(v Verdict) error {
	switch v {
	case Pending, Approved, Rejected:
		c.current.on.verdict, c.broke = v, false
		return nil
	}
	return fmt.Errorf("%q is no verdict; there are pending, approved and rejected", v)
}
