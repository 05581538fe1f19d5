package export

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/chat"
)

// BenchmarkAppend measures the writing of records alone, of a sample of 15
// steps with logs of 4 KB.
func BenchmarkAppend(b *testing.B) {
	log := strings.Repeat("2026-01-02 15:04:05 INFO \"GET /index.html\" 200 in 12ms, 写入完成\n", 60)
	messages := []chat.Message{sys("You are a coding agent."), user("Please find out why the build fails.")}
	for i := range 15 {
		m := calls(fmt.Sprint("call_", i))
		m.Reasoning = strings.Repeat("The log says that the linker runs out of memory. ", 20)
		m.ToolCalls[0].Arguments = `{"cmd": "tail -n 60 build.log", "timeout": 10, "env": {"LANG": "C"}}`
		messages = append(messages, m, result(fmt.Sprint("call_", i), log))
	}
	for i := range ofSamples() {
		e := &ofSamples()[i]
		s := sampleOf(append(messages, says("It was the linker."))...)
		s.Tools, _ = normalizeTools(toolsRecorded)
		if _, findings := e.Prepare(s); len(findings) > 0 {
			b.Fatal(findings)
		}
		b.Run(e.Name, func(b *testing.B) {
			b.ReportAllocs()
			var lines []byte
			for b.Loop() {
				lines, _ = e.Append(lines[:0], s)
				b.SetBytes(int64(len(lines)))
			}
		})
	}
}
