package dbfile

import (
	"bytes"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

const pageSize = 16 << 10

// written makes a database of some rows, long ones among them, and returns its
// path. With keep the newest rows are in the log.
func written(t *testing.T, keep bool) (path string, rows int) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	do := func(text string, args ...any) {
		t.Helper()
		if _, err := db.Exec(text, args...); err != nil {
			t.Fatal(err)
		}
	}
	do("PRAGMA page_size = 16384")
	do("PRAGMA journal_mode = WAL")
	do("PRAGMA wal_autocheckpoint = 0")
	do("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b BLOB, c REAL, d INTEGER)")
	do("CREATE INDEX t_a ON t (a)")
	do("CREATE TABLE w (a TEXT, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID")
	r := rand.New(rand.NewPCG(1, 2))
	add := func(n int) {
		do("BEGIN")
		for range n {
			rows++
			do("INSERT INTO t VALUES (?, ?, ?, ?, ?)", rows, fmt.Sprint("row ", rows), make([]byte, r.IntN(30)*r.IntN(700)), float64(rows)/3, int64(rows)<<(rows%40))
			do("INSERT INTO w VALUES (?, ?)", strings.Repeat("w", r.IntN(900)), rows)
		}
		do("COMMIT")
	}
	add(500)
	do("DELETE FROM t WHERE id % 7 = 0")
	do("PRAGMA wal_checkpoint(TRUNCATE)")
	if keep {
		add(200)
		for _, end := range []string{"", "-wal"} {
			b, err := os.ReadFile(path + end)
			if err == nil {
				err = os.WriteFile(path+".copy"+end, b, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		path += ".copy"
	}
	return path, rows - 71
}

func always([]any) bool { return true }

// read returns all rows of all tables and indexes as text.
func read(t *testing.T, path string) (all map[string][]string, lost bool, f *File) {
	t.Helper()
	f, err := Open(path, pageSize)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	list, loss, err := f.Schema()
	if err != nil {
		t.Fatal(err)
	}
	all, lost = map[string][]string{}, loss.Any()
	for _, o := range list {
		loss, err := f.Walk(Tree{Root: o.Root, Index: o.Type == "index" || o.Name == "w", Fits: always}, func(r Row) error {
			text := fmt.Sprint(r.ID)
			for _, v := range r.Values {
				if b, ok := v.([]byte); ok {
					v = len(b)
				}
				text += fmt.Sprint("|", v)
			}
			all[o.Name] = append(all[o.Name], text)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		lost = lost || loss.Any()
	}
	return all, lost, f
}

// What is read page by page is what SQLite reads.
func TestRowsAreThoseOfSQLite(t *testing.T) {
	for _, keep := range []bool{false, true} {
		path, rows := written(t, keep)
		all, lost, f := read(t, path)
		if lost || len(f.Problems) > 0 || len(all["t"]) != rows || len(all["t_a"]) != rows {
			t.Fatalf("log %v: %d rows and %d entries of %d, lost %v, %q", keep, len(all["t"]), len(all["t_a"]), rows, lost, f.Problems)
		}
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for table, text := range map[string]string{
			"t": "SELECT id, null, a, length(b), c, d FROM t ORDER BY id",
			"w": "SELECT 0, a, b FROM w ORDER BY a, b",
		} {
			found, err := db.Query(text)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for found.Next() {
				columns, _ := found.Columns()
				values := make([]any, len(columns))
				dest := make([]any, len(columns))
				for i := range dest {
					dest[i] = &values[i]
				}
				if err := found.Scan(dest...); err != nil {
					t.Fatal(err)
				}
				line := fmt.Sprintln(values...)
				want = append(want, line)
			}
			found.Close()
			var got []string
			for _, line := range all[table] {
				got = append(got, strings.ReplaceAll(line, "|", " ")+"\n")
			}
			if !slices.Equal(got, want) {
				t.Errorf("log %v: the rows of %s differ", keep, table)
			}
		}
	}
}

// A flipped bit anywhere costs the rows of a page at most; pages that nothing
// leads to any more are found.
func TestAFlippedBitCostsAPageAtMost(t *testing.T) {
	path, rows := written(t, true)
	sound := map[string][]byte{}
	for _, end := range []string{"", "-wal"} {
		b, err := os.ReadFile(path + end)
		if err != nil {
			t.Fatal(err)
		}
		sound[end] = b
	}
	const perPage = pageSize / 8
	r := rand.New(rand.NewPCG(3, 4))
	whole := 0
	const runs = 100
	for range runs {
		end := []string{"", "-wal"}[r.IntN(2)]
		at := r.IntN(len(sound[end]))
		if r.IntN(2) == 0 { // the first bytes of pages are what all hangs on
			at = at / pageSize * pageSize
			if end != "" {
				at += 32 + 24
			}
			at = min(at+r.IntN(120), len(sound[end])-1)
		}
		b := bytes.Clone(sound[end])
		b[at] ^= 1 << r.IntN(8)
		if err := os.WriteFile(path+end, b, 0o600); err != nil {
			t.Fatal(err)
		}
		all, _, f := read(t, path)
		n := len(all["t"])
		err := f.Strays(t.Context(), func(index bool, found []Row) error {
			if !index && len(found) > 0 && len(found[0].Values) == 5 {
				n += len(found)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if n >= rows {
			whole++
		} else if n < rows-perPage {
			t.Errorf("%d rows of %d after a flip at %d of %q", n, rows, at, end)
		}
		if err := os.WriteFile(path+end, sound[end], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("all rows came out %d times of %d", whole, runs)
	if whole < runs*8/10 {
		t.Errorf("all rows came out %d times of %d", whole, runs)
	}
}

// Whatever a file holds, it is read to its end.
func FuzzOpen(f *testing.F) {
	f.Add([]byte("SQLite format 3\x00"), []byte(nil))
	f.Add(bytes.Repeat([]byte{tableLeaf}, 3*pageSize), bytes.Repeat([]byte{1}, 2*pageSize))
	f.Add(bytes.Repeat([]byte{tableInner, 0, 0, 0, 9}, pageSize), []byte(nil))
	f.Fuzz(func(t *testing.T, db, log []byte) {
		path := filepath.Join(t.TempDir(), "a.db")
		if os.WriteFile(path, db, 0o600) != nil || os.WriteFile(path+"-wal", log, 0o600) != nil {
			t.Skip("can't write")
		}
		file, err := Open(path, pageSize)
		if err != nil {
			return
		}
		defer file.Close()
		nothing := func(Row) error { return nil }
		if _, _, err := file.Schema(); err != nil {
			t.Fatal(err)
		}
		for n := range uint32(file.Pages() + 2) {
			for _, index := range []bool{false, true} {
				if _, err := file.Walk(Tree{Root: n, Index: index, Fits: always}, nothing); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := file.Strays(t.Context(), func(bool, []Row) error { return nil }); err != nil {
			t.Fatal(err)
		}
	})
}
