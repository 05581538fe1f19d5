package outcome

import (
	"strings"
)

// beginnings are what lines of programs that failed begin with, after the
// space before them.
var beginnings = []struct {
	text     string
	rank     rank
	evidence string
}{
	{"--- FAIL:", tells, testsFailed}, {"FAIL\t", tells, testsFailed}, {"FAIL ", tells, testsFailed}, {"FAILED (failures", tells, testsFailed}, {"FAILED (errors", tells, testsFailed},
	{"FAILURES!", tells, testsFailed}, {"test result: FAILED", tells, testsFailed}, {"not ok ", tells, testsFailed}, {"FAILED tests", tells, testsFailed}, {"FAILED test", tells, testsFailed},
	{"ERROR tests/", tells, testsFailed}, {"ERROR collecting", tells, testsFailed}, {"There were failing tests", tells, testsFailed}, {"There are test failures", tells, testsFailed},
	{"Test run failed", tells, testsFailed}, {"Test Run Failed", tells, testsFailed}, {"Some tests failed", tells, testsFailed}, {"Tests failed", tells, testsFailed},
	{"!!!!!!!!!!!!!!!!!!! Interrupted:", tells, testsFailed}, {"E   ", tells, testsFailed},
	{"panic: ", tells, "panic"}, {"fatal error: all goroutines", tells, "panic"}, {"thread '", hint, "panic"}, {"Exception in thread ", tells, traceback}, {"Unhandled exception", tells, traceback},
	{"PHP Fatal error", tells, traceback}, {"Fatal error: Uncaught", tells, traceback}, {"PHP Parse error", tells, badSyntax}, {"Uncaught ", said1, traceback}, {"Node.js v", said1, traceback},
	{"[UnhandledPromiseRejection", tells, traceback}, {"error: Uncaught", tells, traceback}, {"Traceback (most recent call last)", hint, traceback},
	{"Segmentation fault", tells, crashed}, {"Aborted (core dumped)", tells, crashed}, {"Bus error", tells, crashed}, {"Killed", hint, crashed}, {"AddressSanitizer", tells, crashed},
	{"npm ERR!", said1, "npm failed"}, {"npm error", said1, "npm failed"}, {"error Command failed", said1, "task failed"}, {"ERR_PNPM", tells, "npm failed"}, {"ELIFECYCLE", said1, "npm failed"}, {"husky - ", hint, "hook failed"},
	{"make: ***", said1, "make failed"}, {"ninja: build stopped", said1, "build failed"}, {"CMake Error", tells, "build failed"}, {"BUILD FAILED", tells, "build failed"}, {"BUILD FAILURE", tells, "build failed"},
	{"[INFO] BUILD FAILURE", tells, "build failed"}, {"FAILURE: Build failed", tells, "build failed"}, {"Build FAILED", tells, "build failed"}, {"ERROR: failed to solve", tells, "build failed"}, {"Failed to compile", tells, compile},
	{"error: could not compile", tells, compile}, {"error: aborting due to", tells, compile}, {"error[E", tells, compile}, {"collect2: error", tells, compile}, {"ld: symbol(s) not found", tells, compile}, {"undefined reference to", tells, compile},
	{"exit status ", hint, "exit status"}, {"error: Recipe", said1, stopped}, {"error: recipe", said1, stopped}, {"error: script", said1, stopped},
	{"CONFLICT (", tells, conflict}, {"! [rejected]", tells, "push rejected"}, {"! [remote rejected]", tells, "push rejected"}, {"error: failed to push", tells, "push rejected"}, {"fatal: ", said1, "git failed"}, {"error: pathspec", tells, notFound},
	{"error: Your local changes", tells, "git failed"}, {"error: cannot ", hint, saysError}, {"error: could not apply", tells, conflict}, {"Automatic merge failed", tells, conflict},
	{"E: Unable to locate", tells, notFound}, {"ERROR: Could not find a version", tells, notFound}, {"ERROR: No matching distribution", tells, notFound}, {"ERROR: Could not install", tells, saysError},
	{"FullyQualifiedErrorId", tells, saysError}, {"+ FullyQualifiedErrorId", tells, saysError}, {"CommandNotFoundException", tells, noCommand}, {"The term '", hint, noCommand},
	{"Error: Cannot find module", tells, "module not found"}, {"ModuleNotFoundError:", hint, traceback}, {"ImportError:", hint, traceback}, {"SyntaxError:", hint, badSyntax}, {"IndentationError:", hint, badSyntax},
	{"Error from server", said1, saysError}, {"Error response from daemon", tells, saysError}, {"│ Error:", tells, saysError}, {"terraform: ", hint, saysError},
	{"Command failed with exit code", said1, stopped}, {"Error: Process completed with exit code", said1, stopped}, {"Error: Command failed", said1, stopped}, {"subprocess.CalledProcessError", hint, traceback},
	{"Error: can't load config", tells, saysError}, {"Error: unknown ", tells, wrongly}, {"unknown flag:", tells, wrongly}, {"error: unexpected argument", tells, wrongly}, {"error: unrecognized", tells, wrongly},
	{"rustc: error", tells, compile}, {"SIGSEGV", hint, crashed}, {"FAIL:", tells, testsFailed}, {"ERROR:", hint, saysError}, {"Failures:", hint, testsFailed}, {"Error: no test specified", tells, testsFailed},
	{"WARNING: DATA RACE", tells, testsFailed}, {"goroutine 1 [running]", tells, "panic"}, {"curl: (", said1, "curl failed"}, {"ssh: connect", said1, "no connection"},
}

