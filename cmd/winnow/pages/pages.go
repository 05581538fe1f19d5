// Package pages is what the server shows of a database: what commands print with
// --json, byte for byte. A page is a row of All.
package pages

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/httpd"
	"winnow/cmd/winnow/list"
	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/show"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/store"
)

// Source is what pages are made of.
type Source struct {
	Desk  *desk.Desk
	Zone  *time.Location // of days
	Parse func(text string) (filter.Node, error)

	filling chan struct{} // one fills the text index at a time
}

// The number of rows of a page: without a limit, and at most.
const (
	StandardLimit = list.PageSize
	MostLimit     = 2000
)

// All are the pages of a source.
func All(s *Source) []httpd.Page {
	s.filling = make(chan struct{}, 1)
	return []httpd.Page{
		{Path: "/stats", Kind: httpd.OneObject, Takes: []string{"filter", "by"}, Show: s.stats},
		{Path: "/sessions", Kind: httpd.ObjectLine, Takes: []string{"filter", "limit", "after"}, Show: s.sessions},
		{Path: "/sessions/{id}", Kind: httpd.OneObject, Show: s.one("session", show.OfSession)},
		{Path: "/segments", Kind: httpd.ObjectLine, Takes: []string{"filter", "sort", "seed", "limit", "after"}, Show: s.segments},
		{Path: "/segments/{id}", Kind: httpd.OneObject, Show: s.one("segment", show.OfSegment)},
		{Path: "/memories", Kind: httpd.ObjectLine, Takes: []string{"filter", "sort", "limit", "after"}, Show: s.memories},
	}
}

// printer prints to who asks. Lines go out as they are full.
func (s *Source) printer(a *httpd.Asked) *list.Printer {
	return &list.Printer{Desk: s.Desk, Out: print.New(a.Out, false, 0), JSON: true, Zone: s.Zone, Warn: func(string, ...any) {}}
}

// stats is GET /stats.
func (s *Source) stats(ctx context.Context, a *httpd.Asked) error {
	n, err := s.filter(ctx, a)
	if err != nil {
		return err
	}
	p := s.printer(a)
	show := p.Stats
	if by, given := a.Query["by"]; given {
		if by != list.ByModel {
			return httpd.Wrong("by %q: must be %s", by, list.ByModel)
		}
		a.Lines()
		show = p.Models
	}
	if err := show(ctx, n); err != nil {
		return err
	}
	return p.Out.Flush()
}

// filter reads the filter of a query, and prepares the database for it as commands do.
func (s *Source) filter(ctx context.Context, a *httpd.Asked) (filter.Node, error) {
	n, err := s.Parse(a.Query["filter"])
	if err != nil {
		return nil, httpd.Wrong("filter: %s", strings.TrimPrefix(err.Error(), "--filter "))
	}
	if !filter.HasText(n) {
		return n, nil
	}
	done, all, err := s.Desk.IndexedShare(ctx)
	if err != nil || done == all {
		return n, err
	}
	return n, a.Aside(func() error {
		select {
		case s.filling <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		defer func() { <-s.filling }()
		return (&runs.Indexer{Store: s.Desk.Store}).Run(ctx)
	})
}

// limit is how many rows a page has.
func limit(a *httpd.Asked) (int, error) {
	text, given := a.Query["limit"]
	if !given {
		return StandardLimit, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > MostLimit {
		return 0, httpd.Wrong("limit %q: must be a number of rows, %d at most", text, MostLimit)
	}
	return n, nil
}

// finding is how a segment or session is found.
type finding func(context.Context, *store.Store, string) (*show.Subject, error)

// tries is how often something is looked for anew whose messages an import puts elsewhere
// while they are read.
const tries = 3

// one is the page of one segment or session.
func (s *Source) one(what string, find finding) func(context.Context, *httpd.Asked) error {
	return func(ctx context.Context, a *httpd.Asked) (err error) {
		for range tries {
			it, missing := find(ctx, s.Desk.Store, a.ID)
			switch {
			case errors.Is(missing, review.ErrNotFound):
				return httpd.Missing(fmt.Sprintf("%s: no %s has this id, or begins with at least 4 characters of it: GET /%ss shows them", a.ID, what, what))
			case errors.Is(missing, review.ErrAmbiguous):
				return httpd.Wrong("%s: several ids begin like this: ask with more of it", a.ID)
			case missing != nil:
				return missing
			}
			if err = s.shown(ctx, a, it); !errors.Is(err, review.ErrNotFound) || a.Begun() {
				break
			}
		}
		return err
	}
}

// shown prints a segment or session with its messages.
func (s *Source) shown(ctx context.Context, a *httpd.Asked, it *show.Subject) error {
	v := &show.Printer{Out: print.New(a.Out, false, 0), Store: s.Desk.Store, Now: s.Desk.Now, Zone: s.Zone, Thresholds: s.Desk.Thresholds()}
	if err := v.Mark(ctx, it); err != nil {
		return err
	}
	if err := v.JSON(ctx, it); err != nil {
		return err
	}
	return v.Out.Flush()
}
