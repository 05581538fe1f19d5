package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"winnow/store/dbfile"
)

// Diagnosis is what a damaged database still has.
type Diagnosis struct {
	Damage  []string       // what is wrong with the file as a whole
	Tables  []RescuedTable // what can be read of each table
	Indexes []string       // that are damaged, or have other rows than their table
}

// Damaged reports whether anything is wrong.
func (d *Diagnosis) Damaged() bool {
	return len(d.Damage)+len(d.Indexes) > 0 || slices.ContainsFunc(d.Tables, func(t RescuedTable) bool { return t.Pages > 0 || t.Lost > 0 })
}

// Diagnose looks at a database page by page, whatever is damaged in it. Nothing
// is written.
func Diagnose(ctx context.Context, path string) (*Diagnosis, error) {
	d, err := diagnose(ctx, path)
	if err != nil {
		s := &Store{path: path}
		return nil, s.fail("look at the pages", err)
	}
	return d, nil
}

func diagnose(ctx context.Context, path string) (*Diagnosis, error) {
	steps, err := readSteps()
	if err != nil {
		return nil, err
	}
	r, err := openRemains(ctx, path, steps)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.look(ctx); err != nil {
		return nil, err
	}
	return r.diagnosis(), nil
}

func (r *remains) diagnosis() *Diagnosis {
	d := &Diagnosis{Damage: r.file.Problems}
	if loss := r.loss[schemaTable]; loss.Any() || r.blind {
		d.Damage = append(d.Damage, "the list of its tables can't be read whole")
	}
	for _, name := range rescued {
		if r.shapes[name] == nil {
			continue
		}
		loss := r.loss[name]
		t := RescuedTable{Table: name, Rows: r.read[name], Of: r.expected(name), Pages: len(loss.Pages)}
		t.Lost = max(loss.Rows, t.Of-t.Rows, 0)
		if t.Of < t.Rows {
			t.Of = -1
			if t.Pages == 0 && loss.Rows == 0 && !r.blind {
				t.Of = t.Rows
			}
		}
		d.Tables = append(d.Tables, t)
	}
	for _, s := range slices.SortedFunc(maps.Values(r.shapes), func(a, b *shape) int { return cmp.Compare(a.name, b.name) }) {
		loss, of := r.loss[s.name], r.loss[s.table]
		wrong := loss.Any() || s.name != s.table && !s.partial && !of.Any() && r.read[s.name] != r.read[s.table]
		if wrong && (s.name != s.table || !slices.Contains(rescued, s.name)) {
			d.Indexes = append(d.Indexes, s.name)
		}
	}
	return d
}

// PlainNames are the tables that are rescued as people call them.
var PlainNames = map[string]string{
	"task_segments": "segments", "trajectory_records": "sessions", "sources": "sources", "journal": "journal entries",
	"journal_changes": "changes in the journal", "journal_recuts": "cuts in the journal", "rechecks": "rechecks", "bodies": "lists of messages",
	"import_issues": "lines in the ledger", "copies": "copies", "raws": "joined files", "pieces": "parts of joined files", "exports": "exports", "export_files": "files of exports",
	"screens": "states of screens", "chunks": "blocks of messages", "messages": "messages in the index", "starts": "starts of sub-agents", "contexts": "compactions",
	"progress": "marks of imports", "seen": "marks of what was seen",
}

// lookFor is how long a command that met damage looks for what is damaged.
const lookFor = 2 * time.Second

// whatIsDamaged says for one line what of the database can't be read.
func (s *Store) whatIsDamaged() string {
	ctx, cancel := context.WithTimeout(context.Background(), lookFor)
	defer cancel()
	const some = "a part of it can't be read"
	d, err := diagnose(ctx, s.path)
	if err != nil {
		return some
	}
	var parts []string
	for _, t := range d.Tables {
		if t.Pages > 0 || t.Lost > 0 {
			text := fmt.Sprintf("%d %s can be read", t.Rows, PlainNames[t.Table])
			if t.Of >= 0 {
				text = fmt.Sprintf("%d of %d %s can be read", t.Rows, t.Of, PlainNames[t.Table])
			}
			parts = append(parts, text)
		}
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, ", ") + ", all else can"
	case len(d.Damage) > 0:
		return strings.Join(d.Damage, ", ") + "; all rows can be read"
	case len(d.Indexes) > 0:
		return "all rows can be read, but not the indexes " + strings.Join(d.Indexes, ", ")
	}
	return some
}

// telling are the tables whose rows nothing else looks like.
var telling = []string{"task_segments", "trajectory_records", "sources", "journal_changes"}

// holdsTables reports whether a file that SQLite does not take for a database
// has our tables in it, or rows of them.
func holdsTables(path string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), lookFor)
	defer cancel()
	steps, err := readSteps()
	if err != nil {
		return false
	}
	r, err := openRemains(ctx, path, steps)
	if err != nil {
		return false
	}
	defer r.close()
	if list, _, err := r.file.Schema(); err == nil && slices.ContainsFunc(list, func(o dbfile.Object) bool { return slices.Contains(telling, o.Name) }) {
		return true
	}
	found := errors.New("found")
	err = r.strays(ctx, telling, func(string, dbfile.Row) error { return found })
	return errors.Is(err, found)
}
