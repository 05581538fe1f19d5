package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"winnow/core/train/traintest"
)

// TestMain makes the program available to scripts under its name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"winnow": main, "hasty": hasty, "trainer": traintest.Trainer})
}

// TestScripts runs the command scripts, each in a folder of its own with
// nothing of the machine's settings.
func TestScripts(t *testing.T) {
	users := ""
	if !racing("") {
		users = filepath.Dir(build(t)) + string(filepath.ListSeparator)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "..", "testdata", "script"),
		RequireExplicitExec: true,
		Condition: func(cond string) (bool, error) {
			if cond != "modes" {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			return bindable(), nil
		},
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			for name, value := range map[string]string{
				"HOME": home, "USERPROFILE": home, "LocalAppData": filepath.Join(home, "local"), "AppData": filepath.Join(home, "roaming"),
				"XDG_DATA_HOME": filepath.Join(home, "data"), "XDG_CONFIG_HOME": filepath.Join(home, "config"),
				"TZ": "UTC", "LANG": "C.UTF-8", "USER": "ann", "TERM": "xterm-256color",
			} {
				env.Setenv(name, value)
			}
			// Else a command sleeps for a second when it ends, for races there.
			env.Setenv("GORACE", "atexit_sleep_ms=50")
			if script := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-"); !racing(script) {
				env.Setenv("PATH", users+env.Getenv("PATH"))
			}
			env.Values[modelKey{}] = &modelServer{}
			return os.MkdirAll(home, 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"capture": capture,
			"hex":     hexMatch,
			"extend":  extend,
			"until":   until,
			"model":   model,
			"asked":   asked,
			"talk":    talk,
			"bound":   bound,
		},
	})
}

// exits runs a command and checks its exit status: exits STATUS COMMAND ARG…
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND ARG…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// setpriv has a command bound by the modes of files, which root is not.
var setpriv = []string{"setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"}

// bindable reports whether a command can be bound by the modes of files.
func bindable() bool {
	return runtime.GOOS != "windows" && (os.Geteuid() != 0 || exec.Command(setpriv[0], append(setpriv[1:], "true")...).Run() == nil)
}

// bound runs a command that is bound by the modes of files, also if root runs the
// tests: [!] bound COMMAND ARG…
func bound(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 {
		ts.Fatalf("usage: bound COMMAND ARG…")
	}
	if os.Geteuid() == 0 {
		args = slices.Concat(setpriv, args)
	}
	if err := ts.Exec(args[0], args[1:]...); (err != nil) != neg {
		ts.Fatalf("%v", err)
	}
}

// until runs a command again and again until its output matches: until PATTERN
// COMMAND ARG…
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until PATTERN COMMAND ARG…")
	}
	pattern := regexp.MustCompile("(?m)" + args[0])
	again, end := time.NewTicker(50*time.Millisecond), time.After(time.Minute)
	defer again.Stop()
	for err := ts.Exec(args[1], args[2:]...); err != nil || !pattern.MatchString(ts.ReadFile("stdout")); err = ts.Exec(args[1], args[2:]...) {
		select {
		case <-end:
			ts.Fatalf("no match for %q", args[0])
		case <-again.C:
		}
	}
}

// capture keeps what the group of a pattern finds in the last output as a
// variable: capture NAME PATTERN
func capture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: capture NAME PATTERN")
	}
	found := regexp.MustCompile("(?m)" + args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if len(found) < 2 {
		ts.Fatalf("no match for %q", args[1])
	}
	ts.Setenv(args[0], found[1])
}

// hexMatch looks for bytes, given in Go's notation, in a file ("stdout" is the
// last output): hex FILE TEXT
func hexMatch(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: hex FILE TEXT")
	}
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	found := regexp.MustCompile(regexp.QuoteMeta(text)).MatchString(ts.ReadFile(args[0]))
	if found == neg {
		ts.Fatalf("%q in %s: %v", text, args[0], found)
	}
}

// extend appends text, in which \n is a line end, to a file: extend FILE TEXT
func extend(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: extend FILE TEXT")
	}
	text := strings.ReplaceAll(args[1], `\n`, "\n")
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	ts.Check(err)
	_, err = f.WriteString(text)
	ts.Check(errors.Join(err, f.Close()))
}

// talk writes a session of user and assistant in turns, the n-th message
// beginning with "message n", each of a number of letters: talk FILE LETTERS…
func talk(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: talk FILE LETTERS…")
	}
	var text strings.Builder
	for i, arg := range args[1:] {
		letters, err := strconv.Atoi(arg)
		ts.Check(err)
		role := [...]string{"user", "assistant"}[i%2]
		said := fmt.Sprintf("message %d %s", i+1, strings.Repeat("la ", max(0, letters-10)/3))
		fmt.Fprintf(&text, "{\"role\":%q,\"content\":%q}\n", role, said)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text.String()), 0o644))
}
