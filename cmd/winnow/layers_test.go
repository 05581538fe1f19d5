package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// layer is a part of the tree and what its packages, tests included, must not
// import: paths, or folders of them with a slash at the end.
type layer struct {
	folder    string
	forbidden []string
}

var screen = []string{"charm.land/", "github.com/charmbracelet/bubbletea", "github.com/spf13/cobra"}

// ground is what every package may import: it imports none of winnow's.
const ground = "winnow/core/rawjson"

var layers = []layer{
	{"core", append([]string{"winnow/store", "winnow/tui", "winnow/themes", "winnow/cmd/", "database/sql", "modernc.org/", "flag"}, screen...)},
	{"core/rawjson", []string{"winnow/"}},
	{"core/chat", []string{"winnow/"}},
	{"core/clean", []string{"winnow/"}},
	{"core/token", []string{"winnow/"}},
	{"core/places", []string{"winnow/"}},
	{"core/phrases", []string{"winnow/"}},
	{"core/tongue", []string{"winnow/"}},
	{"core/compress", []string{"winnow/core/export", "winnow/core/review", "winnow/core/session", "winnow/core/segment", "winnow/core/metric", "winnow/core/llm", "winnow/core/hub", "winnow/core/runs", "net"}},
	{"core/export/table", []string{"winnow/"}},
	{"core/export/onpolicy", []string{"winnow/core/export", "winnow/core/session"}},
	{"core/export/pairs", []string{"winnow/core/export", "winnow/core/review", "winnow/core/session"}},
	{"core/export/lineage", []string{"winnow/core/export", "winnow/core/session", "winnow/core/segment", "winnow/core/metric"}},
	{"core/export/shortened", []string{"winnow/core/export/onpolicy", "winnow/core/export/pairs", "winnow/core/export/table", "winnow/core/session", "winnow/core/segment", "winnow/core/metric"}},
	{"core/export/unfinished", []string{"winnow/"}},
	{"core/voice", []string{"winnow/core/segment", "winnow/core/metric", "winnow/core/session", "winnow/core/review", "winnow/core/export"}},
	{"core/inbox", []string{"winnow/core/hub", "winnow/core/review", "net/http"}},
	{"core/runs", []string{"winnow/core/hub"}},
	{"core/lease", []string{"winnow/"}},
	{"core/train/remote", []string{"winnow/core/hub", "winnow/core/runs", "winnow/core/review", "winnow/core/export", "winnow/core/session"}},
	{"core/cycle", []string{"winnow/core/hub", "winnow/core/runs", "winnow/core/review"}},
	{"core/train", []string{"winnow/core/hub", "winnow/core/runs", "winnow/core/review", "winnow/core/session"}},
	{"core/amend", []string{"winnow/core/hub", "winnow/core/runs"}},
	{"store", append([]string{"winnow/tui", "winnow/themes", "winnow/cmd/"}, screen...)},
	{"store/filtersql", []string{"winnow/store", "winnow/core/hub", "database/sql", "modernc.org/"}},
	{"store/facets", []string{"winnow/store", "winnow/core/hub", "database/sql", "modernc.org/", "github.com/"}},
	{"store/sqlite", []string{"winnow/"}},
	{"store/stamp", []string{"winnow/core/", "winnow/store/sqlite", "winnow/store/facets", "winnow/store/dbfile", "winnow/store/text", "modernc.org/"}},
	{"store/proposals", []string{"winnow/store/facets", "winnow/store/dbfile", "winnow/store/text", "winnow/core/hub", "modernc.org/"}},
	{"store/cycles", []string{"winnow/store/facets", "winnow/store/dbfile", "winnow/store/text", "winnow/core/hub", "modernc.org/"}},
	{"store/training", []string{"winnow/store/facets", "winnow/store/dbfile", "winnow/store/text", "winnow/store/filtersql", "winnow/core/hub", "modernc.org/"}},
	{"store/text", []string{"winnow/store/filtersql", "winnow/store/facets", "winnow/store/dbfile", "winnow/core/hub", "modernc.org/"}},
	{"tui", []string{"winnow/store", "winnow/core/hub", "winnow/core/runs", "winnow/cmd/", "database/sql", "modernc.org/"}},
	{"cmd/winnow/compress", []string{"winnow/store", "winnow/cmd/winnow/desk", "winnow/core/hub"}},
	{"cmd/winnow/config", []string{"winnow/core/hub", "winnow/core/runs", "winnow/store", "winnow/cmd/", "github.com/spf13/"}},
	{"cmd/winnow/cycle", []string{"winnow/themes", "winnow/core/hub", "winnow/cmd/winnow/httpd"}},
	{"cmd/winnow/desk", []string{"github.com/spf13/"}},
	{"cmd/winnow/edits", []string{"winnow/store", "winnow/tui", "winnow/cmd/", "github.com/spf13/"}},
	{"cmd/winnow/emit", []string{"winnow/themes", "winnow/core/runs"}},
	{"cmd/winnow/httpd", []string{"winnow/themes", "winnow/core/runs", "winnow/cmd/", "github.com/spf13/"}},
	{"cmd/winnow/list", []string{"winnow/themes", "winnow/core/hub", "github.com/spf13/"}},
	{"cmd/winnow/man", []string{"winnow/"}},
	{"cmd/winnow/models", []string{"winnow/store", "winnow/tui", "winnow/themes", "winnow/cmd/winnow/desk", "winnow/cmd/winnow/print", "github.com/spf13/"}},
	{"cmd/winnow/pages", []string{"winnow/themes", "github.com/spf13/"}},
	{"cmd/winnow/print", []string{"winnow/core/hub", "winnow/core/runs", "winnow/store", "winnow/themes", "winnow/cmd/", "github.com/spf13/"}},
	{"cmd/winnow/serve", []string{"winnow/store", "winnow/themes", "winnow/core/runs", "winnow/cmd/winnow/desk", "winnow/cmd/winnow/config"}},
	{"cmd/winnow/show", []string{"winnow/cmd/winnow/config", "winnow/cmd/winnow/desk", "winnow/core/hub", "github.com/spf13/"}},
	{"cmd/winnow/tell", []string{"winnow/cmd/winnow/config", "winnow/cmd/winnow/desk", "github.com/spf13/"}},
	{"cmd/winnow/training", []string{"winnow/store", "winnow/themes", "winnow/core/runs", "winnow/core/hub"}},
	{"themes", []string{"winnow/core/", "winnow/store", "winnow/tui", "winnow/cmd/", "database/sql"}},
	{"testdata", []string{"winnow/tui", "winnow/themes"}},
}

