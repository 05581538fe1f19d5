package session_test

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/session"
)

// TestNULTail: what a crash leaves behind the lines of a log makes it no
// binary file.
func TestNULTail(t *testing.T) {
	const nul = "\x00\x00\x00\x00"
	for src, want := range map[string]int{
		"# recorded by agent\n" + a1 + "\n" + b1 + "\n" + nul:             2,
		"# recorded by agent\n" + nul + "\n \t" + a1 + "\n" + nul + "x\n": 1,
		"# recorded by agent\n[" + a1 + "," + b1 + "]\n" + nul + "\nx\n":  2,
		"hello" + nul:                0,
		"# no session\n" + nul + "x": -1,
		nul + "MZ" + nul + "\x03\n":  -1,
		"GIF8\n" + a1 + "\n":         -1,
	} {
		rec, res := readAll(t, []byte(src), "")
		got := len(rec.msgs)
		if res.Seen == "binary data" {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %d messages, want %d, seen %q", src, got, want, res.Seen)
		}
	}
}

// TestBracketAtTheEnd: what follows a bracket that ended a source makes no
// difference to what was told of the bracket.
func TestBracketAtTheEnd(t *testing.T) {
	for _, src := range []string{"[\n" + a1 + "\n]garbage\n", "[\n" + a1 + "\n] \r\n", "[]" + a1 + "\n", "[]x", "[\n]\n" + a1, "[][]\n"} {
		for end := 0; end < len(src); end += slower {
			samePieces(t, []byte(src), []int{end})
		}
	}
	rec, res := readAll(t, []byte("[\n"+a1+"\n]"), "")
	if got := rec.of(session.Skipped); res.State.Counts.Skipped != 2 || !reflect.DeepEqual(got, []string{"array bracket", "array bracket"}) {
		t.Errorf("%+v, skipped for %q", res.State.Counts, got)
	}
}

// uncollected is what the heap may hold besides a line: garbage that the
// collector has not come to on a busy machine.
const uncollected = 4 << 20

// TestHostileLists: the elements of a list on one line are not collected, so
// that a line costs at most four times its size, whatever is in its lists.
func TestHostileLists(t *testing.T) {
	const size = 2<<20/slower - 1<<10 // bytes of the line; just under a power of two, as buffers double
	for name, c := range map[string]struct{ head, unit, tail, note string }{
		"numbers":           {`{"role":"user","content":["x"`, `,1`, `]}`, "content part is no object: number"},
		"empty objects":     {`{"role":"user","content":["x"`, `,{}`, `]}`, "content part without a type"},
		"small objects":     {`{"role":"user","content":["x"`, `,{"a":1}`, `]}`, "content part without a type"},
		"texts":             {`{"role":"user","content":["x"`, `,"y"`, `]}`, ""},
		"text parts":        {`{"role":"user","content":[{"type":"text","text":"x"}`, `,{"type":"text","text":"y"}`, `]}`, ""},
		"unknown kinds":     {`{"role":"user","content":["x"`, `,{"type":"a"},{"type":"b"}`, `]}`, "content part of unknown type: a"},
		"numbers for calls": {`{"role":"assistant","tool_calls":[7`, `,7`, `]}`, "malformed tool call, kept as text"},
		"objects for calls": {`{"role":"assistant","content":"x","tool_calls":[7`, `,{"id":1}`, `]}`, "malformed tool call, kept as text"},
		"calls":             {`{"role":"assistant","tool_calls":[{"function":{"name":"n"}}`, `,{"function":{"name":"n","arguments":"{\"a\":\"bcdefghijklmnopqrst\"}"}}`, `]}`, ""},
		"nameless tool_use": {`{"role":"assistant","content":[{"type":"tool_use"}`, `,{"type":"tool_use"}`, `]}`, "malformed tool call, kept as text"},
		"thinking":          {`{"role":"assistant","content":[{"type":"thinking"}`, `,{"type":"thinking","thinking":"t"}`, `]}`, ""},
		"tool results":      {`{"role":"user","content":[{"type":"tool_result","content":["x"`, `,1,null`, `]}]}`, "content part is no object: number"},
	} {
		t.Run(name, func(t *testing.T) {
			line := c.head + strings.Repeat(c.unit, (size-len(c.head)-len(c.tail))/len(c.unit)) + c.tail
			at := time.Now()
			peak := peakOf(t, line+"\n"+a1+"\n")
			t.Logf("%v, peak %.1f times the line", time.Since(at), float64(peak)/float64(len(line)))
			if peak > 4*len(line)+uncollected {
				t.Errorf("a line of %d KB takes %d KB", len(line)>>10, peak>>10)
			}
			rec, res := readAll(t, []byte(line+"\n"+a1+"\n"), "")
			if len(rec.msgs) != 2 || res.State.Counts.Read != 2 {
				t.Errorf("%d messages, %+v", len(rec.msgs), res.State.Counts)
			}
			notes := 0
			for _, note := range rec.of(session.Note) {
				if note == c.note {
					notes++
				}
			}
			if want := min(len(c.note), 1); notes != want || len(rec.issues) > 2 {
				t.Errorf("%d times %q, %d issues", notes, c.note, len(rec.issues))
			}
		})
	}
}

