package session_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/session"
)

const (
	geminiHead = `{"sessionId":"s","projectHash":"p"}` + "\n"
	geminiUser = `{"id":"u1","type":"user","content":"a"}` + "\n"
	geminiSaid = `{"id":"g1","type":"gemini","content":"b"}` + "\n"
)

// geminiDoc is a document with these messages.
func geminiDoc(messages ...string) string {
	return `{"sessionId":"s","projectHash":"p","messages":[` + strings.Join(messages, ",") + "]}\n"
}

// geminiCalled is an answer with a call that has that result and status.
func geminiCalled(id, status, result string) string {
	return `{"id":"` + id + `","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"ls","args":{"n": 1.0},"status":"` + status + `","result":` + result + `}]}`
}

const geminiAnswer = `{"functionResponse":{"id":"c1","name":"ls","response":{"output":"r"}}}`

// TestGemini has one case per rule of documents.
func TestGemini(t *testing.T) {
	called := told{role: chat.Assistant, calls: `c1/ls/{"n": 1.0}`}
	one := session.Counts{Read: 1}
	for _, c := range []ruleCase{
		{"a string, a part, parts and strings as content", geminiDoc(`{"type":"user","content":"a"}`, `{"type":"user","content":{"text":"b"}}`, `{"type":"user","content":["c",{"text":"d"},null]}`),
			[]told{user("a"), user("b"), user("c\nd")}, one, nil},
		{"thoughts are joined, subject first", geminiDoc(`{"type":"gemini","content":"x","thoughts":[{"subject":"S","description":"D"},{"description":"E"},{"subject":"T"},{}]}`),
			[]told{{role: chat.Assistant, content: "x", reasoning: "**S**\n\nD\n\nE\n\n**T**"}}, one, nil},
		{"a thought in the content", geminiDoc(`{"type":"gemini","content":[{"text":"t","thought":true},{"text":"x"}]}`), []told{{role: chat.Assistant, content: "x", reasoning: "t"}}, one, nil},
		{"one tool message per result", geminiDoc(geminiCalled("g", "success", "["+geminiAnswer+"]")), []told{called, tool("ls", "r")}, one, nil},
		{"a call without a result", geminiDoc(`{"type":"gemini","toolCalls":[{"id":"c1","name":"ls","args":{"n": 1.0},"status":"success"}]}`), []told{called}, one, nil},
		{"what was shown, if no result is left", geminiDoc(`{"type":"gemini","toolCalls":[{"id":"c1","name":"ls","args":{"n": 1.0},"status":"success","resultDisplay":"shown"}]}`), []told{called, tool("ls", "shown")}, one, nil},
		{"results of the calls beside it don't count", geminiDoc(geminiCalled("g", "success", `[{"functionResponse":{"id":"c0","response":{"output":"other"}}},`+geminiAnswer+"]")), []told{called, tool("ls", "r")}, one, nil},
		{"a result that is no text", geminiDoc(geminiCalled("g", "success", `[{"functionResponse":{"id":"c1","response":{"output":{"n": 2.0}}}}]`)), []told{called, tool("ls", `{"n": 2.0}`)}, one, nil},
		{"a result without output", geminiDoc(geminiCalled("g", "success", `[{"functionResponse":{"id":"c1","response":{"rows": [1]}}}]`)), []told{called, tool("ls", `{"rows": [1]}`)}, one, nil},
		{"a result as text", geminiDoc(geminiCalled("g", "success", `"plain"`)), []told{called, tool("ls", "plain")}, one, nil},
		{"results that the call has already", geminiDoc(geminiCalled("g", "success", "["+geminiAnswer+"]"), `{"id":"u","type":"user","content":[`+geminiAnswer+`,{"text":"go on"}]}`),
			[]told{called, tool("ls", "r"), user("go on")}, one, []string{"note: results of tools that the call has already, left out"}},
		{"media", geminiDoc(`{"type":"user","content":[{"text":"a"},{"inlineData":{"mimeType":"image/png","data":"AAAA"}},{"fileData":{"mimeType":"audio/ogg","fileUri":"x"}},{"inlineData":{"mimeType":"application/pdf"}}]}`),
			[]told{{role: chat.User, content: "a\n[image]\n[audio]\n[file]", marks: chat.MarkImage | chat.MarkAudio | chat.MarkFile}}, one, nil},
		{"a call without a name is kept as text", geminiDoc(`{"type":"gemini","content":"x","toolCalls":[{"id":"c1"}]}`), []told{{role: chat.Assistant, content: "x\n" + `{"id":"c1"}`, marks: chat.MarkMalformedCall}}, one, []string{"note: malformed tool call, kept as text"}},
		{"notices are counted", geminiDoc(`{"type":"info","content":"i"}`, `{"type":"user","content":"a"}`, `{"type":"error","content":"e"}`), []told{user("a")}, one, []string{"note: element left out, notice of the program: 2"}},
		{"only notices", geminiDoc(`{"type":"info","content":"i"}`), nil, session.Counts{Skipped: 1}, []string{"skipped: gemini session of notices only, without a message"}},
		{"no messages", geminiDoc(), nil, session.Counts{Skipped: 1}, []string{"skipped: gemini session without a message"}},
		{"entries that are none", geminiDoc(`{"type":"user","content":"a"}`, "null", "7", `{"type":"odd","content":"z"}`), []told{user("a")}, one,
			[]string{"note: element left out, not an object: 1, null", "note: element left out, not an object: 1, number", "note: element left out, unknown type: 1, odd"}},
		{"contents of the API", `{"role":"user","parts":[{"text":"a"}]}` + "\n" + `{"role":"model","parts":[{"functionCall":{"name":"ls","args":{}}}]}` + "\n" + `{"role":"function","parts":[{"functionResponse":{"name":"ls","response":{"output":"r"}}}]}` + "\n",
			[]told{user("a"), {role: chat.Assistant, calls: "/ls/{}"}, tool("ls", "r")}, session.Counts{Read: 3}, nil},
	} {
		c.run(t)
	}
}

