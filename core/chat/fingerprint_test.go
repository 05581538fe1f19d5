package chat

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// vectors calls f for each line of a file of known answers kept beside the
// project. Without that file there is nothing to check.
func vectors(t *testing.T, name string, f func(line []byte)) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "vectors", name))
	if err != nil {
		return
	}
	for in := bufio.NewScanner(bytes.NewReader(data)); in.Scan(); {
		f(in.Bytes())
	}
}

func TestFingerprintKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		want     string
		messages []Message
	}{
		{"e3b0c44298fc1c14", nil},
		{"758e647e83e75306", []Message{{Role: User, Content: "hi"}}},
		{"776a10fd463266b9", []Message{{Role: User, Content: "a"}, {Role: User}}},
		{"740589d57c2ffaed", []Message{{Role: Assistant}, {Role: Tool}}},
	} {
		if got := DigestOf(c.messages).Fingerprint; got != c.want {
			t.Errorf("%v: %s, want %s", c.messages, got, c.want)
		}
	}
	vectors(t, "fingerprints.jsonl", func(line []byte) {
		var v struct {
			Messages    []struct{ Role, Content string }
			Fingerprint string
		}
		if err := json.Unmarshal(line, &v, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err)
		}
		var messages []Message
		for _, m := range v.Messages {
			messages = append(messages, Message{Role: Role(m.Role), Content: m.Content})
		}
		if got := DigestOf(messages).Fingerprint; got != v.Fingerprint {
			t.Errorf("%s: %s", line, got)
		}
	})
}

// The rule, written a second time and without any cleverness.
func TestNthFingerprintAppendsTheNumber(t *testing.T) {
	m := Message{Role: Assistant, Content: "c"}
	h := NewHasher()
	h.Add(&m)
	for n := range 12 {
		bytes := "assistant\x00c\x01"
		if n >= 2 {
			bytes += fmt.Sprintf("\x02%d", n)
		}
		sum := sha256.Sum256([]byte(bytes))
		if got := h.Nth(n); got != hex.EncodeToString(sum[:8]) {
			t.Errorf("n = %d: %s", n, got)
		}
	}
	if h.Digest().Fingerprint != h.Nth(1) {
		t.Error("asking for the n-th changed the hasher")
	}
}

func TestDetailSeesWhatTheFingerprintDoesNot(t *testing.T) {
	base := func() Message {
		return Message{Role: Assistant, Content: "c", ToolCalls: []ToolCall{{ID: "1", Name: "sh", Arguments: `{"a":1}`}}}
	}
	seen := map[string]string{}
	for name, change := range map[string]func(*Message){
		"nothing":      func(*Message) {},
		"reasoning":    func(m *Message) { m.Reasoning = "r" },
		"call id":      func(m *Message) { m.ToolCalls[0].ID = "2" },
		"call name":    func(m *Message) { m.ToolCalls[0].Name = "ls" },
		"arguments":    func(m *Message) { m.ToolCalls[0].Arguments = `{"a": 1}` },
		"another call": func(m *Message) { m.ToolCalls = append(m.ToolCalls, ToolCall{Name: "x"}) },
		"no call":      func(m *Message) { m.ToolCalls = nil },
		"tool call id": func(m *Message) { m.ToolCallID = "1" },
		"name":         func(m *Message) { m.Name = "1" },
		"error":        func(m *Message) { m.IsError = true },
		"stop reason":  func(m *Message) { m.StopReason = "length" },
		"model":        func(m *Message) { m.Model = "m" },
		"marks":        func(m *Message) { m.Marks = MarkImage },
	} {
		m, plain := base(), base()
		change(&m)
		d := DigestOf([]Message{m})
		if d.Fingerprint != DigestOf([]Message{plain}).Fingerprint {
			t.Errorf("%s changed the fingerprint", name)
		}
		if other, double := seen[d.Detail]; double {
			t.Errorf("%s and %s have the same detail", name, other)
		}
		seen[d.Detail] = name
	}
	// Where and when it was recorded makes no other message.
	m, plain := base(), base()
	m.N, m.SourceLine, m.SourceOffset, m.NativeID, m.ParentID, m.Timestamp = 7, 8, 9, "n", "p", "2026-01-02"
	if DigestOf([]Message{m}) != DigestOf([]Message{plain}) {
		t.Error("the place is part of the digest")
	}
}

func TestHasherGoesOnFromAKeptState(t *testing.T) {
	messages := []Message{{Role: User, Content: "a"}, {Role: Assistant, Reasoning: "r"}, {Role: Tool, Content: strings.Repeat("x", 1000)}, {Role: User}}
	for cut := range len(messages) + 1 {
		before := NewHasher()
		for i := range messages[:cut] {
			before.Add(&messages[i])
		}
		state, err := before.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		after := NewHasher()
		if err := after.UnmarshalBinary(state); err != nil {
			t.Fatal(err)
		}
		for i := range messages[cut:] {
			after.Add(&messages[cut+i])
		}
		if after.Digest() != DigestOf(messages) {
			t.Errorf("cut at %d", cut)
		}
		after.Reset()
		if after.Digest() != DigestOf(nil) {
			t.Errorf("reset at %d", cut)
		}
	}
}

func TestDamagedHashStateIsRefused(t *testing.T) {
	state, _ := NewHasher().MarshalBinary()
	for _, bad := range [][]byte{nil, {1}, state[1:], state[:len(state)/2], append([]byte("x"), state[1:]...), append(state, 0, 0)} {
		h := NewHasher()
		if err := h.UnmarshalBinary(bad); err == nil {
			t.Errorf("%d bytes accepted", len(bad))
		}
		if h.Digest() != DigestOf(nil) {
			t.Error("a refused state changed the hasher")
		}
	}
}

func BenchmarkHasher(b *testing.B) {
	m := Message{Role: Tool, Content: strings.Repeat("a line of output\n", 500), ToolCallID: "call_1", Name: "sh"}
	h := NewHasher()
	b.SetBytes(int64(m.Size()))
	b.ReportAllocs()
	for b.Loop() {
		h.Add(&m)
	}
}
