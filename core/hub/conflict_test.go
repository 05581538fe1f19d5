package hub

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"winnow/core/review"
)

// TestOverlappingImportsStoreNothingTwice: another winnow imports the same
// grown file while this one is about to store it.
func TestOverlappingImportsStoreNothingTwice(t *testing.T) {
	b := newBench(t)
	path := b.write("s.jsonl", talk(2, 20))
	b.load()
	b.write("s.jsonl", talk(4, 20))
	b.store.before = func(int) {
		b.store.before = nil
		b.load()
	}
	r := b.load()
	if m := b.session(path); len(m.messages) != 4 || r.Messages != 4 {
		t.Fatalf("%d messages, report %+v", len(m.messages), r)
	}
}

func TestTwoImportsOfNewFilesAtOnce(t *testing.T) {
	b := newBench(t)
	for i := range 20 {
		b.write(fmt.Sprintf("%02d.jsonl", i), talk(3, 20))
	}
	b.store.before = func(int) {
		b.store.before = nil
		if _, err := b.im.Import(context.Background(), []string{b.dir + "/07.jsonl"}, nil); err != nil {
			t.Error(err)
		}
	}
	r := b.load()
	if len(b.store.sessions) != 20 || r.Messages != 60 || len(r.Refused) != 0 {
		t.Fatalf("%d sessions, report %+v", len(b.store.sessions), r)
	}
}

// TestVerdictDuringAnImportStays: what was judged stays as it was judged, and
// the rest becomes a provisional segment after it.
func TestVerdictDuringAnImportStays(t *testing.T) {
	b := newBench(t)
	path := b.write("s.jsonl", longTalk())
	judged := 0
	b.store.before = func(n int) {
		if n == 2 {
			first := &b.session(path).Segments[0]
			first.Verdict, judged = review.Approved, first.End
		}
	}
	b.load()
	m := b.session(path)
	if len(m.messages) != 900 || len(m.Segments) != 2 {
		t.Fatalf("%d messages in %d segments", len(m.messages), len(m.Segments))
	}
	if s := m.Segments[0]; s.Verdict != review.Approved || s.Stale || s.End != judged {
		t.Errorf("the judged segment: %d–%d %s, stale %v", s.Start, s.End, s.Verdict, s.Stale)
	}
}

func TestInterruptedCompressedFileIsReadAgain(t *testing.T) {
	b := newBench(t)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, longTalk())
	z.Close()
	path := b.write("s.jsonl", packed.String())
	b.store.failAt = 2
	if _, err := b.im.Import(context.Background(), []string{b.dir}, nil); !errors.Is(err, errFull) {
		t.Fatal(err)
	}
	b.store.failAt = 0
	if r := b.load(); r.Messages != 900 || len(b.session(path).messages) != 900 {
		t.Fatalf("%+v", r)
	}
	if r := b.load(); r.Unchanged != 1 {
		t.Fatalf("read once more: %+v", r)
	}
}

// TestFileReplacedWhileItIsRead: what was read of the old content must not
// stay in front of what was read of the new.
func TestFileReplacedWhileItIsRead(t *testing.T) {
	b := newBench(t)
	text := longTalk()
	other := strings.ReplaceAll(text, "message", "replace")
	path := b.write("s.jsonl", text)
	b.store.before = func(n int) {
		if n == 1 {
			if err := os.WriteFile(path, []byte(other), 0o644); err != nil {
				t.Error(err)
			}
		}
	}
	b.load()
	b.load()
	for i, m := range b.session(path).messages {
		if strings.HasPrefix(m.Content, "message") {
			t.Fatalf("message %d is of the old content", i+1)
		}
	}
}

// TestFileThatGrowsWhileItIsReadIsNotReadAgain: only its tail is.
func TestFileThatGrowsWhileItIsReadIsNotReadAgain(t *testing.T) {
	b := newBench(t)
	path := b.write("s.jsonl", longTalk())
	more := strings.Repeat(line("user", "more"), 5)
	b.store.before = func(n int) {
		if n == 2 {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Error(err)
				return
			}
			fmt.Fprint(f, more)
			f.Close()
		}
	}
	b.load()
	if r := b.load(); r.Bytes > 1<<20 || r.Messages != 905 {
		t.Fatalf("%+v", r)
	}
}

func TestForcedFormatHoldsForTheTail(t *testing.T) {
	b := newBench(t)
	path := b.write("s.jsonl", talk(2, 20))
	b.im.Format = "openai"
	b.load()
	b.im.Format = ""
	b.write("s.jsonl", talk(2, 20)+`{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"n","input":{}}]}`+"\n")
	b.load()
	for _, m := range b.session(path).messages {
		if len(m.ToolCalls) > 0 {
			t.Fatal("the tail was read as another format")
		}
	}
}

// failingReads is a store that cannot load sessions.
type failingReads struct{ *memStore }

var errDamaged = errors.New("stored messages are damaged")

func (failingReads) LoadSession(context.Context, string, string) (*review.StoredSession, error) {
	return nil, errDamaged
}

func TestTheFirstFailureIsTold(t *testing.T) {
	b := newBench(t)
	for i := range 30 {
		b.write(fmt.Sprintf("%02d.jsonl", i), talk(3, 20))
	}
	b.load()
	for i := range 30 {
		b.write(fmt.Sprintf("%02d.jsonl", i), talk(4, 20))
	}
	b.im.Store = failingReads{b.store}
	if _, err := b.im.Import(context.Background(), []string{b.dir}, nil); !errors.Is(err, errDamaged) {
		t.Fatalf("error %v", err)
	}
}

// TestWhatATransactionLeavesIsStored by those that follow, whether the store takes
// one write at a time or refuses one of them.
func TestWhatATransactionLeavesIsStored(t *testing.T) {
	for _, fails := range []int{0, 3} {
		b := newBench(t)
		for i := range 20 {
			b.write(fmt.Sprintf("%02d.jsonl", i), talk(3, 20))
		}
		b.store.most = 1
		b.store.before = func(n int) {
			if n == fails { // another winnow stores what is about to be stored
				b.store.before = nil
				if _, err := b.im.Import(context.Background(), []string{b.dir}, nil); err != nil {
					t.Error(err)
				}
			}
		}
		if r := b.load(); len(b.store.sessions) != 20 || r.Messages != 60 || len(r.Refused) != 0 || b.store.writes < 20 {
			t.Errorf("%d sessions in %d transactions, report %+v", len(b.store.sessions), b.store.writes, r)
		}
	}
}
