package chat

import "strings"

// thinkTags are the pairs that recorders put around reasoning inside content.
var thinkTags = [...][2]string{
	{"<think>", "</think>"},
	{"<REASONING_SCRATCHPAD>", "</REASONING_SCRATCHPAD>"},
}

// SplitThink takes the reasoning that stands in front of a message's content
// apart from the rest. Several leading blocks are joined with a blank line;
// a blank block counts as none. Some recorders write an empty block, then the
// reasoning, then a stray closing tag: there, everything before that tag is
// reasoning. Content without a complete leading block comes back unchanged.
func SplitThink(content string) (reasoning, rest string) {
	var blocks []string
	rest = content
	for {
		block, after, ok := leadingThink(rest)
		if !ok {
			break
		}
		if strings.TrimSpace(block) == "" {
			if stray, tail, found := strayThink(after); found {
				block, after = stray, tail
			}
		}
		if block = strings.TrimSpace(block); block != "" {
			blocks = append(blocks, block)
		}
		rest = strings.TrimLeft(after, " \t\r\n")
	}
	return strings.Join(blocks, "\n\n"), rest
}

// leadingThink cuts one complete block off the front of s.
func leadingThink(s string) (block, after string, ok bool) {
	t := strings.TrimLeft(s, " \t\r\n")
	for _, tag := range thinkTags {
		if inner, found := strings.CutPrefix(t, tag[0]); found {
			return strings.Cut(inner, tag[1])
		}
	}
	return "", s, false
}

// strayThink finds a closing tag that nothing opened in s.
func strayThink(s string) (before, after string, ok bool) {
	for _, tag := range thinkTags {
		if before, after, ok = strings.Cut(s, tag[1]); ok && !strings.Contains(before, tag[0]) {
			return before, after, true
		}
	}
	return "", s, false
}
