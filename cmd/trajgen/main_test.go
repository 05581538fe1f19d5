package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"winnow/core/chat"
)

// generated runs the program and returns what it wrote to standard output.
func generated(t *testing.T, args ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(args, &stdout, &stderr); code != 0 {
		t.Fatalf("trajgen %v: exit %d: %s", args, code, &stderr)
	}
	return stdout.Bytes()
}

// files returns the contents of a folder by path.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		all[filepath.ToSlash(strings.TrimPrefix(path, dir))] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSameFlagsSameBytes(t *testing.T) {
	size := fmt.Sprint(2000/slower, "KB")
	for i := 0; i < len(formats); i += slower {
		f := &formats[i]
		a, b := t.TempDir(), t.TempDir()
		generated(t, "-o", a, "--format", f.name, "--size", size, "--files-per-dir", "7")
		generated(t, "-o", b, "--format", f.name, "--size", size, "--files-per-dir", "7")
		one, two := files(t, a), files(t, b)
		if len(one) == 0 || f.perFile == 1 && len(one) < 10/slower || len(one) != len(two) {
			t.Fatalf("%s: %d and %d files", f.name, len(one), len(two))
		}
		for path := range one {
			if one[path] != two[path] {
				t.Errorf("%s: %s differs", f.name, path)
			}
		}
		same := generated(t, "-o", "-", "--format", f.name, "--sessions", "1")
		other := generated(t, "-o", "-", "--format", f.name, "--sessions", "1", "--seed", "2")
		if !strings.HasPrefix(one["/0000/session-000000.jsonl"], string(same)) || bytes.Equal(other, same) {
			t.Errorf("%s: another seed gave the same session, or the same another", f.name)
		}
	}
}

// A session depends on the seed and its number only, not on how many are made.
func TestSessionsDoNotDependOnEachOther(t *testing.T) {
	dir := t.TempDir()
	generated(t, "-o", dir, "--sessions", "3")
	if alone := generated(t, "-o", "-", "--sessions", "1"); string(alone) != files(t, dir)["/0000/session-000000.jsonl"] {
		t.Error("the first of three sessions differs from the only one")
	}
}

// entry is what the formats with a message per line have in common.
type entry struct {
	Role      string          `json:"role"`
	Type      string          `json:"_type"`
	Content   json.RawMessage `json:"content"`
	ToolCalls []struct {
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
	ToolCallID string `json:"tool_call_id"`
	Reasoning  string `json:"reasoning_content"`
}

func lines(t *testing.T, data string) []entry {
	t.Helper()
	var all []entry
	if !strings.HasSuffix(data, "}\n") {
		t.Error("the last line has no end")
	}
	for line := range strings.Lines(data) {
		var e entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %.300s", err, line)
		}
		all = append(all, e)
	}
	return all
}

func TestOpenAILinesAreValid(t *testing.T) {
	dir := t.TempDir()
	generated(t, "-o", dir, "--size", "8MB")
	for path, data := range files(t, dir) {
		open := map[string]bool{}
		for _, e := range lines(t, data) {
			for _, c := range e.ToolCalls {
				if !json.Valid([]byte(c.Function.Arguments)) || c.Function.Arguments[0] != '{' {
					t.Errorf("%s: arguments %.200s", path, c.Function.Arguments)
				}
				open[c.ID] = true
			}
			if e.Role == "tool" && !open[e.ToolCallID] {
				t.Errorf("%s: a result for the unknown call %q", path, e.ToolCallID)
			}
		}
	}
}

