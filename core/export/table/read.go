package table

import (
	"bufio"
	"errors"
	"io"
	"math"
	"os"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/parquet-go/parquet-go"

	"winnow/core/rawjson"
)

// reader reads a table back as lines of JSON.
type reader struct {
	columns []Column
	rows    parquet.Rows
	row     []parquet.Row
	leaves  [][]parquet.Value // what is left of a row, by column of the table
	line    []byte            // what is left of a line
	buf     []byte
}

// NewReader returns the lines of a table with these columns.
func NewReader(f *os.File, columns []Column) (io.ReadCloser, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		return nil, err
	}
	t := &reader{columns: columns, row: make([]parquet.Row, 1)}
	t.leaves = make([][]parquet.Value, len(file.Schema().Columns()))
	t.rows = parquet.MultiRowGroup(file.RowGroups()...).Rows()
	r := bufio.NewReaderSize(t, 1<<16)
	return struct {
		io.Reader
		io.Closer
	}{r, t.rows}, nil
}

func (t *reader) Read(p []byte) (int, error) {
	if len(t.line) == 0 {
		n, err := t.rows.ReadRows(t.row)
		if n == 0 {
			if err == nil {
				err = io.ErrNoProgress
			}
			return 0, err
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		clear(t.leaves)
		t.row[0].Range(func(i int, values []parquet.Value) bool {
			t.leaves[i] = values
			return true
		})
		t.buf = append(t.object(t.buf[:0], t.columns, 0, level{}), '\n')
		t.line = t.buf
	}
	n := copy(p, t.line)
	t.line = t.line[n:]
	return n, nil
}

// object appends an object, whose first column is at.
func (t *reader) object(dst []byte, columns []Column, at int, l level) []byte {
	dst = append(dst, '{')
	first := true
	for i := range columns {
		c := &columns[i]
		if t.leaves[at][0].DefinitionLevel() <= l.definition {
			t.skip(c, at)
		} else {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = append(rawjson.AppendString(dst, c.Name), ':')
			dst = t.value(dst, c, at, level{depth: l.depth, definition: l.definition + 1})
		}
		at += c.leaves()
	}
	return append(dst, '}')
}

// skip passes what says that a column is not there.
func (t *reader) skip(c *Column, at int) {
	for i := at; i < at+c.leaves(); i++ {
		t.leaves[i] = t.leaves[i][1:]
	}
}

func (t *reader) value(dst []byte, c *Column, at int, l level) []byte {
	switch {
	case c.Kind == Object:
		return t.object(dst, c.Fields, at, l)
	case !c.Kind.List():
		return t.leaf(dst, c.Kind, at)
	}
	dst = append(dst, '[')
	if t.leaves[at][0].DefinitionLevel() == l.definition {
		t.skip(c, at)
		return append(dst, ']')
	}
	l.depth++
	l.definition++
	for first := true; first || len(t.leaves[at]) > 0 && t.leaves[at][0].RepetitionLevel() == l.depth; first = false {
		if !first {
			dst = append(dst, ',')
		}
		if c.Kind == Objects {
			dst = t.object(dst, c.Fields, at, l)
		} else {
			dst = t.leaf(dst, Text, at)
		}
	}
	return append(dst, ']')
}

func (t *reader) leaf(dst []byte, kind Kind, at int) []byte {
	v := t.leaves[at][0]
	t.leaves[at] = t.leaves[at][1:]
	switch kind {
	case JSON:
		return append(dst, v.ByteArray()...)
	case Bool:
		return strconv.AppendBool(dst, v.Boolean())
	case Integer:
		return strconv.AppendInt(dst, v.Int64(), 10)
	case Number:
		if f := v.Double(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return append(dst, jsontext.Float(f).String()...)
		}
		return append(dst, "null"...)
	}
	return rawjson.AppendString(dst, string(v.ByteArray()))
}