// TestGeminiLines has one case per rule of what lines do to each other.
func TestGeminiLines(t *testing.T) {
	called := told{role: chat.Assistant, calls: `c1/ls/{"n": 1.0}`}
	pending, answered := geminiCalled("g1", "executing", "null")+"\n", geminiCalled("g1", "success", "["+geminiAnswer+"]")+"\n"
	two := `{"id":"g1","type":"gemini","content":"more","toolCalls":[{"id":"c1","name":"ls","args":{"n": 1.0},"result":[` + geminiAnswer + `]},{"id":"c2","name":"ls","args":{},"result":"s"}]}` + "\n"
	for _, c := range []ruleCase{
		{"a later line is the whole of an answer", geminiHead + geminiUser + geminiSaid + pending, []told{user("a"), called}, session.Counts{Read: 4}, nil},
		{"results come once", geminiHead + pending + answered + answered + two, []told{{role: chat.Assistant, content: "more", calls: `c1/ls/{"n": 1.0} c2/ls/{}`}, tool("ls", "r"), tool("ls", "s")}, session.Counts{Read: 5}, nil},
		{"an answer that was empty at first", geminiHead + `{"id":"g1","type":"gemini","content":""}` + "\n" + answered, []told{called, tool("ls", "r")}, session.Counts{Read: 2, Skipped: 1}, []string{"skipped: no text, reasoning or calls"}},
		{"recorded again behind others", geminiHead + geminiSaid + geminiUser + strings.Replace(geminiSaid, `"b"`, `"masked"`, 1) + geminiUser,
			[]told{assistant("b"), user("a")}, session.Counts{Read: 3, Skipped: 2}, []string{"skipped: recorded again after other messages: the first one stays", "skipped: recorded again after other messages: the first one stays"}},
		{"a patch tells of the session", geminiHead + geminiUser + `{"$set":{"summary":"T","lastUpdated":"2026"}}` + "\n", []told{user("a")}, session.Counts{Read: 3}, nil},
		{"going back to what is not known", geminiHead + geminiUser + `{"$rewindTo":"x"}` + "\n", []told{user("a")}, session.Counts{Read: 2, Skipped: 1}, []string{"skipped: goes back to a message that is not known"}},
		{"a rewritten history at the beginning", geminiHead + `{"$set":{"messages":[` + strings.TrimSpace(geminiUser) + `,null,` + strings.TrimSpace(geminiSaid) + `]}}` + "\n", []told{user("a"), assistant("b")}, session.Counts{Read: 2}, []string{"note: element left out, not an object: 1, null"}},
		{"a rewritten history counts what is empty", geminiHead + geminiUser + `{"$set":{"messages":[{"id":"n1","type":"user","content":""},{"id":"n2","type":"gemini","content":""},{"id":"n3","type":"info","content":"i"}]}}` + "\n", []told{user("a")}, session.Counts{Read: 3},
			[]string{"note: element left out, no text, reasoning or calls: 2", "note: element left out, recorded otherwise before the history was rewritten: 1"}},
		{"a rewritten history begins with what sums up the rest", geminiHead + geminiUser + geminiSaid + `{"$set":{"messages":[{"id":"n1","type":"user","content":"sum"},{"id":"n2","type":"gemini","content":"ok"},{"id":"n3","type":"user","content":"z"},` + strings.TrimSpace(geminiSaid) + `]}}` + "\n",
			[]told{user("a"), assistant("b"), {role: chat.User, content: "sum", marks: chat.MarkCompaction}, assistant("ok")}, session.Counts{Read: 4}, []string{"note: element left out, recorded otherwise before the history was rewritten: 1"}},
		{"notices", geminiHead + geminiUser + `{"id":"w","type":"warning","content":"w"}` + "\n", []told{user("a")}, session.Counts{Read: 2, Skipped: 1}, []string{"skipped: notice of the program"}},
	} {
		c.run(t)
		t.Run(c.name+", in pieces", func(t *testing.T) {
			for i := 0; i < len(c.src); i += slower {
				samePieces(t, []byte(c.src), []int{i})
			}
		})
	}
}

