package digest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
)

// talk numbers messages and takes them.
func talk(messages ...chat.Message) *Draft {
	d := &Draft{}
	for i := range messages {
		messages[i].N = i + 1
		d.Take(&messages[i])
	}
	return d
}

func user(text string) chat.Message { return chat.Message{Role: chat.User, Content: text} }

func says(text string) chat.Message { return chat.Message{Role: chat.Assistant, Content: text} }

// calls is a call and its result.
func calls(id, tool, args, gave string, isError bool) []chat.Message {
	return []chat.Message{
		{Role: chat.Assistant, ToolCalls: []chat.ToolCall{{ID: id, Name: tool, Arguments: args}}},
		{Role: chat.Tool, Name: tool, ToolCallID: id, Content: gave, IsError: isError},
	}
}

// drawn lays a digest out and checks what holds for each: its messages are all
// there, in order, and no row is too wide or one too many.
func drawn(t *testing.T, d *Draft, width, rows int) string {
	t.Helper()
	groups := d.Lay(Layout{Width: width, Rows: rows})
	var out []string
	next := d.first
	for _, g := range groups {
		if g.From != next || g.To < g.From || len(g.Rows) == 0 {
			t.Fatalf("width %d: %d rows tell messages %d to %d, and %d is next", width, len(g.Rows), g.From, g.To, next)
		}
		next = g.To + 1
		for _, row := range g.Rows {
			if w := row.width(); w > width {
				t.Fatalf("a row is %d cells wide of %d: %s", w, width, row)
			}
			out = append(out, row.String())
		}
	}
	if next != d.last+1 {
		t.Fatalf("width %d: it ends before message %d of %d", width, next, d.last)
	}
	if len(out) > rows {
		t.Fatalf("width %d: %d rows of %d:\n%s", width, len(out), rows, strings.Join(out, "\n"))
	}
	return strings.Join(out, "\n")
}

func TestDigest(t *testing.T) {
	edit := calls("1", "Edit", `{"file_path":"/home/ann/p/parser.go","old_string":"a\nb\nc","new_string":"a\nx\ny\nc"}`, "done", false)
	fails := calls("2", "Bash", `{"command":"cd /home/ann/p && go test ./... 2>&1 | tail -3"}`, "Exit code 1\n--- FAIL: TestParser", true)
	passes := calls("3", "Bash", `{"command":"go test ./... 2>&1 | tail -3"}`, "ok  \tparser\t0.1s", false)
	book := calls("4", "book_flight", `{"user":"ann","flight_id":"HAT001","passengers":[{"name":"Ann"}]}`, `{"status":"confirmed","total":312,"note":"window"}`, false)
	think := calls("5", "think", `{"thought":"She may not change a basic economy flight."}`, "", false)
	lost := calls("6", "Read", `{"file_path":"/home/ann/p/nowhere.go"}`, "File does not exist.", true)
	for _, c := range []struct {
		name string
		all  [][]chat.Message
		want []string
		not  []string
	}{
		{"an edit counts its lines", [][]chat.Message{edit}, []string{"Edit p/parser.go +2 −1"}, nil},
		{"a failure that was made good", [][]chat.Message{fails, edit, passes}, []string{"exit 1", "ok"}, []string{"✗"}},
		{"a failure left open", [][]chat.Message{fails, edit}, []string{"✗ Bash go test ./..."}, nil},
		{"a call that could not run", [][]chat.Message{lost}, []string{"✗ Read p/nowhere.go", "File does not exist."}, nil},
		{"what decides of an interface", [][]chat.Message{book}, []string{"book_flight flight_id=HAT001", "status=confirmed total=312"}, nil},
		{"a thought", [][]chat.Message{think}, []string{"thought: She may not change a basic economy flight."}, []string{"think "}},
	} {
		messages := []chat.Message{user("do it")}
		for _, part := range c.all {
			messages = append(messages, part...)
		}
		got := drawn(t, talk(append(messages, says("Done."))...), 110, Rows)
		for _, want := range append(c.want, "user      do it", "assistant Done.") {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, got)
			}
		}
		for _, not := range c.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: %q in\n%s", c.name, not, got)
			}
		}
	}
}

