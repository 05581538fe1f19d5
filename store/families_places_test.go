package store

import "testing"

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
	s, ok := f.sessions()["long.jsonl"]
	if !ok {
		t.Fatalf("sessions: %v", f.sessions())
	}
	list, err := f.s.Messages(t.Context(), s.Body, 1, s.Messages)
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	for i := range list {
		if list[i].SourceLine != int64(i+2) {
			t.Errorf("message %d stands on line %d", i+1, list[i].SourceLine)
		}
	}
	clean(t, f.s)
}
