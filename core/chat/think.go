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
	return splitThink(content, strings.TrimSpace, func(rest string) string { return strings.TrimLeft(rest, " \t\r\n") })
}

// CutThink is SplitThink for content that was written with the tags on lines
// of their own: only these line breaks, and one blank line behind a block, are
// cut, all other white space stays.
func CutThink(content string) (reasoning, rest string) {
	return splitThink(content, func(block string) string {
		if strings.TrimSpace(block) == "" {
			return ""
		}
		return strings.TrimSuffix(strings.TrimPrefix(block, "\n"), "\n")
	}, func(rest string) string { return cutLineBreak(cutLineBreak(rest)) })
}

func cutLineBreak(s string) string {
	if s, cut := strings.CutPrefix(s, "\n"); cut {
		return s
	}
	return strings.TrimPrefix(s, "\r\n")
}

// splitThink trims each block with trim, and what comes behind it with behind.
func splitThink(content string, trim, behind func(string) string) (reasoning, rest string) {
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
		if block = trim(block); block != "" {
			blocks = append(blocks, block)
		}
		rest = behind(after)
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

// strayThink cuts s at its first tag, if that is a closing one: nothing in s
// opened it.
func strayThink(s string) (before, after string, ok bool) {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '<')
		if i < 0 {
			return "", s, false
		}
		from += i
		for _, tag := range thinkTags {
			switch rest := s[from:]; {
			case strings.HasPrefix(rest, tag[0]):
				return "", s, false
			case strings.HasPrefix(rest, tag[1]):
				return s[:from], rest[len(tag[1]):], true
			}
		}
		from++
	}
}
