package offline

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
)

// BenchmarkOffline cuts a session of an agent that works: prompts, calls, tool
// results of a few KiB. Bytes are those of the texts.
func BenchmarkOffline(b *testing.B) {
	var msgs []chat.Message
	size := int64(0)
	for range 200 {
		msgs = slices.Concat(msgs, loader(), pizza())
	}
	for i := range msgs {
		if msgs[i].Role == chat.Tool {
			msgs[i].Content += strings.Repeat("\n\treturn fmt.Errorf(\"line %d: %w\", n, err)", 100)
		}
		size += int64(msgs[i].Size())
	}
	o := New()
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := o.Cut(b.Context(), textOf(msgs, 1)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOfflineTalk cuts a session of short messages, many to the KiB, as
// conversations are that use no tools.
func BenchmarkOfflineTalk(b *testing.B) {
	var talk []chat.Message
	for _, tasks := range []string{"English", "Portuguese", "Korean", "Turkish", "Italian"} {
		for _, text := range shortTalks[tasks] {
			talk = append(talk, talkOf(text)...)
		}
	}
	msgs := slices.Repeat(talk, 50)
	size := int64(0)
	for i := range msgs {
		msgs[i].N = i + 1
		size += int64(msgs[i].Size())
	}
	o := New()
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := o.Cut(b.Context(), textOf(msgs, 1)); err != nil {
			b.Fatal(err)
		}
	}
}