// Whatever there is: no row more than allowed, each prompt, each failure left
// open, and the last answer.
func TestRowsAreEnough(t *testing.T) {
	for _, prompts := range []int{1, 5, 30, 54, 60, 100, 150} {
		var messages []chat.Message
		for i := range prompts {
			messages = append(messages, user(fmt.Sprintf("p%d: please see to the matter", i)))
			for j := range 10 {
				args := fmt.Sprintf(`{"command":"try %d %d"}`, i, j)
				result, isError := "fine", i%20 == 3 && j < 2
				if isError {
					result = "Exit code 2\nfailed"
				}
				messages = append(messages, calls("", "bash", args, result, isError)...)
			}
			messages = append(messages, says(strings.Repeat("I did what was asked. ", 20)))
		}
		messages = append(messages, says("The very end\n"+strings.Repeat("of a long answer ", 200)+"\nis here."))
		d := talk(messages...)
		for _, width := range []int{40, 80, 110, 200} {
			got := drawn(t, d, width, Rows)
			for i := range prompts {
				if !strings.Contains(got, fmt.Sprintf("p%d", i)) && width >= 80 {
					t.Errorf("%d prompts, width %d: no prompt %d in\n%s", prompts, width, i, got)
					break
				}
			}
			if !strings.Contains(got, "The very end") || !strings.Contains(got, "is here.") {
				t.Errorf("%d prompts, width %d: the answer does not begin and end in\n%s", prompts, width, got)
			}
			for i := 3; i < prompts; i += 20 {
				for j := range 2 {
					if width >= 80 && prompts <= 60 && !strings.Contains(got, fmt.Sprintf("try %d %d", i, j)) {
						t.Errorf("%d prompts, width %d: no failure %d %d in\n%s", prompts, width, i, j, got)
					}
				}
			}
		}
	}
}

func TestLittle(t *testing.T) {
	if groups := (&Draft{}).Lay(Layout{Width: 80}); groups != nil {
		t.Error(groups)
	}
	if got := drawn(t, talk(user("hi"), says("Hello!")), 80, Rows); got != "user      hi\nassistant Hello!" {
		t.Errorf("%q", got)
	}
	drawn(t, talk(user("")), 80, Rows)
	drawn(t, talk(says("")), 80, Rows)
	drawn(t, talk(chat.Message{Role: chat.Tool, Content: "alone"}), 20, Rows)
	drawn(t, talk(chat.Message{Role: chat.System, Content: "You are"}), 20, Rows)
}

// More failures than rows share them.
func TestManyFailures(t *testing.T) {
	messages := []chat.Message{user("go on")}
	for i := range 700 {
		messages = append(messages, calls("", []string{"bash", "Read"}[i/350], fmt.Sprintf(`{"command":"try %d"}`, i), "no such thing", true)...)
	}
	for _, width := range []int{40, 80, 200} {
		if got := drawn(t, talk(messages...), width, Rows); !strings.Contains(got, "✗ bash ×") || !strings.Contains(got, "✗ Read ×") {
			t.Errorf("%d:\n%s", width, got)
		}
	}
}

// Anything that was recorded gives rows that hold no control character.
func FuzzTake(f *testing.F) {
	f.Add("hi", "Edit", `{"path":"a","edits":[{"oldText":"x","newText":"y"}]}`, "\x1b[31mred\u202e", true)
	f.Add("<system-reminder>", "apply_patch", "*** Begin Patch\n*** Update File: a\n+x", `{"a":{"b":[1,{"c":2}]}}`, false)
	f.Fuzz(func(t *testing.T, prompt, tool, args, result string, isError bool) {
		messages := []chat.Message{user(prompt)}
		for range 3 {
			messages = append(messages, calls("1", tool, args, result, isError)...)
		}
		d := talk(append(messages, says(result))...)
		for _, width := range []int{20, 61} {
			got := drawn(t, d, width, 12)
			for _, c := range got {
				if c < ' ' && c != '\n' || c >= 0x7f && c < 0xa0 || c >= 0x202a && c <= 0x202e {
					t.Fatalf("%U in %q", c, got)
				}
			}
			if strings.Contains(ansi.Strip(got), "\x1b") {
				t.Fatal("an escape sequence")
			}
		}
	})
}