// TestManyKindsOfNotes: a line can't fill the ledger.
func TestManyKindsOfNotes(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"role":"user","content":["x"`)
	for i := range 100_000 {
		fmt.Fprintf(&b, `,{"type":"k%d"}`, i)
	}
	b.WriteString("]}\n")
	rec, _ := readAll(t, []byte(b.String()), "")
	if n := len(rec.issues); n != 17 || rec.issues[n-1].Reason != "more kinds of repairs on the line" {
		t.Errorf("%d issues, the last %+v", n, rec.issues[max(n, 1)-1])
	}
}

// heavy measures what is in memory when the last message comes.
type heavy struct {
	nowhere
	r    *strings.Reader
	held uint64
}

func (h *heavy) Message(_ string, m *chat.Message) error {
	h.msgs++
	if h.r.Len() == 0 && m.Content == "last" {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		h.held = stats.HeapAlloc
	}
	return nil
}

// bySmall reads little at a time, as from a pipe.
type bySmall struct{ r *strings.Reader }

func (b bySmall) Read(p []byte) (int, error) { return b.r.Read(p[:min(len(p), 64<<10)]) }

// TestGiantLineIsLetGo: nothing of a giant line stays behind it.
func TestGiantLineIsLetGo(t *testing.T) {
	const size = 32 << 20 / min(slower, 4)
	for _, content := range []string{`[{"type":"image_url","image_url":"%s"}]`, `"%s"`, `[{"type":"text","text":"%s"},{"type":"text","text":"y"}]`} {
		src := `{"role":"user","content":` + fmt.Sprintf(content, strings.Repeat("x", size)) + "}\n" + strings.Repeat(a1+"\n", 100_000) + `{"role":"user","content":"last"}` + "\n"
		sink := &heavy{r: strings.NewReader(src)}
		var before runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		if _, err := session.Read(t.Context(), bySmall{sink.r}, session.Options{}, session.State{}, sink); err != nil || sink.held == 0 {
			t.Fatal(err, sink.held)
		}
		if held := int64(sink.held) - int64(before.HeapAlloc); held > 2<<20 {
			t.Errorf("%.40s: %d MB are held", content, held>>20)
		}
	}
}

// peakOf reads a source and returns the most memory that was in use at once.
func peakOf(t *testing.T, src string) int {
	t.Helper()
	r := strings.NewReader(src)
	return peakWhile(t, func() error {
		_, err := session.Read(t.Context(), r, session.Options{}, session.State{}, &nowhere{})
		return err
	})
}

// peakWhile returns the most memory that was in use at once while f ran.
func peakWhile(t *testing.T, f func() error) int {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(5)) // garbage hardly counts
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before, peak := m.HeapAlloc, uint64(0)
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for tick := time.Tick(time.Millisecond); ; {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
			select {
			case <-stop:
				return
			case <-tick:
			}
		}
	}()
	err := f()
	close(stop)
	<-stopped
	if err != nil {
		t.Fatal(err)
	}
	return int(peak - min(before, peak))
}
