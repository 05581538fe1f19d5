package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"winnow/store/sqlite"
)

// shape is how a table or an index is kept in the file, as our migrations make
// it: so that its rows can be read, and told from others, without the schema of
// a damaged file.
type shape struct {
	name, table string
	root        uint32 // in a database that was made in one go
	index       bool   // it is kept as an index
	partial     bool   // it is an index of some rows only
	rowid       int    // the place of the column that is the row's number, -1: none
	columns     []shapeColumn
}

type shapeColumn struct {
	name     string
	kind     valueKind
	nullable bool
}

// valueKind is what values a column holds.
type valueKind int

const (
	anyValue valueKind = iota
	intValue
	realValue
	textValue
	blobValue
)

// kindOf returns what a column of a declared type holds. Times are texts.
func kindOf(declared string) valueKind {
	switch declared = strings.ToUpper(declared); {
	case strings.Contains(declared, "INT"):
		return intValue
	case declared == "TEXT", declared == "TIMESTAMP":
		return textValue
	case declared == "REAL":
		return realValue
	case declared == "BLOB":
		return blobValue
	}
	return anyValue
}

func (c *shapeColumn) holds(v any) bool {
	ok := false
	switch v.(type) {
	case nil:
		return c.nullable
	case int64:
		ok = c.kind == intValue || c.kind == realValue
	case float64:
		ok = c.kind == realValue
	case string:
		ok = c.kind == textValue
	case []byte:
		ok = c.kind == blobValue
	}
	return ok || c.kind == anyValue
}

// fits reports whether values may be a row. Rows that are older than a column
// end before it.
func (s *shape) fits(v []any) bool {
	if len(v) > len(s.columns) || len(v) < (len(s.columns)+1)/2 {
		return false
	}
	for i := range v {
		if !s.columns[i].holds(v[i]) {
			return false
		}
	}
	return true
}

// at returns the place of a column, -1 if there is none.
func (s *shape) at(column string) int {
	for i := range s.columns {
		if s.columns[i].name == column {
			return i
		}
	}
	return -1
}

// schemaNames are the names of all that each version of the schema has, by
// version; 0 has nothing.
func schemaNames(ctx context.Context, steps []sqlite.Step) ([]map[string]bool, error) {
	all := []map[string]bool{{}}
	err := emptySchema(ctx, steps, func(conn *sql.Conn) error {
		list, err := sqlite.Column[string](sqlite.On(ctx, conn, "SELECT name FROM sqlite_schema"))
		names := map[string]bool{}
		for _, name := range list {
			names[name] = true
		}
		all = append(all, names)
		return err
	})
	return all, err
}

// shapesOf returns the shapes of a schema by name.
func shapesOf(ctx context.Context, steps []sqlite.Step) (map[string]*shape, error) {
	all := map[string]*shape{}
	version := 0
	err := emptySchema(ctx, steps, func(conn *sql.Conn) error {
		if version++; version < len(steps) {
			return nil
		}
		list, err := sqlite.List(sqlite.On(ctx, conn, "SELECT type = 'index', name, tbl_name, rootpage, -1 FROM sqlite_schema WHERE rootpage > 0"), func(s *shape) []any {
			return []any{&s.index, &s.name, &s.table, &s.root, &s.rowid}
		})
		for i := range list {
			all[list[i].name] = &list[i]
		}
		for _, s := range all {
			if err == nil && !s.index {
				err = s.tableColumns(ctx, conn)
			}
		}
		for _, s := range all {
			if err == nil && s.name != s.table {
				err = s.indexColumns(ctx, conn, all[s.table])
			}
		}
		return err
	})
	return all, err
}

// emptySchema makes a database in memory and calls f after each migration.
func emptySchema(ctx context.Context, steps []sqlite.Step, f func(*sql.Conn) error) error {
	pool, err := sqlite.Memory()
	if err != nil {
		return err
	}
	conn, err := pool.DB.Conn(ctx)
	if err != nil {
		return errors.Join(err, pool.Close())
	}
	for i := 0; i < len(steps) && err == nil; i++ {
		if _, err = conn.ExecContext(ctx, steps[i].Text); err == nil {
			err = f(conn)
		}
	}
	return errors.Join(err, conn.Close(), pool.Close())
}

// tableColumns reads the columns of a table in the order of its rows: those of
// one without numbers begin with the primary key.
func (s *shape) tableColumns(ctx context.Context, conn *sql.Conn) error {
	if err := sqlite.On(ctx, conn, "SELECT wr FROM pragma_table_list WHERE name = ?", s.name).One(&s.index); err != nil {
		return err
	}
	order := "cid"
	if s.index {
		order = "iif(pk > 0, pk, 1000 + cid)"
	}
	var c shapeColumn
	var declared string
	var notNull bool
	var key int
	rows := sqlite.On(ctx, conn, `SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY `+order, s.name)
	for range rows.Into(&c.name, &declared, &notNull, &key) {
		c.kind = kindOf(declared)
		c.nullable = !notNull && !(s.index && key > 0)
		if declared == "INTEGER" && key == 1 && !s.index {
			s.rowid, c.nullable = len(s.columns), true
		}
		s.columns = append(s.columns, c)
	}
	return rows.Err()
}

// indexColumns reads the columns of an index, which ends with the number of the
// row.
func (s *shape) indexColumns(ctx context.Context, conn *sql.Conn, table *shape) error {
	s.index = true
	if err := sqlite.On(ctx, conn, "SELECT partial FROM pragma_index_list(?) WHERE name = ?", s.table, s.name).One(&s.partial); err != nil {
		return err
	}
	var cid int
	var name string
	rows := sqlite.On(ctx, conn, "SELECT cid, coalesce(name, '') FROM pragma_index_xinfo(?) ORDER BY seqno", s.name)
	for range rows.Into(&cid, &name) {
		c := shapeColumn{name: name, kind: anyValue, nullable: true}
		if cid == -1 {
			c = shapeColumn{name: "rowid", kind: intValue}
		} else if i := table.at(name); i >= 0 {
			c = table.columns[i]
		}
		s.columns = append(s.columns, c)
	}
	return rows.Err()
}
