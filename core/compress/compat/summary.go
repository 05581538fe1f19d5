package compat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A longer value is shown by its beginning and its end, in characters.
const (
	shownMost  = 3000
	shownFirst = 1500
	shownLast  = 500
)

// excerpt shortens a long value for the summarizer.
func excerpt(value string) string {
	n := utf8.RuneCountInString(value)
	if n <= shownMost {
		return value
	}
	from, to := 0, len(value)
	for range shownFirst {
		_, size := utf8.DecodeRuneInString(value[from:])
		from += size
	}
	for range shownLast {
		_, size := utf8.DecodeLastRuneInString(value[:to])
		to -= size
	}
	return fmt.Sprintf("%s\n[%d of %d characters are left out here]\n%s", value[:from], n-shownFirst-shownLast, n, value[to:])
}

// show writes turns as the summarizer sees them.
func show(turns []turn, start, end int) (string, error) {
	var b strings.Builder
	for i := start; i < end; i++ {
		t := &turns[i]
		from := t.from
		switch {
		case t.kind == null || t.kind == nested || t.kind == odd:
			return "", fmt.Errorf("turn %d: %w", i, errNoValue)
		case t.role == absent:
			from = "unknown"
		case t.role != text:
			return "", fmt.Errorf("turn %d: %w", i, errRole)
		}
		if i > start {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(&b, "[Turn %d - %s]:\n%s", i, strings.ToUpper(from), excerpt(t.value))
	}
	return b.String(), nil
}

// prompt asks for a summary, in words of ours.
func (c *Compressor) prompt(shown string) string {
	return fmt.Sprintf(`The turns of an agent's conversation below will be replaced by your summary of them.

Write it in the language of the turns, the one that prevails if there are several; translate nothing.
Report neutrally what the assistant did and what it learned: what it called, searched and changed; what came of it; what was decided or found; names, values and other data that are worth keeping.
Stick to the facts. About %d tokens are expected.

--- turns
%s
--- end of the turns

Answer with the summary alone. It begins with %s`, c.Config.SummaryTargetTokens, shown, prefix)
}

var (
	errEmpty    = errors.New("the summary is empty")
	errCut      = errors.New("the summary was cut off at the limit of its length")
	errAttempts = errors.New("no attempt is allowed: max_retries is 0")
)

// summarize asks until a summary comes or the attempts are used up. With an
// error it returns what the published program takes for the summary.
func (c *Compressor) summarize(ctx context.Context, shown string, m *Metrics) (*string, error) {
	request := Request{Prompt: c.prompt(shown), MaxTokens: 2 * c.Config.SummaryTargetTokens}
	for k := 1; k <= c.Config.MaxRetries; k++ {
		m.Calls++
		reply, err := c.ask(ctx, request)
		if err == nil && reply.Cut {
			err = errCut
		}
		if err == nil {
			return finish(reply.Content)
		}
		m.Errors++
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if k == c.Config.MaxRetries {
			failed := filler
			return &failed, err
		}
		if err := c.pause(ctx, k); err != nil {
			return nil, err
		}
	}
	return nil, errAttempts
}

// ask asks once. It returns when the time is over even if the summarizer does
// not.
func (c *Compressor) ask(ctx context.Context, r Request) (Reply, error) {
	type answer struct {
		Reply
		err error
	}
	answers := make(chan answer, 1)
	go func() {
		reply, err := c.Ask(ctx, r)
		answers <- answer{reply, err}
	}()
	select {
	case a := <-answers:
		return a.Reply, a.err
	case <-ctx.Done():
		return Reply{}, ctx.Err()
	}
}

// finish puts the prefix in front of a summary that lacks it.
func finish(content string) (*string, error) {
	text := strings.TrimFunc(content, blank)
	switch {
	case text == "":
		bare := prefix
		return &bare, errEmpty
	case !strings.HasPrefix(text, prefix):
		text = prefix + " " + text
	}
	return &text, nil
}

// blank reports whether Python takes a character for white space.
func blank(r rune) bool { return unicode.IsSpace(r) || r >= 0x1C && r <= 0x1F }

// pause waits after the k-th attempt: twice as long each time.
func (c *Compressor) pause(ctx context.Context, k int) error {
	const most = 30 * time.Second
	d := most
	if base := c.Config.RetryDelay; base > 0 {
		if s := base * float64(int64(1)<<min(k-1, 40)); s < most.Seconds() {
			d = time.Duration(s * float64(time.Second))
		}
	}
	if c.Spread != nil {
		d += time.Duration(c.Spread() * float64(d) / 2)
	}
	if c.Wait != nil {
		return c.Wait(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