// importers are the only folders that may import what is behind them.
var importers = map[string]string{
	"core/llm": "github.com/sashabaranov/go-openai", "core/export/table": "github.com/parquet-go/parquet-go",
}

// TestImporters checks that a library has one importer.
func TestImporters(t *testing.T) {
	imports := projectImports(t)
	for folder, library := range importers {
		found := false
		for dir, paths := range imports {
			for _, p := range paths {
				switch {
				case !forbids([]string{library}, p):
				case dir == folder:
					found = true
				default:
					t.Errorf("%s imports %s, which only %s may", dir, p, folder)
				}
			}
		}
		if !found {
			t.Errorf("%s does not import %s", folder, library)
		}
	}
}

// TestLayers checks the law of the layers: cmd → tui, core/hub, core/runs, store → core.
func TestLayers(t *testing.T) {
	imports := projectImports(t)
	if len(imports) < 10 {
		t.Fatalf("found only %d packages", len(imports))
	}
	for _, l := range layers {
		for dir, paths := range imports {
			if dir != l.folder && !strings.HasPrefix(dir, l.folder+"/") {
				continue
			}
			for _, p := range paths {
				if bad := forbids(l.forbidden, p) && p != ground; bad && !strings.HasPrefix(p, "winnow/"+dir+"/") && p != "winnow/"+dir {
					t.Errorf("%s imports %s, which %s must not", dir, p, l.folder)
				}
			}
		}
	}
}

// TestRooms checks the law of the screens: they import neither each other nor the
// program, and what they are made of imports neither of them.
func TestRooms(t *testing.T) {
	const screens = "winnow/tui/screens/"
	rooms := 0
	for dir, paths := range projectImports(t) {
		own, room := strings.CutPrefix("winnow/"+dir+"/", screens)
		own, _, _ = strings.Cut(own, "/")
		part := strings.HasPrefix(dir, "tui/") && !room
		if room {
			rooms++
		}
		for _, p := range paths {
			other, screen := strings.CutPrefix(p+"/", screens)
			other, _, _ = strings.Cut(other, "/")
			if (room || part) && p == "winnow/tui" || room && screen && other != own || part && screen {
				t.Errorf("%s imports %s", dir, p)
			}
		}
	}
	if rooms == 0 {
		t.Error("no screen found")
	}
}

// roomLines is how many lines the files of a package of tui, cmd or store may have,
// tests left out: what has more is two rooms.
const roomLines = 6000

// ownLines are the limits of packages that have one of their own.
var ownLines = map[string]int{"store": 18000, "store/filtersql": 400, "store/text": 1200, "store/proposals": 800, "store/cycles": 400, "store/training": 600}

