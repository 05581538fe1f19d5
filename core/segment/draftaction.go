package segment

import "winnow/core/review"

// changes is how a draft differs from what is stored.
type changes struct {
	added, removed []int // messages that begin a segment now, or did so
	topics         int   // segments that a curator gave a topic, or took it from
}

func (d *Draft) changes() changes {
	var c changes
	for i, j := 0, 0; i < len(d.old) || j < len(d.pieces); {
		if j == len(d.pieces) || i < len(d.old) && d.old[i].Start < d.pieces[j].Start {
			c.removed = append(c.removed, d.old[i].Start)
			i++
			continue
		}
		p := &d.pieces[j]
		j++
		if i == len(d.old) || p.Start < d.old[i].Start {
			c.added = append(c.added, p.Start)
			if d.given(p) {
				c.topics++
			}
			continue
		}
		o := &d.old[i]
		i++
		if o.End == p.End && (o.Named != p.Named || o.Topic != p.Topic) || p.Named && p.Topic != o.Topic && d.given(p) {
			c.topics++
		}
	}
	return c
}

// Changed reports whether the pieces differ from what is stored.
func (d *Draft) Changed() bool {
	c := d.changes()
	return len(c.added)+len(c.removed)+c.topics > 0
}

// Action names what the draft does, for the journal: its only change, or
// review.ActCut for several.
func (d *Draft) Action() review.Action {
	c := d.changes()
	switch added, removed := len(c.added), len(c.removed); {
	case added == 1 && removed+c.topics == 0:
		return review.ActSplit
	case removed == 1 && added+c.topics == 0:
		return review.ActMerge
	case added == 1 && removed == 1 && c.topics == 0 && d.moved(c.removed[0], c.added[0]):
		return review.ActMove
	case added+removed == 0 && c.topics == 1:
		return review.ActTopic
	}
	return review.ActCut
}

// moved reports whether a boundary that is new is another one that left: no
// segment begins between them.
func (d *Draft) moved(removed, added int) bool {
	i := d.At(added)
	if added < removed {
		return i+1 == len(d.pieces) || d.pieces[i+1].Start > removed
	}
	return d.pieces[i-1].Start < removed
}
