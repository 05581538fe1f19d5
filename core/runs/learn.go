package runs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"winnow/core/learn"
	"winnow/core/review"
)

// Foretold is a segment with what is known of it.
type Foretold struct {
	ID       string
	Place    string  // of its session in natural order
	Start    int     // message number
	Approved bool    // of one that was judged
	Likely   float64 // as it is stored, 0: not
	Session  string  // session_file; of a branch that of its parent
	learn.Facts
}

// LikelyWrite tells how likely a segment would be approved; 0 takes it back.
type LikelyWrite struct {
	ID     string
	Likely float64
}

// LearnStore is what learning needs of the store.
type LearnStore interface {
	// Learned returns what was learned last.
	Learned(ctx context.Context) (learn.Learned, error)
	// StoreLearned keeps it in the place of what was; review.ErrConflict says that
	// something else was kept there meanwhile.
	StoreLearned(ctx context.Context, was, l learn.Learned) error
	// LastChange returns the number of the last change of segments.
	LastChange(ctx context.Context) (int64, error)
	// EachFacts calls f for the segments that are approved or rejected and did not
	// change since, by a curator ("" any), or with all for every segment. What f is
	// called with is used again after it returns.
	EachFacts(ctx context.Context, all bool, curator string, f func(*Foretold) error) error
	// WriteLikely stores the first writes in one short transaction, and returns how
	// many that were: others may want to write. Segments that are gone are passed
	// over.
	WriteLikely(ctx context.Context, list []LikelyWrite) (n int, err error)
}

// Learner learns from verdicts how likely segments would be approved, and tells it of
// all of them. It decides nothing.
type Learner struct {
	Store LearnStore
	Whose string // curator whose verdicts count, "" for those of all
	Now   func() time.Time
	// Again switches learning on if it is off, and learns from Whose even where
	// something is learned from another's verdicts. Without it that is kept up
	// instead: screens of several curators would replace each other's values
	// without end.
	Again bool
	// Progress, if not nil, is told how many segments were written of those whose
	// value is another one.
	Progress func(done, all int)
}

// Due reports whether there is anything to learn or to tell: whether segments or
// verdicts changed since, which are others' too.
func (l *Learner) Due(ctx context.Context) (bool, error) {
	was, err := l.Store.Learned(ctx)
	if err != nil || was.Off && !l.Again {
		return false, err
	}
	last, err := l.Store.LastChange(ctx)
	return last != was.Told || l.whose(&was) != was.Whose || l.Again || was.Model.Version != learn.Version, err
}

// whose returns from whose verdicts is learned, where something was before.
func (l *Learner) whose(was *learn.Learned) string {
	if was.Knows() && !l.Again {
		return was.Whose
	}
	return l.Whose
}

// Run learns, if verdicts or what is known of their segments are others than last
// time, and tells of all segments what is another value now. What is stored is done:
// a run that was stopped goes on where it was.
func (l *Learner) Run(ctx context.Context) (learn.Learned, error) {
	was, err := l.Store.Learned(ctx)
	if err != nil || was.Off && !l.Again {
		return was, err
	}
	// Changes that come while segments are read are told of the next time.
	last, err := l.Store.LastChange(ctx)
	if err != nil {
		return was, err
	}
	whose := l.whose(&was)
	examples, made, err := l.examples(ctx, whose)
	if err != nil {
		return was, err
	}
	now := was
	if made != was.Made || whose != was.Whose || was.Off || was.Model.Version != learn.Version {
		now = learn.Learned{At: l.Now().UTC(), Whose: whose, Made: made, Model: learn.Learn(examples)}
	}
	written, err := l.tell(ctx, now.Model.Predictor())
	if err != nil {
		return was, err
	}
	// What was written itself is no change that anything is to be told of. Others
	// may have changed something between: it is looked for once more then.
	now.Told = last
	if after, err := l.Store.LastChange(ctx); err != nil {
		return was, err
	} else if after-last == int64(written) {
		now.Told = after
	}
	err = l.Store.StoreLearned(ctx, was, now)
	if errors.Is(err, review.ErrConflict) { // somebody learned meanwhile, or wants none of it
		if was, err = l.Store.Learned(ctx); err == nil && was.Off {
			_, err = l.tell(ctx, nil)
		}
		return was, err
	}
	return now, err
}

// examples reads the verdicts of a curator ("" any), and what tells them from others.
func (l *Learner) examples(ctx context.Context, whose string) (list []learn.Example, made string, err error) {
	sum := sha256.New()
	err = l.Store.EachFacts(ctx, false, whose, func(s *Foretold) error {
		e := s.example()
		list = append(list, e)
		return json.MarshalWrite(sum, e, json.Deterministic(true))
	})
	return list, hex.EncodeToString(sum.Sum(nil)), err
}

// example names segments by where they stand: ids are others in each database.
func (s *Foretold) example() learn.Example {
	return learn.Example{ID: fmt.Sprintf("%s\x00%d", s.Place, s.Start), Session: s.Session, Approved: s.Approved, Facts: s.Facts}
}

// tell stores how likely each segment is, where that is another value than is
// stored, in short transactions. It returns how many it stored.
func (l *Learner) tell(ctx context.Context, p *learn.Predictor) (written int, err error) {
	var writes []LikelyWrite
	err = l.Store.EachFacts(ctx, true, "", func(s *Foretold) error {
		likely := 0.
		if p != nil && s.Scored {
			likely = p.Likely(&s.Facts)
		}
		if likely != s.Likely {
			writes = append(writes, LikelyWrite{s.ID, likely})
		}
		return ctx.Err()
	})
	for all := len(writes); err == nil && len(writes) > 0; {
		var n int
		n, err = l.Store.WriteLikely(ctx, writes)
		writes, written = writes[n:], written+n
		if l.Progress != nil {
			l.Progress(written, all)
		}
	}
	return written, err
}

// Forget takes everything back that was learned, and stays off until a Learner
// is told to begin again.
func (l *Learner) Forget(ctx context.Context) error {
	for {
		was, err := l.Store.Learned(ctx)
		if err == nil {
			err = l.Store.StoreLearned(ctx, was, learn.Learned{At: l.Now().UTC(), Off: true})
		}
		if errors.Is(err, review.ErrConflict) && ctx.Err() == nil {
			continue // a run ended just now
		}
		if err == nil {
			_, err = l.tell(ctx, nil)
		}
		return err
	}
}
