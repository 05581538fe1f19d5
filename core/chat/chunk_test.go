package chat

import (
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

func chunkOf(messages []Message) []byte {
	var packed []byte
	for i := range messages {
		packed = AppendMessage(packed, &messages[i])
	}
	return Compress(nil, packed)
}

// full is messages with every field set, and with none.
func full() []Message {
	return []Message{
		{
			N: 1 << 20, Role: Assistant, Content: "c\x00\xff中", Reasoning: "r",
			ToolCalls:  []ToolCall{{ID: "1", Name: "sh", Arguments: `{"a": 1.0}`}, {}},
			ToolCallID: "t", Name: "n", IsError: true, StopReason: "s", Model: "m", Timestamp: "ts",
			Marks: MarkImage | MarkMalformedCall, NativeID: "id", ParentID: "p", TurnID: "turn", Child: "child", Kept: "4-2,1-1", SourceLine: 1 << 40, SourceOffset: 1 << 50,
		},
		{Role: System}, {Role: User}, {Role: Tool},
		{N: 4, Role: Tool, Content: strings.Repeat("x", 3*ChunkSize)},
	}
}

func TestChunkRoundTrip(t *testing.T) {
	// A field that is added to Message and forgotten here would be lost.
	v := reflect.ValueOf(full()[0])
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; v.Field(i).IsZero() && name != "Part" {
			t.Errorf("the test does not cover %s", name)
		}
	}
	for n := range len(full()) + 1 {
		want := full()[:n]
		got, err := ReadChunk(chunkOf(want))
		if err != nil || len(got) != n {
			t.Fatalf("%d messages: %d, %v", n, len(got), err)
		}
		for i := range want {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Errorf("message %d of %d differs", i, n)
			}
		}
	}
}

func TestCompressAppends(t *testing.T) {
	packed := AppendMessage(nil, &Message{Role: User, Content: "hi"})
	out := Compress([]byte("head"), packed)
	if string(out[:4]) != "head" {
		t.Fatal("overwritten")
	}
	if m, err := ReadChunk(out[4:]); err != nil || len(m) != 1 {
		t.Error(m, err)
	}
}

func TestDamagedChunks(t *testing.T) {
	good := chunkOf(full())
	for i := range good {
		bad := append([]byte{}, good...)
		bad[i] ^= 0x55
		if _, err := ReadChunk(bad); err != nil && !errors.Is(err, ErrCorruptChunk) {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
	for i := 1; i < len(good); i++ {
		if _, err := ReadChunk(good[:i]); !errors.Is(err, ErrCorruptChunk) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
	// What was packed wrongly, and compressed well.
	packed := AppendMessage(nil, &full()[0])
	for i := 1; i < len(packed); i++ {
		if m, err := ReadChunk(Compress(nil, packed[:i])); !errors.Is(err, ErrCorruptChunk) {
			t.Fatalf("packed cut at %d: %v, %v", i, m, err)
		}
	}
	for name, bytes := range map[string][]byte{
		"role": {1, 9, 0, 0}, "length": append([]byte{1, 1, 0, 0, 0, 0}, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1),
	} {
		if _, err := ReadChunk(Compress(nil, bytes)); !errors.Is(err, ErrCorruptChunk) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A size of 2 GB in the header of 60 bytes: nothing of that size may be
// allocated before it is there.
func TestDamagedSizeAllocatesNothing(t *testing.T) {
	chunk := []byte("(\xb5/\xfd\x80\x58\xff\xff\xff\x7f\x01\x00\x00")
	before := allocated()
	if _, err := ReadChunk(chunk); !errors.Is(err, ErrCorruptChunk) {
		t.Error(err)
	}
	if n := allocated() - before; n > 64<<20 {
		t.Errorf("%d MB", n>>20)
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// A message of more than what is allocated at once is read back as well.
func TestGiantMessage(t *testing.T) {
	want := Message{Role: Tool, Content: strings.Repeat("0123456789abcdef", trusted/16+1)}
	got, err := ReadChunk(chunkOf([]Message{want}))
	if err != nil || len(got) != 1 || got[0].Content != want.Content {
		t.Errorf("%d messages, %v", len(got), err)
	}
}

// Bytes of every kind give messages or ErrCorruptChunk, and what was read can
// be packed again.
func FuzzReadChunk(f *testing.F) {
	for _, m := range full()[:4] {
		f.Add(AppendMessage(nil, &m))
	}
	f.Add(chunkOf(full()[:2]))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4<<10 {
			return // a few bytes of a run can stand for 128 KiB: keep memory small
		}
		for _, chunk := range [][]byte{data, Compress(nil, data)} {
			messages, err := ReadChunk(chunk)
			if err != nil {
				if !errors.Is(err, ErrCorruptChunk) {
					t.Fatal(err)
				}
				continue
			}
			again, err := ReadChunk(chunkOf(messages))
			if err != nil || !reflect.DeepEqual(messages, again) {
				t.Fatalf("%v: %v and %v", err, messages, again)
			}
		}
	})
}

func BenchmarkChunk(b *testing.B) {
	var packed []byte
	for i := range 40 {
		packed = AppendMessage(packed, &Message{N: i, Role: Tool, Name: "sh", Content: strings.Repeat("drwxr-xr-x  2 root root 4096 Jan  2 15:04 src\n", 20+i*5)})
	}
	chunk := Compress(nil, packed)
	b.Run("compress", func(b *testing.B) {
		b.SetBytes(int64(len(packed)))
		var buf []byte
		for b.Loop() {
			buf = Compress(buf[:0], packed)
		}
	})
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(packed)))
		for b.Loop() {
			if _, err := ReadChunk(chunk); err != nil {
				b.Fatal(err)
			}
		}
	})
}