func TestAnthropicLinesAreValid(t *testing.T) {
	dir := t.TempDir()
	generated(t, "-o", dir, "--size", "8MB", "--format", "anthropic")
	kinds := map[string]int{}
	for _, data := range files(t, dir) {
		for _, e := range lines(t, data) {
			var blocks []struct {
				Type  string
				Input map[string]any
			}
			if err := json.Unmarshal(e.Content, &blocks); err != nil {
				t.Fatal(err)
			}
			for _, b := range blocks {
				kinds[b.Type]++
				if b.Type == "tool_use" && len(b.Input) == 0 {
					t.Error("a call without input")
				}
			}
		}
	}
	for _, want := range []string{"text", "thinking", "tool_use", "tool_result"} {
		if kinds[want] < 100 {
			t.Errorf("%d blocks of type %s", kinds[want], want)
		}
	}
}

// The distribution that benchmarks are stated for: 1 GB is about 9,000
// sessions and 350,000 messages, and compresses as recorded sessions do.
func TestDistribution(t *testing.T) {
	dir := t.TempDir()
	generated(t, "-o", dir, "--size", "30MB")
	var sessions, messages, size, failed, chinese int
	var packed int
	for path, data := range files(t, dir) {
		sessions++
		size += len(data)
		n := 0
		for _, e := range lines(t, data) {
			if e.Type == "" {
				n++
			}
			if e.Role == "tool" && strings.HasPrefix(string(e.Content), `"Error: `) {
				failed++
			}
			if e.Role == "tool" && (len(e.Content) < 100 || len(e.Content) > 45000) {
				t.Errorf("%s: a result of %d bytes", path, len(e.Content))
			}
			if len(e.Reasoning) > 4500 {
				t.Errorf("%s: reasoning of %d bytes", path, len(e.Reasoning))
			}
		}
		messages += n
		if n > 400 {
			t.Errorf("%s: %d messages", path, n)
		}
		if strings.Contains(data, "请") {
			chinese++
		}
		for rest := []byte(data); len(rest) > 0; {
			chunk := rest[:min(len(rest), chat.ChunkSize)]
			packed += len(chat.Compress(nil, chunk))
			rest = rest[len(chunk):]
		}
	}
	within := func(what string, got, low, high float64) {
		t.Logf("%s: %.3g", what, got)
		if got < low || got > high {
			t.Errorf("%s: %.3g, want %.3g to %.3g", what, got, low, high)
		}
	}
	within("bytes", float64(size), 30e6, 30.1e6)
	within("messages per session", float64(messages)/float64(sessions), 34, 46)
	within("bytes per message", float64(size)/float64(messages), 2600, 3200)
	within("share of failures per message", float64(failed)/float64(messages), 0.01, 0.06)
	within("share of Chinese sessions", float64(chinese)/float64(sessions), 0.04, 0.2)
	within("compressed size", float64(packed)/float64(size), 0.3, 0.45)
}

func TestLimitsOfMessagesHold(t *testing.T) {
	dir := t.TempDir()
	generated(t, "-o", dir, "--sessions", "200", "--messages-min", "5", "--messages-max", "9")
	for path, data := range files(t, dir) {
		n := 0
		for _, e := range lines(t, data) {
			if e.Type == "" {
				n++
			}
		}
		if n < 5 || n > 9 {
			t.Errorf("%s: %d messages", path, n)
		}
	}
}

// Small texts make messages small, and few rounds make requests many; how many
// messages there are stays.
func TestSmallTextsAndFewRounds(t *testing.T) {
	count := func(args ...string) (messages, requests, bytes int) {
		dir := t.TempDir()
		generated(t, append([]string{"-o", dir, "--sessions", "40", "--messages-min", "40", "--messages-max", "60"}, args...)...)
		for _, data := range files(t, dir) {
			bytes += len(data)
			for _, e := range lines(t, data) {
				if e.Type == "" {
					messages++
				}
				if e.Role == "user" {
					requests++
				}
			}
		}
		return messages / 40, requests, bytes
	}
	n, usual, full := count()
	if m, _, small := count("--text", "15"); small*3 > full || m < 40 || m > 60 {
		t.Errorf("%d messages of a session, %d bytes with small texts, %d without", m, small, full)
	}
	if m, many, _ := count("--rounds", "3"); many < 2*usual || m < 40 || m > 60 {
		t.Errorf("%d and %d messages of a session: %d requests with few rounds, %d without", m, n, many, usual)
	}
}

