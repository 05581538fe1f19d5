package rawjson_test

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/rawjson"
)

func TestScanGoesOn(t *testing.T) {
	var s rawjson.Scanner
	const text = `{"a":[1,` + "\n" + `{"b":2}],"c":12}  {"d":3}`
	for _, c := range []struct {
		upTo            int
		want            rawjson.Progress
		atValue, inList bool
	}{{1, rawjson.More, false, false}, {6, rawjson.More, true, true}, {9, rawjson.More, true, true}, {10, rawjson.More, false, false}, {24, rawjson.More, true, false}, {len(text), rawjson.Done, false, false}} {
		if p := s.Scan([]byte(text[:c.upTo]), false); p != c.want || s.AtValue() != c.atValue || s.InList() != c.inList {
			t.Errorf("up to %d: %v, at a value %v, in a list %v", c.upTo, p, s.AtValue(), s.InList())
		}
	}
	if text[:s.End] != `{"a":[1,`+"\n"+`{"b":2}],"c":12}` || len(s.Fields) != 2 {
		t.Errorf("ends after %q with fields %v", text[:s.End], s.Fields)
	}
	o := rawjson.Object{In: []byte(text), Fields: s.Fields}
	if got := o.Get("c"); string(got) != "12" {
		t.Errorf("c is %q", got)
	}
}

func TestScanBounds(t *testing.T) {
	deep := strings.Repeat("[", rawjson.MaxDepth) + strings.Repeat("]", rawjson.MaxDepth)
	if !rawjson.Valid(deep) || rawjson.Valid("["+deep+"]") {
		t.Error("jsontext bounds the depth otherwise")
	}
	wide := "{" + strings.Repeat(`"a":1,`, rawjson.MaxFields) + `"a":1}`
	for text, want := range map[string]rawjson.Progress{
		deep:                                   rawjson.Done,
		"[" + deep + "]":                       rawjson.TooDeep,
		wide:                                   rawjson.TooWide,
		strings.Replace(wide, `"a":1,`, "", 1): rawjson.Done,
		`"` + strings.Repeat("\x00", 1):        rawjson.Broken,
		`{"a":1` + strings.Repeat(" ", 3):      rawjson.More,
		"[" + wide + "]":                       rawjson.Done, // only the fields of the outermost are kept
	} {
		var s rawjson.Scanner
		if p := s.Scan([]byte(text), true); p != want {
			t.Errorf("%.20s: %v, want %v", text, p, want)
		}
	}
	var o rawjson.Object
	if end, narrow := o.Open([]byte(wide), 0); narrow || end != len(wide) || len(o.Fields) != rawjson.MaxFields {
		t.Errorf("opened: %d fields, end %d of %d, narrow %v", len(o.Fields), end, len(wide), narrow)
	}
}

func TestRepair(t *testing.T) {
	for _, c := range []struct{ text, want, notes string }{
		{`{"a":"b"}`, `{"a":"b"}`, ""},
		{"\"a\xffb\"", `"a` + "\uFFFD" + `b"`, "invalid UTF-8 replaced by U+FFFD"},
		{`"\ud83d"`, `"\ufffd"`, "lone surrogate replaced by U+FFFD"},
		{"\"a\tb\x01\"", `"a\tb\u0001"`, "control character inside of a string"},
		{"\"a\r\nb\"", `"a\nb"`, "line broken inside of a string, joined"},
		{"\"\\\nn\\u00\n41\"", `"\n\u0041"`, "line broken inside of a string, joined"},
		{"\"\xe8\n\xb6\xa3\"", `"` + "\xe8\xb6\xa3" + `"`, "line broken inside of a string, joined"},
		{"\"\\ude00\\\nn\"", `"\ufffd\n"`, "lone surrogate replaced by U+FFFD; line broken inside of a string, joined"},
	} {
		var s rawjson.Scanner
		if text := []byte(c.text); !s.Whole(text) || s.Clean(text) != (c.notes == "") {
			t.Errorf("%q: scanned up to %d, clean %v", c.text, s.End, s.Clean(text))
		}
		got, notes := rawjson.Repair([]byte(c.text))
		if string(got) != c.want || strings.Join(notes, "; ") != c.notes {
			t.Errorf("%q: %q %v", c.text, got, notes)
		}
	}
}

func TestWalkOtherValues(t *testing.T) {
	if slices.Collect(rawjson.Elements(`{"a":1}`)) != nil || slices.Collect(rawjson.Elements("7")) != nil || rawjson.Has(`["a","b"]`, "a") || rawjson.Get("", "a") != "" {
		t.Error("what has no elements or members has some")
	}
	for range rawjson.Members(`["a","b"]`) {
		t.Error("a list has members")
	}
}

// What is asked for often must not cost memory.
func TestNoAllocations(t *testing.T) {
	text := `{"name": "` + strings.Repeat("x", 100) + `", "list": [1, [2], {"a": "\"]"}]}`
	n := 0
	got := testing.AllocsPerRun(100, func() {
		for name, val := range rawjson.Members(text) {
			n += len(name) + len(rawjson.Unquote(`"plain"`))
			for val := range rawjson.Elements(val) {
				n += len(val)
			}
		}
		n += rawjson.End(text, 0)
	})
	if got != 0 {
		t.Errorf("%v allocations", got)
	}
}
