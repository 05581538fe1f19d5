package reader

import (
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/review"
)

const (
	// headPage is the number of index entries asked for at once: about a
	// millisecond.
	headPage = 1024
	// runMessages and runBytes bound the messages asked for at once. Stored
	// chunks hold 256 KiB: less would decompress the same bytes twice.
	runMessages = 50
	runBytes    = 256 << 10
	// waitAbove is the size of text under way above which nothing more is
	// asked for.
	waitAbove = 2 << 20
	// aheadScreens and behindScreens are how far text is fetched around the
	// screen, in its heights.
	aheadScreens, behindScreens = 2, 1
)

// head returns the index entry of a message, if it is here.
func (r *Reader) head(n int) (h review.Head, known bool) {
	i := n - r.seg.Start
	if i < 0 {
		return h, false
	}
	if heads := r.heads[i/headPage]; i%headPage < len(heads) {
		h = heads[i%headPage]
		return h, h.N == n
	}
	return h, false
}

// document returns a message as it shows now: itself, or what stands for it.
func (r *Reader) document(n int) *document {
	if d := r.line(n); d != nil {
		return d
	}
	if d := r.shelf.document(r.seg.Body, n); d != nil {
		return d
	}
	if d := r.stubs[n]; d != nil {
		return d
	}
	h, known := r.head(n)
	d := stubOf(n, h, known, r.problems[n])
	if run, ok := r.run(n); ok {
		d = droppedStub(run)
	}
	if r.ascii {
		d.inASCII()
	}
	r.stubs[n] = d
	return d
}

// askHeads asks for the page of the index that holds message n, and for the first
// texts from there on, if they are small.
func (r *Reader) askHeads(n int) tea.Cmd { return r.askPage((n-r.seg.Start)/headPage, n) }

// askPage asks for a page of the index, and for the texts from a message of it on;
// 0 is none.
func (r *Reader) askPage(page, n int) tea.Cmd {
	if r.asked[page] || r.heads[page] != nil {
		return nil
	}
	r.asked[page] = true
	q := r.request()
	return r.ask(func() arrival {
		var heads []review.Head
		err := q.learnEdits()
		if err == nil {
			heads, err = q.heads(page)
		}
		if q.about == nil {
			q.about = loadAbout(q.ctx, q.fetch, q.seg.SessionID)
		}
		var docs []*document
		if n > 0 && err == nil {
			docs = q.firstTexts(heads, n)
		}
		return func() tea.Cmd {
			if q.over != nil {
				r.over = q.over
			}
			return r.tookHeads(page, heads, err, q.about, docs)
		}
	})
}

func (r *Reader) tookHeads(number int, heads []review.Head, err error, a *about, docs []*document) tea.Cmd {
	delete(r.asked, number)
	r.learn(r.seg.Body, r.seg.SessionID, a)
	r.about = r.abouts[r.seg.SessionID]
	first := r.seg.Start + number*headPage
	page := make([]review.Head, min(headPage, r.seg.End-first+1))
	for _, h := range heads {
		if h.Part > 0 {
			r.tookPart(&h)
			continue
		}
		if i := h.N - first; i >= 0 && i < len(page) {
			page[i] = h
			r.check(&h)
		}
	}
	r.heads[number] = page
	keep := r.kept()
	for _, d := range docs {
		if h, known := r.head(d.n); known && d.stored == storedOf(&h) || d.run.From > 0 {
			r.shelf.put(r.seg.Body, d, keep)
		}
	}
	for i := range page {
		if _, dropped := r.run(first + i); page[i].N == 0 && !dropped {
			r.problems[first+i] = Problem(err)
		}
	}
	if r.jump != nil {
		return r.seek(*r.jump)
	}
	return nil
}

// check drops a document that is no longer what is stored. What became of its call
// may be known by now.
func (r *Reader) check(h *review.Head) {
	key := shelfKey{r.seg.Body, h.N}
	b := r.shelf.books[key]
	switch {
	case b == nil:
	case b.doc.stored != storedOf(h):
		r.shelf.remove(key)
	default:
		b.doc.judge(h.Outcome())
	}
}

// Problem says in one line, which is short, why a message is not shown; nil: it
// is nowhere.
func Problem(err error) string {
	switch {
	case err == nil:
		return "not stored: winnow doctor looks into it"
	case errors.Is(err, review.ErrDamaged):
		return "damaged: winnow doctor says what, winnow rescue saves the rest"
	}
	return "could not be read: " + clean.Line(err.Error())
}

