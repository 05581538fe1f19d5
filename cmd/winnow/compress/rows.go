package compress

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/compress/compat"
	"winnow/core/compress/entries"
	"winnow/core/rawjson"
)

// readable fails if there are rows in a file, and none of them is an entry: then it is
// no file of trajectories.
func readable(ctx context.Context, name string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	head := make([]byte, 4)
	n, err := in.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if packed(head[:n]) {
		return errors.New("it is compressed: unpack it first")
	}
	rows := compat.NewRows(in)
	for n := 0; ; n++ {
		row, err := rows.Next()
		switch {
		case errors.Is(err, io.EOF) && n == 0:
			return nil
		case errors.Is(err, io.EOF):
			return errors.New("no row in it is a Hermes trajectory, an object with a list of conversations: import takes other files")
		case err != nil:
			return err
		case entries.Readable(row.Line):
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
}

// rows returns the rows of a file, or a sample of them.
func (f *Files) rows(ctx context.Context, in *os.File, name string) (func() (compat.Row, error), error) {
	if f.Percent <= 0 || f.Percent >= 100 {
		return compat.NewRows(in).Next, nil
	}
	return f.sample(ctx, in, name)
}

// packed reports whether a file begins as gzip or zstd do.
func packed(head []byte) bool {
	return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) || bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd})
}

// place is where a row lies.
type place struct {
	at           int64
	size, number int
}

// sample draws a part of the rows of a file, one at least, in an order that is drawn,
// too. Rows that are no JSON are never drawn; they are told.
func (f *Files) sample(ctx context.Context, in *os.File, name string) (func() (compat.Row, error), error) {
	var all []place
	for rows := compat.NewRows(in); ; {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		if !rawjson.Valid(row.Line) {
			f.Told(Kept{name, row.Number, compat.Failed, "no JSON: never drawn"})
			continue
		}
		all = append(all, place{row.At, len(row.Line), row.Number})
	}
	n := max(min(1, len(all)), int(float64(len(all))*f.Percent/100))
	drawn := rand.New(rand.NewPCG(uint64(f.Seed), 0)).Perm(len(all))[:n]
	return func() (row compat.Row, err error) {
		if len(drawn) == 0 {
			return row, io.EOF
		}
		p := all[drawn[0]]
		drawn = drawn[1:]
		row = compat.Row{Line: make([]byte, p.size), Number: p.number, At: p.at}
		_, err = in.ReadAt(row.Line, p.at)
		return row, err
	}, nil
}

// published compresses as the published program does.
func (f *Files) published() *compat.Compressor {
	c := &compat.Compressor{
		Config: f.Config, Flaws: f.Flaws, Timeout: f.Timeout, Wait: f.wait, Spread: rand.Float64,
		Count: func(text string) (int, error) { return f.Counter.Count(text), nil },
	}
	if f.Model != nil {
		c.Ask = f.Model.AskPublished
	}
	if c.Wait == nil {
		c.Wait = f.pause
	}
	return c
}

// pause waits between attempts, unless none can succeed any more.
func (f *Files) pause(ctx context.Context, d time.Duration) error {
	if f.Model != nil && f.Model.Dead() != nil {
		return nil
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

// careful compresses by winnow's rules.
func (f *Files) careful() *entries.Compressor {
	o, c := compress.Defaults(), &f.Config
	o.By, o.Target, o.Summary, o.Tail, o.Head = f.By, c.TargetMaxTokens, c.SummaryTargetTokens, c.LastNTurns, nil
	for _, first := range []struct {
		role chat.Role
		on   bool
	}{{chat.System, c.FirstSystem}, {chat.User, c.FirstHuman}, {chat.Assistant, c.FirstGPT}, {chat.Tool, c.FirstTool}} {
		if first.on {
			o.Head = append(o.Head, first.role)
		}
	}
	return &entries.Compressor{Options: o, Counter: f.Counter, Metrics: f.Metrics && c.PerTrajectory}
}

// working is what is done with a row.
func (f *Files) working() func(context.Context, []byte) compat.Result {
	if f.By == nil {
		return f.published().Row
	}
	c := f.careful()
	if f.Timeout <= 0 {
		return c.Row
	}
	late := fmt.Errorf("took longer than %v", f.Timeout)
	return func(ctx context.Context, line []byte) compat.Result {
		ctx, cancel := context.WithTimeoutCause(ctx, f.Timeout, late)
		defer cancel()
		return c.Row(ctx, line)
	}
}

// errDry is what a model says that is not asked.
var errDry = errors.New("a model would be asked")

// looking tells what would be done with a row.
func (f *Files) looking() func(context.Context, []byte) compat.Result {
	if f.By == nil {
		c := f.published()
		c.Config.MaxRetries, c.Flaws = 1, c.Flaws&^compat.Filler
		c.Ask = func(_ context.Context, r compat.Request) (compat.Reply, error) {
			f.sent.Add(int64(f.Counter.Count(r.Prompt)))
			f.asks.Add(1)
			return compat.Reply{}, errDry
		}
		return func(ctx context.Context, line []byte) compat.Result {
			r := c.Row(ctx, line)
			if errors.Is(r.Err, errDry) {
				r.Outcome, r.Err, r.Metrics.StillOverLimit = compat.Compressed, nil, false
			}
			return r
		}
	}
	c := f.careful()
	return func(_ context.Context, line []byte) compat.Result {
		r := compat.Result{Outcome: compat.Failed, Metrics: compat.Unmeasured()}
		look, err := c.Look(line)
		if err != nil {
			r.Err = err
			return r
		}
		r.Outcome, r.Metrics.OriginalTokens, r.Metrics.CompressedTokens = compat.Outcome(look.Outcome), look.Before, look.Before
		if look.Outcome == compress.Compressed {
			if look.Send > 0 {
				f.asks.Add(1)
				f.sent.Add(int64(look.Send))
			}
			if r.Metrics.StillOverLimit = look.Least > f.Config.TargetMaxTokens; r.Metrics.StillOverLimit {
				r.Err = fmt.Errorf("cannot fit: what has to stay costs %d tokens", look.Least)
			}
		}
		return r
	}
}
