package session_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/session"
)

// seeds are lines and pieces of lines that a fuzzer would take long to find.
var seeds = []string{
	a1 + "\n" + b1 + "\n", "[" + a1 + ",\n" + b1 + "]", "{\n\"role\":\"user\",\n\"content\":[\n" + a1 + "\n" + a1, "[1,2\n" + a1 + "\n]", a1 + "\r" + b1,
	"\x00\x00" + a1 + "\n\x00\x00", "\uFEFF" + a1, a1[:20] + "\n" + a1, "{\"a\":\"\\\n\"}\n", "{\"a\":\"\xe8\xb6\n\xa3\\ud83d\\ude00\\ud83d\"}\n", noID + a1, "{}{}[]{}\n", "[{}]{}[{},", "-0.1e+5\n", "[[[[\n{",
	`{"role":"assistant","id":"m","content":[{"type":"thinking","thinking":"t"},{"type":"tool_use","id":"1","name":"n","input":{"a":[1]}}],"stop_reason":"x"}` + "\n",
	`{"role":"assistant","id":"m","tool_calls":[{"id":"1","function":{"name":"n","arguments":"{}"}},7],"reasoning":"r"}` + "\n" + `{"role":"tool","content":[{"type":"text","text":"x"}]}`,
	`{"_type":"metadata","key":"k","metadata":{"a":1}}` + "\n", `{"role":"user","content":` + "\n" + a1 + "\n" + `{"role":"user","content":[1,` + "\n" + a1, "[\n" + a1 + "]x",
	strings.Repeat(`{"role":"assistant","id":"m","content":"x"}`+"\n\n", 3) + `{"role":"assistant","id":"n","reasoning":" "}`,
}

// FuzzRead reads anything, whole and in two pieces.
func FuzzRead(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), uint16(len(s)/2))
	}
	f.Fuzz(func(t *testing.T, src []byte, split uint16) { checkRead(t, src, int(split)) })
}

// FuzzOpenAI puts anything where OpenAI-style recorders put content and calls.
func FuzzOpenAI(f *testing.F) {
	f.Add(`"text"`, `[{"id":"1","function":{"name":"n","arguments":{}}}]`, uint16(30))
	f.Add(`[{"type":"text","text":"x"},{"type":"image_url"},3,null,"s"]`, `{"function":{"name":"n"}}`, uint16(3))
	f.Fuzz(func(t *testing.T, content, calls string, split uint16) {
		checkRead(t, []byte(`{"role":"assistant","id":"x","content":`+content+`,"tool_calls":`+calls+"}\n"+`{"role":"tool","content":`+content+"}\n"+a1), int(split))
	})
}

// FuzzAnthropic puts anything where Anthropic-style recorders put blocks.
func FuzzAnthropic(f *testing.F) {
	f.Add(`{"type":"text","text":"x"},{"type":"thinking","thinking":"t"}`, `"r"`, uint16(30))
	f.Add(`{"type":"tool_use","id":"1","name":"n","input":{"a":1}}`, `[{"type":"image","source":{}},{"type":"text","text":"y"}]`, uint16(80))
	f.Fuzz(func(t *testing.T, block, result string, split uint16) {
		checkRead(t, []byte(`{"role":"assistant","id":"x","content":[`+block+"]}\n"+`{"role":"assistant","id":"x","content":[`+block+"]}\n"+
			`{"role":"user","content":[`+block+`,{"type":"tool_result","tool_use_id":"1","content":`+result+"}]}\n"), int(split))
	})
}

// checkRead holds what is true of every source: it is read to its end, lines
// are accounted for, and two pieces give what the whole gives.
func checkRead(t *testing.T, src []byte, split int) {
	rec, res := readAll(t, src, "")
	if res.Seen == "binary data" {
		return // decided from the head, which pieces may not have
	}
	checkTotals(t, src, rec, res)
	samePieces(t, src, []int{split % (len(src) + 1)})
}

// FuzzScan holds the scanner to package jsontext: a line with one object is
// read, or left out for what it says, exactly if jsontext takes it as valid.
func FuzzScan(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Add([]byte(`{"role":"user","content":"x","n":[-0.5E-7,1e400,true,false,null,{"a":{}},""]}`))
	f.Add([]byte(`"","content":""`)) // the last one counts, and has nothing to keep
	f.Fuzz(func(t *testing.T, value []byte) {
		if bytes.ContainsAny(value, "\n\r") {
			return
		}
		line := append(append([]byte(`{"role":"user","content":"x","v":`), value...), "}\n"...)
		valid := jsontext.Value(line).IsValid(jsontext.AllowDuplicateNames(true))
		var rec record
		_, err := session.Read(context.Background(), bytes.NewReader(line), session.Options{}, session.State{}, &rec)
		if err != nil {
			t.Fatal(err)
		}
		bad := slices.ContainsFunc(rec.issues, func(i session.Issue) bool { return i.Severity != session.Skipped })
		if bad == valid {
			t.Errorf("%q: valid %v, %+v", line, valid, rec.issues)
		}
	})
}
