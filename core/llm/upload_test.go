package llm

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"winnow/core/llm/llmtest"
)

// endless gives the same line again and again.
type endless struct{ line []byte }

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], e.line)
	}
	return n, nil
}

// TestUploadsAreNotHeld: what is allocated during an upload, by the client and by the
// server of the test, does not depend on its size.
func TestUploadsAreNotHeld(t *testing.T) {
	const size, most = uploaded << 20, 16 << 20
	server := llmtest.Start(t)
	c, _ := client(t, server)
	line := bytes.Repeat([]byte("x"), 4096)
	body := Body{Name: "winnow-0123.jsonl", Size: size, Open: func() (io.ReadCloser, error) { return io.NopCloser(endless{line}), nil }}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, err := c.Upload(context.Background(), body)
	runtime.ReadMemStats(&after)
	if err != nil || f.Size != size {
		t.Fatalf("%+v, %v", f, err)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > most {
		t.Errorf("%d MB allocated for %d MB", grown>>20, size>>20)
	} else {
		t.Logf("%d KB allocated for %d MB", grown>>10, size>>20)
	}
}

// TestRefusedUploadsAreNotSent: why a large file is refused is known, and nothing of it
// has been sent in vain.
func TestRefusedUploadsAreNotSent(t *testing.T) {
	for status, want := range map[int]string{413: "the file is larger than it takes", 401: "check OPENAI_API_KEY"} {
		server := llmtest.Start(t)
		server.Tuning().Fail(llmtest.Upload, llmtest.Status(status, ""))
		c, _ := client(t, server)
		read := &counting{}
		_, err := c.Upload(context.Background(), Body{Name: "f", Size: 20 << 20, Open: func() (io.ReadCloser, error) { return io.NopCloser(read), nil }})
		if err == nil || !strings.Contains(err.Error(), want) || read.n.Load() != 0 {
			t.Errorf("%d: %v, %d bytes read", status, err, read.n.Load())
		}
	}
}

// counting gives zeros and counts them.
type counting struct{ n atomic.Int64 }

func (c *counting) Read(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return len(p), nil
}
