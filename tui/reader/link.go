package reader

import tea "charm.land/bubbletea/v2"

// Link leads from a row to another session.
type Link struct {
	Session string // its id
	Title   string // clean
	At      int    // the message to begin at, 0 for the first
	Reasons bool   // it leads to the reasons of the segment's score instead
}

// Link returns where the current message leads: the first link of it that is
// on the screen, or the reasons of a score that are unfolded, and after the one that was followed last; from the last one
// it goes on with the first. ok is false if there is none.
func (r *Reader) Link() (l Link, ok bool) {
	_, l, ok = r.nextLink()
	return l, ok
}

func (r *Reader) nextLink() (at blockKey, l Link, ok bool) {
	for _, p := range r.shown() {
		if p.n != r.cursor || p.part != headPart {
			continue
		}
		b := &r.document(p.n).blocks[p.b]
		link := b.link
		switch {
		case b.kind == linkBlock:
		case b.kind == scoreBlock && r.fold(r.document(p.n), p.b, r.fits(r.document(p.n), p.b)) == opened:
			link = Link{Title: "why this score", Reasons: true}
		default:
			continue
		}
		behind := p.n == r.followed.n && p.b > r.followed.b
		if !ok || behind {
			at, l, ok = blockKey{p.n, p.b}, link, true
		}
		if behind || p.n != r.followed.n {
			break
		}
	}
	return at, l, ok
}

// FollowLink is Link for somebody who goes there: coming back, the next link
// has its turn, until the view is moved.
func (r *Reader) FollowLink() (l Link, ok bool) {
	at, l, ok := r.nextLink()
	if ok {
		r.followed = at
	}
	return l, ok
}

// Show goes to a message of the segment, or as near as it reaches.
func (r *Reader) Show(n int) tea.Cmd {
	if !r.act() {
		return nil
	}
	return r.show(n)
}
