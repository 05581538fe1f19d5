package rawjson_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/rawjson"
)

var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// seeds are what a fuzzer would take long to find.
var seeds = []string{
	`{}`, `[]`, `[-0.5E-7,-1,0,10.25e+3]`, `""`, `null`, ` { "a" : [ 1 , -0.5E-7, 1e400 ] , "a":{"b":{}} } `, `[true,false,null,"\\","\"",{"\\\"":"]}"}]`, `"\ud83d\ude00\u00e9\/\b\f\n\r\t\\"`,
	`"\ud83d"`, `"\ude00\ud83d"`, `"\ud83dx\ud83d\u0041"`, "\"\xff\xe8\xb6\"", "{\"\xff\":1}", "\"\t\"", "\"\x00\"", `"\x"`, `"\u12g4"`, `01`, `-`, `1.`, `1e+`, `nul`, `{"a":}`, `{"a" 1}`, `[1,]`, `{,}`,
	`[[[[`, `]`, `{"a":1}x`, `{"\u0061":1,"a":2}`, "\"\\\n\"", "\"\\u00\n41\\ud83d\\u\r\nde00\"", "\"\xe8\xb6\n\xa3\"", " \"\xa3\"",
	`{"a\"b":"c\\","d":{"e":"}"}}`, `{"":"","x":null}`, `{"a":"\\\\\"","b":-1.5e3}`, "{\"a\":\n1\n,\n\"b\":[]\n}", `{"a":1,"a":2}`, "{\"\xff\":\"\xff\"}",
}

// FuzzScanner compares what the scanner accepts with package jsontext: the same,
// but for the defects that Repair mends; given in one piece or byte by byte.
func FuzzScanner(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var s rawjson.Scanner
		whole := s.Whole(text)
		clean := whole && s.Clean(text)
		trimmed := bytes.TrimRight(text, " \t\r\n")
		if want := jsontext.Value(text).IsValid(lenient[0]) && len(trimmed) == len(text); clean != want {
			t.Errorf("%q: clean %v, jsontext takes it %v", text, clean, want)
		}
		fields := append([]rawjson.Field(nil), s.Fields...)
		p := inPieces(&s, text)
		if got := p == rawjson.Done && s.End == len(text); got != whole {
			t.Errorf("%q: %v, byte by byte %v up to %d", text, whole, p, s.End)
		}
		if whole && len(fields) != len(s.Fields) {
			t.Errorf("%q: %d fields, byte by byte %d", text, len(fields), len(s.Fields))
		}
		if whole && !clean {
			checkRepair(t, text)
		}
	})
}

// inPieces gives a text byte by byte.
func inPieces(s *rawjson.Scanner, text []byte) (p rawjson.Progress) {
	s.Reset()
	for n := range len(text) + 1 {
		if p = s.Scan(text[:n], n == len(text)); p != rawjson.More {
			return p
		}
	}
	return p
}

// checkRepair repairs a value with defects: what comes out has none, and where
// jsontext reads the value as well, it reads the same in both.
func checkRepair(t *testing.T, text []byte) {
	mended, _ := rawjson.Repair(text)
	if !jsontext.Value(mended).IsValid(lenient[0]) {
		t.Errorf("%q repaired: %q", text, mended)
	}
	var s rawjson.Scanner
	if !s.Whole(mended) || !s.Clean(mended) {
		t.Errorf("%q repaired: %q is not clean", text, mended)
	}
	if again, notes := rawjson.Repair(mended); len(notes) > 0 || !bytes.Equal(again, mended) {
		t.Errorf("%q repaired twice: %q %v", mended, again, notes)
	}
	if rawjson.Valid(text) {
		compare(t, jsontext.Value(text), bytes.Trim(mended, blanks)) // a walk begins at the value
	}
}

// blanks are what may be around a value.
const blanks = " \t\r\n"

// FuzzWalk walks whatever jsontext takes, as bytes and as a string, and compares
// every name, text and number with what jsontext reads.
func FuzzWalk(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if got, want := rawjson.Valid(string(text)), jsontext.Value(text).IsValid(lenient...); got != want {
			t.Errorf("Valid(%q) = %v", text, got)
		}
		text = bytes.Trim(text, blanks)
		if len(text) > 0 && rawjson.Valid(text) {
			compare(t, jsontext.Value(text), text)
			compare(t, jsontext.Value(text), string(text))
		}
	})
}

// compare walks val and reads want with jsontext.
func compare[T rawjson.Text](t *testing.T, want jsontext.Value, val T) {
	if end := rawjson.End(val, 0); end != len(val) {
		t.Fatalf("%q ends at %d", val, end)
	}
	d := jsontext.NewDecoder(bytes.NewReader(want), lenient...)
	tok, err := d.ReadToken()
	if err != nil {
		t.Fatal(err)
	}
	kind, means := tok.Kind(), tok.String()
	switch kind {
	case '[':
		for v := range rawjson.Elements(val) {
			next, err := d.ReadValue()
			if err != nil {
				t.Fatalf("%q: an element too many, %q", val, v)
			}
			compare(t, next.Clone(), v)
		}
	case '{':
		compareMembers(t, d, val)
	case '"':
		if got := rawjson.Unquote(val); got != means && utf8.ValidString(got) {
			t.Errorf("%q: %q, want %q", val, got, means)
		}
	default:
		if string(val) != means {
			t.Errorf("%q, want %s", val, means)
		}
	}
	if kind != '[' && kind != '{' {
		return
	}
	if _, err := d.ReadToken(); err != nil || d.StackDepth() != 0 {
		t.Errorf("%q: not walked to its end", val)
	}
}

func compareMembers[T rawjson.Text](t *testing.T, d *jsontext.Decoder, object T) {
	last := map[string]string{}
	n := 0
	for quoted, v := range rawjson.Pairs(object) {
		n++
		tok, err := d.ReadToken()
		if err != nil || tok.Kind() != '"' {
			t.Fatalf("%q: a member too many, %q", object, quoted)
		}
		name := rawjson.Unquote(quoted)
		if means := tok.String(); utf8.ValidString(name) && means != name {
			t.Errorf("%q: name %q, want %q", object, name, means)
		}
		next, err := d.ReadValue()
		if err != nil {
			t.Fatal(err)
		}
		last[name] = string(v)
		compare(t, next.Clone(), v)
	}
	var o rawjson.Object
	if end, _ := o.Open([]byte(object), 0); end != len(object) || len(o.Fields) != n {
		t.Errorf("%q opened: %d fields up to %d, %d members", object, len(o.Fields), end, n)
	}
	for name, v := range last {
		if got := rawjson.Get(object, name); string(got) != v || !rawjson.Has(object, name) || string(o.Get(name)) != v || !o.Has("no such name", name) {
			t.Errorf("%q: %q is %q and %q, want %q", object, name, got, o.Get(name), v)
		}
	}
}

// FuzzEscape compares every escape with what jsontext reads.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{`\n`, `\u0041`, `\ud83d\ude00`, `\ud83d\u0041`, `\ude00`, `\u12`, `\x`, `\`, `x`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, n := rawjson.Escape(text)
		if n == 0 {
			for size := range min(len(text), 12) + 1 {
				if strings.HasPrefix(text, `\`) && rawjson.Valid(`"`+text[:size]+`"`) && size > 0 && !strings.Contains(text[1:size], `"`) {
					t.Errorf("%q is an escape", text[:size])
				}
			}
			return
		}
		got, _ := jsontext.AppendUnquote(nil, `"`+text[:n]+`"`)
		if string(got) != string(r) {
			t.Errorf("%q: %q of %d, want %q", text, r, n, got)
		}
	})
}
