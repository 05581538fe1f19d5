package session

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// keeps tells what a compaction left in the model's sight. The boundary names
// entries: all of them, or the first and the last; the summary right after it goes
// by what that said.
func (c *claude) keeps(t *thread, role chat.Role, content []byte) string {
	tree := &c.mem.tree
	if role != chat.System {
		if n := tree.find(c.parent); n == nil || n != tree.newest(t.key) || t.newestCompaction() != t.messages || t.messages == 0 {
			return ""
		}
		return t.keptAgain(t.messages + 1)
	}
	if strings.TrimSpace(rawjson.Unquote(content)) == "" {
		return ""
	}
	if c.follows != "" { // before numbers are taken
		c.goOn(t.key, c.follows)
		c.follows = ""
	}
	meta := c.in.Get("compactMetadata", "compact_metadata")
	for _, name := range []string{"preservedMessages", "preserved_messages"} {
		if list := rawjson.Get(rawjson.Get(meta, name), "uuids"); rawjson.IsList(list) {
			return c.keepsAll(t, list)
		}
	}
	for _, names := range [][3]string{
		{"preservedSegment", "headUuid", "tailUuid"},
		{"preservedSegment", "head", "tail"},
		{"preserved_segment", "head_uuid", "tail_uuid"},
	} {
		segment := rawjson.Get(meta, names[0])
		first, _, ok := tree.numbers(textual(rawjson.Get(segment, names[1])), t.key)
		_, last, ok2 := tree.numbers(textual(rawjson.Get(segment, names[2])), t.key)
		if ok && ok2 && first <= last+1 {
			return chat.KeptBefore(t.messages+1, t.without(first, last))
		}
	}
	return ""
}

// keepsAll is keeps where entries are named one by one.
func (c *claude) keepsAll(t *thread, list []byte) string {
	var runs [][2]int
	for val := range rawjson.Elements(list) {
		first, last, ok := c.mem.tree.numbers(textual(val), t.key)
		if !ok {
			return ""
		}
		if n := len(runs) - 1; n >= 0 && runs[n][1] == last {
			continue // lines of one answer
		}
		runs = addRun(runs, first, last)
	}
	return chat.KeptBefore(t.messages+1, runs)
}