// byFirst are the beginnings by their first byte.
var byFirst = func() (rows [256][]int) {
	for i := range beginnings {
		first := beginnings[i].text[0]
		rows[first] = append(rows[first], i)
	}
	return rows
}()

// lineSays tells what a line of the output of something that ran says of it.
// n is its number, from 1.
func lineSays(line string, n int) (rank, string) {
	text := strings.TrimLeft(line, " \t")
	if text == "FAIL" || text == "FAILED" {
		return tells, testsFailed
	}
	for _, i := range byFirst[text[0]] {
		if row := &beginnings[i]; strings.HasPrefix(text, row.text) {
			if row.rank == hint && row.evidence == traceback && row.text != "Traceback (most recent call last)" || len(text) < len(line) && row.rank < tells {
				break
			}
			if row.text == "exit status " && (text == "exit status 0" || !digits(text[len(row.text):])) || row.text == "FAIL " && strings.HasPrefix(text, "FAIL 0") {
				break
			}
			if row.text == "exit status " {
				return said1, clip(text, EvidenceMost)
			}
			return row.rank, row.evidence
		}
	}
	// Most lines hold none of these and are done with here.
	fails, errs := strings.Contains(text, "ail"), strings.Contains(text, "rror")
	switch {
	case fails && counted(text):
		return tells, testsFailed
	case errs && erring(text):
		return tells, compile
	case errs && tallied(text, " error"):
		return tells, lint
	case strings.HasSuffix(text, "ERROR task failed"):
		return said1, stopped
	case strings.Contains(text, " panicked at "):
		return tells, "panic"
	case strings.HasSuffix(text, " issues:"):
		if n, ok := number(text); ok && n > 0 {
			return tells, lint
		}
	case strings.Contains(text, "(core dumped)") || strings.Contains(text, "Segmentation fault"):
		return tells, crashed
	case len(text) == len(line) && inGo(text):
		return said1, compile
	case strings.HasPrefix(text, "make[") && strings.Contains(text, "]: *** "):
		return said1, "make failed"
	case strings.HasPrefix(text, "# fail "), strings.HasPrefix(text, "ℹ fail "):
		if n, ok := number(text[strings.LastIndexByte(text, ' ')+1:]); ok && n > 0 {
			return tells, testsFailed
		}
	}
	if e := complaint(line); e != "" && (e == noCommand || e == badSyntax || n <= 2) {
		return said1, e
	}
	return nothing, ""
}

