package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// CutStrays takes closing tags of reasoning that nothing opened out of the
// content of a message whose reasoning has ended before it, and reports whether
// there were any.
//
// Some recorders write an empty block, then the reasoning and another closing
// tag; others write reasoning and text once more, each with such a tag after
// it: "<think>R</think> text </think> R </think> text". What stands before the
// last stray tag is reasoning, except for what repeats the reasoning or what
// comes after, which is dropped; nothing else is. If nothing comes after it,
// and the message has no calls either, the last of it that is new is what was
// said. A tag in code, between quotation marks or in a call is text.
func CutStrays(reasoning, content string, calls bool) (thought, rest string, mended bool) {
	t := thoughts{text: content, edges: closely}
	blocks, from := t.leading(0)
	if strings.TrimSpace(reasoning) != "" {
		blocks = append([]string{reasoning}, blocks...)
	}
	if thought, rest, mended = t.strays(blocks, from, calls); !mended {
		return reasoning, content, false
	}
	return thought, rest, true
}

// strays is CutStrays for the text from there on, after the blocks.
func (t *thoughts) strays(blocks []string, from int, calls bool) (reasoning, rest string, mended bool) {
	borders, last := t.borders(from)
	if last == 0 {
		return "", "", false
	}
	var pieces []string
	for _, b := range borders {
		if piece := t.edges.trim(t.text[from:b.lo]); strings.TrimSpace(piece) != "" {
			pieces = append(pieces, piece)
		}
		from = b.hi
	}
	end := len(t.text) - len(t.edges.behind(t.text[last:]))
	more, end := t.leading(end)
	pieces, rest = append(pieces, more...), t.text[end:]

	answered := calls || strings.TrimSpace(rest) != ""
	known := told{whole: !answered}
	blocks = known.news(nil, blocks)
	known.add(rest)
	before := len(blocks)
	blocks = known.news(blocks, pieces)
	if n := len(blocks) - 1; !answered && n > 0 && n >= before {
		blocks, rest = blocks[:n], blocks[n]
	}
	return strings.Join(blocks, "\n\n"), rest, true
}

// borders returns the tags that part what stands before the last stray closing
// tag, and the end of that one, 0 if there is none. A pair of tags is none of
// them unless it stands before one that is.
func (t *thoughts) borders(from int) (tags []span, last int) {
	if !strings.Contains(t.text[from:], thinkTags[0][1]) && !strings.Contains(t.text[from:], thinkTags[1][1]) {
		return nil, 0
	}
	var open [len(thinkTags)]int
	strays := 0
	for i := from; ; i++ {
		next := strings.IndexByte(t.text[i:], '<')
		if next < 0 {
			return tags[:strays], last
		}
		i += next
		for kind, pair := range thinkTags {
			for side, tag := range pair {
				if !strings.HasPrefix(t.text[i:], tag) || t.quoted(i) {
					continue
				}
				tags = append(tags, span{i, i + len(tag)})
				if side == 0 {
					open[kind]++
				} else if open[kind]--; open[kind] < 0 {
					open = [len(thinkTags)]int{}
					strays, last = len(tags), i+len(tag)
				}
			}
		}
	}
}

// told is what a message says, to know what it says once more.
type told struct {
	texts    []string        // words with single spaces around
	known    map[string]bool // the same
	searches int
	whole    bool // only a whole piece may be one that is known
}

func (k *told) add(text string) {
	text = spaced(text)
	if k.known == nil {
		k.known = map[string]bool{"  ": true}
	}
	if !k.known[text] {
		k.known[text] = true
		k.texts = append(k.texts, text)
	}
}

// news appends what of pieces is not known yet, and knows it from then on.
func (k *told) news(to, pieces []string) []string {
	for _, piece := range pieces {
		if piece = k.unknown(piece); piece != "" {
			k.add(piece)
			to = append(to, piece)
		}
	}
	return to
}

// mostSearches is for how many pieces it is looked whether they hold what is
// known or stand in it. So many tags are no slip of a recorder, and each search
// costs the length of all that is known.
const mostSearches = 64

// unknown cuts what is known off the beginning and the end of a piece; nothing
// is left of one that is known, or stands in something that is, word for word.
// Only whole sentences or lines are cut off: a piece that begins with the word
// "I" does not repeat another one that is "I".
func (k *told) unknown(piece string) string {
	for {
		words := spaced(piece)
		if k.known[words] {
			return ""
		}
		if k.searches++; k.whole || k.searches > mostSearches {
			return piece
		}
		cut := piece
		for _, text := range k.texts {
			switch n := strings.Count(text, " ") - 1; {
			case strings.Contains(text, words):
				return ""
			case strings.HasPrefix(words, text):
				if rest := pastWords(piece, n); parted(piece[:len(piece)-len(rest)], rest) {
					cut = rest
				}
			case strings.HasSuffix(words, text):
				last := pastWords(piece, strings.Count(words, " ")-1-n)
				if rest := piece[:len(piece)-len(last)]; parted(rest, last) {
					cut = rest
				}
			}
		}
		if cut == piece {
			return piece
		}
		piece = strings.TrimSpace(cut)
	}
}

// parted reports whether a sentence or a line ends between two parts of a text,
// or all of it.
func parted(before, after string) bool {
	said := strings.TrimRight(before, " \t\r\n")
	next := strings.TrimLeft(after, " \t\r\n")
	if said == "" || next == "" || strings.Contains(before[len(said):], "\n") || strings.Contains(after[:len(after)-len(next)], "\n") {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(said, "\"'`*_)]”’»"))
	return strings.ContainsRune(".!?…:;。！？：；", last)
}

// pastWords cuts n words off the beginning of a text.
func pastWords(text string, n int) string {
	for range n {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		text = text[max(0, strings.IndexFunc(text, unicode.IsSpace)):]
	}
	return text
}

// spaced returns the words of a text with single spaces around.
func spaced(text string) string { return " " + strings.Join(strings.Fields(text), " ") + " " }
