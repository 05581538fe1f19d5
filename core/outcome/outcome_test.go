package outcome

import (
	"strings"
	"testing"
)

// cases are results as agents record them: the tool, its arguments, the result,
// whether it is marked, what became of it and the evidence for that.
var cases = []struct {
	tool, arguments, content string
	marked                   bool
	want                     Outcome
	evidence                 string
}{
	// Exit codes, as each agent writes them.
	{"Bash", sh("make"), "Exit code 2\nmake: *** [all] Error 1", true, Exit, "exit 2"},
	{"", `{"command""`, "command not found", true, Exit, "says error"},
	{"bash", sh("false"), "(no output)\n\nCommand exited with code 1", true, Exit, "exit 1"},
	{"shell", `{"command":["bash","-lc","make all"]}`, `{"output":"x\n","metadata":{"exit_code":2,"duration_seconds":0.1}}`, false, Exit, "exit 2"},
	{"shell", `{"command":["ls"]}`, `{"output":"error: x\n","metadata":{"exit_code":0}}`, false, OK, ""},
	{"exec_command", `{"cmd":"make"}`, "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2\nOriginal token count: 5\nOutput:\nboom", false, Exit, "exit 2"},
	{"exec_command", `{"cmd":"make"}`, "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nError: no, fine", false, OK, ""},
	{"shell_command", sh("make"), "Exit code: 1\nWall time: 2 seconds\nOutput:\nnope", false, Exit, "exit 1"},
	{"run_shell_command", sh("ls /no"), "Command: ls /no\nDirectory: (root)\nOutput: ls: /no: No such file or directory\nError: (none)\nExit Code: 2\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 1", false, Exit, "exit 2"},
	{"run_shell_command", sh("ls"), "Command: ls\nDirectory: (root)\nOutput: a\nError: (none)\nExit Code: 0\nSignal: 0\nProcess Group PGID: 1", false, OK, ""},
	{"bash", sh("make"), "<returncode>1</returncode>\n<output>\nboom\n</output>", false, Exit, "exit 1"},
	{"bash", sh("make"), "boom\n[exit code: 1]", false, Exit, "exit 1"},
	{"execute_bash", sh("make"), "boom\n[The command completed with exit code 1.]\n[Current working directory: /app]\n[Python interpreter: /usr/bin/python]\n[Command finished with exit code 1]", false, Exit, "exit 1"},
	{"terminal", sh("make"), `{"output": "boom", "exit_code": 2, "error": null}`, false, Exit, "exit 2"},
	{"terminal", sh("sleep 100"), `{"output": "", "exit_code": 124, "error": "Command timed out after 60 seconds"}`, false, Error, timedOut},
	{"BashOutput", `{"bash_id":"1"}`, "<status>completed</status>\n\n<exit_code>1</exit_code>\n\n<stdout>\nx\n</stdout>", false, Exit, "exit 1"},
	{"", "<function=execute_bash>\n<parameter=command>make</parameter>", "boom\n[Command finished with exit code 2]", false, Exit, "exit 2"},
	{"exec", sh("dir"), "STDERR:\nx\n\nExit code: 1", false, Exit, "exit 1"},
	{"bash", sh("make; echo \"exit: $?\""), "boom\nexit: 2", false, Exit, "exit 2"},
	{"bash", sh("cat run.sh"), "#!/bin/sh\necho no >&2\nexit 1", false, OK, ""},
	// A search without a hit is none.
	{"Bash", sh("grep -n x f"), "Exit code 1", true, OK, ""},
	{"bash", sh("cd a && rg x | head"), "(no output)\n\nCommand exited with code 1", true, OK, ""},
	{"bash", sh("which node"), "Exit code 1", true, OK, ""},
	{"bash", sh("diff a b"), "1c1\n< a\n---\n> b\n\nCommand exited with code 1", true, OK, ""},
	{"bash", sh("grep x nofile"), "grep: nofile: No such file or directory\n\nCommand exited with code 2", true, Exit, "exit 2"},
	{"bash", sh("grep x nofile"), "grep: nofile: No such file or directory", false, Exit, notFound},
	// What ran says that it failed.
	{"Bash", sh("go test ./... 2>&1 | tail -5"), "ok  \ta\t0.1s\n--- FAIL: TestX (0.00s)\nFAIL\nFAIL\tb\t0.2s\nFAIL", false, Exit, testsFailed},
	{"Bash", sh("go test ./..."), "ok  \ta\t0.1s\nok  \tb\t0.2s", false, OK, ""},
	{"Bash", sh("go build ./... 2>&1 | head"), "# a/b\nb/x.go:3:5: undefined: y", false, Exit, compile},
	{"Bash", sh("pytest -q | tail -3"), "FAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed, 3 passed in 0.12s", false, Exit, testsFailed},
	{"Bash", sh("pytest -q | tail -3"), "====== 12 passed, 1 warning in 0.12s ======", false, OK, ""},
	{"Bash", sh("python -m unittest 2>&1 | tail"), "Ran 3 tests in 0.001s\n\nFAILED (failures=1)", false, Exit, testsFailed},
	{"Bash", sh("npx jest 2>&1 | tail"), "FAIL src/a.test.js\nTests:       1 failed, 4 passed, 5 total", false, Exit, testsFailed},
	{"Bash", sh("npx jest 2>&1 | tail"), "Tests:       5 passed, 5 total", false, OK, ""},
	{"Bash", sh("npx vitest run | tail"), " Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 30 passed (32)", false, Exit, testsFailed},
	{"Bash", sh("npx mocha | tail"), "  3 passing (4ms)\n  1 failing\n", false, Exit, testsFailed},
	{"Bash", sh("cargo test 2>&1 | tail"), "test result: FAILED. 1 passed; 1 failed; 0 ignored", false, Exit, testsFailed},
	{"Bash", sh("cargo build 2>&1 | tail"), "error[E0308]: mismatched types\n --> src/main.rs:3:5", false, Exit, compile},
	{"Bash", sh("cargo test 2>&1 | tail"), "test result: ok. 5 passed; 0 failed; 0 ignored", false, OK, ""},
	{"Bash", sh("npx tsc --noEmit | head"), "src/a.ts(1,2): error TS2304: Cannot find name 'x'.", false, Exit, compile},
	{"Bash", sh("gcc a.c 2>&1 | head"), "a.c:3:5: error: expected ';'", false, Exit, compile},
	{"Bash", sh("make 2>&1 | tail -1"), "make: *** [Makefile:3: all] Error 1", false, Exit, "make failed"},
	{"Bash", sh("npm ci 2>&1 | tail -2"), "npm ERR! code ENOENT\nnpm ERR! errno -2", false, Exit, "npm failed"},
	{"Bash", sh("npx eslint . || true"), "✖ 3 problems (1 error, 2 warnings)", false, Exit, lint},
	{"Bash", sh("npx eslint . || true"), "✖ 2 problems (0 errors, 2 warnings)", false, OK, ""},
	{"Bash", sh("mypy . | tail -1"), "Found 3 errors in 1 file (checked 4 source files)", false, Exit, lint},
	{"Bash", sh("mypy . | tail -1"), "Success: no issues found in 4 source files", false, OK, ""},
	{"Bash", sh("mvn test | tail"), "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE", false, Exit, testsFailed},
	{"bash", sh("python x.py"), "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n    import y\nModuleNotFoundError: No module named 'y'", false, Exit, traceback},
	{"bash", sh("node x.js"), "/a/x.js:1\nthrow new Error('x')\n^\n\nError: x\n    at Object.<anonymous> (/a/x.js:1:7)\n\nNode.js v20.1.0", false, Exit, traceback},
	{"bash", sh("go run ."), "panic: oh\n\ngoroutine 1 [running]:\nmain.main()\nexit status 2", false, Exit, "exit 2"},
	{"bash", sh("foo"), "bash: line 1: foo: command not found", false, Exit, noCommand},
	{"bash", sh("git checkout nowhere"), "error: pathspec 'nowhere' did not match any file(s) known to git", false, Exit, notFound},
	{"bash", sh("git log"), "fatal: not a git repository (or any of the parent directories): .git", false, Exit, "git failed"},
	{"bash", sh("git merge x | tail"), "CONFLICT (content): Merge conflict in a.go\nAutomatic merge failed; fix conflicts and then commit the result.", false, Exit, conflict},
	{"python", `{"code":"1/0"}`, "Traceback (most recent call last):\n  File \"<stdin>\", line 1, in <module>\nZeroDivisionError: division by zero", false, Exit, traceback},
	{"run_tests", "{}", "1 failed, 3 passed in 0.12s", false, Exit, testsFailed},
	// Texts that talk of errors.
	{"Bash", sh("cat app.log | tail -3"), "ERROR: boom\nTraceback (most recent call last):\nValueError: x", false, OK, ""},
	{"Bash", sh("git log --oneline"), "abc fix error: panic\ndef FAIL fast", false, OK, ""},
	{"Bash", sh("grep -rn 'error:' ."), "a.go:3: error: x\nb.go:4:FAIL", false, OK, ""},
	{"Bash", sh("ls x 2>/dev/null || echo 'not found'"), "not found", false, OK, ""},
	{"Grep", `{"pattern":"x"}`, "No matches found", false, OK, ""},
	{"Read", `{"file_path":"a"}`, "     1→Error: not found\n     2→FAIL", false, OK, ""},
	{"Task", `{"prompt":"x"}`, "The tests failed with Error: x.\n\nI fixed them.", false, OK, ""},
	{"WebFetch", `{"url":"x"}`, "# Errors\n\nError: 404 is what you get when …", false, OK, ""},
	{"Bash", sh("mkdir a"), "", false, OK, ""},
	{"think", `{"thought":"x"}`, "", false, OK, ""},
	// The call failed.
	{"Edit", `{"file_path":"a"}`, "<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>", true, Error, noMatch},
	{"Write", `{"file_path":"a"}`, "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>", true, Error, unread},
	{"Read", `{"file_path":"a"}`, "File does not exist.", true, Error, notFound},
	{"read_file", `{"path":"a"}`, "Error: File not found: a", false, Error, notFound},
	{"str_replace_editor", `{"command":"str_replace","path":"a"}`, "No replacement was performed, old_str `x` did not appear verbatim in a.", false, Error, noMatch},
	{"edit", `{"path":"a"}`, "Your proposed edit has introduced new syntax error(s). Please read this error message carefully.", false, Error, badSyntax},
	{"apply_patch", `{"input":"x"}`, "apply_patch verification failed: Failed to find expected lines in a.go", false, Error, noMatch},
	{"Edit", `{"file_path":"a"}`, "The file a has been updated. Here's the result of running `cat -n` on a snippet:\n1\terror not found", false, OK, ""},
	{"Bash", sh("rm -rf /"), "The user doesn't want to proceed with this tool use. The tool use was rejected.", true, Error, refused},
	{"shell", sh("ls"), "exec command rejected by user", false, Error, refused},
	{"Bash", sh("curl x"), "Permission to use Bash with command curl x has been denied.", true, Error, refused},
	{"Bash", sh("git push"), "PreToolUse:Bash hook error: [./guard.sh]: no pushes", true, Error, blocked},
	{"Bash", sh("sleep 999"), "Command timed out after 2m 0.0s", true, Error, timedOut},
	{"Bash", sh("sleep 999"), "Exit code 143\nCommand timed out after 2m 0s", true, Error, timedOut},
	{"./prog", "./prog", "\nEXECUTION TIMED OUT", false, Error, timedOut},
	{"bash", sh("npm start"), "listening\n\n\nCommand aborted", true, Error, interrupted},
	{"Bash", sh("x"), "[Request interrupted by user for tool use]", true, Error, interrupted},
	{"Foo", "{}", "<tool_use_error>Error: No such tool available: Foo</tool_use_error>", true, Error, wrongly},
	{"Read", "{}", "InputValidationError: Read failed due to the following issue:\nThe required parameter `file_path` is missing", true, Error, wrongly},
	{"mcp__db__query", "{}", "MCP error -32602: Invalid arguments for tool query", false, Error, wrongly},
	{"mcp__db__query", "{}", `[{"type":"text","text":"Error: connection refused"}]`, false, Error, "no connection"},
	{"WebFetch", `{"url":"x"}`, "Request failed with status code 404", false, Error, "HTTP 404"},
	{"get_user", "{}", "Error: user not found", false, Error, notFound},
	{"get_user", "{}", `{"error": "user not found"}`, false, Error, notFound},
	{"get_user", "{}", `{"success": false, "message": "bad"}`, false, Error, saysFailed},
	{"get_user", "{}", `{"status": "error", "message": "Invalid id"}`, false, Error, wrongly},
	{"get_user", "{}", `{"error": null, "name": "x"}`, false, OK, ""},
	{"get_user", "{}", `{"name": "error", "status": "failed", "a": 1, "b": 2, "c": 3}`, false, OK, ""},
	{"search_flights", "{}", "[]", false, OK, ""},
	{"get_user", "{}", "{'success': True, 'message': 'no error'}", false, OK, ""},
	{"Glob", `{"pattern":"x"}`, "ENOENT: no such file or directory, posix_spawn '/usr/bin/rg'", true, Error, saysFailed},
}

