package compat

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"winnow/core/rawjson"
)

// Copy compresses the entries of r, a line each, one after the other, and writes
// each to w when it is ready. Blank lines vanish; so do broken ones, which are
// told with what became of the entries. It keeps one entry in memory.
func (c *Compressor) Copy(ctx context.Context, w io.Writer, r io.Reader, sum *Aggregate, tell func(line int, r *Result)) error {
	lines := bufio.NewReaderSize(r, 1<<16)
	for number := 0; ; {
		chunk, readErr := lines.ReadBytes('\n')
		if readErr != nil && !errors.Is(readErr, io.EOF) {
			return readErr
		}
		chunk = bytes.TrimSuffix(bytes.TrimSuffix(chunk, []byte("\n")), []byte("\r"))
		for line := range bytes.SplitSeq(chunk, []byte("\r")) { // which ends lines, too
			number++
			if err := c.line(ctx, w, line, number, sum, tell); err != nil {
				return err
			}
		}
		if readErr != nil {
			return nil
		}
	}
}

var errNoJSON = errors.New("no JSON: left out")

// line compresses one line and writes it.
func (c *Compressor) line(ctx context.Context, w io.Writer, line []byte, number int, sum *Aggregate, tell func(int, *Result)) error {
	if len(bytes.TrimFunc(line, blank)) == 0 {
		return nil
	}
	if !rawjson.Valid(line) {
		tell(number, &Result{Outcome: Dropped, Summary: -1, Metrics: Unmeasured(), Err: errNoJSON})
		return nil
	}
	result := c.Entry(ctx, line)
	if err := ctx.Err(); err != nil {
		return err
	}
	sum.Add(&result)
	tell(number, &result)
	if result.Outcome == Dropped {
		return nil
	}
	if _, err := w.Write(append(bytes.Trim(result.Entry, " \t\r\n"), '\n')); err != nil {
		return fmt.Errorf("line %d: %w", number, err)
	}
	return nil
}