// TestRoomsAreSmall checks the size of the packages of tui, cmd and store.
func TestRoomsAreSmall(t *testing.T) {
	lines := map[string]int{}
	for _, part := range []string{"cmd", "store", "tui"} {
		err := filepath.WalkDir(filepath.Join("..", "..", part), func(name string, _ fs.DirEntry, err error) error {
			if err != nil || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			src, err := os.ReadFile(name)
			if dir, relErr := filepath.Rel(filepath.Join("..", ".."), filepath.Dir(name)); relErr == nil {
				lines[filepath.ToSlash(dir)] += strings.Count(string(src), "\n")
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if lines["tui"] == 0 || lines["cmd/winnow"] == 0 {
		t.Fatalf("counted %v", lines)
	}
	for dir, n := range lines {
		if most := cmp.Or(ownLines[dir], roomLines); n > most {
			t.Errorf("%s has %d lines: %d are the most", dir, n, most)
		}
	}
}

// rootFields is how many fields the program's struct may have at most.
const rootFields = 30

// TestTheRootIsSmall checks that what is of a screen does not become a field of the
// program.
func TestTheRootIsSmall(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, filepath.Join("..", "..", "tui", "app.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == "App" {
			for _, f := range spec.Type.(*ast.StructType).Fields.List {
				fields += max(1, len(f.Names))
			}
		}
		return true
	})
	if fields == 0 || fields > rootFields {
		t.Errorf("the struct App has %d fields: %d are the most", fields, rootFields)
	}
}

// TestTheDriverHasOnePlace checks that nothing but store/sqlite, tests apart, knows the
// driver and its settings.
func TestTheDriverHasOnePlace(t *testing.T) {
	root, there := filepath.Join("..", ".."), 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		src, err := os.ReadFile(name)
		for _, known := range []string{`"modernc.org/`, "PRAGMA"} {
			switch {
			case !strings.Contains(string(src), known):
			case filepath.Dir(name) == filepath.Join(root, "store", "sqlite"):
				there++
			default:
				t.Errorf("%s has %s, which is a matter of store/sqlite", name, known)
			}
		}
		return err
	})
	if err != nil || there == 0 {
		t.Errorf("%d found, %v", there, err)
	}
}

// TestRowsAreAskedForErrors checks that whoever reads rows in a loop asks after it
// whether all were read.
func TestRowsAreAskedForErrors(t *testing.T) {
	loops := 0
	err := filepath.WalkDir(filepath.Join("..", "..", "store"), func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".go" {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			asked := map[string]bool{}
			var ranged []*ast.SelectorExpr
			ast.Inspect(decl, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.RangeStmt:
					if call, ok := n.X.(*ast.CallExpr); ok {
						if of, ok := call.Fun.(*ast.SelectorExpr); ok && of.Sel.Name == "Into" {
							ranged = append(ranged, of)
						}
					}
				case *ast.SelectorExpr:
					if of, ok := n.X.(*ast.Ident); ok && (n.Sel.Name == "Err" || n.Sel.Name == "err") {
						asked[of.Name] = true
					}
				}
				return true
			})
			for _, of := range ranged {
				loops++
				if rows, ok := of.X.(*ast.Ident); !ok || !asked[rows.Name] {
					t.Errorf("%s: nobody asks why the rows ended", fset.Position(of.Pos()))
				}
			}
		}
		return nil
	})
	if err != nil || loops == 0 {
		t.Errorf("%d loops, %v", loops, err)
	}
}

// TestForbids makes sure that the law can be broken.
func TestForbids(t *testing.T) {
	for p, want := range map[string]bool{
		"winnow/store": true, "winnow/store/x": true, "winnow/storefront": false,
		"charm.land/lipgloss/v2": true, "database/sql": true, "database/sql/driver": true, "fmt": false,
	} {
		if got := forbids(layers[0].forbidden, p); got != want {
			t.Errorf("forbids(%q) = %v", p, got)
		}
	}
}

func forbids(forbidden []string, p string) bool {
	for _, f := range forbidden {
		if p == f || strings.HasPrefix(p, strings.TrimSuffix(f, "/")+"/") {
			return true
		}
	}
	return false
}

// projectImports returns the imports of every package by folder, for all
// systems, tests included.
func projectImports(t *testing.T) map[string][]string {
	root := filepath.Join("..", "..")
	imports := map[string][]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != root {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(d.Name()) != ".go" {
			return nil
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports[filepath.ToSlash(dir)] = append(imports[filepath.ToSlash(dir)], p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}
