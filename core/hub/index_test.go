package hub

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"winnow/core/runs"
)

// steps is a text index that is filled by one message at a time.
type steps struct {
	done, all int64
	fail      error
}

func (s *steps) IndexText(ctx context.Context, _ time.Duration) (bool, error) {
	if err := ctx.Err(); err != nil {
		return true, err
	}
	if s.done < s.all {
		s.done++
	}
	return s.done < s.all, s.fail
}

func (s *steps) IndexedShare(context.Context) (done, all int64, err error) { return s.done, s.all, nil }

func TestIndexerTellsHowFarItIs(t *testing.T) {
	s := &steps{all: 3}
	told := ""
	x := &runs.Indexer{Store: s, Progress: func(done, all int64) { told += fmt.Sprintf("%d/%d ", done, all) }}
	if err := x.Run(t.Context()); err != nil || told != "1/3 2/3 3/3 " {
		t.Errorf("%q %v", told, err)
	}
	if err := (&runs.Indexer{Store: s}).Run(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestIndexerEnds(t *testing.T) {
	s := &steps{all: 100}
	ctx, cancel := context.WithCancel(t.Context())
	x := &runs.Indexer{Store: s, Progress: func(done, _ int64) {
		if done == 4 {
			cancel()
		}
	}}
	if err := x.Run(ctx); !errors.Is(err, context.Canceled) || s.done != 4 {
		t.Errorf("%d messages, %v", s.done, err)
	}
	s.fail = errors.New("disk full")
	if err := x.Run(t.Context()); !errors.Is(err, s.fail) {
		t.Error(err)
	}
}
