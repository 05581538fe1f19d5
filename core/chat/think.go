package chat

import "strings"

// thinkTags are the pairs that recorders put around reasoning inside content.
var thinkTags = [...][2]string{
	{"<think>", "</think>"},
	{"<REASONING_SCRATCHPAD>", "</REASONING_SCRATCHPAD>"},
}

// SplitThink takes the reasoning that stands in front of a message's content
// apart from the rest. Several leading blocks are joined with a blank line; a
// blank block counts as none. Stray closing tags after them are dropped, as
// CutStrays does. Content without a complete leading block comes back
// unchanged.
func SplitThink(content string) (reasoning, rest string) {
	t := thoughts{text: content, edges: widely}
	blocks, from := t.leading(0)
	if from == 0 {
		return "", content
	}
	if reasoning, rest, mended := t.strays(blocks, from, false); mended {
		return reasoning, rest
	}
	return strings.Join(blocks, "\n\n"), content[from:]
}

// CutThink takes leading blocks off like SplitThink from content that was
// written with the tags on lines of their own: only these line breaks, and one
// blank line after a block, are cut, all other white space stays. Stray
// closing tags stay, too: CutStrays takes care of them once the calls that
// stand in the rest as text are taken out of it.
func CutThink(content string) (reasoning, rest string) {
	t := thoughts{text: content, edges: closely}
	blocks, from := t.leading(0)
	return strings.Join(blocks, "\n\n"), content[from:]
}

// edges says which white space around tags belongs to them.
type edges struct {
	trim   func(block string) string
	behind func(rest string) string // of a closing tag
}

var (
	widely  = edges{strings.TrimSpace, func(rest string) string { return strings.TrimLeft(rest, " \t\r\n") }}
	closely = edges{func(block string) string {
		if strings.TrimSpace(block) == "" {
			return ""
		}
		return strings.TrimSuffix(strings.TrimPrefix(block, "\n"), "\n")
	}, func(rest string) string { return cutLineBreak(cutLineBreak(rest)) }}
)

func cutLineBreak(s string) string {
	if s, cut := strings.CutPrefix(s, "\n"); cut {
		return s
	}
	return strings.TrimPrefix(s, "\r\n")
}

// thoughts is content whose reasoning is looked for. A tag in what it quotes
// is text.
type thoughts struct {
	text  string
	edges edges

	quotes []span // see quoted; found when first asked for
	looked bool
	texts  [len(thinkTags)]bool // all closing tags that are left are quoted: the first one it is
}

// leading takes complete blocks off that stand at from, and returns the end of
// the last one, from if there is none.
func (t *thoughts) leading(from int) (blocks []string, end int) {
	for {
		lo, hi, after, ok := t.block(from)
		if !ok {
			return blocks, from
		}
		if block := t.edges.trim(t.text[lo:hi]); block != "" {
			blocks = append(blocks, block)
		}
		from = len(t.text) - len(t.edges.behind(t.text[after:]))
	}
}

// block finds the complete block that begins at from, or after white space
// there: its inner text and the end of its closing tag. One that is opened
// twice is closed twice: the second closing tag is a stray one.
func (t *thoughts) block(from int) (lo, hi, after int, ok bool) {
	at := t.passBlanks(from)
	for kind, tag := range thinkTags {
		if !strings.HasPrefix(t.text[at:], tag[0]) {
			continue
		}
		for ; strings.HasPrefix(t.text[at:], tag[0]); at = t.passBlanks(lo) {
			lo = at + len(tag[0])
		}
		first := strings.Index(t.text[lo:], tag[1])
		if first < 0 {
			break
		}
		hi = lo + first
		for at := hi; !t.texts[kind]; {
			if !t.quoted(at) {
				hi = at
				break
			}
			next := strings.Index(t.text[at+1:], tag[1])
			if t.texts[kind] = next < 0; next >= 0 {
				at += 1 + next
			}
		}
		return lo, hi, hi + len(tag[1]), true
	}
	return 0, 0, 0, false
}

func (t *thoughts) passBlanks(i int) int {
	return len(t.text) - len(strings.TrimLeft(t.text[i:], " \t\r\n"))
}
