package chat

import (
	"strings"
	"testing"
)

func TestSplitThink(t *testing.T) {
	for _, c := range []struct{ content, reasoning, rest string }{
		{"", "", ""},
		{"plain", "", "plain"},
		{"  plain ", "", "  plain "},
		{"<think>r</think>a", "r", "a"},
		{"\n<think>\nr\n</think>\n\na\n", "r", "a\n"},
		{"<think>r</think>", "r", ""},
		{"<REASONING_SCRATCHPAD>r</REASONING_SCRATCHPAD>\na", "r", "a"},
		{"<think>r</think>\n<think>q</think>a", "r\n\nq", "a"},
		{"<think>r</think><REASONING_SCRATCHPAD>q</REASONING_SCRATCHPAD>a", "r\n\nq", "a"},
		{"<think>\n</think>\na", "", "a"},
		{"<think></think>", "", ""},
		{"<think>\n</think>\nr\n</think>\na", "r", "a"},
		{"<think></think><b>r</b></think>a", "<b>r</b>", "a"},
		{"<think></think><think>r</think>a", "r", "a"},
		{"<think></think>a <think>r</think>", "", "a <think>r</think>"},
		{"<think>cut off", "", "<think>cut off"},
		{"a <think>r</think>", "", "a <think>r</think>"},
		{"a</think>b", "", "a</think>b"},
		{"<think>r</think>a</think>b", "r\n\na", "b"},
		{"<think>r</think>a</think>r</think>a", "r", "a"},
		{"<think><think>r</think></think>a", "r", "a"},
		{"<think>the `</think>` tag</think>a", "the `</think>` tag", "a"},
		{"<think>r</think>write `</think>`", "r", "write `</think>`"},
		{"<think>r</REASONING_SCRATCHPAD>a", "", "<think>r</REASONING_SCRATCHPAD>a"},
		{"<thinking>r</thinking>a", "", "<thinking>r</thinking>a"},
	} {
		if reasoning, rest := SplitThink(c.content); reasoning != c.reasoning || rest != c.rest {
			t.Errorf("SplitThink(%q) = %q, %q; want %q, %q", c.content, reasoning, rest, c.reasoning, c.rest)
		}
	}
}

// Sessions of 24 MB messages exist. Splitting one must not look at its end
// again for every block: that would take hours.
func TestSplitThinkIsLinear(t *testing.T) {
	blocks := strings.Repeat("<think></think>", 1_000_000)
	for _, end := range []string{"a", "<REASONING_SCRATCHPAD>r</REASONING_SCRATCHPAD>a"} {
		if _, rest := SplitThink(blocks + end); rest != "a" {
			t.Errorf("rest of %d bytes", len(rest))
		}
	}
}

func FuzzSplitThink(f *testing.F) {
	for _, s := range []string{"<think>r</think>a", "<think></think>r</think>a", "<REASONING_SCRATCHPAD>", " < ", "<think>r</think>a b</think>r s</think>a b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, content string) {
		reasoning, rest := SplitThink(content)
		if !strings.Contains(content, rest) {
			t.Fatalf("%q is no part of %q", rest, content)
		}
		for _, word := range words(content) {
			if !strings.Contains(reasoning+"\n"+rest, word) {
				t.Fatalf("%q of %q is lost: %q, %q", word, content, reasoning, rest)
			}
		}
		if reasoning == "" {
			return
		}
		if strings.TrimSpace(reasoning) != reasoning || len(reasoning)+len(rest) > len(content) {
			t.Fatalf("%q, %q of %q", reasoning, rest, content)
		}
	})
}

// words are those of a text, without its tags.
func words(text string) []string {
	for _, pair := range thinkTags {
		for _, tag := range pair {
			text = strings.ReplaceAll(text, tag, " ")
		}
	}
	return strings.Fields(text)
}

// Only the line breaks of the tags are cut: what a recorder wrote around the
// text stays.
func TestCutThink(t *testing.T) {
	for _, c := range []struct{ content, reasoning, rest string }{
		{"  plain ", "", "  plain "},
		{"<think>\n r \n</think>\n  a \n", " r ", "  a \n"},
		{"<think>\n\nr\n\n</think>\n\na", "\nr\n", "a"},
		{"<think>r</think>a", "r", "a"},
		{"<think>\nr\n</think>\n\n\n\na", "r", "\n\na"},
		{"<think>\r\nr</think>\r\n\r\na", "\r\nr", "a"},
		{"<think>\n \n</think>\na", "", "a"},
		{"<think>\n</think>\nr\n</think>\na", "", "r\n</think>\na"},
		{"<think>\nr\n</think>\n<think>q</think>\na", "r\n\nq", "a"},
		{"<think>cut off", "", "<think>cut off"},
	} {
		if reasoning, rest := CutThink(c.content); reasoning != c.reasoning || rest != c.rest {
			t.Errorf("CutThink(%q) = %q, %q; want %q, %q", c.content, reasoning, rest, c.reasoning, c.rest)
		}
	}
}
