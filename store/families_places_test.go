package store

import (
	"slices"
	"testing"
)

// standAfterTheFirst checks that the only session is the one of a file that begins
// with an empty line, and that each of its messages tells its line there.
func (f *folder) standAfterTheFirst(name string, messages int) {
	f.t.Helper()
	s := f.only()
	if _, ok := f.sessions()[name]; !ok {
		f.t.Fatalf("sessions: %v", f.sessions())
	}
	list, err := f.s.Messages(f.t.Context(), s.Body, 1, s.Messages)
	if err != nil || len(list) != messages {
		f.t.Fatal(list, err)
	}
	for i := range list {
		if list[i].SourceLine != int64(i+2) {
			f.t.Errorf("message %d stands on line %d", i+1, list[i].SourceLine)
		}
	}
	clean(f.t, f.s)
}

// TestMessagesStandWhereTheirFileHasThem: a session that is named after a longer
// file than before tells the lines of that one.
func TestMessagesStandWhereTheirFileHasThem(t *testing.T) {
	f := newFolder(t)
	entry := func(id, parent string) string {
		return `{"type":"user","uuid":"` + id + `","parentUuid":"` + parent + `","sessionId":"one","message":{"role":"user","content":"message ` + id + `"}}`
	}
	f.save("short.jsonl", entry("1", ""), entry("2", "1"))
	f.load()
	f.save("long.jsonl", "", entry("1", ""), entry("2", "1"), entry("3", "2"))
	f.load()
	f.standAfterTheFirst("long.jsonl", 3)
}

// TestMessagesGivenBackHaveTheirLines: a file of two that hold one session is
// rewritten, for which the other one gets the messages back that it holds. If that
// one grew meanwhile and is the longer one now, it tells its own lines of them all.
func TestMessagesGivenBackHaveTheirLines(t *testing.T) {
	all := utterances("u1<:1", "a1<u1:2", "u2<a1:3", "a2<u2:4", "u3<a2:5", "a3<u3:6", "u4<a3:7")
	f := newFolder(t)
	begin := append([]string{""}, all[:2]...)
	f.save("a.jsonl", all[:4]...)
	f.save("b.jsonl", begin...)
	f.load()
	if _, ok := f.sessions()["a.jsonl"]; !ok {
		t.Fatalf("sessions: %v", f.sessions())
	}
	f.save("a.jsonl", append([]string{"", ""}, all[:4]...)...)
	f.save("b.jsonl", append(slices.Clone(begin), all[2:]...)...)
	f.load()
	f.standAfterTheFirst("b.jsonl", len(all))
}
