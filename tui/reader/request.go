package reader

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/review"
)

// request is what a command that loads needs to know.
type request struct {
	ctx   context.Context
	fetch Fetch
	zone  *time.Location
	ascii bool
	gen   int
	body  int64
	first int // of the segment
	last  int
	// session is whose messages these are; about is nil until it is loaded.
	session string
	about   *about
	// was is what a stale segment was, and since what changed, if that is known.
	was   string
	since *since
	// analysis is why the segment has its score, "" without one.
	analysis string
	fixed    *document // is shown in place of messages, nil for messages
}

func (r *Reader) request() request {
	var fixed *document
	if r.page != nil {
		fixed = r.leaf().doc
	}
	return request{r.ctx, r.fetch, r.zone, r.ascii, r.gen, r.seg.Body, r.seg.Start, r.seg.End, r.seg.SessionID, r.about, r.verdictOf(&r.seg), r.since, r.seg.Analysis, fixed}
}

// headsLoaded answers a request for a page of the index.
type headsLoaded struct {
	gen, page int
	heads     []review.Head
	err       error
	about     *about
	docs      []*document // the first texts wanted, if they are small
}

// textsLoaded answers a request for messages from..to.
type textsLoaded struct {
	gen, from, to int
	bytes         int // as the index has them
	docs          []*document
	err           error
}

// page returns the page that holds the index entry of message n.
func (q request) page(n int) int { return (n - q.first) / headPage }

func (q request) heads(page int) ([]review.Head, error) {
	from := q.first + page*headPage
	return q.fetch.Heads(q.ctx, q.body, from, min(q.last, from+headPage-1))
}

func (q request) texts(from, to int) ([]*document, error) {
	if q.fixed != nil {
		return []*document{q.fixed}, nil
	}
	messages, err := q.fetch.Messages(q.ctx, q.body, from, to)
	if err != nil {
		return nil, err
	}
	docs := make([]*document, len(messages))
	for i := range messages {
		docs[i] = documentOf(&messages[i], q.zone)
		if q.about != nil {
			q.about.dress(docs[i], &messages[i], messages[i].N == q.first, q.zone)
		}
		if messages[i].N == q.first {
			q.head(docs[i])
		}
		if q.ascii {
			docs[i].inASCII()
		}
	}
	return docs, nil
}

// head puts above the first message of a segment what it was, if it is stale,
// and why it has its score.
func (q request) head(d *document) {
	d.first, d.was, d.analysis = true, q.was, q.analysis
	said := d.blocks
	d.blocks = nil
	if q.was != "" {
		b := tell(q.was, q.since)
		if q.ascii {
			b.brief = asciiDash.Replace(b.brief)
		}
		d.add(b)
		d.since = q.since
	}
	if b, ok := scoreBlockOf(q.analysis, q.first); ok {
		d.add(b)
	}
	d.blocks = append(d.blocks, said...)
}

// firstTexts fetches the messages from n on that fit into one request: a
// segment that is opened shows its text at once instead of a moment later.
// What goes wrong here is found again when the texts are asked for.
func (q request) firstTexts(heads []review.Head, n int) []*document {
	bytes, to := 0, n-1
	for _, h := range heads {
		if h.N < n {
			continue
		}
		if bytes += h.ContentLen + h.ReasoningLen; h.N != to+1 || bytes > runBytes || h.N-n >= runMessages {
			break
		}
		to = h.N
	}
	if to < n {
		return nil
	}
	docs, err := q.texts(n, to)
	if err != nil {
		return nil
	}
	return docs
}

// stored is what the index tells about a message's text.
type stored struct{ content, reasoning, calls int }

func storedOf(h *review.Head) stored { return stored{h.ContentLen, h.ReasoningLen, h.Calls} }

func storedIn(m *chat.Message) stored {
	return stored{len(m.Content), len(m.Reasoning), len(m.ToolCalls)}
}

// prefetched brings documents of a segment that is not shown.
type prefetched struct {
	body    int64
	session string
	about   *about
	docs    []*document
}

// Prefetch fetches the beginning of a segment that will probably be opened
// next, so that it shows at once.
func (r *Reader) Prefetch(seg review.Segment) tea.Cmd {
	if seg.ID == "" || r.shelf.books[shelfKey{seg.Body, seg.Start}] != nil {
		return nil
	}
	q := request{context.Background(), r.fetch, r.zone, r.ascii, 0, seg.Body, seg.Start, min(seg.End, seg.Start+runMessages-1), seg.SessionID, nil, r.verdictOf(&seg), nil, seg.Analysis, nil}
	return func() tea.Msg {
		heads, err := q.heads(0)
		if err != nil {
			return prefetched{}
		}
		q.about = loadAbout(q.ctx, q.fetch, q.session)
		return prefetched{q.body, q.session, q.about, q.firstTexts(heads, q.first)}
	}
}

func (r *Reader) prefetched(msg prefetched) {
	r.learn(msg.body, msg.session, msg.about)
	keep := r.kept()
	for _, d := range msg.docs {
		if r.shelf.books[shelfKey{msg.body, d.n}] == nil {
			r.shelf.put(msg.body, d, keep)
		}
	}
	clear(r.stubs)
}
