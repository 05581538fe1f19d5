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
	Line   []byte // without the line feed at its end
	Number int    // from 1
	At     int64  // where it begins, in bytes
}

// Rows reads the lines of a file but the blank ones. A line feed ends a line, and
// nothing else does: a carriage return may stand between the parts of JSON.
type Rows struct {
	in     *bufio.Reader
	number int
	at     int64 // where the next line begins
}

// mark is what some programs write in front of all rows, and belongs to none.
var mark = []byte("\uFEFF")

// NewRows returns the rows of r.
func NewRows(r io.Reader) *Rows { return &Rows{in: bufio.NewReaderSize(r, 1<<16)} }

// Next returns the next row, which is the caller's own, and io.EOF after the last.
func (l *Rows) Next() (Row, error) {
	for {
		line, err := l.in.ReadBytes('\n')
		if err != nil && (len(line) == 0 || !errors.Is(err, io.EOF)) {
			return Row{}, err
		}
		size := int64(len(line))
		row := Row{Line: bytes.TrimSuffix(line, []byte("\n")), Number: l.number + 1, At: l.at}
		if l.at == 0 && bytes.HasPrefix(line, mark) {
			row.Line, row.At = row.Line[len(mark):], int64(len(mark))
		}
		l.number++
		l.at += size
		if len(bytes.TrimFunc(row.Line, blank)) > 0 {
			return row, nil
		}
	}
}

// Errors of rows that are no entries.
var (
	ErrNoJSON  = errors.New("no JSON")
	ErrNoEntry = errors.New("no trajectory: it is no object with conversations")
)

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

// write writes a row and the end of its line: one that is as it was, byte for byte.
func write(w io.Writer, row *Row, entry []byte) error {
	end := []byte{'\n'}
	if !bytes.Equal(entry, row.Line) {
		if entry = bytes.Trim(entry, " \t\r\n"); bytes.HasSuffix(row.Line, []byte{'\r'}) {
			end = []byte("\r\n")
		}
	}
	_, err := w.Write(entry)
	if err == nil {
		_, err = w.Write(end)
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", row.Number, err)
	}
	return nil
}
