package boundaries

import (
	"cmp"
	"context"
	"maps"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/tui/reader"
	"winnow/tui/screen"
)

// lineText is what is said of a message in its line.
type lineText struct {
	reader.Brief
	problem string // why it could not be read
	aged    bool   // it may have changed since
}

// awaited reports whether the message has not been read yet.
func (t *lineText) awaited() bool {
	return t.problem == "" && t.Tool == "" && t.Kind == "" && t.Text == ""
}

// headRun is a page of index entries.
type headRun struct {
	heads []review.Head
	aged  bool
}

// lineTexts holds what is known of the messages near the cursor: index
// entries by page, and what their lines say.
type lineTexts struct {
	heads map[int]headRun
	texts map[int]lineText

	index    screen.Question[[]review.Head]
	asked    screen.Question[map[int]lineText]
	from, to int // the messages that it is about
}

const (
	// linePage is the number of index entries read at once.
	linePage = 512
	// keepHeads bounds their pages in memory, keepTexts the texts: a text has
	// half a kilobyte at most. Texts within nearTexts of the cursor stay.
	keepHeads, keepTexts, nearTexts = 32, 3000, 1000
	// mostLines and lineBytes bound what one command reads at once.
	mostLines, lineBytes = 200, 4 << 20
	// openEnd is the number of messages at the end of a session that an
	// append may write anew.
	openEnd = 64
)

// head returns the index entry of a message.
func (t *lineTexts) head(n int) (h review.Head, known bool) {
	run := t.heads[(n-1)/linePage]
	if i := (n - 1) % linePage; n >= 1 && i < len(run.heads) {
		h = run.heads[i]
		return h, h.N == n
	}
	return h, false
}

// lacksHead reports whether the index entry of a message has to be read.
func (t *lineTexts) lacksHead(n int) bool {
	_, known := t.head(n)
	return !known || t.heads[(n-1)/linePage].aged
}

func (t *lineTexts) lacksText(n int) bool {
	text, known := t.texts[n]
	return !known || text.aged
}

// size is how many bytes of text a message has, about.
func (t *lineTexts) size(n int) int {
	h, _ := t.head(n)
	size := h.ContentLen + h.ReasoningLen
	if h.Calls > 0 {
		size = max(size, 4*h.Tokens) // the arguments of calls are counted there only
	}
	return size
}

// lacking returns the first run of messages in from..to without a text that
// are read at once. Large messages, if they are wanted at all, are read one by
// one when nothing else lacks: the others need not wait for them.
func (t *lineTexts) lacking(from, to int, large bool) (first, last int, ok bool) {
	big := 0
	for n := from; n <= to; n++ {
		switch size := t.size(n); {
		case !t.lacksText(n):
			continue
		case size > lineBytes:
			big = cmp.Or(big, n)
			continue
		default:
			return n, t.run(n, to, size), true
		}
	}
	return big, big, large && big > 0
}

// run returns the end of a run of messages without a text that begins with
// message n, which has size bytes.
func (t *lineTexts) run(n, to, size int) int {
	to = min(to, n+mostLines-1)
	for ; n < to && t.lacksText(n+1); n++ {
		if size += t.size(n + 1); size > lineBytes {
			break
		}
	}
	return n
}

// changed tells that a session has other rows: what may have been written anew
// is read again, but shown until it comes.
func (t *lineTexts) changed(old, rows []review.Segment) {
	if old[0].Body != rows[0].Body {
		t.drop()
		return
	}
	was, is := old[len(old)-1].End, rows[len(rows)-1].End
	from := max(1, min(was, is)-openEnd)
	for n := from; n <= was; n++ {
		if text, known := t.texts[n]; known {
			text.aged = true
			t.texts[n] = text
		}
	}
	for page := (from - 1) / linePage; page <= (was-1)/linePage; page++ {
		if run, known := t.heads[page]; known {
			run.aged = true
			t.heads[page] = run
		}
	}
}

// drop forgets all, and gives up what is being read.
func (t *lineTexts) drop() {
	t.index.GiveUp()
	t.asked.GiveUp()
	*t = lineTexts{}
}

// retry has what could not be read tried again.
func (t *lineTexts) retry() {
	t.index.Err = nil
	maps.DeleteFunc(t.texts, func(_ int, text lineText) bool { return text.problem != "" })
}

