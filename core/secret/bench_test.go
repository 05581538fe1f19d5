package secret

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"winnow/core/secret/secrettest"
)

// realText is code, prose and output of tools as in sessions: this package,
// with a secret now and then.
func realText(tb testing.TB, size int) string {
	tb.Helper()
	paths, err := filepath.Glob("../*/*.go")
	if err != nil || len(paths) == 0 {
		tb.Fatal("no text: ", err)
	}
	planted := secrettest.All()
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		data, err := os.ReadFile(paths[i%len(paths)])
		if err != nil {
			tb.Fatal(err)
		}
		b.Write(data)
		b.WriteString("\n" + planted[i%len(planted)].Text + "\n")
	}
	return strings.ToValidUTF8(b.String()[:size], "")
}

func BenchmarkFind(b *testing.B) {
	s := New([]string{"mariekej"})
	for _, c := range []struct {
		name, text string
	}{
		{"text", realText(b, 4<<20)},
		{"json", `{"a":"` + plainJSON(realText(b, 4<<20)) + `"}`},
		{"base64", strings.Repeat("QUtJQWtleVRva2VuRXk5cGFzc3dvcmQw", 1<<17)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			s.Find(c.text)
			b.ReportAllocs()
			for b.Loop() {
				s.Find(c.text)
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if err := New(nil).Load(); err != nil {
			b.Fatal(err)
		}
	}
}

// A message of 24 MB needs memory for what is found in it, thousands of
// secrets here, not for itself. Under the race detector pools forget what they
// hold, so that nothing can be said of it.
func TestGiantMessage(t *testing.T) {
	size := (24 << 20) / slower
	s := New([]string{"mariekej"})
	text := realText(t, size)
	s.Find(text[:1<<10])
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	hits := s.Find(text)
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > uint64(size) && slower == 1 {
		t.Errorf("%d bytes are allocated for %d bytes of text with %d secrets", grown, size, len(hits))
	} else {
		t.Logf("%d bytes for %d bytes of text with %d secrets", grown, size, len(hits))
	}
}
