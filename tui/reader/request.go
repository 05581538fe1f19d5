package reader

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/tui/beside"
	"winnow/tui/reader/over"
)

// request is what a command that loads needs to know.
type request struct {
	ctx    context.Context
	fetch  Fetch
	edits  Edits
	zone   *time.Location
	ascii  bool
	seg    review.Segment
	about  *about // of its session, nil until it is loaded
	since  *since // what changed in it after its verdict, nil until that is known
	over   *over.Edits
	view   View
	beside beside.Pen
}

func (r *Reader) request() request {
	return request{r.ctx, r.fetch, r.edits, r.zone, r.ascii, r.seg, r.about, r.since, r.over, r.view, r.besidePen()}
}

// arrival is what a command of the reader brings: Update takes it in.
type arrival func() tea.Cmd

// ask returns a command that loads something. What it brings is taken in unless
// another segment is shown by then.
func (r *Reader) ask(load func() arrival) tea.Cmd {
	gen := r.gen
	return func() tea.Msg {
		take := load()
		return arrival(func() tea.Cmd {
			if gen != r.gen {
				return nil
			}
			return take()
		})
	}
}

// heads returns a page of the index.
func (q request) heads(page int) ([]review.Head, error) {
	from := q.seg.Start + page*headPage
	return q.index(from, min(q.seg.End, from+headPage-1))
}

func (q request) texts(from, to int) ([]*document, error) {
	messages, err := q.messages(from, to)
	if err != nil {
		return nil, err
	}
	items, err := q.items(messages, from, to)
	if err != nil {
		return nil, err
	}
	docs := make([]*document, len(items))
	for i := range items {
		docs[i] = q.document(&items[i])
	}
	return docs, nil
}

// document makes what stands at a number ready to be shown, with what is known of its
// segment and session: what these are, above the first message of the segment, and
// below a message the sessions that come from it.
func (q request) document(it *item) *document {
	d := q.itself(it)
	if q.about != nil {
		d.shorten(q.about.session.Dir)
	}
	if it.n == q.seg.Start {
		said := d.blocks
		d.blocks, d.lead = nil, leadOf(&q.seg, q.zone)
		if d.lead.was != "" {
			d.add(tell(d.lead.was, q.since))
			d.since = q.since
		}
		if b, ok := scoreBlockOf(q.seg.Analysis, it.n, glyphsOf(q.ascii).dot); ok {
			d.add(b)
		}
		if q.about != nil {
			q.about.lead(d, q.zone)
		}
		for i := range it.fronts {
			q.addPart(d, it.fronts[i])
		}
		if len(it.fronts) > 0 || len(it.added) > 0 {
			d.stands = append(d.stands, it.stand(d, len(d.blocks)))
		}
		d.blocks = append(d.blocks, said...)
	} else if len(it.added) > 0 {
		d.stands = append(d.stands, it.stand(d, 0))
	}
	if q.about != nil {
		q.follow(d, it)
	}
	for i := range it.added {
		q.addPart(d, it.added[i])
	}
	if q.ascii {
		d.inASCII()
	}
	return d
}

// lead is what a segment tells above its first message.
type lead struct {
	first    bool   // the message is that one: the others tell nothing
	was      string // what a stale segment was
	analysis string // why it has its score
}

func leadOf(s *review.Segment, zone *time.Location) lead {
	return lead{true, verdictOf(s, zone), s.Analysis}
}

// firstTexts fetches the messages from n on that fit into one request: a
// segment that is opened shows its text at once instead of a moment later.
// What goes wrong here is found again when the texts are asked for.
func (q request) firstTexts(heads []review.Head, n int) []*document {
	bytes, to := 0, n-1
	for _, h := range heads {
		if h.Part > 0 || h.N < n {
			continue
		}
		gap := h.N != to+1
		if run, ok := q.run(to + 1); ok {
			gap = h.N != run.To+1
		}
		if bytes += h.ContentLen + h.ReasoningLen; gap || bytes > runBytes || h.N-n >= runMessages {
			break
		}
		to = h.N
	}
	if run, ok := q.run(n); ok && to < n {
		to = run.From
	}
	if to < n {
		return nil
	}
	docs, err := q.texts(n, to)
	if err != nil {
		return nil
	}
	for i, d := range docs {
		if j := slices.IndexFunc(heads, func(h review.Head) bool { return h.N == d.n && h.Part == 0 }); j >= 0 {
			docs[i].judge(heads[j].Outcome())
		}
	}
	return docs
}

// stored is what the index tells about a message's text.
type stored struct{ content, reasoning, calls int }

func storedOf(h *review.Head) stored { return stored{h.ContentLen, h.ReasoningLen, h.Calls} }

func storedIn(m *chat.Message) stored {
	return stored{len(m.Content), len(m.Reasoning), len(m.ToolCalls)}
}

// Prefetch fetches the beginning of a segment that will probably be opened
// next, so that it shows at once.
func (r *Reader) Prefetch(seg review.Segment) tea.Cmd {
	if seg.ID == "" || r.shelf.books[shelfKey{seg.Body, seg.Start}] != nil {
		return nil
	}
	q := r.request()
	q.ctx, q.seg, q.about, q.since, q.view = context.Background(), seg, nil, nil, Current
	q.seg.End = min(seg.End, seg.Start+runMessages-1)
	return func() tea.Msg {
		if q.over = nil; q.learnEdits() != nil {
			return nil
		}
		heads, err := q.heads(0)
		if err != nil {
			return nil
		}
		q.about = loadAbout(q.ctx, q.fetch, seg.SessionID)
		docs := q.firstTexts(heads, seg.Start)
		return arrival(func() tea.Cmd {
			r.learn(seg.Body, seg.SessionID, q.about)
			keep := r.kept()
			for _, d := range docs {
				if r.shelf.books[shelfKey{seg.Body, d.n}] == nil {
					r.shelf.put(seg.Body, d, keep)
				}
			}
			return nil
		})
	}
}
