package export

import (
	"os"
	"path/filepath"
	"testing"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// codingLibrary is n sessions as agents that write code have them: the source
// of this package is read and written.
func codingLibrary(b *testing.B, n int) (l *library, size int64) {
	b.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil || len(paths) == 0 {
		b.Fatal("no sources: ", err)
	}
	l = &library{}
	for i := range n {
		messages := []chat.Message{user("read and write the next files")}
		for j := range 8 {
			data, err := os.ReadFile(paths[(i*8+j)%len(paths)])
			if err != nil {
				b.Fatal(err)
			}
			text := string(data)
			messages = append(messages, with(calls("a"), func(m *chat.Message) {
				m.Reasoning = "The file /home/mariekej/src/" + paths[j] + " has to change."
				m.ToolCalls[0].Arguments = `{"path":"/home/mariekej/src/x.go","text":` + string(rawjson.AppendString(nil, text[:len(text)/2])) + `}`
			}), result("a", text))
			size += int64(len(text) * 3 / 2)
		}
		l.add(nil, append(messages, says("done"))...)
	}
	return l, size
}

// BenchmarkRedact is an export with secrets replaced and one without, of
// sessions that read and write code.
func BenchmarkRedact(b *testing.B) {
	l, size := codingLibrary(b, 200)
	for _, c := range []struct {
		name   string
		redact *Redaction
	}{{"as it is", nil}, {"redacted", &Redaction{}}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				if _, err := Run(b.Context(), l, Options{Path: filepath.Join(b.TempDir(), "out.jsonl"), Force: true, Redact: c.redact}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
