package main

import (
	"context"
	"fmt"
	"time"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store"
)

// texts are searched for: words that no message holds, few and nearly all, and
// beginnings of words.
var texts = []string{
	"nowhere",
	"embedding",
	"file",
	"timeout manifest",
	"error request buffer",
	"conf*",
	"数据库",
}

// phrases consist of words that most messages hold, as all do that are made from
// few: each of those has to be looked at.
var phrases = []string{`"connection checkpoint"`, "missing_cursor", `"the new file"`}

// letters are beginnings that many words have.
var letters = []string{"e*"}

// narrow is the filter that texts are searched together with.
const narrow = " status:pending score>=0.7 tool:terminal"

// Goals of a search: for what shows at once, and for what follows.
const (
	hitsGoal = 100 * time.Millisecond
	allGoal  = time.Second
)

// searches measures what the screen asks for when a text is typed: the first
// hits, then all of them, counted.
func (b *bench) searches() error {
	for _, group := range []struct {
		what  string
		texts []string
		with  string
	}{
		{fmt.Sprintf("first 50 hits of %d texts", len(texts)), texts, ""},
		{"  with a filter", texts, narrow},
		{"first 50 hits of phrases of frequent words", phrases, ""},
		{"first 50 hits of a beginning of one letter", letters, ""},
	} {
		first, all := best{}, best{}
		for range trials {
			err := b.opened(true, func(ctx context.Context, s *store.Store) error {
				for _, text := range group.texts {
					if err := search(ctx, s, text+group.with, first, all); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		b.slowest(group.what, hitsGoal, first)
		b.slowest("    all of them in order, counted", allGoal, all)
	}
	return nil
}

func search(ctx context.Context, s *store.Store, text string, first, all best) error {
	n, err := parse(text)
	if err != nil {
		return err
	}
	q := review.Query{Filter: n, Order: review.BestScore, Limit: 50, Hasty: true}
	began := time.Now()
	if _, err := s.Segments(ctx, q); err != nil {
		return err
	}
	hasty := time.Since(began)
	q.Hasty = false
	began = time.Now()
	if _, err = s.Segments(ctx, q); err != nil {
		return err
	}
	c, err := s.Count(ctx, n)
	name := fmt.Sprintf("%s: %d", text, c.Segments)
	first.keep(name, hasty)
	all.keep(name, time.Since(began))
	return err
}

// verdicts measures one verdict and one on many, and takes them back.
func (b *bench) verdicts() error {
	one, many := best{}, best{}
	for range trials {
		err := b.opened(true, func(ctx context.Context, s *store.Store) error {
			if err := judgeOnes(ctx, s, one); err != nil {
				return err
			}
			return judgeMany(ctx, s, many)
		})
		if err != nil {
			return err
		}
	}
	b.slowest("verdict, on the disk, and the list behind it", verdictGoal, one)
	b.slowest("a verdict on 10,000, and its undo", bulkGoal, many)
	return nil
}

// judgeOnes approves the best of what is pending one by one, as long as somebody
// keeps the key pressed, and takes it all back.
func judgeOnes(ctx context.Context, s *store.Store, took best) error {
	const presses = 30
	n := filter.ByStatus(string(review.Pending))
	q := review.Query{Filter: n, Order: review.BestScore, Limit: 50}
	p, err := s.Segments(ctx, q)
	if err != nil {
		return err
	}
	for i := range min(presses, len(p.Segments)) {
		began := time.Now()
		if _, err := s.Judge(ctx, review.Judgement{Curator: "bench", Verdict: review.Approved, IDs: []string{p.Segments[i].ID}}); err != nil {
			return err
		}
		if _, err := s.Segments(ctx, q); err != nil {
			return err
		}
		if _, err := s.Count(ctx, n); err != nil {
			return err
		}
		took.keep(fmt.Sprintf("press %02d", i+1), time.Since(began))
	}
	for range min(presses, len(p.Segments)) {
		if _, err := s.Undo(ctx, "bench"); err != nil {
			return err
		}
	}
	return nil
}

// judgeMany judges what passes a filter at once, and takes it back.
func judgeMany(ctx context.Context, s *store.Store, took best) error {
	n, err := parse("status:pending tokens<10k")
	if err != nil {
		return err
	}
	ids, err := s.IDs(ctx, review.Query{Filter: n, Order: review.BestScore})
	if err != nil {
		return err
	}
	began := time.Now()
	ids = ids[:min(10_000, len(ids))]
	if _, err := s.Judge(ctx, review.Judgement{Curator: "bench", Verdict: review.Unsure, IDs: ids}); err != nil {
		return err
	}
	took.keep("verdict", time.Since(began))
	began = time.Now()
	_, err = s.Undo(ctx, "bench")
	took.keep("undo", time.Since(began))
	return err
}
