package reader

import (
	"context"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/tui/draw"
	"winnow/tui/reader/gist"
)

// since is what changed in a stale segment after its verdict.
type since struct {
	segment.Difference
	brief   string // all of it in a line
	removed string // the first words of the messages that left, a line each
}

// asciiDash writes what stands between two numbers, or for more of them, with
// ASCII signs.
var asciiDash = strings.NewReplacer("–", "-", "…", "...")

const (
	// removedShown is how many of the messages that left are listed.
	removedShown = 20
	// newMark stands at the rule of a message that came after the verdict.
	newMark, newMarkShort = "new since the verdict", "new"
)

// verdictOf says what a stale segment was; "" of another one.
func verdictOf(s *review.Segment, zone *time.Location) string {
	if !s.Stale {
		return ""
	}
	text := "~ stale"
	if s.Was.Judged() {
		text = "~ was " + string(s.Was)
		if s.WasBy != "" {
			text += " by " + gist.Line(s.WasBy)
		}
		if !s.WasAt.IsZero() {
			text += dayText(s.WasAt.In(zone), s.UpdatedAt.In(zone))
		}
	}
	return text
}

// dayText tells a day, and its year if the content changed in another one.
func dayText(at, changed time.Time) string {
	if at.Year() == changed.Year() {
		return at.Format(" on 2 Jan")
	}
	return at.Format(" on 2 Jan 2006")
}

// askSince asks what changed in a stale segment. That may read all of it, and
// all of what it was: nothing waits for it.
func (r *Reader) askSince() tea.Cmd {
	if !r.seg.Stale {
		return nil
	}
	q := r.request()
	return r.ask(func() arrival {
		d, err := segment.Since(q.ctx, &q.seg, q.fetch.EachMessage)
		if err != nil {
			d = segment.Difference{Unknown: true}
		}
		s := &since{d, d.String(), removedText(q.ctx, q.fetch, q.seg.WasBody, d.Removed)}
		if q.ascii {
			s.brief, s.removed = asciiDash.Replace(s.brief), clean.Carets(s.removed)
		}
		return func() tea.Cmd {
			r.since = s
			return nil
		}
	})
}

// removedText lists messages of the generation that was judged.
func removedText(ctx context.Context, fetch Fetch, body int64, spans []segment.Span) string {
	var lines []string
	shown, all := 0, 0
	for _, s := range spans {
		all += s.Len()
		for n := s.From; n <= s.To && shown < removedShown; n++ {
			shown++
			messages, err := fetch.Messages(ctx, body, n, n)
			if err != nil || len(messages) != 1 {
				continue
			}
			m := &messages[0]
			text := m.Content
			for i := 0; text == "" && i < len(m.ToolCalls); i++ {
				text = m.ToolCalls[i].Name + " " + m.ToolCalls[i].Arguments
			}
			lines = append(lines, strconv.Itoa(n)+" "+clean.Line(string(m.Role))+"  "+gist.Line(text))
		}
	}
	if all > shown {
		lines = append(lines, "and "+draw.Grouped(all-shown)+" more")
	}
	return strings.Join(lines, "\n")
}

// tell is the line above the first message that says what a stale segment was.
// It is there before it is known what changed, so that nothing moves then.
func tell(was string, s *since) block {
	short, _, _ := strings.Cut(was, " by ")
	short, _, _ = strings.Cut(short, " on ") // the title says who and when, too
	b := block{kind: staleBlock, label: was, short: short}
	if s != nil {
		b.brief, b.text = s.brief, s.removed
	}
	return b
}

// freshen makes the first message anew if it does not tell yet what changed.
func (r *Reader) freshen() tea.Cmd {
	n := r.seg.Start
	book := r.shelf.books[shelfKey{r.seg.Body, n}]
	if r.since == nil || r.freshened == r.since || book == nil || book.doc.since == r.since {
		return nil
	}
	r.freshened = r.since
	q := r.request()
	return r.ask(func() arrival {
		docs, err := q.texts(n, n)
		return func() tea.Cmd {
			if err == nil {
				r.tookTexts(n, n, docs, nil)
			}
			return nil
		}
	})
}

// isNew reports whether a message came after the verdict of a stale segment.
func (r *Reader) isNew(n int) bool { return r.since != nil && r.since.New(n) }

// undress drops the messages that were made for another segment: what stands
// above the first one belongs to it.
func (r *Reader) undress() {
	for key, b := range r.shelf.books {
		if key.body != r.seg.Body || key.n < r.seg.Start || key.n > r.seg.End {
			continue
		}
		want := lead{}
		if key.n == r.seg.Start {
			want = leadOf(&r.seg, r.zone)
		}
		if b.doc.lead != want {
			r.shelf.remove(key)
		}
	}
}

// carry keeps what is read where it is, if the segment that was read left and
// the next one holds the message: segments share none.
func (r *Reader) carry(from *review.Segment, m memory) {
	if from.ID == "" || from.Body != r.seg.Body || m.cursor < r.seg.Start || m.cursor > r.seg.End {
		return
	}
	r.cursor, r.anchor, r.followed, r.all = m.cursor, m.anchor, m.followed, m.all
	for key, state := range m.folds {
		if from.Start == r.seg.Start || key.n != from.Start && key.n != r.seg.Start { // what stands above those moved
			r.folds[key] = state
		}
	}
	if n := r.anchor.place.n; n < r.seg.Start || n > r.seg.End {
		r.anchor = anchor{place: place{n: r.cursor}}
	}
}
