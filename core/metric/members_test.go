package metric

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
)

// slowMembers reads the members of an object as the library does.
func slowMembers(object string) (list []string) {
	dec := jsontext.NewDecoder(strings.NewReader(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		key := string(name)
		value, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		list = append(list, key, string(bytes.TrimSpace(value)))
	}
	return list
}

func quickMembers(object string) (list []string) {
	eachMember(object, func(name, value string) { list = append(list, name, value) })
	return list
}

func FuzzMembers(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":1}`, ` { "a" : 1 , "b" : [ { } , "]" ] } `, `{"a\"b":"c\\","d":{"e":"}"}}`, `{"":"","x":null}`, `{"a":"\\\\\"","b":-1.5e3}`, "{\"a\":\n1\n,\n\"b\":[]\n}", `{"a":1,"a":2}`, "{\"\xff\":\"\xff\"}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.TrimSpace(s)
		if !chat.IsObject(s) {
			return
		}
		slow, quick := slowMembers(s), quickMembers(s)
		if strings.Join(slow, "\x00") != strings.Join(quick, "\x00") {
			t.Fatalf("%q: %q, want %q", s, quick, slow)
		}
	})
}

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
		if got := runsCommands(name); got != want {
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
