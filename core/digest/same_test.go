package digest

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/chat"
)

// openOf counts the failures left open of calls of a tool: the first fails, the
// others succeed.
func openOf(tool string, args ...string) int {
	messages := []chat.Message{user("go")}
	for i, a := range args {
		gave := []string{"Error: 503", "fine"}[min(i, 1)]
		messages = append(messages, calls(fmt.Sprint(i), tool, a, gave, i == 0)...)
	}
	open := 0
	for _, b := range talk(messages...).turns[0].beats {
		for _, c := range b.calls {
			if c.open {
				open++
			}
		}
	}
	return open
}

func TestWhatMakesAFailureGood(t *testing.T) {
	for _, c := range []struct {
		open bool
		all  []string // the command that fails, and those that succeed
	}{
		{false, []string{"go test -v ./cmd/x 2>&1 | grep FAIL", "go test -v ./cmd/x | tail -5"}},
		{false, []string{"go test ./cmd/x", "cd /home/ann/p && go test -count=1 ./..."}},
		{true, []string{"go test ./...", "go test ./cmd/x"}},
		{true, []string{"go test ./...", "go test -run One ./..."}},
		{true, []string{"go test ./cmd/x", "go test ./cmd/y"}},
		{false, []string{"git push", "git push --force-with-lease origin main"}},
		{false, []string{"git push origin main", "git add -A && git commit -m done && git push"}},
		{true, []string{"git push origin v1.2.0", "git push"}},
		{false, []string{"git commit -m \"$(cat <<'EOF'\nIt's \"done\"; really\nEOF\n)\"", "git commit -m 'it is done'"}},
		{false, []string{"git add cmd/x.go", "cd cmd && git add x.go"}},
		{true, []string{"git add cmd/x.go", "git add cmd/y.go"}},
		{false, []string{"git add cmd/x.go", "git add cmd/y.go cmd/x.go"}},
		{false, []string{"git add cmd/x.go", "git add -A"}},
		{false, []string{"CI=1 npm run check", "npm run check 2>&1 | tail -3 && echo done"}},
		{false, []string{"npm run build && npm test", "npm run build", "npm test"}},
		{true, []string{"npm run build && npm test", "npm run build"}},
		{true, []string{"python3 - <<E\nprint(1)\nE", "python3 - <<E\nprint(2)\nE"}},
		{false, []string{"cat > /tmp/a.go <<'E'\nfoo\nE\ngo run /tmp/a.go", "cat > /tmp/a.go <<'E'\nbar\nE\ngo run /tmp/a.go"}},
		{true, []string{"make a; echo b", "echo b"}},
		{false, []string{"ls nowhere", "ls nowhere"}},
		{true, []string{"ls nowhere", "ls here"}},
		{false, []string{"timeout 60 go build ./... &> /dev/null", "go build ./..."}},
		{true, []string{`grep "a|b && c" x.go`, "grep b x.go"}},
		{false, []string{"git fetch && git rebase origin/main", "rm -f .git/index.lock && git rebase --continue"}},
		{true, []string{"git rebase main", "git rebase --abort"}},
	} {
		var args []string
		for _, command := range c.all {
			args = append(args, fmt.Sprintf(`{"command":%q}`, command))
		}
		if open := openOf("Bash", args...) > 0; open != c.open {
			t.Errorf("%q: open %v", c.all, open)
		}
	}
	for _, c := range []struct {
		open bool
		tool string
		all  []string
	}{
		{true, "get_order_details", []string{`{"order_id":"#W1"}`, `{"order_id":"#W2"}`}},
		{false, "get_order_details", []string{`{"order_id":"#W1"}`, `{"order_id":"#W2"}`, `{"order_id":"#W1"}`}},
		{true, "find_user", []string{`{"name":"Ann","zip":"1"}`, `{"name":"Ann","zip":"2"}`}},
		{false, "exchange_items", []string{`{"order_id":"#W1","item_ids":["1"],"payment_method_id":"card"}`, `{"order_id":"#W1","item_ids":["2"],"payment_method_id":"gift"}`}},
		{true, "book_flight", []string{`{"user_id":"ann","origin":"SFO"}`, `{"user_id":"ann","origin":"LAX"}`}},
		{false, "Edit", []string{`{"file_path":"/p/a.go","old_string":"a","new_string":"b"}`, `{"file_path":"/p/a.go","old_string":"c","new_string":"b"}`}},
		{true, "Task", []string{`{"prompt":"look","description":"a"}`, `{"prompt":"look","description":"b"}`}},
		{false, "apply_patch", []string{`"*** Begin Patch\n*** Update File: a\n+x"`, `"*** Begin Patch\n*** Update File: a\n+y"`}},
	} {
		if open := openOf(c.tool, c.all...) > 0; open != c.open {
			t.Errorf("%s %q: open %v", c.tool, c.all, open)
		}
	}
}

// TestLead: the first row says what is counted, in other words than a score does.
func TestLead(t *testing.T) {
	fails := func(n, good int) []chat.Message {
		var all []chat.Message
		for i := range n {
			all = append(all, calls("", "bash", fmt.Sprintf(`{"command":"try %d"}`, i), "Exit code 1", true)...)
		}
		for i := range good {
			all = append(all, calls("", "bash", fmt.Sprintf(`{"command":"try %d"}`, i), "fine", false)...)
		}
		return all
	}
	for want, c := range map[string][2]int{
		"no failure":                                  {0, 0},
		"2 failures repeated successfully":            {2, 2},
		"2 failures never repeated successfully":      {2, 0},
		"1 of 3 failures never repeated successfully": {3, 2},
	} {
		messages := append([]chat.Message{user("go")}, fails(c[0], c[1])...)
		for range 8 {
			messages = append(messages, calls("", "Read", `{"path":"a"}`, "x", false)...)
		}
		if got := drawn(t, talk(messages...), 110, Rows); !strings.Contains(got, " · "+want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
