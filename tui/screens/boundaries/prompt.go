package boundaries

import (
	"context"

	"winnow/tui/reader"
)

// seekPrompt goes to the next prompt of the user below the cursor, or above it. What
// is far away is not in memory, so that it is asked for.
func (b *Screen) seekPrompt(by int) {
	lib, body, cur, last := b.lib, b.rows[0].Body, b.cur, b.messages()
	b.prompt.Ask(&b.Seat, func(ctx context.Context) (int, error) {
		for at := cur + by; at >= 1 && at <= last; {
			from, to := at, min(last, at+linePage-1)
			if by < 0 {
				from, to = max(1, at-linePage+1), at
			}
			heads, err := lib.Heads(ctx, body, from, to)
			if err != nil {
				return 0, err
			}
			for i := range heads {
				h := &heads[i]
				if by < 0 {
					h = &heads[len(heads)-1-i]
				}
				if !reader.IsPrompt(h) {
					continue
				}
				if wrote, err := wroteAt(ctx, lib, body, h.N); err != nil || wrote {
					return h.N, err
				}
			}
			if at = to + 1; by < 0 {
				at = from - 1
			}
		}
		return 0, nil
	}, func(n int, err error) {
		switch {
		case err != nil:
			b.Fail("the messages could not be listed", err)
		case n > 0:
			b.cur = n
			b.scroll()
		case by > 0:
			b.Say("no prompt further down")
		default:
			b.Say("no prompt further up")
		}
	})
}

// wroteAt reports whether somebody wrote message n, which has the user's role.
func wroteAt(ctx context.Context, lib Library, body int64, n int) (bool, error) {
	list, err := lib.Messages(ctx, body, n, n)
	for i := range list {
		if m := &list[i]; m.N == n && m.Part == 0 {
			return reader.Wrote(m), nil
		}
	}
	return false, err
}