// TestGeminiRewind: what is given up is a branch, and the session goes on
// before it.
func TestGeminiRewind(t *testing.T) {
	src := geminiHead + geminiUser + geminiSaid + strings.ReplaceAll(geminiUser+geminiSaid, `1"`, `2"`) + `{"$rewindTo":"u2"}` + "\n" + strings.ReplaceAll(geminiUser, `1"`, `3"`)
	rec, _ := readAll(t, []byte(src), "")
	if got := contents(rec.msgs); got != "a b a" {
		t.Errorf("the session holds %q", got)
	}
	meta, msgs := rec.session("b=u2")
	if got := contents(*msgs); got != "a b" || meta.Origin != (session.Origin{Kind: session.Branch, At: 2}) {
		t.Errorf("the branch holds %q, %+v", got, meta.Origin)
	}
	for i := 0; i < len(src); i += slower {
		samePieces(t, []byte(src), []int{i})
	}
	rec, _ = readAll(t, []byte(src+`{"$rewindTo":"u1"}`+"\n"+`{"id":"u9","type":"user","content":"new"}`+"\n"), "")
	if got := contents(rec.msgs); got != "new" || rec.meta.NativeID != "s" {
		t.Errorf("from the beginning: %q, %+v", got, rec.meta)
	}
}

// TestGeminiRewindBehindResults: results that a later line brought belong to
// the answer.
func TestGeminiRewindBehindResults(t *testing.T) {
	other := strings.ReplaceAll(geminiUser, `1"`, `2"`)
	src := geminiHead + geminiCalled("g1", "executing", "null") + "\n" + geminiCalled("g1", "success", "["+geminiAnswer+"]") + "\n" + other + `{"$rewindTo":"u2"}` + "\n"
	rec, _ := readAll(t, []byte(src), "")
	if _, msgs := rec.session("b=u2"); contents(rec.msgs) != " r" || contents(*msgs) != "a" {
		t.Errorf("the session holds %q, the branch %q", contents(rec.msgs), contents(*msgs))
	}
}

