// Package table writes records, lines of JSON, as Parquet files, and reads them
// back. It knows the columns of records, not what is in them: it imports
// core/rawjson and nothing else of the project.
package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"winnow/core/rawjson"
)

// Column describes a member of the records of a format, for tables. All may be
// absent. What has no fixed shape, such as the arguments of calls, is a column
// of JSON text: as a struct it would have a column for each argument of each
// tool.
type Column struct {
	Name   string
	Kind   Kind
	Fields []Column // of objects
}

// Kind is what the values of a column are.
type Kind int

// The kinds. A list holds texts or objects.
const (
	Text Kind = iota
	JSON      // any value, as its JSON
	Bool
	Integer
	Number
	Object
	Texts   // a list of texts
	Objects // a list of objects
)

// List reports whether values are lists.
func (k Kind) List() bool { return k == Texts || k == Objects }

// node makes the column of a Parquet schema.
func (c *Column) node() parquet.Node {
	var n parquet.Node
	switch c.Kind {
	case Bool:
		n = parquet.Leaf(parquet.BooleanType)
	case Integer:
		n = parquet.Int(64)
	case Number:
		n = parquet.Leaf(parquet.DoubleType)
	case Object, Objects:
		n = groupOf(c.Fields)
	default:
		n = parquet.String()
	}
	if c.Kind.List() {
		n = parquet.List(n)
	}
	return parquet.Optional(n)
}

// group is an object whose fields keep their order.
type group struct {
	parquet.Group
	order []string
}

func groupOf(columns []Column) group {
	g := group{parquet.Group{}, nil}
	for i := range columns {
		g.Group[columns[i].Name] = columns[i].node()
		g.order = append(g.order, columns[i].Name)
	}
	return g
}

// Fields returns the fields in the order in which records have them.
func (g group) Fields() []parquet.Field {
	byName := map[string]parquet.Field{}
	for _, f := range g.Group.Fields() {
		byName[f.Name()] = f
	}
	fields := make([]parquet.Field, len(g.order))
	for i, name := range g.order {
		fields[i] = byName[name]
	}
	return fields
}

// leaves counts the columns of a table that a column takes.
func (c *Column) leaves() int {
	if c.Kind != Object && c.Kind != Objects {
		return 1
	}
	n := 0
	for i := range c.Fields {
		n += c.Fields[i].leaves()
	}
	return n
}

// Writer writes lines of JSON as a Parquet file.
type Writer struct {
	columns []Column
	file    *parquet.GenericWriter[any]
	leaves  [][]parquet.Value // of one row, by column of the table
	row     []parquet.Row
	held    int // bytes of lines in the row group
}

// groupSize is the size of the lines of a row group: large enough to compress
// well, little enough to be held by who writes and who reads.
const groupSize = 32 << 20

// NewWriter returns a Writer of tables with these columns.
func NewWriter(w io.Writer, columns []Column) *Writer {
	t := &Writer{columns: columns, row: make([]parquet.Row, 1)}
	n := 0
	for i := range columns {
		n += columns[i].leaves()
	}
	t.leaves = make([][]parquet.Value, n)
	t.file = parquet.NewGenericWriter[any](w,
		parquet.NewSchema("sample", groupOf(columns)),
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedDefault}),
		parquet.CreatedBy("winnow", "", ""),
	)
	return t
}

