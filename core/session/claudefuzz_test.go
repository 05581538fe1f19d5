package session_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/session"
)

// tangle writes a line of a session whose ids are few, so that entries follow
// each other in every way.
func tangle(b *strings.Builder, s [4]byte, content string) {
	ids := [...]string{`"a"`, `"b"`, `"c"`, `"d"`, `"e"`, `"f"`, `null`, `""`}
	id, parent, turn, session, agent := ids[s[1]%6], ids[s[1]/6%8], ids[s[2]%8], ids[s[3]%8], ids[s[3]/8%8]
	about := fmt.Sprintf(`"uuid":%s,"parentUuid":%s,"sessionId":%s`, id, parent, session)
	if s[3]&0x80 != 0 {
		about += `,"isSidechain":true`
		if s[2]&0x40 != 0 {
			about += `,"agentId":` + agent
		}
	}
	blocks := [...]string{
		`{"type":"text","text":` + turn + `}`,
		`{"type":"tool_use","id":` + turn + `,"name":"Task","input":{"prompt":` + agent + `}}`,
		`{"type":"thinking","thinking":` + turn + `}`,
		`{"type":"tool_result","tool_use_id":` + turn + `,"content":` + agent + `}`,
	}
	block := blocks[s[2]/8%4]
	switch s[0] % 12 {
	case 0, 1:
		fmt.Fprintf(b, `{"type":"user",%s,"message":{"role":"user","content":%s}}`, about, ids[s[2]%8])
	case 2, 3, 4:
		fmt.Fprintf(b, `{"type":"assistant",%s,"message":{"role":"assistant","id":%s,"usage":{"input_tokens":%d},"model":%s,"content":[%s]}}`, about, turn, s[0], agent, block)
	case 5, 6:
		fmt.Fprintf(b, `{"type":"user",%s,"toolUseResult":{"agentId":%s},"message":{"role":"user","content":[%s,%s]}}`, about, agent, blocks[3], block)
	case 7:
		fmt.Fprintf(b, `{"type":"system","subtype":"compact_boundary",%s,"content":"x","logicalParentUuid":%s}`, about, turn)
	case 8:
		fmt.Fprintf(b, `{"type":"progress",%s}`, about)
	case 9:
		fmt.Fprintf(b, `{"type":"summary","summary":%s,"leafUuid":%s}`, turn, id)
	case 10:
		fmt.Fprintf(b, `{"type":%s,%s,"message":%s}`, turn, about, content)
	case 11:
		fmt.Fprintf(b, `{"type":"user",%s,"message":{"role":"user","content":%s},"attachment":%s}`, about, content, content)
	}
	b.WriteByte('\n')
}

// FuzzClaudeCode reads tangled sessions: every message that is given stays in
// exactly one session, and pieces give what the whole gives.
func FuzzClaudeCode(f *testing.F) {
	rng := rand.New(rand.NewPCG(3, 3))
	for n := range 24 {
		script := make([]byte, 4*(n+3))
		for i := range script {
			script[i] = byte(rng.Uint32())
		}
		f.Add(script, `{"role":"user","content":[{"type":"text","text":"x"}]}`, uint16(rng.Uint32()))
	}
	f.Add([]byte{11, 1, 2, 3}, `{"type":"queued_command","prompt":"p"}`, uint16(9))
	f.Fuzz(func(t *testing.T, script []byte, content string, split uint16) {
		var b strings.Builder
		for ; len(script) >= 4 && b.Len() < 64<<10; script = script[4:] {
			tangle(&b, [4]byte(script), content)
		}
		src := []byte(b.String())
		checkRead(t, src, int(split))
		checkGiven(t, src)
	})
}

// given counts the messages that came, however they were moved.
type given struct {
	record
	messages int
}

func (g *given) Message(key string, m *chat.Message) error {
	g.messages++
	return g.record.Message(key, m)
}

func (g *given) LineDone(*session.State) error { return nil }

func checkGiven(t testing.TB, src []byte) *given {
	t.Helper()
	g := &given{}
	if _, err := session.Read(context.Background(), bytes.NewReader(src), session.Options{}, session.State{}, g); err != nil {
		t.Fatal(err)
	}
	held := len(g.msgs)
	for _, key := range g.keys {
		meta, msgs := g.session(key)
		held += len(*msgs)
		if o := meta.Origin; o.Kind != "" && o.NativeID == "" && len(*msgs) > 0 {
			if _, parent := g.session(o.Key); o.At < 0 || o.At > len(*parent) {
				t.Errorf("session %q stands behind message %d of %d", key, o.At, len(*parent))
			}
		}
	}
	if held != g.messages {
		t.Errorf("%d messages of %d are held", held, g.messages)
	}
	return g
}

// TestClaudeCodeTangles is FuzzClaudeCode with fixed seeds and longer files.
func TestClaudeCodeTangles(t *testing.T) {
	for seed := range uint64(150 / slower) {
		rng := rand.New(rand.NewPCG(seed, 11))
		var b strings.Builder
		for range 20 + rng.IntN(150) {
			r := rng.Uint32()
			tangle(&b, [4]byte{byte(r), byte(r >> 8), byte(r >> 16), byte(r>>24) & byte(seed*7|1)}, `"x"`)
		}
		src := []byte(b.String())
		checkRead(t, src, rng.IntN(len(src)))
		checkGiven(t, src)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestClaudeCodeGrowing: snapshots of one session as it grew begin with each
// other, and so do the messages read of them.
func TestClaudeCodeGrowing(t *testing.T) {
	var ends []int
	var last []byte
	for _, path := range sharedFiles(t, "claude-code") {
		if !strings.HasPrefix(filepath.Base(path), "growing-") {
			continue
		}
		src := decodedFile(t, path)
		if !bytes.HasPrefix(src, last) {
			t.Fatalf("%s does not begin with the one before", path)
		}
		ends, last = append(ends, len(src)), src
	}
	if len(ends) > 0 {
		samePieces(t, last, ends[:len(ends)-1])
	}
}

// TestClaudeCodeShared: real sessions hold what an independent count says.
func TestClaudeCodeShared(t *testing.T) {
	want := map[string]struct{ sessions, messages, calls, results int }{
		"api-error.jsonl": {1, 135, 71, 71}, "glued-lines.jsonl": {2, 121, 55, 55}, "largest.jsonl": {1, 120, 45, 45}, "microcompact.jsonl": {1, 174, 92, 92},
		"two-session-ids.jsonl": {2, 118, 58, 58}, "growing-1.jsonl": {1, 43, 15, 14}, "growing-2.jsonl": {1, 91, 40, 40}, "growing-3.jsonl": {1, 150, 69, 68},
	}
	for _, path := range sharedFiles(t, "claude-code") {
		g := checkGiven(t, decodedFile(t, path))
		got := want[""]
		for _, key := range append([]string{""}, g.keys...) {
			_, msgs := g.session(key)
			got.sessions++
			got.messages += len(*msgs)
			for _, m := range *msgs {
				got.calls += len(m.ToolCalls)
				if m.Role == chat.Tool {
					got.results++
				}
				if m.Role == chat.Tool && m.Name == "" {
					t.Errorf("%s: a result without a name in session %q", path, key)
				}
			}
		}
		if name := filepath.Base(path); got != want[name] {
			t.Errorf("%s: %+v, want %+v", name, got, want[name])
		}
	}
}
