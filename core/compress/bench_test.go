package compress

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// airline reads the recorded runs of an airline's agent, if they are there.
func airline(b *testing.B) (all [][]chat.Message) {
	dir := os.Getenv("WINNOW_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	data, err := os.ReadFile(dir + "/messages/tau-bench-airline.jsonl")
	if err != nil {
		b.Skip(err)
	}
	text := func(object, name string) string {
		if v := rawjson.Get(object, name); rawjson.IsText(v) {
			return rawjson.Unquote(v)
		}
		return ""
	}
	for line := range strings.Lines(string(data)) {
		var messages []chat.Message
		for m := range rawjson.Elements(rawjson.Get(line, "messages")) {
			one := chat.Message{N: len(messages) + 1, Role: chat.Role(text(m, "role")), Name: text(m, "name"), ToolCallID: text(m, "tool_call_id"), Content: text(m, "content")}
			for c := range rawjson.Elements(rawjson.Get(m, "tool_calls")) {
				f := rawjson.Get(c, "function")
				one.ToolCalls = append(one.ToolCalls, chat.ToolCall{ID: text(c, "id"), Name: text(f, "name"), Arguments: text(f, "arguments")})
			}
			messages = append(messages, one)
		}
		all = append(all, messages)
	}
	return all
}

// coded is a session of a coding agent: files read, commands run, edits.
func coded(calls int) []chat.Message {
	messages := worked(calls)
	for i := range messages {
		if m := &messages[i]; m.Role == chat.Tool {
			var b strings.Builder
			for k := range 120 {
				fmt.Fprintf(&b, "func (p *parser%d) next%d(text string) (token, error) { return p.scan(text[%d:], \"src/part%d.go\") }\n", i, k, k*7, k)
			}
			m.Content = b.String()
		}
	}
	return messages
}

func size(messages []chat.Message) (n int) {
	for i := range messages {
		n += messages[i].Size()
	}
	return n
}

// BenchmarkCompress measures bytes of conversations shortened to half of their
// estimated tokens.
func BenchmarkCompress(b *testing.B) {
	for _, by := range []Strategy{Clear{}, Extract{}} {
		for _, form := range []Form{Fold, Split} {
			b.Run(by.Name()+"/"+form.String()+"/airline", func(b *testing.B) { compressAll(b, airline(b), by, form) })
			b.Run(by.Name()+"/"+form.String()+"/code", func(b *testing.B) { compressAll(b, [][]chat.Message{coded(400)}, by, form) })
		}
	}
}

func compressAll(b *testing.B, all [][]chat.Message, by Strategy, form Form) {
	n := 0
	var options []Options
	for _, messages := range all {
		n += size(messages)
		o := halved(messages, by)
		o.Form, o.Summary = form, Defaults().Summary
		options = append(options, o)
	}
	noUsers().Find("load the rules")
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		for i, messages := range all {
			if r := Compress(b.Context(), messages, options[i]); r.Outcome == Failed {
				b.Fatal(r.Reason)
			}
		}
	}
}

// BenchmarkMemory measures what a long conversation needs besides its messages.
func BenchmarkMemory(b *testing.B) {
	messages := coded(4000)
	o := halved(messages, Extract{})
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		r := Compress(b.Context(), messages, o)
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(r)
	}
	b.ReportMetric(float64(size(messages))/(1<<20), "MiB-text")
	b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/(1<<20), "MiB-kept")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/(1<<20), "MiB-allocated")
}
