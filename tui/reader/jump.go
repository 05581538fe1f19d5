package reader

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/tui/keys"
)

// defaultRows stands for the height of the pane before the first View.
const defaultRows = 50

func (r *Reader) rows() int {
	if r.h <= 0 {
		return defaultRows
	}
	return r.h
}

// act begins an action: what was said of the one before is gone. It reports
// whether a segment is shown.
func (r *Reader) act() bool {
	r.notice = ""
	return r.seg.ID != ""
}

// Scroll moves the view by lines rows, down if positive. It stops where the
// first or last row is on the screen.
func (r *Reader) Scroll(lines int) tea.Cmd {
	if r.digesting() && (lines == 1 || lines == -1) {
		return r.stepRow(lines)
	}
	r.jump = nil
	if !r.act() {
		return nil
	}
	rows := r.shown()
	step, from := r.prev, rows[0]
	if lines > 0 { // only as far as rows follow below the screen
		step, from = r.next, rows[len(rows)-1]
	}
	if moved := len(walk(from, max(lines, -lines)+1, step)) - 1; moved > 0 {
		top := walk(rows[0], moved+1, step)
		r.anchor, r.followed = anchor{place: top[moved]}, blockKey{}
		r.follow()
	} else if r.digesting() {
		r.end(lines)
	}
	return r.need()
}

// follow makes the current message the first one that begins on the screen,
// or the one that fills it.
func (r *Reader) follow() {
	rows := r.shown()
	begins := max(0, slices.IndexFunc(rows, r.beginsStand))
	r.cursor = rows[begins].n
	r.standAt(rows[begins])
}

// Move does a motion. Of a screen one row stays.
func (r *Reader) Move(m keys.Motion) tea.Cmd {
	switch m {
	case keys.ToStart:
		return r.Top()
	case keys.ToEnd:
		return r.Bottom()
	}
	return r.Scroll(m.Step(r.rows()))
}

// Top shows the first row of the segment.
func (r *Reader) Top() tea.Cmd {
	if !r.act() {
		return nil
	}
	return r.stand(r.seg.Start, anchor{place: place{n: r.seg.Start}})
}

// Bottom shows the last row of the segment. It stays the last one shown while
// text arrives.
func (r *Reader) Bottom() tea.Cmd {
	if !r.act() {
		return nil
	}
	return r.stand(r.seg.End, anchor{place: place{n: r.seg.End, b: lastBlock}, row: lastBlock})
}

// show puts the beginning of a message on top of the screen.
func (r *Reader) show(n int) tea.Cmd {
	n = max(r.seg.Start, min(r.seg.End, n))
	if r.shows(n) {
		r.jump, r.cursor, r.followed, r.spot = nil, n, blockKey{}, spot{}
		return r.need()
	}
	return r.stand(n, anchor{place: place{n: n, part: headPart}})
}

// stand makes message n the current one and moves the view.
func (r *Reader) stand(n int, a anchor) tea.Cmd {
	r.jump, r.cursor, r.followed, r.anchor, r.spot = nil, n, blockKey{}, a, spot{}
	return r.need()
}

// showResult shows a tool result and its call. In a digest its step opens.
func (r *Reader) showResult(n int) tea.Cmd {
	if r.told(n) {
		r.toggleStep(n)
	}
	return r.stand(n, anchor{place: place{n: n, part: headPart}, call: true})
}

// NextMessage goes to the message after the current one.
func (r *Reader) NextMessage() tea.Cmd {
	if !r.act() {
		return nil
	}
	if cmd, ok := r.stepStand(+1); ok {
		return cmd
	}
	next := r.after(r.cursor)
	if next > r.seg.End {
		r.notice = "last message"
		return nil
	}
	return r.show(next)
}

// PrevMessage goes to the beginning of the current message, or from there to
// the one before it.
func (r *Reader) PrevMessage() tea.Cmd {
	if !r.act() {
		return nil
	}
	if cmd, ok := r.stepStand(-1); ok {
		return cmd
	}
	if r.begun() {
		return r.show(r.cursor)
	}
	if r.cursor == r.seg.Start {
		r.notice = "first message"
		return r.show(r.before(r.cursor))
	}
	return r.showLast(r.before(r.cursor))
}

// begun reports whether the current message begins above the screen.
func (r *Reader) begun() bool {
	rows := r.shown()
	return len(rows) > 0 && rows[0].n == r.lineOf(r.cursor) && (rows[0].b > 0 || rows[0].part > headPart)
}

// jump is a search through the index that waits for a page of it.
type jump struct {
	n, step int // looks at n, n+step, …
	asked   int // the message whose text was asked for last
	goal
}

// goal is a kind of message that people jump to.
type goal struct {
	name string
	is   func(h *review.Head) bool
	call bool // a tool result: its call is shown, too
	says bool // somebody wrote it, which its text tells
}

// IsPrompt reports whether a message may be a prompt of the user, as far as the
// index tells: recorders and harnesses write in the user's name as well.
func IsPrompt(h *review.Head) bool { return h.Role == chat.User && !h.Marks.Has(chat.MarkCompaction) }

var prompts = goal{name: "prompt", is: IsPrompt, says: true}

// NextPrompt goes to the next message that somebody wrote, in a digest to the next
// row with one.
func (r *Reader) NextPrompt() tea.Cmd {
	return r.start(jump{n: r.after(r.cursor), step: 1, goal: prompts})
}

// PrevPrompt goes to what somebody wrote before the current message.
func (r *Reader) PrevPrompt() tea.Cmd {
	from := r.lineOf(r.cursor) - 1
	if r.begun() {
		from = r.cursor
	}
	return r.start(jump{n: from, step: -1, goal: prompts})
}

// NextFailure goes to the next tool result that is an error or reports a failure,
// with its call in view.
func (r *Reader) NextFailure() tea.Cmd {
	return r.start(jump{n: r.cursor + 1, step: 1, goal: goal{name: "failure", is: func(h *review.Head) bool { return h.Outcome().Failed() }, call: true}})
}

func (r *Reader) start(j jump) tea.Cmd {
	if !r.act() {
		return nil
	}
	if j.step > 0 {
		last := r.cursor
		if run, ok := r.run(last); ok {
			last = run.To
		}
		if cmd, ok := r.seekPart(&j, last, r.partHere()); ok {
			return cmd
		}
	}
	return r.seek(j)
}

// seek goes to the first message that is wanted. It asks for the pages of the
// index that are not here, one after the other; any other move ends it.
func (r *Reader) seek(j jump) tea.Cmd {
	r.jump = nil
	for n := j.n; n >= r.seg.Start && n <= r.seg.End; n += j.step {
		if run, ok := r.run(n); ok {
			if cmd, ok := r.seekPart(&j, run.To, 0); ok {
				return cmd
			}
			if n = run.To; j.step < 0 {
				n = run.From
			}
			continue
		}
		h, known := r.head(n)
		if !known {
			if r.problems[n] != "" {
				continue
			}
			j.n = n
			r.jump = &j
			return r.askHeads(n)
		}
		if j.is(&h) {
			if j.says {
				switch written, known := r.written(n); {
				case known && !written:
					continue
				case !known && r.problems[n] == "" && (j.asked != n || r.loading[n]):
					return r.hear(j, n)
				}
			}
			r.notice = r.arrived(j.goal, n)
			if j.goal.call {
				return r.showResult(n)
			}
			return r.show(n)
		}
		if cmd, ok := r.seekPart(&j, n, 0); ok {
			return cmd
		}
	}
	r.notice = r.missed(j)
	return r.need()
}