func TestGiants(t *testing.T) {
	dir := t.TempDir()
	generated(t, "-o", dir, "--giant-line", "24MB", "--giant-file", "10MB", "--tiny-lines", "2000")
	all := files(t, dir)
	if len(all) != 3 {
		t.Fatalf("%d files", len(all))
	}
	longest := ""
	for line := range strings.Lines(all["/giant-line.jsonl"]) {
		if len(line) > len(longest) {
			longest = line
		}
	}
	if n := len(longest); n < 24e6 || n > 24.5e6 {
		t.Errorf("the giant line has %d bytes", n)
	}
	if !strings.Contains(longest[len(longest)-1024:], needle) {
		t.Error("the last kilobyte lacks the needle")
	}
	lines(t, all["/giant-line.jsonl"])
	if n := len(all["/giant-file.jsonl"]); n < 10e6 || n > 10.1e6 {
		t.Errorf("the giant file has %d bytes", n)
	}
	if n := len(lines(t, all["/tiny-lines.jsonl"])); n != 2000 {
		t.Errorf("%d tiny lines", n)
	}
}

// counter is a writer that keeps nothing.
type counter struct{ n, high int }

func (c *counter) Write(b []byte) (int, error) {
	c.n += len(b)
	c.high = max(c.high, cap(b))
	return len(b), nil
}

// A line of any size is written without being held.
func TestMemoryIsConstant(t *testing.T) {
	p := newPool(1)
	grown := func(size int) uint64 {
		var before, after runtime.MemStats
		w := &counter{}
		pg := &page{w: w, pool: p, buf: make([]byte, 0, 2*spillAt)}
		runtime.ReadMemStats(&before)
		a := newAuthor(pg, &formats[0], 1, 1)
		a.left, a.giant = 12, size
		a.session()
		pg.spill(true)
		runtime.ReadMemStats(&after)
		if w.n < size || w.high > 4*spillAt {
			t.Errorf("%d bytes were written, a buffer of %d was used", w.n, w.high)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if small, large := grown(100<<10), grown(50<<20); large > small+1<<20 {
		t.Errorf("50 MB took %d bytes, 100 KB %d", large, small)
	}
}

func TestUsageErrors(t *testing.T) {
	for _, args := range [][]string{
		{}, {"-o", "x"}, {"-o", "x.jsonl", "--sessions", "2"}, {"-o", "-", "--giant-line", "1MB", "--tiny-lines", "4"},
		{"-o", "x", "--size", "1 parsec"}, {"-o", "x", "--size", "1MB", "--format", "latin"},
		{"-o", "x", "--sessions", "1", "--messages-min", "1"}, {"-o", "x", "--sessions", "1", "more"},
		{"-o", "x", "--sessions", "1", "--text", "0"}, {"-o", "x", "--sessions", "1", "--rounds", "-1"},
	} {
		var stderr bytes.Buffer
		if code := run(args, io.Discard, &stderr); code != 2 || stderr.Len() == 0 {
			t.Errorf("trajgen %q: exit %d, %q", args, code, &stderr)
		}
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]size{"1GB": 1e9, "24MB": 24e6, "1.5KB": 1500, "7": 7, "2MiB": 2 << 20} {
		var s size
		if err := s.Set(text); err != nil || s != want {
			t.Errorf("%s is %d (%v), want %d", text, s, err, want)
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for _, f := range formats {
		b.Run(f.name, func(b *testing.B) {
			w := &counter{}
			pg := &page{w: w, pool: newPool(1), buf: make([]byte, 0, 2*spillAt)}
			b.SetBytes(10e6)
			for b.Loop() {
				a := newAuthor(pg, &f, 1, 1)
				a.limit = pg.offset() + 10e6
				a.session()
			}
		})
	}
}
