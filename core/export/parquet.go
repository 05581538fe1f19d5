package export

import (
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// column describes a member of the records of a format, for tables. All may be
// absent. What has no fixed shape, such as the arguments of calls, is a column
// of JSON text: as a struct it would have a column for each argument of each
// tool.
type column struct {
	name   string
	kind   columnKind
	fields []column // of objects
}

type columnKind int

// The kinds. A list holds texts or objects.
const (
	textColumn columnKind = iota
	jsonColumn            // any value, as its JSON
	boolColumn
	integerColumn
	numberColumn
	objectColumn
	textsColumn   // a list of texts
	objectsColumn // a list of objects
)

func (k columnKind) list() bool { return k == textsColumn || k == objectsColumn }

// node makes the column of a Parquet schema.
func (c *column) node() parquet.Node {
	var n parquet.Node
	switch c.kind {
	case boolColumn:
		n = parquet.Leaf(parquet.BooleanType)
	case integerColumn:
		n = parquet.Int(64)
	case numberColumn:
		n = parquet.Leaf(parquet.DoubleType)
	case objectColumn, objectsColumn:
		n = groupOf(c.fields)
	default:
		n = parquet.String()
	}
	if c.kind.list() {
		n = parquet.List(n)
	}
	return parquet.Optional(n)
}

// group is an object whose fields keep their order.
type group struct {
	parquet.Group
	order []string
}

func groupOf(columns []column) group {
	g := group{parquet.Group{}, nil}
	for i := range columns {
		g.Group[columns[i].name] = columns[i].node()
		g.order = append(g.order, columns[i].name)
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
func (c *column) leaves() int {
	if c.kind != objectColumn && c.kind != objectsColumn {
		return 1
	}
	n := 0
	for i := range c.fields {
		n += c.fields[i].leaves()
	}
	return n
}

// tableWriter writes lines of JSON as a Parquet file.
type tableWriter struct {
	columns []column
	file    *parquet.GenericWriter[any]
	leaves  [][]parquet.Value // of one row, by column of the table
	row     []parquet.Row
	held    int // bytes of lines in the row group
}

// groupSize is the size of the lines of a row group: large enough to compress
// well, little enough to be held by who writes and who reads.
const groupSize = 32 << 20

func newTableWriter(w io.Writer, columns []column) (*tableWriter, error) {
	t := &tableWriter{columns: columns, row: make([]parquet.Row, 1)}
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
	return t, nil
}

// Write adds a row for each line.
func (t *tableWriter) Write(lines []byte) (int, error) {
	n := len(lines)
	for len(lines) > 0 {
		line := lines
		for i, c := range lines {
			if c == '\n' {
				line = lines[:i]
				break
			}
		}
		lines = lines[min(len(line)+1, len(lines)):]
		if err := t.add(jsontext.Value(line)); err != nil {
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

func (t *tableWriter) Close() error { return t.file.Close() }

func (t *tableWriter) add(line jsontext.Value) error {
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
func (t *tableWriter) object(columns []column, at int, object jsontext.Value, l level) error {
	fields, err := members(object)
	if err != nil {
		return err
	}
	next := 0
	for i := range columns {
		c := &columns[i]
		v, ok := get(fields, c.name)
		if ok {
			next++
			err = t.value(c, at, v, l)
		} else {
			t.absent(c, at, l)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		at += c.leaves()
	}
	if next != len(fields) {
		return fmt.Errorf("a member of %d has no column", len(fields))
	}
	return nil
}

// absent says in all columns of c that nothing is there.
func (t *tableWriter) absent(c *column, at int, l level) {
	for i := at; i < at+c.leaves(); i++ {
		t.leaves[i] = append(t.leaves[i], parquet.NullValue().Level(l.repetition, l.definition, i))
	}
}

func (t *tableWriter) value(c *column, at int, v jsontext.Value, l level) error {
	l.definition++
	switch {
	case c.kind == objectColumn:
		return t.object(c.fields, at, v, l)
	case c.kind.list():
		return t.list(c, at, v, l)
	}
	leaf, err := leafOf(c.kind, v)
	if err != nil {
		return err
	}
	t.leaves[at] = append(t.leaves[at], leaf.Level(l.repetition, l.definition, at))
	return nil
}

func (t *tableWriter) list(c *column, at int, v jsontext.Value, l level) error {
	items, err := elements(v)
	if err != nil {
		return err
	}
	if len(items) == 0 {
		t.absent(c, at, l)
	}
	l.depth++
	l.definition++
	for i, item := range items {
		if i == 1 {
			l.repetition = l.depth
		}
		if c.kind == objectsColumn {
			err = t.object(c.fields, at, item, l)
		} else {
			var leaf parquet.Value
			leaf, err = leafOf(textColumn, item)
			t.leaves[at] = append(t.leaves[at], leaf.Level(l.repetition, l.definition, at))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// leafOf makes the value of a column of JSON.
func leafOf(kind columnKind, v jsontext.Value) (parquet.Value, error) {
	got := byte(v.Kind())
	switch kind {
	case jsonColumn:
		return parquet.ByteArrayValue(v), nil
	case boolColumn:
		if got == 't' || got == 'f' {
			return parquet.BooleanValue(got == 't'), nil
		}
		return parquet.Value{}, fmt.Errorf("%s instead of a truth value", v.Kind())
	case integerColumn:
		n, err := strconv.ParseInt(string(v), 10, 64)
		return parquet.Int64Value(n), err
	case numberColumn:
		n, err := strconv.ParseFloat(string(v), 64)
		return parquet.DoubleValue(n), err
	}
	if got != '"' {
		return parquet.Value{}, fmt.Errorf("%s instead of a text", v.Kind())
	}
	text, err := unquote(v)
	return parquet.ByteArrayValue([]byte(text)), err
}