// counted reports whether a line counts tests that failed, as in "1 failed, 3
// passed", "Tests: 2 failed", "3 failing", "Failures: 1".
func counted(text string) bool {
	if len(text) > 200 {
		return false
	}
	lowered := strings.ToLower(text)
	for _, word := range [...]string{" failed", " failing", " failures", " failure"} {
		i := strings.Index(lowered, word)
		if i <= 0 || !before(lowered[:i]) {
			continue
		}
		rest := lowered[i+len(word):]
		switch {
		case word == " failing" && strings.TrimSpace(rest) == "",
			strings.HasPrefix(lowered, "tests") || strings.HasPrefix(lowered, "test suites") || strings.HasPrefix(lowered, "test files") || strings.HasPrefix(lowered, "="),
			strings.Contains(lowered, "passed") || strings.Contains(lowered, "passing") || strings.Contains(lowered, "tests") || strings.Contains(lowered, "examples") || strings.Contains(rest, " in "),
			strings.TrimSpace(rest) == "" && lowered[0] >= '1' && lowered[0] <= '9':
			return true
		}
	}
	for _, word := range [...]string{"failures: ", "fail: ", "failed: ", "failed:"} {
		if i := strings.Index(lowered, word); i >= 0 && (strings.Contains(lowered, "test") || strings.Contains(lowered, "pass") || strings.Contains(lowered, "error")) {
			if n, ok := number(strings.TrimLeft(lowered[i+len(word):], " ")); ok && n > 0 {
				return true
			}
		}
	}
	return false
}

// before reports whether a text ends with a number above 0.
func before(text string) bool {
	from := len(text)
	for from > 0 && text[from-1] >= '0' && text[from-1] <= '9' {
		from--
	}
	n, ok := number(text[from:])
	return ok && n > 0 && (from == 0 || strings.IndexByte(" =|(:,\t", text[from-1]) >= 0)
}

// tallied reports whether a line sums up errors: "Found 3 errors", "2 errors
// generated.", "✖ 5 problems (2 errors, 3 warnings)".
func tallied(text, word string) bool {
	i := strings.Index(text, word)
	if i <= 0 || len(text) > 160 || !before(text[:i]) {
		return false
	}
	rest := strings.TrimPrefix(text[i+len(word):], "s")
	if strings.HasPrefix(text, "Found ") || strings.Contains(text, "problem") || strings.HasPrefix(rest, " generated") || strings.HasPrefix(rest, " found") {
		return true
	}
	return text[0] >= '1' && text[0] <= '9' && (rest == "" || rest == "." || strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, " and "))
}

// erring reports whether a line is a compiler's message of an error.
func erring(text string) bool {
	if i := strings.Index(text, "error TS"); i >= 0 && len(text) > i+8 && text[i+8] >= '0' && text[i+8] <= '9' {
		return true
	}
	for _, word := range [...]string{": error: ", ": fatal error: ", ": error CS", ": error MSB", ": error C", ": error LNK", ": error["} {
		if i := strings.Index(text, word); i > 0 {
			place := text[:i]
			// "prog: error: …" too is said by a program that was called wrongly.
			return !strings.ContainsAny(place, "\"'{}") && strings.Count(place, " ") <= 2
		}
	}
	return false
}

// inGo reports whether a line is a message on a place in a source of Go.
func inGo(text string) bool {
	i := strings.Index(text, ".go:")
	if i <= 0 || i > 200 || strings.ContainsAny(text[:i], " \t\"") {
		return false
	}
	rest := text[i+3:]
	for range 2 { // the line, and the column if there is one
		n := 1
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		if n > 1 && rest[0] == ':' {
			rest = rest[n:]
		}
	}
	return len(rest) < len(text)-i-3 && strings.HasPrefix(rest, ": ")
}
