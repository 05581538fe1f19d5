package outcome

import (
	"strings"
)

// rank says how much a line says of what failed: of several the highest counts,
// and what is only a hint needs the end of the output to agree.
type rank uint8

const (
	nothing rank = iota
	hint         // may be said of anything
	said1        // a failure, by the word of any program
	tells        // a failure of a known kind
)

// printed judges what a command printed whose exit status is unknown. With
// ran, something ran in it whose failures are told by its output; else it only
// shows what there is, and only its own complaints count.
func (w *window) printed(ran bool) Finding {
	if w.head == "" {
		return Finding{}
	}
	if !ran {
		return w.shown()
	}
	best, evidence := nothing, ""
	lines, traced, since := 0, false, 0
	w.lines(func(line string) bool {
		lines++
		if traced {
			since++
			if isException(line) {
				traced, since = false, 0
				best, evidence = max(best, hint), or(evidence, traceback)
			}
		}
		r, e := lineSays(line, lines)
		if e == traceback && r == hint {
			traced = true
			return true
		}
		if r > best {
			best, evidence = r, e
		}
		return best < tells
	})
	if best >= said1 {
		return is(Exit, evidence)
	}
	if found := w.ending(); found.Failed() {
		return found
	}
	return w.shown()
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// shown judges the output of commands that only show what there is: they failed
// if all they print, or the end of it, are complaints of theirs.
func (w *window) shown() Finding {
	n, bad, evidence := 0, 0, ""
	w.lines(func(line string) bool {
		if begins(line, factTails) && !strings.HasPrefix(line, "[") || strings.HasPrefix(line, "hint:") || strings.HasPrefix(line, "Use '--'") || strings.HasPrefix(line, "'git <command>") {
			return true
		}
		n++
		if e := complaint(line); e != "" {
			bad++
			evidence = or(evidence, e)
		}
		return n < 40
	})
	if bad > 0 && bad*2 >= n {
		return is(Exit, evidence)
	}
	first := w.first()
	if strings.HasPrefix(first, "fatal: ") || strings.HasPrefix(first, "usage: ") && n < 40 && bad > 0 {
		return is(Exit, or(or(evidence, complaint(first)), saysError))
	}
	var found Finding
	w.last(1, func(line string, _ int) bool {
		if strings.HasPrefix(line, "fatal: ") || strings.HasSuffix(line, "command not found") || strings.HasPrefix(line, "error: pathspec") {
			found = is(Exit, or(complaint(line), saysError))
		}
		return false
	})
	return found
}

// complains reports whether a command says of itself that it failed.
func (w *window) complains() bool {
	bad := false
	w.lines(func(line string) bool {
		bad = complaint(line) != ""
		return !bad
	})
	return bad
}

// complaints end what a program says of a file or a command, in lower case.
var complaints = []phrase{
	{"command not found", noCommand}, {": not found", noCommand}, {"no such file or directory", notFound}, {"permission denied", denied}, {"is a directory", "is a directory"},
	{"not a directory", notFound}, {"operation not permitted", denied}, {"not a git repository", notFound}, {"no matches found", notFound}, {"file exists", "exists already"},
	{"read-only file system", denied}, {"cannot find the path specified.", notFound}, {"is not recognized as an internal or external command,", noCommand},
	{"unexpected end of file", badSyntax}, {"illegal option", wrongly}, {"no space left on device", "no space"}, {"could not resolve host", "no connection"},
	{"connection refused", "no connection"}, {"directory not empty", "exists already"},
}

// complaintHeads begin them, by their first byte.
var complaintHeads = func() (rows [256][]phrase) {
	for _, p := range [...]phrase{
		{"fatal: ", "git failed"}, {"error: pathspec", notFound}, {"error: unknown", wrongly}, {"error: the following", "git failed"}, {"error: your local changes", "git failed"}, {"error: failed to push", "git failed"},
		{"curl: (", "curl failed"}, {"jq: error", "jq failed"}, {"ssh: ", "no connection"}, {"zsh: ", noCommand}, {"gh: ", "gh failed"}, {"usage: grep", wrongly}, {"rg: ", wrongly},
		{"grep: invalid", wrongly}, {"grep: unknown", wrongly}, {"sed: -e expression", wrongly}, {"sed: can't", notFound}, {"awk: syntax", badSyntax}, {"find: unknown", wrongly}, {"find: paths must", wrongly},
		{"sed: 1:", badSyntax}, {"HTTP 4", "HTTP error"}, {"HTTP 5", "HTTP error"}, {"GraphQL: ", "gh failed"}, {"unknown flag: ", wrongly}, {"unknown shorthand flag", wrongly}, {"unknown command ", wrongly},
		{"ls: cannot access", notFound}, {"cat: invalid", wrongly}, {"tail: invalid", wrongly}, {"head: invalid", wrongly}, {"error: unexpected argument", wrongly},
		{"Could not resolve to a ", "gh failed"}, {"failed to run git", "gh failed"}, {"no pull requests found", ""}, {"Error from server", saysError}, {"Error response from daemon", saysError}, {"Error: No such", notFound},
	} {
		rows[p.text[0]] = append(rows[p.text[0]], p)
	}
	return rows
}()

// complaint returns what a program complains about in a line of its own, as in
// "cat: x: No such file or directory", "" if it does not.
func complaint(line string) string {
	if line[0] == ' ' || line[0] == '\t' || len(line) > 400 {
		return ""
	}
	for i := range complaintHeads[line[0]] {
		if p := &complaintHeads[line[0]][i]; strings.HasPrefix(line, p.text) {
			return p.evidence
		}
	}
	colon := strings.IndexByte(line[:min(len(line), 61)], ':')
	if colon <= 0 {
		return ""
	}
	program := line[:colon]
	if strings.Contains(program, " ") && !strings.HasPrefix(program, "The term") || strings.ContainsAny(program, "\"'(){}[]=<>$") {
		return ""
	}
	switch program {
	case "bash", "sh", "/bin/bash", "/bin/sh", "zsh", "/usr/bin/env", "/usr/bin/bash", "/bin/zsh", "dash", "(eval)":
		text := strings.ToLower(line)
		if i := strings.Index(text, "line "); i >= 0 || strings.Contains(text, ": ") {
			for _, p := range complaints {
				if strings.Contains(text, p.text) {
					return p.evidence
				}
			}
			switch {
			case strings.Contains(text, "syntax error"), strings.Contains(text, "unexpected eof"), strings.Contains(text, "parse error"), strings.Contains(text, "bad substitution"):
				return badSyntax
			case strings.Contains(text, "cannot execute"), strings.Contains(text, "unbound variable"), strings.Contains(text, "ambiguous redirect"), strings.Contains(text, "event not found"):
				return saysError
			}
		}
	}
	if digits(program) || strings.Contains(program, ".") && !strings.HasPrefix(program, "./") && !strings.HasPrefix(program, "/") {
		return "" // a hit of a search
	}
	text := lower(strings.TrimRight(line, "."))
	for _, p := range complaints {
		if strings.HasSuffix(text, p.text) {
			return p.evidence
		}
	}
	return ""
}

// isException reports whether a line is the last one of a traceback of Python.
func isException(line string) bool {
	name, _, _ := strings.Cut(line, ":")
	if len(name) < 3 || len(name) > 80 || name[0] == ' ' || strings.ContainsAny(name, " \t()[]{}'\"=/") {
		return false
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	return last != "" && (last[0] >= 'A' && last[0] <= 'Z' || strings.Contains(name, "."))
}

// good are words that a run which succeeded ends with.
var good = []string{" passed", "PASS", "ok  \t", "ok \t", "0 errors", "0 failed", "0 failures", "no issues", "uccess", "All tests", "all tests", "BUILD SUCCESS", "No errors", "✓", "✔", "✅", "0 fail", "Done in"}

// ending judges the last lines of an output: an exception that nobody caught,
// an error as the last word of a program.
func (w *window) ending() Finding {
	var found Finding
	fine := false
	n := 0
	w.last(6, func(line string, _ int) bool {
		if begins(line, factTails) && !begins(line, errorMarks) {
			return true
		}
		n++
		for _, word := range good {
			fine = fine || strings.Contains(line, word)
		}
		if fine {
			return false
		}
		if isException(line) && (strings.Contains(line, "Error") || strings.Contains(line, "Exception") || strings.HasPrefix(line, "KeyboardInterrupt") || strings.HasPrefix(line, "SystemExit")) && !strings.Contains(line, " at ") && n <= 3 {
			found = is(Exit, traceback)
		} else if n <= 3 && begins(line, errorMarks) && !begins(line, noErrors) {
			found = is(Exit, saysError)
		}
		return !found.Failed()
	})
	if found.Failed() || fine {
		return found
	}
	first := w.first()
	if begins(first, errorMarks) && !begins(first, noErrors) && (w.short() || strings.HasPrefix(first, "Error: ")) {
		return is(Exit, saysError)
	}
	if strings.HasPrefix(first, "Traceback (most recent call last)") {
		return is(Exit, traceback)
	}
	if isException(first) && strings.Contains(first, "Error") && w.short() {
		return is(Exit, traceback)
	}
	return Finding{}
}

var (
	// errorMarks begin the last word of a program that failed.
	errorMarks = []string{"Error: ", "ERROR: ", "error: ", "fatal: ", "FATAL: ", "Fatal: ", "ERROR ", "[ERROR] ", "[error] ", "E: ", "Failed to ", "failed to ", "Unhandled ", "Uncaught ", "❌ Error", "Fatal error", "FATAL ", "error during ",
		"Unable to ", "unable to ", "Could not ", "could not ", "Cannot ", "cannot ", "FAILED", "Failed: ", "❌ ", "✗ ", "✘ ", "Invalid ", "Usage error", "AssertionError", "err: ", "Err: ", "Build failed", "build failed", "abort: ", "Abort: ", "panic: "}
	noErrors = []string{"Error: (none)", "Error: none", "error: (none)", "ERROR: 0", "Error: 0", "error: 0", "Error: null", "Invalid: 0", "FAILED: 0", "FAILED (0)"}
)
