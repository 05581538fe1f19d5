package chat

import (
	"strings"
	"testing"
)

// What stands before the last stray closing tag is reasoning, but for what
// repeats; a tag that is quoted is text.
func TestCutStrays(t *testing.T) {
	for _, c := range []struct {
		name, reasoning, content string
		calls                    bool
		thought, rest            string
		mended                   bool
	}{
		{"nothing stray", "r", "a", false, "r", "a", false},
		{"pairs are none", "r", "a <think>q</think>", false, "r", "a <think>q</think>", false},
		{"thinking cut off is none", "r", "a<think>q", false, "r", "a<think>q", false},
		{"the first reasoning stands behind an empty block", "", "r\n</think>\na", false, "r", "a", true},
		{"reasoning and text once more", "r s", "a b\n</think>\nr\ns\n</think>\n\na\nb\n", false, "r s", "a\nb\n", true},
		{"the same beside a call", "r s", "a b\n</think>\nr s\n</think>\na b", true, "r s", "a b", true},
		{"a call alone behind it", "r", "a\n</think>\nr\n</think>\n", true, "r\n\na", "", true},
		{"what is new is reasoning", "r", "a\n</think>\nq\n</think>\nb", false, "r\n\na\n\nq", "b", true},
		{"reasoning that goes on", "r s", "a\n</think>\nr  s\n\nq\n 1\n</think>\na", false, "r s\n\nq\n 1", "a", true},
		{"reasoning with more in front", "r s", "q\n\nr s\n</think>\na", false, "r s\n\nq", "a", true},
		{"a part of the text", "r", "a b\n</think>\na b c", false, "r", "a b c", true},
		{"sentences in front of what is new", "R.", "a!\n</think>\nR. So q.\n</think>\na! b", false, "R.\n\nSo q.", "a! b", true},
		{"sentences behind what is new", "R.", "a\n</think>\nSo q. R.\n</think>\nb", false, "R.\n\na\n\nSo q.", "b", true},
		{"the same first word", "I", "I went home.\n</think>\nI went home and slept.", false, "I\n\nI went home.", "I went home and slept.", true},
		{"the same last word", "no", "Not now, no\n</think>\na", false, "no\n\nNot now, no", "a", true},
		{"a part of a word is new", "rest", "a\n</think>\nres\n</think>\na", false, "rest\n\nres", "a", true},
		{"the tag alone", "r", "</think>\na", false, "r", "a", true},
		{"twice", "r", "</think></think>a", false, "r", "a", true},
		{"nothing behind it: what is new was said", "r", "a\n</think>", false, "r", "a", true},
		{"nothing behind reasoning once more", "r", "a\n</think>\nr\n</think>", false, "r", "a", true},
		{"nothing but reasoning", "", "r\n</think>", false, "r", "", true},
		{"said in the words of the reasoning", "I say done", "done</think>", false, "I say done", "done", true},
		{"a block of its own behind it", "r", "a</think>\n<think>\nr\n</think>\na", false, "r", "a", true},
		{"a pair before it", "r", "a <think>q</think> b</think>c", false, "r\n\na \n\nq\n\n b", "c", true},
		{"the other tag", "r", "a</REASONING_SCRATCHPAD>b", false, "r\n\na", "b", true},
		{"blocks that the content begins with", "", "<think>\nr\n</think>\na</think>r</think>a", false, "r", "a", true},
		{"inline code", "r", "write `</think>` here", false, "r", "write `</think>` here", false},
		{"inline code behind more backticks", "r", "`` ` </think> `` here", false, "r", "`` ` </think> `` here", false},
		{"fenced code", "r", "so:\n```xml\n</think>\n```\nend", false, "r", "so:\n```xml\n</think>\n```\nend", false},
		{"quotation marks", "r", `the "</think>" tag, '</think>' or “</think>”`, false, "r", `the "</think>" tag, '</think>' or “</think>”`, false},
		{"a call", "r", "<tool_call>\n{\"name\": \"</think>\"\n</tool_call>", false, "r", "<tool_call>\n{\"name\": \"</think>\"\n</tool_call>", false},
		{"quoted and stray", "r", "not `</think>`\n</think>\na", false, "r\n\nnot `</think>`", "a", true},
		{"between two pieces of code", "r", "`a`</think>`b`", false, "r\n\n`a`", "`b`", true},
		{"behind a backtick that nothing closes", "r", "a ` b</think>\n`c`", false, "r\n\na ` b", "`c`", true},
		{"behind a fence that nothing closes", "r", "```\na\n</think>\nb", false, "r\n\n```\na", "b", true},
		{"behind calls that are spoken of", "r", "a <tool_call> tag</think>b", false, "r\n\na <tool_call> tag", "b", true},
	} {
		thought, rest, mended := CutStrays(c.reasoning, c.content, c.calls)
		if thought != c.thought || rest != c.rest || mended != c.mended {
			t.Errorf("%s: CutStrays(%q, %q) = %q, %q, %t; want %q, %q, %t", c.name, c.reasoning, c.content, thought, rest, mended, c.thought, c.rest, c.mended)
		}
	}
}

// Whatever somebody makes up of tags, quotes and fences costs little more than
// its length.
func TestCutStraysIsLinear(t *testing.T) {
	const n = 50_000
	for _, c := range []string{
		strings.Repeat("a</think>", n), strings.Repeat("</think>", n), strings.Repeat("`", n), strings.Repeat("` `` ", n),
		strings.Repeat("```\n", n) + "x", strings.Repeat("```a\n~~~\n", n), strings.Repeat("<tool_call>{</think>", n), strings.Repeat("<think>", n),
		strings.Repeat("<think>`</think>`", n), strings.Repeat(" a", n) + strings.Repeat("</think> a", n),
		"<think>`" + strings.Repeat("</think><think>", n) + "`",
	} {
		CutStrays("a", c+"</think>a", false)
		SplitThink("<think></think>" + c)
		SplitThink(c)
	}
}

func FuzzCutStrays(f *testing.F) {
	f.Add("r", "a b</think>r</think>a b", false)
	f.Add("", "`</think>```\n</think>\n", true)
	f.Fuzz(func(t *testing.T, reasoning, content string, calls bool) {
		thought, rest, mended := CutStrays(reasoning, content, calls)
		if !mended && (thought != reasoning || rest != content) {
			t.Fatalf("changed without a word: %q, %q", thought, rest)
		}
		for _, word := range append(words(content), words(reasoning)...) {
			if !strings.Contains(thought+"\n"+rest, word) {
				t.Fatalf("%q is lost: %q, %q", word, thought, rest)
			}
		}
	})
}
