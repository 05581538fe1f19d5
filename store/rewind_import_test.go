package store

import (
	"fmt"
	"testing"
)

// TestWhatABranchTookIsNotKeptOfItsSession: the first message of a user, and
// the first one with a time, stand far behind the beginning, in a branch that
// leaves later. What finds the session again is not of them.
func TestWhatABranchTookIsNotKeptOfItsSession(t *testing.T) {
	entry := func(id, parent, role, rest string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%q,"sessionId":"s",%s}`, role, id, parent, rest)
	}
	says := func(n int) string {
		return fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"text","text":"step %d"}]}`, n)
	}
	asks := `"message":{"role":"user","content":"And the rest?"}`
	for name, last := range map[string]string{
		"opening": entry("asked", "u69", "user", asks),
		"time":    entry("asked", "u69", "assistant", `"timestamp":"2026-05-03T10:00:00Z",`+says(70)),
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			lines := []string{}
			for i := range 70 {
				lines = append(lines, entry(fmt.Sprint("u", i), fmt.Sprint("u", i-1), "assistant", says(i)))
			}
			back := entry("back", "u69", "assistant", says(71))
			f.save("at-once.jsonl", append(lines, last, back)...)
			f.load()
			clean(t, f.s)
			f = newFolder(t)
			f.save("later.jsonl", append(lines, last)...)
			f.load()
			f.save("later.jsonl", append(lines, last, back)...)
			f.load()
			clean(t, f.s)
		})
	}
}

// TestABranchLeavesItsContentToItsSession: entries stand twice. Those that came
// first become a branch, and those that come again stand in their place, with
// the same content.
func TestABranchLeavesItsContentToItsSession(t *testing.T) {
	head := `{"type":"session","version":3,"id":"9a9a9a9a","timestamp":"2026-02-14T20:00:00.000Z","cwd":"/home/kai"}`
	entry := func(id, parent string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":"2026-02-14T20:00:01.000Z","message":{"role":"user","content":"Dim the %s."}}`, id, parent, id)
	}
	twice := []string{entry("root", "null"), entry("lamps", `"root"`)}
	f := newFolder(t)
	f.save("a.jsonl", append([]string{head}, twice...)...)
	f.load()
	f.approveAll()
	f.save("a.jsonl", append(append([]string{head}, twice...), twice...)...)
	if r := f.load(); len(r.Refused) > 0 {
		t.Fatal(r.Refused[0].Err)
	}
	clean(t, f.s)
	all := f.sessions()
	if len(all) != 2 || all["a.jsonl"].Messages != 2 {
		t.Errorf("%+v", all)
	}
}
