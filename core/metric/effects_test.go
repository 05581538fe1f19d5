package metric

import (
	"strings"
	"testing"
)

func TestNameEffects(t *testing.T) {
	for name, want := range map[string]effects{
		"read_file": readsOnly, "Read": readsOnly, "Grep": readsOnly, "getUserDetails": readsOnly, "mcp__github__list_issues": readsOnly, "WebSearch": readsOnly, "think": readsOnly,
		"edit_file": mayChange, "Write": mayChange, "update_reservation": mayChange, "Task": mayChange, "unheard_of": mayChange, "": mayChange, "submit": mayChange, "browser_click": mayChange, "search_and_replace": mayChange,
		"sleep": waits, "wait_for_page": waits, "browser_wait_for": waits,
	} {
		if got := nameEffects(name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	for name, want := range map[string]bool{"bash": true, "Bash": true, "run_shell_command": true, "exec_command": true, "terminal": true, "container.exec": true, "read_file": false, "bashful": false} {
		if got := RunsCommands(name); got != want {
			t.Errorf("%s runs commands: %v", name, got)
		}
	}
}

func TestCommandEffects(t *testing.T) {
	for json, want := range map[string]effects{
		`"ls"`: readsOnly, `"cat a | grep b"`: readsOnly, `"cd /x && git status"`: readsOnly, `"git log --oneline\ngit diff"`: readsOnly, `["bash","-lc","rg foo src"]`: readsOnly, `["bash", "-lc", "ls"]`: readsOnly, `"FOO=1 env"`: readsOnly,
		`"sed -n 1,5p a"`: readsOnly, `"grep x y 2>&1 | head"`: readsOnly, `""`: readsOnly, `"cat \"a b\""`: readsOnly,
		`"rm a"`: mayChange, `"ls; rm a"`: mayChange, `"cat a > b"`: mayChange, `"git commit -m x"`: mayChange, `"echo $(rm a)"`: mayChange, `"sed -i s/a/b/ c"`: mayChange, `"find . -delete"`: mayChange, `"make"`: mayChange, `"ls\nmake"`: mayChange,
		`"sleep 5"`: waits, `"sleep 5 && curl x"`: waits,
		`"ls ` + strings.Repeat("x", 2000) + `"`: mayChange,
	} {
		if got := commandEffects(json); got != want {
			t.Errorf("%s: %d, want %d", json, got, want)
		}
	}
}