// need asks for what the view lacks: index entries, text, rendered Markdown,
// what shows first.
func (r *Reader) need() tea.Cmd {
	if r.seg.ID == "" {
		return nil
	}
	clear(r.stubs) // what they say may have changed
	cmds := []tea.Cmd{r.freshen(), r.askDigest()}
	ahead, behind := r.around()
	for _, n := range ahead {
		cmds = append(cmds, r.askText(n, 1))
	}
	for _, n := range behind {
		cmds = append(cmds, r.askText(n, -1))
	}
	cmds = append(cmds, r.askMap())
	return tea.Batch(append(cmds, r.askRendered(append(ahead, behind...)))...)
}

// around returns the messages on the screen and below it, and those above it,
// the nearest first. A message that is not here yet takes few rows; when it
// comes and takes more, those after it have been asked for in vain only if
// they are small.
func (r *Reader) around() (ahead, behind []int) {
	rows := r.shown()
	if len(rows) == 0 {
		return nil, nil
	}
	h := r.rows()
	messages := func(rows []place) (ns []int) {
		for _, p := range rows {
			ns = append(ns, p.n)
		}
		return slices.Compact(ns)
	}
	return messages(walk(rows[0], 1+h*(1+aheadScreens), r.next)), messages(walk(rows[0], 1+h*behindScreens, r.prev))[1:]
}

// askText asks for message n and as many after it, in the direction of step,
// as belong into one request; nil if it is here or under way. Without its
// index entry, that is asked for instead: it tells the size.
func (r *Reader) askText(n, step int) tea.Cmd {
	if r.missing(n) && !r.told(n) {
		return r.askRun(n, step)
	}
	if _, known := r.head(n); !known {
		return r.askHeads(n)
	}
	return nil
}

// missing reports whether the text of message n has to be asked for.
func (r *Reader) missing(n int) bool {
	if run, ok := r.run(n); ok {
		return n == run.From && !r.loading[n] && r.problems[n] == "" && r.shelf.books[shelfKey{r.seg.Body, n}] == nil
	}
	if _, known := r.head(n); !known {
		return false
	}
	return !r.loading[n] && r.problems[n] == "" && r.shelf.books[shelfKey{r.seg.Body, n}] == nil
}

func (r *Reader) askRun(n, step int) tea.Cmd {
	from, to, bytes := r.together(n, step)
	// What is large is asked for alone: it may fill the screen.
	if r.underWay > 0 && r.underWay+bytes > waitAbove {
		return nil
	}
	r.underWay += bytes
	for i := from; i <= to; i++ {
		r.loading[i] = true
	}
	q := r.request()
	return r.ask(func() arrival {
		docs, err := q.texts(from, to)
		return func() tea.Cmd {
			r.underWay -= bytes
			r.tookTexts(from, to, docs, err)
			if r.jump != nil {
				return r.seek(*r.jump)
			}
			return nil
		}
	})
}

// together returns the messages to be asked for together, starting at n, and
// their size.
func (r *Reader) together(n, step int) (from, to, size int) {
	last := n
	for i := n; i >= r.seg.Start && i <= r.seg.End && (i-n)*step < runMessages; i += step {
		if !r.missing(i) {
			break
		}
		h, _ := r.head(i)
		bytes := h.ContentLen + h.ReasoningLen
		if _, dropped := r.run(i); dropped && i != n {
			break
		}
		if i != n && size+bytes > runBytes {
			break
		}
		size += bytes
		last = i
	}
	return min(n, last), max(n, last), size
}

func (r *Reader) tookTexts(from, to int, docs []*document, err error) {
	for i := from; i <= to; i++ {
		delete(r.loading, i)
		r.problems[i] = Problem(err)
	}
	keep := r.kept()
	for _, d := range docs {
		if h, known := r.head(d.n); known {
			d.judge(h.Outcome())
		}
		r.shelf.put(r.seg.Body, d, keep)
		delete(r.problems, d.n)
	}
}

// kept returns which documents must stay: those around the screen.
func (r *Reader) kept() func(shelfKey) bool {
	ahead, behind := r.around()
	if len(ahead) == 0 {
		return func(shelfKey) bool { return false }
	}
	low, high := ahead[0], ahead[len(ahead)-1]
	if len(behind) > 0 {
		low = behind[len(behind)-1]
	}
	body := r.seg.Body
	return func(k shelfKey) bool { return k.body == body && k.n >= low && k.n <= high }
}
