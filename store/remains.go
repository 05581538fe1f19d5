package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"winnow/store/dbfile"
	"winnow/store/sqlite"
)

// remains is what can be read of a damaged database, page by page and without
// SQLite. The file is never written to.
type remains struct {
	path    string
	file    *dbfile.File
	version int // of its schema
	shapes  map[string]*shape
	roots   map[string]uint32 // where tables and indexes begin
	blind   bool              // part of the schema can't be read
	loss    map[string]dbfile.Loss
	read    map[string]int // rows, by table or index
}

// openRemains opens the database at path for reading what is left of it.
func openRemains(ctx context.Context, path string, steps []sqlite.Step) (*remains, error) {
	file, err := dbfile.Open(path, sqlite.PageSize)
	if errors.Is(err, dbfile.ErrNoDatabase) {
		return nil, fmt.Errorf("%s is %w: it is empty", path, ErrForeign)
	}
	if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", path, err)
	}
	r := &remains{path: path, file: file, loss: map[string]dbfile.Loss{}, read: map[string]int{}}
	if err := r.schema(ctx, steps); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return r, nil
}

func (r *remains) close() error { return r.file.Close() }

// schema finds out which version of our schema the file has, and where its
// tables begin.
func (r *remains) schema(ctx context.Context, steps []sqlite.Step) error {
	list, loss, err := r.file.Schema()
	if err != nil {
		return err
	}
	found, foreign := map[string]uint32{}, false
	versions, err := schemaNames(ctx, steps)
	if err != nil {
		return err
	}
	newest := versions[len(steps)]
	if loss.Any() || len(list) == 0 {
		more, err := r.strayObjects(ctx, newest)
		if err != nil {
			return err
		}
		list = append(list, more...)
	}
	for _, o := range list {
		found[o.Name] = o.Root
		foreign = foreign || !newest[o.Name] && !loss.Any()
	}
	ours := slices.ContainsFunc(list, func(o dbfile.Object) bool { return newest[o.Name] && o.Table != "sqlite_sequence" })
	switch {
	case !ours && len(list) > 0 && !loss.Any():
		return fmt.Errorf("%s is %w: it has other tables", r.path, ErrForeign)
	case ours && foreign && r.file.Version > len(steps):
		return fmt.Errorf("%w: %s has schema %d, this winnow knows %d: use a newer winnow", ErrNewer, r.path, r.file.Version, len(steps))
	}
	r.version = bestVersion(versions, found, r.file.Version)
	if r.version != r.file.Version {
		r.file.Problems = append(r.file.Problems, fmt.Sprintf("its header says schema %d, its tables are those of schema %d", r.file.Version, r.version))
	}
	if r.shapes, err = shapesOf(ctx, steps[:r.version]); err != nil {
		return err
	}
	r.roots = map[string]uint32{}
	taken := map[uint32]bool{}
	for name := range r.shapes {
		if root := found[name]; root > 1 && int64(root) <= int64(r.file.Pages()) && !taken[root] {
			r.roots[name], taken[root] = root, true
		}
	}
	for name, s := range r.shapes {
		if r.roots[name] == 0 {
			r.blind = true
			if !taken[s.root] {
				r.roots[name] = s.root
			}
		}
	}
	r.loss[schemaTable] = loss
	return nil
}

// strayObjects looks for lines of the schema on all pages.
func (r *remains) strayObjects(ctx context.Context, known map[string]bool) (list []dbfile.Object, err error) {
	err = r.file.Strays(ctx, func(index bool, rows []dbfile.Row) error {
		for _, row := range rows {
			if o := dbfile.ObjectOf(row.Values); o != nil && !index && known[o.Name] {
				list = append(list, *o)
			}
		}
		return nil
	})
	return list, err
}

// schemaTable stands for the table of the schema where tables are named.
const schemaTable = "sqlite_schema"

// bestVersion returns the version that most of the names found are of, of several
// the one that the header says, else the newest.
func bestVersion(versions []map[string]bool, found map[string]uint32, said int) int {
	best, most := len(versions)-1, -1
	for v := len(versions) - 1; v > 0; v-- {
		like := 0
		for name := range versions[v] {
			if _, ok := found[name]; ok {
				like++
			}
		}
		if like > most || like == most && v == said {
			best, most = v, like
		}
	}
	return best
}

// rows calls f for the rows of a table, or the entries of an index, that can be
// read.
func (r *remains) rows(ctx context.Context, name string, f func(dbfile.Row) error) error {
	s := r.shapes[name]
	if s == nil || r.roots[name] == 0 {
		return nil
	}
	r.read[name] = 0 // an index may be asked twice
	loss, err := r.file.Walk(dbfile.Tree{Root: r.roots[name], Index: s.index, Fits: s.fits}, func(row dbfile.Row) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.read[name]++
		return f(row)
	})
	r.loss[name] = loss
	return err
}

// look walks through all that no rows were asked of, so that its pages are not
// taken for lost ones and what is damaged is known.
func (r *remains) look(ctx context.Context) error {
	for _, name := range slices.Sorted(maps.Keys(r.shapes)) {
		if _, done := r.loss[name]; done {
			continue
		}
		if err := r.rows(ctx, name, func(dbfile.Row) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// damaged reports whether anything of a table is lost, or may be.
func (r *remains) damaged(name string) bool {
	loss := r.loss[name]
	return loss.Any() || r.blind
}

// strays calls f with rows on pages that nothing leads to any more, and the
// table that they are of.
func (r *remains) strays(ctx context.Context, tables []string, f func(table string, row dbfile.Row) error) error {
	return r.file.Strays(ctx, func(index bool, rows []dbfile.Row) error {
		for _, row := range rows {
			for _, name := range tables {
				if s := r.shapes[name]; s != nil && s.index == index && s.alike(row.Values) {
					r.read[name]++
					if err := f(name, row); err != nil {
						return err
					}
					break
				}
			}
		}
		return nil
	})
}

// alike reports whether a row without a place is most likely one of this table.
func (s *shape) alike(v []any) bool {
	const added = 8 // columns that older rows do not have, at most
	return s.fits(v) && len(v) >= len(s.columns)-added && len(v) > 2
}

// expected is how many rows a table should have, as far as an index of all its
// rows tells; -1 if none does.
func (r *remains) expected(table string) int {
	most := -1
	for name, s := range r.shapes {
		if s.table == table && s.name != table && !s.partial {
			if loss := r.loss[name]; !loss.Any() {
				most = max(most, r.read[name])
			}
		}
	}
	return most
}
