package session

import (
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// codexAside is a message in the user's role that is no prompt, as instructions or
// the surroundings are: they come again in a compacted history.
type codexAside struct {
	sum uint32 // of its text
	n   int
}

// maxAsides is how many of them are remembered.
const maxAsides = 64

func (t *thread) aside(text string, n int) {
	if len(t.asides) == maxAsides {
		t.asides = slices.Delete(t.asides, 0, 1)
	}
	t.asides = append(t.asides, codexAside{sum([]byte(text)), n})
}

// keeps tells which messages stand in a history that replaced all before a
// compaction. Entries have no ids there: prompts are found by their texts, from the
// newest back, since those are kept. Anything else than prompts, what the developer
// said, and the summary is more than is known: then nothing is.
func (c *codexReader) keeps(summary *chat.Message, history []byte) string {
	if !rawjson.IsList(history) {
		return ""
	}
	next := c.t.messages + 1 // the compaction itself
	end := next
	var found [][2]int
	for _, val := range slices.Backward(slices.Collect(rawjson.Elements(history))) {
		role, text, known := c.replaced(val)
		switch {
		case !known:
			return ""
		case role == chat.System || isSummary(text, summary.Content):
			continue
		}
		n := c.promptBefore(end, sum([]byte(text)))
		if n > 0 {
			end = n
		} else if n = c.asideAs(sum([]byte(text))); n == 0 {
			return ""
		}
		found = append(found, [2]int{n, n})
	}
	var runs [][2]int
	for _, run := range slices.Backward(found) {
		runs = addRun(runs, run[0], run[1])
	}
	return chat.KeptBefore(next, runs)
}

// replaced reads an item of a history: what the developer or the user said, or an
// encrypted summary, which has no text.
func (c *codexReader) replaced(val []byte) (role chat.Role, text string, known bool) {
	switch kind := textual(rawjson.Get(val, "type")); kind {
	case "compaction", "compaction_summary", "context_compaction":
		return chat.System, "", true
	case "message":
		role, _, known = roleOf(rawjson.Get(val, "role"))
		content := rawjson.Get(val, "content")
		if !known || role != chat.System && role != chat.User || !rawjson.IsList(content) && !rawjson.IsText(content) {
			return "", "", false
		}
		var m chat.Message
		_, known = c.onlyText(&m, content)
		return role, m.Content, known
	}
	return "", "", false
}

// isSummary reports whether a text of a history is the summary, which may stand
// after what introduces it.
func isSummary(text, summary string) bool {
	return summary != noSummary && strings.HasSuffix(text, summary)
}

// promptBefore returns the newest prompt of a text before a message, 0 without one.
func (c *codexReader) promptBefore(end int, sum uint32) int {
	t := &c.mem.tree
	for _, e := range slices.Backward(t.entries[max(0, len(t.entries)-maxEntries):]) {
		n := e.node - t.forgot
		if e.sum == sum && e.first > 0 && e.first < end && n >= 0 && t.nodes[n].key == c.t.key {
			return e.first
		}
	}
	return 0
}

// asideAs returns the newest aside of a text, 0 without one.
func (c *codexReader) asideAs(sum uint32) int {
	for _, a := range slices.Backward(c.t.asides) {
		if a.sum == sum {
			return a.n
		}
	}
	return 0
}
