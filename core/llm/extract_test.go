package llm

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestExtract(t *testing.T) {
	const one = `[{"start":1,"end":2,"topic":"a"}]`
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"alone", one, []string{one}},
		{"white space", "\n\t " + one + "\r\n", []string{one}},
		{"prose around", "Here are [the tasks] {as asked}: " + one + " Hope it helps [1]!", []string{one, "[1]"}},
		{"code fence", "```json\n" + one + "\n```", []string{one}},
		{"thought", "<think>maybe " + `[{"start":1}]` + "</think>" + one, []string{one}},
		{"thought without its opening", `maybe [3] {"a":1} </think> ` + one, []string{one}},
		{"thought that is not closed", "<think>\n" + one, []string{one}},
		{"nothing behind the thought", "<think>" + one + "</think>", nil},
		{"thought twice", "<think>[1]</think>[2]<think>[3]</think>[4]", []string{"[4]"}},
		{"tags inside of a topic", `[{"topic":"strip <think>x</think> blocks"}]`, []string{`[{"topic":"strip <think>x</think> blocks"}]`}},
		{"thought, then tags inside of a topic", `<think>[0]</think>[{"topic":"a </think> b"}]`, []string{`[{"topic":"a </think> b"}]`}},
		{"tags inside of the first of two", `["a </think> b"] or [2]`, []string{`["a </think> b"]`, "[2]"}},
		{"object", `{"segments":` + one + `}`, []string{`{"segments":` + one + `}`}},
		{"several", `[1] {"a":[2]} [[3]]`, []string{"[1]", `{"a":[2]}`, "[[3]]"}},
		{"value in brackets of prose", `[see: ` + one + `]`, []string{one}},
		{"value in braces of prose", `{tasks: ` + one + `}`, []string{one}},
		{"brackets in strings", `["]","[","\"]"]`, []string{`["]","[","\"]"]`}},
		{"same name twice", `{"a":1,"a":2}`, []string{`{"a":1,"a":2}`}},
		{"cut off", `[{"start":1,"end":2},{"start":3`, nil},
		{"comma before the end", `[{"start":1,"end":2},]`, nil},
		{"number with leading zero", `[{"start":01}]`, nil},
		{"only a scalar", `42 "text" null`, nil},
		{"nothing", "", nil},
		{"lone bracket", "[", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, v := range extract(c.text).values {
				got = append(got, string(v))
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("extract(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// TestTake: the first value that passes is the answer; if none does, the error
// is about the longest.
func TestTake(t *testing.T) {
	short := func(v []byte) error {
		if len(v) > 5 {
			return fmt.Errorf("%d bytes", len(v))
		}
		return nil
	}
	never := func(v []byte) error { return fmt.Errorf("%d bytes", len(v)) }
	for _, c := range []struct {
		text  string
		check func([]byte) error
		want  string
	}{
		{`[1,2,3,4,5] [1] [2]`, short, ""},
		{`[1] [1,2,3,4,5]`, never, "11 bytes"},
		{`[1,2,3,4,5] [1]`, never, "11 bytes"},
		{`nothing here`, never, "it holds no JSON array or object"},
		{`[1] [{"start":1,"end":2`, never, "its JSON is not complete: it ends too early"},
		{`[1,2,3] [{"start":1,"end":2},]`, never, `its JSON is broken near "[{\"start\":1,\"end\":2},]": invalid character ']' at start of value`},
		{`[1,2,3,4,5,6,7] [1,]`, never, "15 bytes"},
	} {
		err := extract(c.text).take(c.check)
		if got := fmt.Sprint(err); got != c.want && (err != nil || c.want != "") {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}

// TestExtractIsLinear: nothing is read twice, and there is an end to trying.
func TestExtractIsLinear(t *testing.T) {
	const size = 1 << 18
	for _, unit := range []string{"[", "{", `{"`, `["`, "[[1],", `{"a":`, `[{"a":1},`, "[x", "[ ", "]", "[1]", "</think>", `["\`, "[t"} {
		text := strings.Repeat(unit, size/len(unit))
		if f := extract(text); f.read > len(text) || f.tries > maxTries {
			t.Errorf("%q: read %d bytes of %d in %d tries", unit, f.read, len(text), f.tries)
		}
	}
}

func FuzzExtract(f *testing.F) {
	for _, s := range []string{
		`[{"start":1,"end":2,"topic":"a"}]`, "```json\n{}\n```", "<think>[1]</think>[2]", `[1,]{"a":"\ud83d"}`, `[see [1]]`, "[\xff]", `{"a":1,"a":[`, "[1] [2", "[[[[",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := extract(text)
		rest := []byte(text)
		for _, v := range found.values {
			// Complete, in order, apart from each other, and arrays or objects.
			at := bytes.Index(rest, v)
			if at < 0 {
				t.Fatalf("extract(%q): %q is not in %q", text, v, rest)
			}
			rest = rest[at+len(v):]
			if v[0] != '[' && v[0] != '{' {
				t.Fatalf("extract(%q): %q", text, v)
			}
			if !jsontext.Value(v).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
				t.Fatalf("extract(%q): %q is not valid", text, v)
			}
		}
		if err := found.take(func([]byte) error { return errors.New("no") }); err == nil {
			t.Fatal("taken")
		}
		// What follows a complete value and a line break changes nothing
		// about a value that is alone.
		if alone := strings.TrimSpace(text); len(found.values) == 1 && string(found.values[0]) == alone {
			again := extract("Here it is:\n" + text + "\n")
			if len(again.values) != 1 || string(again.values[0]) != alone {
				t.Fatalf("%q with prose around it: %q", text, again.values)
			}
		}
	})
}