// askLines asks for what the lines on the screen lack, and then for those a
// screen further down and up.
func (b *Screen) askLines() {
	t := &b.texts
	from, to := b.visible()
	if t.index.Err != nil {
		return
	}
	far := b.height
	for _, n := range [...]int{max(1, from-1), to, min(b.messages(), to+far), max(1, from-far)} {
		if t.lacksHead(n) {
			if !t.index.Open {
				b.askHeads((n - 1) / linePage)
			}
			return
		}
	}
	if t.asked.Open && t.from <= to && t.to >= from { // else the curator has gone on
		return
	}
	for i, span := range [...][2]int{{from, to}, {to + 1, min(b.messages(), to+far)}, {max(1, from-far), from - 1}} {
		if first, last, ok := t.lacking(span[0], span[1], i == 0); ok {
			b.askTexts(first, last)
			return
		}
	}
}

func (b *Screen) askHeads(page int) {
	t, lib, body := &b.texts, b.lib, b.rows[0].Body
	from := page*linePage + 1
	to := min(b.messages(), from+linePage-1)
	t.index.Ask(&b.Seat, func(ctx context.Context) ([]review.Head, error) {
		stored, err := lib.Heads(ctx, body, from, to)
		heads := make([]review.Head, to-from+1)
		for i := range heads {
			heads[i].N = from + i // one that is not stored has nothing else
		}
		for _, h := range stored {
			if h.N >= from && h.N <= to && h.Part == 0 {
				heads[h.N-from] = h
			}
		}
		return heads, err
	}, func(heads []review.Head, err error) {
		if err != nil {
			b.Fail("the messages could not be listed", err)
			return
		}
		t.tookHeads(page, heads)
	})
}

// tookHeads keeps a page of index entries.
func (t *lineTexts) tookHeads(page int, heads []review.Head) {
	if t.heads == nil {
		t.heads = map[int]headRun{}
	}
	t.heads[page] = headRun{heads: heads}
	if len(t.heads) > keepHeads {
		maps.DeleteFunc(t.heads, func(other int, _ headRun) bool { return max(other-page, page-other) > keepHeads/4 })
	}
}

func (b *Screen) askTexts(from, to int) {
	t := &b.texts
	t.from, t.to = from, to
	lib, body, folder, ascii := b.lib, b.rows[0].Body, b.now.Got.folder, b.ASCII
	t.asked.Ask(&b.Seat, func(ctx context.Context) (map[int]lineText, error) {
		return readLines(ctx, lib, body, from, to, folder, ascii), nil
	}, func(texts map[int]lineText, _ error) { t.took(texts, b.cur) })
}

// readLines reads what the lines of messages from..to say. What can't be read
// says why.
func readLines(ctx context.Context, lib Library, body int64, from, to int, folder string, ascii bool) map[int]lineText {
	texts := make(map[int]lineText, to-from+1)
	if err := readRun(ctx, lib, body, from, to, folder, ascii, texts); err != nil && to > from {
		for n := from; n <= to; n++ {
			_ = readRun(ctx, lib, body, n, n, folder, ascii, texts) // the text says why
		}
	}
	return texts
}

func readRun(ctx context.Context, lib Library, body int64, from, to int, folder string, ascii bool, texts map[int]lineText) error {
	messages, err := lib.Messages(ctx, body, from, to)
	for i := range messages {
		if m := &messages[i]; m.Part == 0 && m.N > 0 { // what curators added stands with the one before
			texts[m.N] = lineText{Brief: reader.BriefOf(m, folder, ascii)}
		}
	}
	if known, ok := lib.(Recorder); ok && err == nil && len(texts) <= to-from {
		err = readDropped(ctx, known, body, from, to, folder, ascii, texts)
	}
	for n := from; n <= to; n++ {
		if _, known := texts[n]; known {
			continue
		}
		texts[n] = lineText{problem: reader.Problem(err)}
	}
	return err
}

// Recorder is a Library that knows what was recorded where curators dropped messages.
type Recorder interface {
	RecordedMessages(ctx context.Context, body int64, from, to int) ([]chat.Message, error)
}

// readDropped reads what messages said that are dropped.
func readDropped(ctx context.Context, lib Recorder, body int64, from, to int, folder string, ascii bool, texts map[int]lineText) error {
	recorded, err := lib.RecordedMessages(ctx, body, from, to)
	for i := range recorded {
		m := &recorded[i]
		if _, known := texts[m.N]; !known {
			brief := reader.BriefOf(m, folder, ascii)
			brief.Kind, brief.Tool = "dropped", ""
			texts[m.N] = lineText{Brief: brief}
		}
	}
	return err
}

// took keeps texts, and the memory bounded, however far one goes.
func (t *lineTexts) took(texts map[int]lineText, cur int) {
	if t.texts == nil {
		t.texts = map[int]lineText{}
	}
	maps.Copy(t.texts, texts)
	if len(t.texts) > keepTexts {
		maps.DeleteFunc(t.texts, func(n int, _ lineText) bool { return max(n-cur, cur-n) > nearTexts })
	}
}
