package compat

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"winnow/core/rawjson"
)

// Row is a line of a file.
type Row struct {
	Line   []byte // without its end
	Number int    // from 1
	At     int64  // where it begins, in bytes
}

// Rows reads the lines of a file but the blank ones.
type Rows struct {
	in     *bufio.Reader
	left   []byte // of what a line feed ended: a carriage return ends lines, too
	ended  bool   // nothing is left of it
	number int
	at     int64 // where left begins
	err    error
}

// mark is what some programs write in front of all rows, and belongs to none.
var mark = []byte("\uFEFF")

// NewRows returns the rows of r.
func NewRows(r io.Reader) *Rows { return &Rows{in: bufio.NewReaderSize(r, 1<<16), ended: true} }

// Next returns the next row, which is the caller's own, and io.EOF after the last.
func (l *Rows) Next() (Row, error) {
	for {
		if l.ended {
			if l.err != nil {
				return Row{}, l.err
			}
			l.left, l.err = l.in.ReadBytes('\n')
			if l.err != nil && !errors.Is(l.err, io.EOF) {
				return Row{}, l.err
			}
			l.ended = false
			if l.at == 0 && bytes.HasPrefix(l.left, mark) {
				l.left, l.at = l.left[len(mark):], int64(len(mark))
			}
		}
		line, size := l.left, len(l.left)
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if end := bytes.IndexByte(line, '\r'); end >= 0 {
			line, size = line[:end], end+1
		} else {
			l.ended = true
		}
		row := Row{Line: line, Number: l.number + 1, At: l.at}
		l.number++
		l.at += int64(size)
		l.left = l.left[size:]
		if len(bytes.TrimFunc(line, blank)) > 0 {
			return row, nil
		}
	}
}

// ErrNoJSON is why a row is not an entry.
var ErrNoJSON = errors.New("no JSON")

// Copy compresses the entries of r, a line each, one after the other, and writes
// each to w when it is ready. Blank lines vanish. Broken ones stay as they are; they
// are told with what became of the entries. With the flaw Drop they vanish, too, and
// are in no sum. It keeps one entry in memory.
func (c *Compressor) Copy(ctx context.Context, w io.Writer, r io.Reader, sum *Aggregate, tell func(line int, r *Result)) error {
	return Copy(ctx, w, NewRows(r).Next, 1, c.Row, func(row *Row, r *Result) {
		if !errors.Is(r.Err, ErrNoJSON) || r.Outcome != Dropped {
			sum.Add(r)
		}
		tell(row.Number, r)
	})
}

// Row compresses a line that may be broken.
func (c *Compressor) Row(ctx context.Context, line []byte) Result {
	if rawjson.Valid(line) {
		return c.Entry(ctx, line)
	}
	r := Result{Outcome: Failed, Summary: -1, Metrics: Unmeasured(), Err: ErrNoJSON, Entry: line}
	if c.Flaws.Has(Drop) {
		r.Outcome, r.Entry = Dropped, nil
	}
	return r
}

// job is a row that is worked on.
type job struct {
	row    Row
	result Result
	done   chan struct{}
}

// Copy gives rows to do, several at once, and writes what they became to w, in their
// order, each as soon as it and those before it are ready. Each is told when its turn
// comes. No more than about twice as many rows as there are at once are in memory.
func Copy(ctx context.Context, w io.Writer, next func() (Row, error), atOnce int, do func(context.Context, []byte) Result, tell func(*Row, *Result)) error {
	ctx, stop := context.WithCancel(ctx)
	atOnce = max(1, atOnce)
	work, order := make(chan *job), make(chan *job, atOnce)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer stop()
	var readErr error
	workers.Go(func() {
		defer close(order)
		defer close(work)
		for {
			row, err := next()
			if err != nil {
				readErr = err
				return
			}
			j := &job{row: row, done: make(chan struct{})}
			for _, to := range []chan *job{order, work} {
				select {
				case to <- j:
				case <-ctx.Done():
					return
				}
			}
		}
	})
	for range atOnce {
		workers.Go(func() {
			for j := range work {
				j.result = do(ctx, j.row.Line)
				close(j.done)
			}
		})
	}
	for j := range order {
		select {
		case <-j.done:
		case <-ctx.Done():
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		tell(&j.row, &j.result)
		if j.result.Outcome == Dropped {
			continue
		}
		if err := write(w, &j.row, j.result.Entry); err != nil {
			return err
		}
	}
	if readErr != nil && !errors.Is(readErr, io.EOF) {
		return readErr
	}
	return ctx.Err()
}

// write writes a row and the end of its line.
func write(w io.Writer, row *Row, entry []byte) error {
	_, err := w.Write(bytes.Trim(entry, " \t\r\n"))
	if err == nil {
		_, err = w.Write([]byte{'\n'})
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", row.Number, err)
	}
	return nil
}
