package main

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/store"
)

// lists are filters and orders as curators combine them: what an index answers,
// what must be looked for in all segments, much, little and nothing found.
var lists = []struct {
	filter string
	order  review.Order
}{
	{"", review.Natural},
	{"", review.BestScore},
	{"", review.Newest},
	{"", review.MostFailures},
	{"", review.Random},
	{"status:pending", review.Natural},
	{"status:pending", review.BestScore},
	{"status:approved,rejected", review.Newest},
	{"score>=0.8", review.BestScore},
	{"score<0.8", review.WorstScore},
	{"score>=0.8 type:code status:pending", review.Newest},
	{"has:error", review.MostFailures},
	{"-has:error", review.Natural},
	{"tool:terminal", review.Natural},
	{"tool:terminal -has:error", review.MostTokens},
	{"flag:has_error_end", review.Natural},
	{"(flag:loop,unfinished or metric.tool_success<0.8) messages:10..20", review.WorstScore},
	{"metric.tool_success<0.5", review.BestScore},
	{"topic:parser", review.Longest},
	{"topic:nowhere", review.Natural},
	{"file:session-0312", review.Natural},
	{"format:openai -status:rejected", review.Random},
	{"cut:offline after:2026-03 before:2026-05", review.Oldest},
	{"after:2026-06-15", review.Shortest},
	{"reviewer:ann reviewed>=2026", review.Newest},
	{"tokens>1500", review.MostTokens},
	{"tokens:100..500 turns>=2", review.LeastToken},
	{"messages=2", review.Natural},
	{"type:code or type:data or has:think", review.LeastFailure},
	{"-(has:error score<0.7) toolcalls>3", review.BestScore},
}

// Goals of lists and verdicts, see also textGoal and scoreGoal.
const (
	sortedGoal  = 5 * time.Millisecond  // a first page that an index is sorted by
	pageGoal    = 50 * time.Millisecond // any first page
	nextGoal    = time.Millisecond      // the page after one
	countGoal   = 16 * time.Millisecond
	verdictGoal = 16 * time.Millisecond // until the next segment
	bulkGoal    = 500 * time.Millisecond
)

// trials is how often each is measured, with a program that has just begun: the
// fastest counts.
const trials = 3

// opened calls f with the library as a program that has just begun has it, with
// its limits of memory; warm, as the screen has it a moment later.
func (b *bench) opened(warm bool, f func(ctx context.Context, s *store.Store) error) error {
	debug.SetMemoryLimit(256 << 20)
	ctx := context.Background()
	s, err := store.Open(ctx, b.libraryFile("db"), store.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	if warm {
		if err := s.Warm(ctx); err != nil {
			return err
		}
	}
	if err := f(ctx, s); err != nil {
		return err
	}
	return s.Close()
}

func parse(text string) (filter.Node, error) {
	n, err := filter.Parse(text, filter.Options{Now: time.Now(), Zone: time.UTC})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	return n, nil
}

// best keeps the shortest times of several trials, by what was measured.
type best map[string]time.Duration

func (t best) keep(what string, took time.Duration) {
	if old, known := t[what]; !known || took < old {
		t[what] = took
	}
}

// worst returns the longest of the times that were kept.
func (t best) worst() (what string, took time.Duration) {
	for w, d := range t {
		if took < d || took == d && w < what {
			what, took = w, d
		}
	}
	return what, took
}

// slowest adds a row for the longest of the times that were kept and names it;
// all of them follow after the table.
func (b *bench) slowest(what string, goal time.Duration, t best) {
	name, took := t.worst()
	b.atMost(what, milliseconds(goal), milliseconds(took), "ms")
	last := &b.rows[len(b.rows)-1]
	last[3] += "  " + name
	b.details = append(b.details, "", what)
	names := make([]string, 0, len(t))
	for name := range t {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		b.details = append(b.details, fmt.Sprintf("  %9.2f ms  %s", milliseconds(t[name]), name))
	}
}

// filters measures the lists, as commands have them and as the screen does.
func (b *bench) filters() error {
	loading := best{}
	for range trials {
		err := b.opened(false, func(ctx context.Context, s *store.Store) error {
			began := time.Now()
			err := s.Warm(ctx)
			loading.keep("", time.Since(began))
			return err
		})
		if err != nil {
			return err
		}
	}
	b.row("reading the columns into memory", "–", fmt.Sprintf("%.4g ms", milliseconds(loading[""])), "behind the screen; commands do without")
	for _, warm := range []bool{true, false} {
		where := "by SQLite"
		if warm {
			where = "from memory"
		}
		if err := b.filtersOf(warm, where); err != nil {
			return err
		}
	}
	return b.statistics()
}

func (b *bench) filtersOf(warm bool, where string) error {
	sorted, first, next, counts := best{}, best{}, best{}, best{}
	for range trials {
		err := b.opened(warm, func(ctx context.Context, s *store.Store) error {
			for _, l := range lists {
				firsts := first
				if l.filter == "" && l.order != review.Random {
					firsts = sorted
				}
				if err := pages(ctx, s, l.filter, l.order, firsts, next); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			err = b.opened(warm, func(ctx context.Context, s *store.Store) error { return countAll(ctx, s, counts) })
		}
		if err != nil {
			return err
		}
	}
	b.slowest("first page of all, sorted, "+where, sortedGoal, sorted)
	b.slowest(fmt.Sprintf("  of %d filters and orders", len(first)), pageGoal, first)
	b.slowest("  the next page", nextGoal, next)
	b.slowest("  counts and histogram", countGoal, counts)
	return nil
}

// pages measures two pages of a list.
func pages(ctx context.Context, s *store.Store, text string, order review.Order, first, next best) error {
	n, err := parse(text)
	if err != nil {
		return err
	}
	name := strings.TrimSpace(text + " by " + string(order))
	q := review.Query{Filter: n, Order: order, Seed: 3, Limit: 50}
	began := time.Now()
	p, err := s.Segments(ctx, q)
	first.keep(name, time.Since(began))
	if err != nil || !p.More {
		return err
	}
	q.After = p.Last
	began = time.Now()
	_, err = s.Segments(ctx, q)
	next.keep(name, time.Since(began))
	return err
}

// countAll measures the counts of all lists.
func countAll(ctx context.Context, s *store.Store, took best) error {
	for _, l := range lists {
		n, err := parse(l.filter)
		if err != nil {
			return err
		}
		began := time.Now()
		if _, err := s.Count(ctx, n); err != nil {
			return err
		}
		took.keep(l.filter, time.Since(began))
	}
	return nil
}

func (b *bench) statistics() error {
	took := best{}
	for range trials {
		err := b.opened(true, func(ctx context.Context, s *store.Store) error {
			began := time.Now()
			_, err := s.Statistics(ctx, nil, metric.DefaultThresholds(), time.UTC)
			took.keep("", time.Since(began))
			return err
		})
		if err != nil {
			return err
		}
	}
	b.row("statistics of all", "–", fmt.Sprintf("%.4g ms", milliseconds(took[""])), "")
	return nil
}
