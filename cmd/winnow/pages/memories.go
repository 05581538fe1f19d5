package pages

import (
	"context"
	"errors"
	"slices"

	"winnow/cmd/winnow/httpd"
	"winnow/core/filter"
	"winnow/core/memory"
)

// memories is GET /memories: those that a person approved and that are fresh.
func (s *Source) memories(ctx context.Context, a *httpd.Asked) error {
	q := memory.Query{Order: memory.Newest}
	if name, given := a.Query["sort"]; given {
		if q.Order = memory.Order(name); q.Order != memory.Newest && q.Order != memory.Best {
			return httpd.Wrong("sort %q: unknown order: new or grade", name)
		}
	}
	f, err := memory.ParseFilter(a.Query["filter"], filter.Options{Now: s.Desk.Now(), Zone: s.Zone})
	if bad := (*filter.Error)(nil); errors.As(err, &bad) {
		return httpd.Wrong("filter: column %d: %s: %s", bad.Column, bad.Text, bad.Hint)
	}
	if err != nil {
		return err
	}
	if q.Limit, err = limit(a); err != nil {
		return err
	}
	if after, given := a.Query["after"]; given {
		if q.After, err = readMemoryMark(after); err != nil {
			return err
		}
	}
	q.Filter = append(slices.Clone(f), memory.Filter{}.With("status", string(memory.Approved))...)
	page, err := s.Desk.Store.Memories(ctx, q)
	if err != nil {
		return err
	}
	if page.More {
		a.Next(memoryMark(memory.CursorOf(&page.Memories[len(page.Memories)-1])))
	}
	p := s.printer(a)
	for i := range page.Memories {
		if err := p.Out.JSON(&page.Memories[i]); err != nil {
			return err
		}
	}
	return p.Out.Flush()
}
