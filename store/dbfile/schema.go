package dbfile

import "context"

// Object is a line of the schema: a table, an index or a trigger.
type Object struct {
	Type, Name, Table string
	Root              uint32 // 0: it has no tree
}

// schemaRoot is where the table of the schema begins.
const schemaRoot = 1

// Schema returns what can be read of the schema.
func (f *File) Schema() ([]Object, Loss, error) {
	var list []Object
	tree := Tree{Root: schemaRoot, Fits: func(v []any) bool { return ObjectOf(v) != nil }}
	loss, err := f.Walk(tree, func(r Row) error {
		list = append(list, *ObjectOf(r.Values))
		return nil
	})
	return list, loss, err
}

// ObjectOf returns the line of the schema that values are, nil if they are none.
func ObjectOf(v []any) *Object {
	if len(v) != 5 {
		return nil
	}
	var o Object
	var ok [4]bool
	o.Type, ok[0] = v[0].(string)
	o.Name, ok[1] = v[1].(string)
	o.Table, ok[2] = v[2].(string)
	root, isInt := v[3].(int64)
	o.Root, ok[3] = uint32(root), isInt && root >= 0 && root < 1<<32
	if ok != [4]bool{true, true, true, true} {
		return nil
	}
	return &o
}

// Strays calls yield with the rows of each last page of a table, or of an index,
// that belongs to nothing that was walked through and is not free: what led there
// is damaged.
func (f *File) Strays(ctx context.Context, yield func(index bool, rows []Row) error) error {
	for n := uint32(2); n <= f.pages; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if f.used[n] || f.free[n] {
			continue
		}
		b, err := f.Page(n)
		if err != nil || b[0] != tableLeaf && b[0] != indexLeaf && b[0] != indexInner {
			continue
		}
		tree := &Tree{Index: b[0] != tableLeaf, Fits: func(v []any) bool { return len(v) > 0 }}
		p := newPage(f, n, b, tree)
		cells, _ := p.cells()
		var rows []Row
		for i := range cells {
			if row, err := p.read(&cells[i], true); err == nil {
				rows = append(rows, row)
			}
		}
		if err := yield(tree.Index, rows); err != nil {
			return err
		}
	}
	return nil
}
