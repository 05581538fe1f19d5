package export

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// errSecretLeft is the end of an export that would hold a secret.
var errSecretLeft = errors.New("a secret is left in what was written")

// left finds a secret that is left in records of a sample: one that shows only
// since texts were put together. Strings that are one of the clean texts are
// passed over.
func (r *redactor) left(lines []byte, clean map[string]bool) []Finding {
	for line := range bytes.Lines(lines) {
		rule, field, err := r.leftIn(line, clean)
		if err != nil || rule != "" {
			return []Finding{{Check: "secret", Detail: fmt.Sprintf("a secret (%s) would be left in %s", rule, field)}}
		}
	}
	return nil
}

// leftIn returns the rule of the first secret in a record and the field that
// holds it, "" if there is none.
func (r *redactor) leftIn(line []byte, clean map[string]bool) (rule, field string, err error) {
	record := string(line)
	hit, found, ok := r.scanner.FindInStrings(record, clean)
	switch {
	case !ok:
		return "", "", errors.New("the line is no JSON")
	case !found:
		return "", "", nil
	}
	return hit.Rule, fieldAt(record, hit.Start), nil
}

// fieldAt names the field of a record that a place lies in, as
// messages.2.content. For a place in a name it is the field around it: the name
// would tell the secret.
func fieldAt(record string, at int) string {
	dec := jsontext.NewDecoder(strings.NewReader(record), jsontext.AllowDuplicateNames(true))
	for {
		if _, err := dec.ReadToken(); err != nil {
			return ""
		}
		if int(dec.InputOffset()) > at {
			field := dec.StackPointer()
			if kind, length := dec.StackIndex(dec.StackDepth()); kind == '{' && length%2 == 1 {
				field = field.Parent()
			}
			return strings.ReplaceAll(strings.TrimPrefix(string(field), "/"), "/", ".")
		}
	}
}

// verifyBatch is how many bytes of records one goroutine looks at in one go:
// little in memory, and enough to make passing them on cheap.
const verifyBatch = 1 << 20

// batch is some records that follow each other.
type batch struct {
	first int // number of its first line
	lines []byte
}

// verify reads records and fails if one of them holds a secret. The error
// names the line, the field and the rule, and nothing of the secret.
func (r *redactor) verify(ctx context.Context, in io.Reader) error {
	queue := make(chan batch)
	var w sync.WaitGroup
	var mu sync.Mutex
	first, failure := 0, error(nil)
	for range runtime.GOMAXPROCS(0) {
		w.Go(func() {
			for b := range queue {
				line, err := r.verifyLines(b)
				mu.Lock()
				if err != nil && (failure == nil || line < first) {
					first, failure = line, err
				}
				mu.Unlock()
			}
		})
	}
	err := batches(in, func(b batch) bool {
		queue <- b
		mu.Lock()
		defer mu.Unlock()
		return failure == nil && ctx.Err() == nil
	})
	close(queue)
	w.Wait()
	return cmp.Or(failure, ctx.Err(), err)
}

// batches calls f with the lines of a text in order, until it returns false.
func batches(in io.Reader, f func(batch) bool) error {
	from := bufio.NewReaderSize(in, verifyBatch)
	next := batch{first: 1}
	for line := 1; ; line++ {
		data, err := from.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return err
		}
		next.lines = append(next.lines, data...)
		if len(next.lines) >= verifyBatch || err == io.EOF && len(next.lines) > 0 {
			if !f(next) {
				return nil
			}
			next = batch{first: line + 1}
		}
		if err == io.EOF {
			return nil
		}
	}
}

func (r *redactor) verifyLines(b batch) (line int, err error) {
	line = b.first
	for record := range bytes.Lines(b.lines) {
		rule, field, err := r.leftIn(record, nil)
		if err != nil {
			return line, fmt.Errorf("line %d: %w", line, err)
		}
		if rule != "" {
			return line, fmt.Errorf("%w: line %d, %s (%s): nothing is kept", errSecretLeft, line, field, rule)
		}
		line++
	}
	return line, nil
}