// TestGeminiFailures: a status of error, or an error for an output, is a
// failed result.
func TestGeminiFailures(t *testing.T) {
	for result, want := range map[string]bool{
		geminiCalled("g", "error", "["+geminiAnswer+"]"):                                                               true,
		geminiCalled("g", "cancelled", `[{"functionResponse":{"id":"c1","response":{"error":"no"}}}]`):                 true,
		geminiCalled("g", "success", "["+geminiAnswer+"]"):                                                             false,
		geminiCalled("g", "success", `[{"functionResponse":{"id":"c1","response":{"output":"Error: x","error":""}}}]`): false,
	} {
		rec, _ := readAll(t, []byte(geminiDoc(result)), "")
		if len(rec.msgs) != 2 || rec.msgs[1].IsError != want {
			t.Errorf("%s: %+v", result, rec.msgs)
		}
	}
}

func contents(msgs []chat.Message) string {
	var all []string
	for _, m := range msgs {
		all = append(all, m.Content)
	}
	return strings.Join(all, " ")
}

func TestGeminiMeta(t *testing.T) {
	rec, res := readAll(t, []byte(`{"sessionId":"s","projectHash":"p","startTime":"t1","lastUpdated":"t2","kind":"subagent","directories":["/a"]}`+"\n"+
		`{"$set":{"lastUpdated":"t3","summary":"T"}}`+"\n"), "")
	want := session.Meta{Format: "gemini", NativeID: "s", Title: "T", Started: "t1", Ended: "t3", Dir: "/a", Extra: `{"projectHash":"p","kind":"subagent"}`}
	if rec.meta != want {
		t.Errorf("got %+v\nwant %+v", rec.meta, want)
	}
	if res.Seen != "only metadata lines" {
		t.Errorf("seen %q", res.Seen)
	}
}

// TestGeminiUsage: an answer that is recorded again counts once, as it was
// told last.
func TestGeminiUsage(t *testing.T) {
	line := `{"id":"g1","type":"gemini","content":"b","tokens":{"input":10,"output":5,"cached":4,"thoughts":2,"tool":0,"total":17}}` + "\n"
	rec, _ := readAll(t, []byte(geminiHead+line+strings.Replace(line, `"output":5`, `"output":6`, 1)+strings.ReplaceAll(line, "g1", "g2")), "")
	if want := (session.Usage{Input: 20, Output: 15, Cached: 8}); rec.meta.Usage != want {
		t.Errorf("used %+v, want %+v", rec.meta.Usage, want)
	}
}

// TestGeminiSessionsInOneFile: a head with another id begins another session,
// or goes on with it.
func TestGeminiSessionsInOneFile(t *testing.T) {
	second := strings.Replace(geminiHead, `"s"`, `"s2"`, 1)
	rec, _ := readAll(t, []byte(geminiHead+geminiUser+geminiHead+second+geminiSaid+geminiHead+`{"id":"u2","type":"user","content":"c"}`), "")
	_, msgs := rec.session("s=s2")
	if contents(rec.msgs) != "a c" || contents(*msgs) != "b" {
		t.Errorf("%q and %q", contents(rec.msgs), contents(*msgs))
	}
}

