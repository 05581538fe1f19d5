package reader

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/rawjson"
)

const flights = `{"status":"ok","flights":[{"id":"HAT001","from":"SFO","seats":12,"price":199.5},` +
	`{"id":"HAT002","from":"東京","seats":3,"price":99,"note":"late"},{"id":"HAT003","from":"EWR","seats":120,"price":7}]}`

// unfoldedResult shows what a tool answered, unfolded, and returns its rows
// without the bar of the current message.
func unfoldedResult(t testing.TB, text string, w int) (*pane, string) {
	t.Helper()
	p := open(t, storeOf(result("api", text)), w, 40)
	p.do(p.ToggleAllFolds())
	return p, strings.ReplaceAll("\n"+p.screen(), "\n▌", "\n ")
}

func TestResultsInJSONAreLaidOut(t *testing.T) {
	long := strings.Repeat("word ", 20)
	for name, c := range map[string]struct{ text, want string }{
		"object": {
			`{"a":1,"b":["x","y"],"text":"` + long + `"}`,
			"\n     {\n       \"a\": 1,\n       \"b\": [\"x\", \"y\"],\n       \"text\": \"word ",
		},
		"in a string": {
			`{"a":1,"call":{"arguments":"{\"path\":\"a.go\",\"why\":\"` + long + `\"}"}}`,
			"\n       \"call\": {\n         \"arguments\": \"{\n           \"path\": \"a.go\",\n           \"why\": \"word ",
		},
		"as the text of a field": {
			`{"a":1,"arguments":"{\"path\":\"a.go\",\"why\":\"` + long + `\"}"}`,
			"\n     arguments:\n     {\n       \"path\": \"a.go\",\n       \"why\": \"word ",
		},
		"in a text": {
			"Answer 200:\n" + `{"path":"a.go","why":"` + long + `"}` + "\nDone.",
			"\n     Answer 200:\n     {\n       \"path\": \"a.go\",\n       \"why\": \"word ",
		},
		"behind words": {
			`data: {"path":"a.go","why":"` + long + `"}`,
			"\n     data:\n     {\n       \"path\": \"a.go\",",
		},
		"in a text of an object": {
			`{"output":"one\n{\"path\":\"a.go\",\"why\":\"` + long + `\"}\ntwo"}`,
			"\n     output:\n     one\n     {\n       \"path\": \"a.go\",",
		},
		"no JSON":    {"[INFO] {not\n[1, 2\n{\"a\": 1} and words\nend", "\n     [INFO] {not\n     [1, 2\n     {\"a\": 1} and words\n     end"},
		"little":     {`{"a":1,"b":{"c":2}}`, "\n     {\n       \"a\": 1,\n       \"b\": {\"c\": 2}\n     }"},
		"two values": {`{"a":1}` + "\n" + `{"b":2}`, "\n     {\"a\": 1}\n     {\"b\": 2}"},
	} {
		t.Run(name, func(t *testing.T) {
			p, got := unfoldedResult(t, c.text, 100)
			if !strings.Contains(got, c.want) {
				t.Fatalf("want%s\ngot%s", c.want, got)
			}
			if strings.Contains(c.text, "path") {
				if view := p.View(p.w, p.h); !strings.Contains(view, p.inks.code.On(`"path"`)) {
					t.Errorf("no colours:\n%q", view)
				}
			}
		})
	}
}

func TestListsOfObjectsAreTables(t *testing.T) {
	p, got := unfoldedResult(t, flights, 60)
	want := `
     {
       "status": "ok",
       "flights": [
         id      from  seats  price  note
         ──────  ────  ─────  ─────  ────
         HAT001  SFO      12  199.5
         HAT002  東京      3     99  late
         HAT003  EWR     120      7
       ]
     }
`
	if !strings.Contains(got, want) {
		t.Fatalf("want%s\ngot%s", want, got)
	}
	p.do(p.ToggleDetail()) // as recorded, but laid out
	p.want(`"id": "HAT001",`)
	p.do(p.ToggleDetail())
	p.do(p.ToggleAllFolds())
	p.do(p.Find("HAT002"))
	if view := p.View(p.w, p.h); !strings.Contains(view, p.inks.current.On("HAT002")) {
		t.Errorf("a hit in a table is not marked:\n%q", view)
	}
}

// TestTablesThatWouldNotReadAreJSON: too narrow, too empty, cut everywhere, or no
// list of objects.
func TestTablesThatWouldNotReadAreJSON(t *testing.T) {
	var sparse, wide, prose []string
	for i := range 12 {
		sparse = append(sparse, fmt.Sprintf(`{"name%d":"a value that is here alone","id":%d}`, i, i))
		wide = append(wide, `{"`+strings.Repeat("x", 10)+fmt.Sprint(i)+`":1`+strings.Repeat(fmt.Sprintf(`,"k%d0":1`, i), 2)+`}`)
		prose = append(prose, `{"a":"`+strings.Repeat("word ", 60)+`","b":"`+strings.Repeat("word ", 60)+`"}`)
	}
	for name, c := range map[string]struct {
		text string
		w    int
	}{
		"narrow":     {flights, 34},
		"sparse":     {"[" + strings.Join(sparse, ",") + "]", 200},
		"columns":    {"[" + strings.Join(wide, ",") + "]", 200},
		"cut":        {"[" + strings.Join(prose, ",") + "]", 100},
		"mixed":      {`[{"id":1,"name":"` + strings.Repeat("x", 70) + `"},{"id":2,"name":"y"},3]`, 100},
		"one object": {`[{"id":1,"name":"` + strings.Repeat("x", 70) + `"}]`, 100},
		"one column": {`[{"id":"` + strings.Repeat("x", 70) + `"},{"id":"y"}]`, 100},
	} {
		t.Run(name, func(t *testing.T) {
			if _, got := unfoldedResult(t, c.text, c.w); strings.Contains(got, "──") || !strings.Contains(got, `": `) {
				t.Errorf("a table:\n%s", got)
			}
		})
	}
}