// Write adds a row for each line.
func (t *Writer) Write(lines []byte) (int, error) {
	n := len(lines)
	for len(lines) > 0 {
		var line jsontext.Value
		line, lines, _ = bytes.Cut(lines, []byte{'\n'})
		if err := t.add(line); err != nil {
			return 0, err
		}
		if t.held += len(line); t.held >= groupSize {
			t.held = 0
			if err := t.file.Flush(); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

// Close ends the file.
func (t *Writer) Close() error { return t.file.Close() }

func (t *Writer) add(line jsontext.Value) error {
	if !line.IsValid() {
		return errors.New("invalid JSON, a repeated key or invalid UTF-8")
	}
	for i := range t.leaves {
		t.leaves[i] = t.leaves[i][:0]
	}
	if err := t.object(t.columns, 0, line, level{}); err != nil {
		return err
	}
	row := t.row[0][:0]
	for _, values := range t.leaves {
		row = append(row, values...)
	}
	t.row[0] = row
	_, err := t.file.WriteRows(t.row)
	return err
}

// level is where a value stands, as Parquet tells it: repetition says which
// list goes on with the value, depth how many lists it is in, and definition
// how many of the columns on the way to it are there.
type level struct{ repetition, depth, definition int }

// object adds the members of an object, whose first column is at.
func (t *Writer) object(columns []Column, at int, object jsontext.Value, l level) error {
	if !rawjson.IsObject(object) {
		return fmt.Errorf("%s instead of an object", object.Kind())
	}
	var o rawjson.Object
	_, narrow := o.Open(object, 0)
	next := 0
	for i := range columns {
		c := &columns[i]
		if v := o.Get(c.Name); v == nil {
			t.absent(c, at, l)
		} else if err := t.value(c, at, v, l); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		} else {
			next++
		}
		at += c.leaves()
	}
	if !narrow || next != len(o.Fields) {
		return fmt.Errorf("a member of %d has no column", len(o.Fields))
	}
	return nil
}

// absent says in all columns of c that nothing is there.
func (t *Writer) absent(c *Column, at int, l level) {
	for i := at; i < at+c.leaves(); i++ {
		t.leaves[i] = append(t.leaves[i], parquet.NullValue().Level(l.repetition, l.definition, i))
	}
}

func (t *Writer) value(c *Column, at int, v jsontext.Value, l level) error {
	l.definition++
	switch {
	case c.Kind == Object:
		return t.object(c.Fields, at, v, l)
	case c.Kind.List():
		return t.list(c, at, v, l)
	}
	leaf, err := leafOf(c.Kind, v)
	if err != nil {
		return err
	}
	t.leaves[at] = append(t.leaves[at], leaf.Level(l.repetition, l.definition, at))
	return nil
}

func (t *Writer) list(c *Column, at int, v jsontext.Value, l level) error {
	if !rawjson.IsList(v) {
		return fmt.Errorf("%s instead of a list", v.Kind())
	}
	empty, here := true, l
	l.depth++
	l.definition++
	for item := range rawjson.Elements(v) {
		if !empty {
			l.repetition = l.depth
		}
		empty = false
		var err error
		if c.Kind == Objects {
			err = t.object(c.Fields, at, item, l)
		} else {
			var leaf parquet.Value
			leaf, err = leafOf(Text, item)
			t.leaves[at] = append(t.leaves[at], leaf.Level(l.repetition, l.definition, at))
		}
		if err != nil {
			return err
		}
	}
	if empty {
		t.absent(c, at, here)
	}
	return nil
}

// leafOf makes the value of a column of JSON.
func leafOf(kind Kind, v jsontext.Value) (parquet.Value, error) {
	got := byte(v.Kind())
	switch kind {
	case JSON:
		return parquet.ByteArrayValue(v), nil
	case Bool:
		if got == 't' || got == 'f' {
			return parquet.BooleanValue(got == 't'), nil
		}
		return parquet.Value{}, fmt.Errorf("%s instead of a truth value", v.Kind())
	case Integer:
		n, err := strconv.ParseInt(string(v), 10, 64)
		return parquet.Int64Value(n), err
	case Number:
		n, err := strconv.ParseFloat(string(v), 64)
		return parquet.DoubleValue(n), err
	}
	if got != '"' {
		return parquet.Value{}, fmt.Errorf("%s instead of a text", v.Kind())
	}
	return parquet.ByteArrayValue([]byte(rawjson.Unquote(v))), nil
}