func sh(command string) string { return `{"command":` + quoted(command) + `}` }

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

func TestJudge(t *testing.T) {
	for _, c := range cases {
		got := CallOf(c.tool, c.arguments).Judge(Facts{Marked: c.marked}, c.content)
		if got != (Finding{c.want, c.evidence}) {
			t.Errorf("%s %s: %q (marked: %v) is judged %v, %q; want %v, %q", c.tool, c.arguments, c.content, c.marked, got.Outcome, got.Evidence, c.want, c.evidence)
		}
	}
}

// A code that is recorded beside the text counts as much as one in it.
func TestRecordedCode(t *testing.T) {
	c := CallOf("shell", sh("make"))
	for _, test := range []struct {
		code int
		want Finding
	}{{0, Finding{}}, {3, Finding{Exit, "exit 3"}}, {-1, Finding{Error, "exit -1"}}} {
		if got := c.Judge(Facts{Coded: true, Code: test.code}, "Error: x"); got != test.want {
			t.Errorf("code %d: %v, want %v", test.code, got, test.want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, o := range []Outcome{OK, Exit, Error} {
		if got, ok := Parse(o.String()); !ok || got != o {
			t.Errorf("Parse(%q) = %v, %v", o.String(), got, ok)
		}
	}
	if _, ok := Parse("fine"); ok || Outcome(9).String() != "" {
		t.Error("a name that is none is taken for one")
	}
}

// Of a long result only the ends are read.
func TestLong(t *testing.T) {
	middle := strings.Repeat("all is well\n", 100_000)
	c := CallOf("Bash", sh("go test ./... | cat"))
	for name, test := range map[string]struct {
		text string
		want Outcome
	}{
		"at the end":       {middle + "--- FAIL: TestX (0.00s)\nFAIL", Exit},
		"at the beginning": {"# a\na.go:1:2: undefined: x\n" + middle, Exit},
		"in the middle":    {middle + "--- FAIL: TestX (0.00s)\n" + middle, OK},
	} {
		if got := c.Judge(Facts{}, test.text); got.Outcome != test.want {
			t.Errorf("a failure %s: %v", name, got)
		}
	}
}

func FuzzJudge(f *testing.F) {
	for _, c := range cases {
		f.Add(c.tool, c.arguments, c.content, c.marked, 0)
	}
	f.Fuzz(func(t *testing.T, tool, arguments, content string, marked bool, code int) {
		c := CallOf(tool, arguments)
		for _, facts := range []Facts{{Marked: marked}, {Marked: marked, Coded: true, Code: code}} {
			got := c.Judge(facts, content)
			if got.Failed() == (got.Evidence == "") || len(got.Evidence) > EvidenceMost || strings.ContainsFunc(got.Evidence, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("%q, %q, %q: %v with the evidence %q", tool, arguments, content, got.Outcome, got.Evidence)
			}
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	test := strings.Repeat("=== RUN   TestSomething\n    a_test.go:12: all is well here\n--- PASS: TestSomething (0.00s)\n", 80)
	for name, call := range map[string][2]string{"run": {"Bash", sh("go test -v ./...")}, "shown": {"Bash", sh("cat log")}, "read": {"Read", `{"file_path":"a"}`}} {
		c := CallOf(call[0], call[1])
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(test)))
			b.ReportAllocs()
			for b.Loop() {
				c.Judge(Facts{}, test)
			}
		})
	}
}
