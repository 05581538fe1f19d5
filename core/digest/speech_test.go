package digest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"winnow/core/chat"
)

func TestLinesHaveNoSignsOfMarkdown(t *testing.T) {
	text := "## The *plan*\n\n---\n**Look** at `a.go` and **this thing**, 2 ** 3 ** 4\n```sh\n# a comment\necho `date`\n```\n- one\n"
	if got, want := lines(text), []string{"The *plan*", "Look at a.go and this thing, 2 ** 3 ** 4", "# a comment", "echo `date`", "- one"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := sentence("**Good**: I look at `a.go` now. Then more."); got != "Good: I look at a.go now." {
		t.Errorf("%q", got)
	}
}

// TestEnding: the end of a text begins with a line or a sentence.
func TestEnding(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 30))
	for _, c := range []struct {
		lines []string
		most  int
		want  string
	}{
		{[]string{"one", "two", "three"}, 2, "two|three"},
		{[]string{long, "two"}, 3, "two"},
		{[]string{long + ". That is all."}, 2, "That is all."},
		{[]string{long + "。就这样。"}, 2, "就这样。"},
		{[]string{"a b c d e f g h i j k l m n o p q r s t u v w x y z"}, 1, "p q r s t u v w x y"},
	} {
		got := strings.Join(ending(c.lines, 20, c.most), "|")
		if got != c.want && !(c.most == 1 && strings.HasSuffix(c.lines[0], got)) {
			t.Errorf("%q in %d: %q", c.lines, c.most, got)
		}
	}
	if got := ends(long, "and so on and on. It works.", 60, "…"); !strings.HasSuffix(got, "… It works.") {
		t.Errorf("%q", got)
	}
}

// TestNumbersDoNotOverlap: calls that one message made have the numbers of their
// results.
func TestNumbersDoNotOverlap(t *testing.T) {
	var messages []chat.Message
	for i := range 40 {
		m := chat.Message{Role: chat.Assistant}
		for j := range 5 {
			m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: fmt.Sprint(i, ".", j), Name: "Bash", Arguments: fmt.Sprintf(`{"command":"make %d-%d"}`, i, j)})
		}
		messages = append(messages, m)
		for j := range 5 {
			messages = append(messages, chat.Message{Role: chat.Tool, ToolCallID: fmt.Sprint(i, ".", j), Content: "fine"})
		}
	}
	last := 0
	numbers := regexp.MustCompile(`^ *(\d+)(?:–(\d+))? `)
	for _, row := range strings.Split(drawn(t, talk(messages...), 110, Rows), "\n") {
		if m := numbers.FindStringSubmatch(row); m != nil && !strings.Contains(row, "messages") {
			from, _ := strconv.Atoi(m[1])
			if from <= last {
				t.Errorf("%d was told: %s", from, row)
			}
			if last = from; m[2] != "" {
				last, _ = strconv.Atoi(m[2])
			}
		}
	}
	if last != len(messages) {
		t.Errorf("the last is %d of %d", last, len(messages))
	}
}

func TestVerdictOfTests(t *testing.T) {
	for text, want := range map[string]string{
		"ok  \ta\t0.1s\nok  \tb\t0.1s":                                     "2 packages ok",
		"ok  \ta\t0.1s [no tests to run]\nok  \tb\t0.1s [no tests to run]": "2 packages, no tests to run",
		"ok  \ta\t0.1s\nok  \tb\t0.1s [no tests to run]\nok  \tc\t0.1s":    "2 packages ok, 1 without tests to run",
		"ok  \ta\t0.1s": "ok",
	} {
		if got := verdictOf(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
