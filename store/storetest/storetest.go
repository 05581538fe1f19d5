// Package storetest has a database without a row, and the plans of statements on it,
// for the tests of the packages that ask it.
package storetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/store/sqlite"
)

// Empty returns a database with all tables and no row. The package that calls it lies
// beside the folder of migrations and has a table of its own.
func Empty(t testing.TB, table string) *sqlite.DB {
	t.Helper()
	steps, err := sqlite.ReadSteps(os.DirFS(".."), "migrations")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.New(filepath.Join(t.TempDir(), "w.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.SetUp(t.Context(), &sqlite.Schema{ID: 1, Tables: []string{table}, Steps: steps}, func(string) {}); err != nil {
		t.Fatal(err)
	}
	return db
}

// Plan is how a statement is carried out, step by step.
func Plan(t testing.TB, db *sqlite.DB, text string, args ...any) []string {
	t.Helper()
	var id, parent, unused int
	steps, err := sqlite.List(db.Once(t.Context(), "EXPLAIN QUERY PLAN "+text, args...), func(step *string) []any { return []any{&id, &parent, &unused, step} })
	if err != nil {
		t.Fatal(text, err)
	}
	return steps
}

// Scans reports whether a step of a plan looks through a table, perhaps to make an index
// that is missing. Lists that are given to a statement, and constants, are none.
func Scans(step string) bool {
	return strings.HasPrefix(step, "SCAN") && !strings.Contains(step, "VIRTUAL TABLE") && !strings.HasPrefix(step, "SCAN CONSTANT") || strings.Contains(step, "AUTOMATIC")
}
