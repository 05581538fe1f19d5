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
