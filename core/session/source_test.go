package session_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"winnow/core/chat"
	"winnow/core/session"
)

func gzipped(parts ...string) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		w := gzip.NewWriter(&b)
		_, _ = io.WriteString(w, p)
		_ = w.Close()
	}
	return b.Bytes()
}

func zstandard(t *testing.T, s string) []byte {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(s), nil)
}

func inUTF16(s string, big bool) []byte {
	var b []byte
	for _, u := range append([]uint16{0xFEFF}, utf16.Encode([]rune(s))...) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

func TestDecode(t *testing.T) {
	text := a1 + "\n" + `{"role":"user","content":"é 你 😀"}` + "\n"
	for _, c := range []struct {
		name     string
		src      []byte
		encoding string
		want     string
	}{
		{"plain", []byte(text), "utf-8", text},
		{"byte order mark stays", []byte("\uFEFF" + text), "utf-8", "\uFEFF" + text},
		{"empty", nil, "utf-8", ""},
		{"gzip", gzipped(text), "gzip, utf-8", text},
		{"gzip members", gzipped(a1, "\n", text), "gzip, utf-8", a1 + "\n" + text},
		{"zstd", zstandard(t, text), "zstd, utf-8", text},
		{"utf-16le", inUTF16(text, false), "utf-16le", text},
		{"utf-16be", inUTF16(text, true), "utf-16be", text},
		{"utf-16 in gzip", gzipped(string(inUTF16(text, false))), "gzip, utf-16le", text},
		{"utf-16 with a lone surrogate and half a unit", append(inUTF16("a", false), 0x3d, 0xd8, 'x', 0, 'y'), "utf-16le", "a\uFFFDx\uFFFD"},
		{"long utf-16", inUTF16(strings.Repeat("x😀", 40000), true), "utf-16be", strings.Repeat("x😀", 40000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, in := range []io.Reader{bytes.NewReader(c.src), iotest.OneByteReader(bytes.NewReader(c.src))} {
				r, enc, err := session.Decode(in)
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(r)
				if err != nil || string(got) != c.want {
					t.Errorf("%.60q, error %v, want %.60q", got, err, c.want)
				}
				if enc.String() != c.encoding || enc.Seekable() != (c.encoding == "utf-8") {
					t.Errorf("encoding %q, seekable %v", enc, enc.Seekable())
				}
			}
		})
	}
}

// TestTruncatedGzip: what came before the damage is read, and it is said.
func TestTruncatedGzip(t *testing.T) {
	whole := gzipped(a1+"\n", strings.Repeat(b1+"\n", 50))
	for name, src := range map[string][]byte{"cut": whole[:len(whole)-9], "junk behind": append(gzipped(a1+"\n"), "junk"...)} {
		r, _, err := session.Decode(bytes.NewReader(src))
		if err != nil {
			t.Fatal(err)
		}
		rec := &record{}
		if _, err := session.Read(t.Context(), r, session.Options{}, session.State{}, rec); err != nil {
			t.Fatal(err)
		}
		if len(rec.msgs) == 0 {
			t.Errorf("%s: no messages", name)
		}
		if got := rec.of(session.Bad); len(got) != 1 || !strings.HasPrefix(got[0], "gzip data") {
			t.Errorf("%s: bad %q", name, got)
		}
	}
}

var errDisk = errors.New("disk on fire")

func TestReadErrors(t *testing.T) {
	rec := &record{}
	res, err := session.Read(t.Context(), io.MultiReader(strings.NewReader(a1+"\n"+b1[:5]), iotest.ErrReader(errDisk)), session.Options{}, session.State{}, rec)
	var at *session.LineError
	if !errors.As(err, &at) || !errors.Is(err, errDisk) || at.Line != 2 || at.Offset != int64(len(a1)+1) {
		t.Errorf("error %v", err)
	}
	if len(rec.msgs) != 1 || res.State.Offset != int64(len(a1)+1) {
		t.Errorf("%d messages, state %+v", len(rec.msgs), res.State)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := session.Read(ctx, strings.NewReader(a1), session.Options{}, session.State{}, rec); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled reading gives %v", err)
	}
}

// TestEveryStateResumes goes on from each state that was given out, as after
// a crash between two commits.
func TestEveryStateResumes(t *testing.T) {
	srcs := [][]byte{[]byte("[" + a1 + "," + noID + "," + b1 + "]" + a1 + "\n" + a1 + "{\n\n" + b1)}
	for _, s := range seeds {
		srcs = append(srcs, []byte(s))
	}
	for _, path := range sharedFiles(t, "hostile", "nanobot") {
		srcs = append(srcs, decodedFile(t, path))
	}
	for _, src := range srcs {
		marks := &marking{}
		if _, err := session.Read(t.Context(), bytes.NewReader(src), session.Options{}, session.State{}, marks); err != nil {
			t.Fatal(err)
		}
		for k := 0; k < len(marks.states); k += 1 + len(marks.states)/20 {
			from := marks.states[k]
			rec := &record{msgs: append(marks.msgs[:0:0], marks.msgsAt[k]...), issues: append(marks.issues[:0:0], marks.issues[:marks.issueAt[k]]...)}
			if _, err := session.Read(t.Context(), bytes.NewReader(src[from.Offset:]), session.Options{}, from, rec); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(rec.msgs, marks.msgs) || !reflect.DeepEqual(rec.settled(), marks.settled()) {
				t.Fatalf("%.80q from state %d %+v: %d messages and %d issues, want %d and %d", src, k, from, len(rec.msgs), len(rec.issues), len(marks.msgs), len(marks.issues))
			}
		}
	}
}

// marking remembers what had been sent at each state.
type marking struct {
	record
	msgsAt  [][]chat.Message
	issueAt []int
}

func (m *marking) LineDone(s *session.State) error {
	m.msgsAt = append(m.msgsAt, append([]chat.Message(nil), m.msgs...))
	m.issueAt = append(m.issueAt, len(m.issues))
	return m.record.LineDone(s)
}

// TestGiantLine: a line costs at most four times its size, with its message.
func TestGiantLine(t *testing.T) {
	const size = 48 << 20 / min(slower, 4)
	for _, unit := range []string{"plain text ", `escaped\n\"text\" `} {
		text := strings.Repeat(unit, size/len(unit))
		src := io.MultiReader(strings.NewReader(`{"role":"user","content":"`), strings.NewReader(text), strings.NewReader("\"}\n"+a1+"\n"))
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		sink := &nowhere{}
		if _, err := session.Read(t.Context(), src, session.Options{}, session.State{}, sink); err != nil || sink.msgs != 2 {
			t.Fatalf("%d messages, %v", sink.msgs, err)
		}
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 4*size {
			t.Errorf("%d MB allocated for a line of %d MB", got>>20, size>>20)
		}
	}
}

// TestHostileSizes: none of these may take more than the time of reading them.
func TestHostileSizes(t *testing.T) {
	const n = 4 << 20 / slower // bytes; what is quadratic would take minutes
	for name, c := range map[string]struct {
		src   string
		lines int64
	}{
		"open brackets":          {strings.Repeat("[", n), 0},
		"open brackets per line": {strings.Repeat("{\"a\":[\n", n/7), n / 7},
		"brackets and objects":   {strings.Repeat("{\"a\":[\n{}\n,\n", n/12), 3 * (n / 12)},
		"quotes":                 {strings.Repeat("{\"\n", n/3), n / 3},
		"tiny lines":             {strings.Repeat("{}\n", n/3), n / 3},
		"array of numbers":       {"[" + strings.Repeat("1,", n/2) + "1]\n", 1},
		"many fields":            {"{" + strings.Repeat(`"a":1,`, n/6) + "\"b\":1}\n", 1},
		"NULs":                   {a1 + "\n" + strings.Repeat("\x00", n), 1},
		"garbage without an end": {"x" + strings.Repeat("y", n), 0},
	} {
		t.Run(name, func(t *testing.T) {
			sink := &nowhere{}
			res, err := session.Read(t.Context(), strings.NewReader(c.src), session.Options{}, session.State{}, sink)
			if err != nil {
				t.Fatal(err)
			}
			if got := res.State.Counts.Lines(); c.lines > 0 && got+res.Pending != c.lines {
				t.Errorf("%d lines and %d pending, want %d", got, res.Pending, c.lines)
			}
		})
	}
}