func TestLongCellsAreCut(t *testing.T) {
	text := `[{"id":1,"kind":"a","path":"src/a.go","about":"` + strings.Repeat("long ", 40) + `"},{"id":2,"kind":"b","path":"src/b.go","about":"short"}]`
	_, got := unfoldedResult(t, text, 70)
	if !strings.Contains(got, "long long") || !strings.Contains(got, "…\n") || !strings.Contains(got, " 2  b     src/b.go  short\n") {
		t.Fatalf("no table with a cut cell:\n%s", got)
	}
}

// TestGiantJSONIsNotLaidOut: what is beyond the limit is shown as it is, and asked
// for by rows.
func TestGiantJSONIsNotLaidOut(t *testing.T) {
	row := `{"id":1,"name":"x"},`
	text := "[" + strings.Repeat(row, 100<<20/len(row)) + `{"id":2}]`
	if testing.Short() {
		text = text[:len(text)/10]
	}
	m := result("api", text)
	b := resultOf(&m)
	if len(b.sections) > 0 || len(b.tables) > 0 || b.pretty != nil || len(b.text) != len(text) {
		t.Fatalf("%d sections, %d tables", len(b.sections), len(b.tables))
	}
}

func TestHostileTablesNeverDriveTheTerminal(t *testing.T) {
	for name, text := range hostile {
		if len(text) > 1<<16 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			quoted := string(rawjson.AppendString(nil, text))
			list := `[{` + quoted + `:` + quoted + `,"b":1},{` + quoted + `:` + quoted + `,"b":{"c":` + quoted + `}}]`
			inside := string(rawjson.AppendString(nil, list))
			for _, w := range [...]int{9, 40, 120} {
				for _, ascii := range [...]bool{false, true} {
					s := storeOf(result("api", list), result("api", `{"a":`+list+`,"s":`+inside+`}`), result(text, text+"\n"+list+"\n"+text),
						assistant("", call("1", text, `{"file_path":`+quoted+`,"old_str":`+quoted+`,"new_str":`+inside+`}`)))
					p := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles(), ASCII: ascii}), store: s, w: w, h: 30}
					p.do(p.Resize(w, 30))
					p.do(p.Open(s.segment()))
					p.do(p.ToggleAllFolds())
					for range 4 {
						p.do(p.PageDown())
					}
				}
			}
		})
	}
}

// FuzzLayout lays out whatever a tool may answer, and draws it: no row is wider
// than the pane, places ascend, and in every value the text keeps its order.
func FuzzLayout(f *testing.F) {
	for _, seed := range []string{flights, `[{"a":1,"b":"x"},{"a":2,"b":"字\u202e"}]`, "x: [1,\n" + flights + "\nend", `{"a":"{\"b\":[{\"c\":1,\"d\":2},{\"c\":3,\"d\":4}],\"e\":\"` + strings.Repeat("x", 64) + `\"}"}`, `[[[[{"a":[]}]]]]`} {
		f.Add(seed, 60)
		f.Add(seed, 7)
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = 1 + (width%200+200)%200
		m := result("api", text)
		b := resultOf(&m)
		if !utf8.ValidString(b.text) || strings.ContainsAny(b.text, "\x1b\r\t") {
			t.Fatalf("not clean: %q", b.text)
		}
		for i := range b.sections {
			if at := b.sections[i].From; at > len(b.text) || at > 0 && b.text[at-1] != '\n' || i > 0 && at <= b.sections[i-1].From {
				t.Fatalf("section %d of %+v begins no line of %q", i, b.sections, b.text)
			}
		}
		for _, ascii := range [...]bool{false, true} {
			if ascii {
				d := document{blocks: []block{b}}
				d.inASCII()
				b = d.blocks[0]
			}
			inks, signs := inksOf(plainStyles()), glyphsOf(ascii)
			form := codeFormOf(&b, "", nil, &inks, &signs, width, width)
			if form == nil {
				continue
			}
			if len(form.Rows) != len(form.Source) {
				t.Fatalf("%d rows from %d places", len(form.Rows), len(form.Source))
			}
			for i, row := range form.Rows {
				checkHarmless(t, row)
				if w := ansi.StringWidth(row); w > max(width, 2) {
					t.Fatalf("%d cells in %d: %q", w, width, row)
				}
				if at := form.Source[i]; at > len(b.text) || i > 0 && at < form.Source[i-1] {
					t.Fatalf("row %d is at %d of %v", i, at, form.Source)
				}
			}
		}
	})
}