// TestGeminiLinesInAnyOrder: whatever lines follow each other, reading them in
// pieces gives what reading them at once gives, and no message is told twice.
func TestGeminiLinesInAnyOrder(t *testing.T) {
	lines := []string{
		geminiHead, strings.Replace(geminiHead, `"s"`, `"s2"`, 1), "\n", `{"role":"user","content":"of another format"}` + "\n",
		`{"id":"w","type":"warning","content":"w"}` + "\n", `{"$set":{"summary":"T"}}` + "\n", `{"id":"x","type":"odd","content":"w"}` + "\n",
	}
	for _, n := range []string{"1", "2", "3"} {
		of := func(line string) string { return strings.NewReplacer("g1", "g"+n, "u1", "u"+n).Replace(line) }
		lines = append(lines, of(geminiUser), of(geminiSaid), of(geminiCalled("g1", "success", "null"))+"\n", of(geminiCalled("g1", "success", "["+geminiAnswer+"]"))+"\n",
			of(`{"id":"g1","type":"gemini","content":"","tokens":{"input":3}}`)+"\n", of(`{"$rewindTo":"u1"}`)+"\n", of(`{"$rewindTo":"g1"}`)+"\n",
			of(`{"$set":{"messages":[{"id":"s`+n+`","type":"user","content":"sum"},{"id":"g1","type":"gemini","content":"b"}]}}`)+"\n")
	}
	rng := rand.New(rand.NewPCG(7, 11))
	for range 400 {
		src := geminiHead
		for range 3 + rng.IntN(12) {
			src += lines[rng.IntN(len(lines))]
		}
		rec, res := readAll(t, []byte(src), "")
		checkTotals(t, []byte(src), rec, res)
		samePieces(t, []byte(src), randomEnds(rng, len(src)))
		told := map[string]string{}
		for _, key := range append([]string{""}, rec.keys...) {
			_, msgs := rec.session(key)
			for _, m := range *msgs {
				if at, twice := told[m.NativeID]; twice && m.NativeID != "" && at == key {
					t.Errorf("message %s is told twice in session %q", m.NativeID, key)
				}
				told[m.NativeID] = key
			}
		}
		if t.Failed() {
			t.Fatalf("source:\n%s", src)
		}
	}
}

// FuzzGemini puts anything where Gemini CLI puts messages and patches.
func FuzzGemini(f *testing.F) {
	f.Add(`"content":"x","toolCalls":[{"id":"1","name":"n","args":{},"result":`+geminiAnswer+`}]`, `{"id":"u1","type":"user","content":[{"text":"y"}]}`, uint16(60))
	f.Add(`"content":[{"functionCall":{"name":"n"}},{"text":"t","thought":true}],"tokens":{"input":1e3}`, `{"$rewindTo":"u1"}`, uint16(120))
	f.Add(`"thoughts":[{"subject":"s"},3,"x"]`, `{"$set":{"messages":[{"id":"n","type":"user","content":"z"},{"id":"g1","type":"gemini"}]}}`, uint16(90))
	f.Fuzz(func(t *testing.T, fields, line string, split uint16) {
		answer := `{"id":"g1","type":"gemini",` + fields + "}\n"
		checkRead(t, []byte(geminiHead+geminiUser+answer+answer+line+"\n"+answer+strings.ReplaceAll(answer, "g1", "g2")+line+"\n"+geminiSaid), int(split))
		checkRead(t, []byte(geminiDoc(strings.TrimSpace(answer), line)), int(split))
	})
}

// BenchmarkReadGemini reads lines as Gemini CLI writes them: an answer twice,
// the second time with the result of its call.
func BenchmarkReadGemini(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 9))
	src := bytes.NewBufferString(geminiHead)
	for i := 0; src.Len() < 16<<20; i++ {
		id := fmt.Sprint(i)
		if i%4 == 0 {
			line(src, obj{"id": "u" + id, "timestamp": "2026-03-08T14:55:52.140Z", "type": "user", "content": []obj{{"text": prose(rng, 300)}}})
		}
		answer := obj{"id": "g" + id, "timestamp": "2026-03-08T14:55:53.140Z", "type": "gemini", "content": prose(rng, 100), "model": "m",
			"thoughts": []obj{{"subject": prose(rng, 20), "description": prose(rng, 200+rng.IntN(1800))}}, "tokens": obj{"input": 9000 + i, "output": 70, "cached": 8000, "total": 9070 + i}}
		line(src, answer)
		answer["toolCalls"] = []obj{{"id": "c" + id, "name": "run_shell_command", "args": obj{"command": prose(rng, 80)}, "status": "success",
			"result": []obj{{"functionResponse": obj{"id": "c" + id, "name": "run_shell_command", "response": obj{"output": prose(rng, 200+rng.IntN(8000))}}}}, "resultDisplay": prose(rng, 200)}}
		line(src, answer)
	}
	benchRead(b, src.Bytes())
}
