package outcome

import (
	"strings"
)

// phrase is what a text says, and what that means.
type phrase struct {
	text     string // in lower case
	evidence string
}

// stops begin what a harness says in place of a result, in lower case: the tool
// did not run, or not to its end.
var stops = []phrase{
	{"the user doesn't want to", refused}, {"the user doesn’t want to", refused}, {"user rejected", refused}, {"the user rejected", refused},
	{"tool use rejected", refused}, {"the tool use was rejected", refused}, {"user denied", refused}, {"user declined", refused}, {"the user declined", refused},
	{"the user denied", refused}, {"exec command rejected", refused}, {"rejected by user", refused}, {"patch rejected by user", refused},
	{"permission to use ", refused}, {"permission denied by user", refused}, {"permission for this", refused}, {"claude requested permissions", refused},
	{"this command requires approval", refused}, {"this bash command contains", refused}, {"command rejected", refused}, {"tool call rejected", refused},
	{"request rejected", refused}, {"command denied", refused}, {"user refused", refused}, {"operation denied", refused}, {"not allowed by", refused},
	{"tool execution denied", refused}, {"tool execution rejected", refused}, {"denied by ", refused}, {"declined by ", refused}, {"user chose not to", refused},
	{"user skipped", refused}, {"the user chose", refused}, {"user cancelled", interrupted}, {"user canceled", interrupted},
	{"[request interrupted", interrupted}, {"request interrupted", interrupted}, {"[operation cancelled", interrupted}, {"operation cancelled", interrupted},
	{"interrupted by user", interrupted}, {"aborted by user", interrupted}, {"command aborted", interrupted}, {"operation aborted", interrupted},
	{"tool call aborted", interrupted}, {"tool execution aborted", interrupted}, {"execution aborted", interrupted}, {"aborted", interrupted},
	{"cancelled", interrupted}, {"canceled", interrupted}, {"(command cancelled)", interrupted}, {"[tool use interrupted", interrupted},
	{"[user cancelled", interrupted}, {"[cancelled", interrupted}, {"[aborted", interrupted}, {"[interrupted", interrupted}, {"<interrupted", interrupted},
	{"command was cancelled", interrupted}, {"tool call was cancelled", interrupted}, {"cancelled:", interrupted}, {"the operation was aborted", interrupted},
	{"execution timed out", timedOut}, {"command timed out", timedOut}, {"tool timed out", timedOut}, {"timed out", timedOut}, {"[timed out", timedOut},
	{"timeout:", timedOut}, {"timeout after", timedOut}, {"timeouterror", timedOut}, {"request timed out", timedOut}, {"execution timeout", timedOut},
	{"operation timed out", timedOut}, {"the command timed out", timedOut}, {"<timeout", timedOut}, {"[command timed out", timedOut},
	{"error: command timed out", timedOut}, {"error: timed out", timedOut}, {"error: timeout", timedOut}, {"command exceeded", timedOut},
	{"command killed by timeout", timedOut}, {"error: execution timed out", timedOut}, {"error: request timed out", timedOut},
	{"inputvalidationerror", wrongly}, {"invalid tool", wrongly}, {"unknown tool", wrongly}, {"no such tool", wrongly}, {"error: no such tool", wrongly},
	{"error: unknown tool", wrongly}, {"error: invalid tool", wrongly}, {"invalid arguments", wrongly}, {"invalid parameters", wrongly},
	{"invalid input for tool", wrongly}, {"missing required", wrongly}, {"failed to parse function arguments", wrongly}, {"failed to parse arguments", wrongly},
	{"validation failed for tool", wrongly}, {"tool validation failed", wrongly}, {"unsupported call", wrongly}, {"mcp error -32602", wrongly},
	{"mcp error -32601", wrongly}, {"model tried to call unavailable tool", wrongly}, {"error parsing tool", wrongly}, {"error: invalid arguments", wrongly},
	{"error: inputvalidationerror", wrongly}, {"error: missing required", wrongly}, {"params must have", wrongly},
	{"sandbox error", denied}, {"failed in sandbox", denied}, {"sandbox denied", denied},
	{"blocked by", blocked}, {"hook blocked", blocked}, {"error: blocked", blocked}, {"operation blocked", blocked}, {"command blocked", blocked},
	{"execution blocked", blocked}, {"hook denied", blocked}, {"action blocked", blocked}, {"tool call blocked", blocked}, {"blocked:", blocked}, {"🚫", blocked},
	{"sibling tool call errored", saysFailed}, {"[tool call failed", saysFailed}, {"execution error:", saysFailed}, {"failed to spawn", saysFailed},
	{"posix_spawn", saysFailed}, {"spawn ", saysFailed}, {"stream closed", interrupted}, {"tool permission", refused}, {"tool call failed", saysFailed},
	{"background task killed", interrupted}, {"<status>killed", interrupted}, {"tool result missing", interrupted}, {"[tool result missing", interrupted},
}

// inStops are said anywhere in a line that a harness writes.
var inStops = []phrase{
	{"hook error", blocked}, {"blocked by hook", blocked}, {"hook blocked", blocked}, {"hook returned blocking", blocked}, {"hook prevented", blocked}, {"blocked by a hook", blocked},
	{"has been denied", refused}, {"was rejected by the user", refused}, {"rejected by user", refused}, {"rejected by the user", refused}, {"denied by user", refused},
	{"denied by the user", refused}, {"declined by the user", refused}, {"was blocked. for security", refused}, {"haven't granted", refused}, {"is not allowed by", refused}, {"is not allowed for security", refused},
	{"interrupted by user", interrupted}, {"interrupted by the user", interrupted}, {"cancelled by user", interrupted}, {"canceled by user", interrupted},
	{"cancelled by the user", interrupted}, {"aborted by user", interrupted}, {"aborted by the user", interrupted},
	{"request interrupted by user", interrupted},
	{"command timed out", timedOut}, {"execution timed out", timedOut}, {"timed out after", timedOut}, {"timed out and was", timedOut}, {"timed out waiting", timedOut},
	{"was cancelled because it exceeded", timedOut}, {"exceeded the timeout", timedOut}, {"exceeded timeout", timedOut}, {"exceeded the time limit", timedOut}, {"timeout reached", timedOut},
	{"timeout exceeded", timedOut}, {"timeout expired", timedOut}, {"killed by timeout", timedOut}, {"command timeout", timedOut},
	{"no such tool available", wrongly}, {"inputvalidationerror", wrongly}, {"posix_spawn", saysFailed}, {"unexpected parameter", wrongly},
}

// failures are said of a call that failed, anywhere in the first line of a
// short answer, in lower case: the first that is found is the evidence.
var failures = []phrase{
	{"has not been read", unread}, {"must read", unread}, {"read it first", unread}, {"before editing", unread}, {"modified since", "file changed since"},
	{"string to replace not found", noMatch}, {"could not find the exact", noMatch}, {"did not appear verbatim", noMatch}, {"no match found for", noMatch},
	{"no replacement was", noMatch}, {"failed to find", noMatch}, {"0 occurrences", noMatch}, {"multiple occurrences", "several matches"}, {"matches of the string", "several matches"},
	{"must be unique", "several matches"}, {"not unique", "several matches"}, {"multiple matches", "several matches"}, {"expected 1 occurrence", "several matches"},
	{"no changes", sameText}, {"identical", sameText}, {"exactly the same", sameText}, {"exceeds maximum", "too large"}, {"too large", "too large"}, {"exceeds the limit", "too large"},
	{"permission denied", denied}, {"access denied", denied}, {"eacces", denied}, {"eperm", denied}, {"forbidden", denied}, {"unauthorized", denied},
	{"not permitted", denied}, {"outside the", denied}, {"rate limit", "rate limit"}, {"too many requests", "rate limit"}, {"quota", "rate limit"},
	{"does not exist", notFound}, {"doesn't exist", notFound}, {"not found", notFound}, {"no such file", notFound}, {"enoent", notFound}, {"could not find", notFound}, {"couldn't find", notFound},
	{"not a directory", notFound}, {"is a directory", "is a directory"}, {"eisdir", "is a directory"}, {"enotfound", "no connection"}, {"econnrefused", "no connection"}, {"connection refused", "no connection"},
	{"already exists", "exists already"}, {"timed out", timedOut}, {"timeout", timedOut}, {"required", wrongly}, {"invalid", wrongly}, {"validation", wrongly}, {"must be ", wrongly},
}

// said looks a text up in a list, at most 400 bytes of it, in lower case.
func said(text string, list []phrase, anywhere bool) string {
	for i := range list {
		if anywhere && strings.Contains(text, list[i].text) || strings.HasPrefix(text, list[i].text) {
			return list[i].evidence
		}
	}
	return ""
}

func lower(s string) string { return strings.ToLower(strings.ToValidUTF8(clip(s, 400), "")) }

// stopped finds what a harness says in place of a result or after it. With
// strict, only what it says at the very beginning counts.
func (w *window) stopped(strict bool) Finding {
	head := w.head
	if after, ok := strings.CutPrefix(head, "<tool_use_error>"); ok {
		return is(Error, why(lower(after), wrongly))
	}
	first := lower(w.first())
	if first == "" {
		return Finding{}
	}
	for _, mark := range [...]string{"error: ", "❌ ", "✗ ", "⚠️ ", "⚠ "} {
		first = strings.TrimPrefix(first, mark)
	}
	if e := said(first, stops, false); e != "" && (w.short() || e == refused && len(first) > 20) && wholeStop(first) {
		return is(Error, e)
	}
	if strict && !w.short() || len(w.first()) > 300 {
		return Finding{}
	}
	if (w.short() || strings.HasPrefix(first, "pretooluse:") || strings.HasPrefix(first, "command timed out")) && !strict {
		if e := said(first, inStops, true); e != "" {
			return is(Error, e)
		}
	}
	if strict {
		return Finding{}
	}
	found := Finding{}
	w.last(2, func(line string, _ int) bool {
		line = lower(strings.Trim(line, "[]()<> "))
		for _, p := range [...]phrase{
			{"command timed out", timedOut}, {"execution timed out", timedOut}, {"command aborted", interrupted}, {"request interrupted by user", interrupted},
			{"aborted by user", interrupted}, {"timed out after", timedOut}, {"the command timed out", timedOut}, {"command cancelled", interrupted}, {"command killed by timeout", timedOut},
		} {
			if strings.HasPrefix(line, p.text) && len(line) < 200 {
				found = is(Error, p.evidence)
			}
		}
		return !found.Failed()
	})
	return found
}

// wholeStop tells a message such as "aborted" from a text that begins with the
// word.
func wholeStop(first string) bool {
	for _, word := range [...]string{"aborted", "cancelled", "canceled", "spawn ", "timed out", "denied by ", "blocked by"} {
		if strings.HasPrefix(first, word) {
			return len(first) < 120
		}
	}
	return true
}

// why finds the evidence in a text that tells of a failure.
func why(text, otherwise string) string {
	if e := said(text, inStops, true); e != "" {
		return e
	}
	if e := said(text, stops, false); e != "" {
		return e
	}
	line, _, _ := strings.Cut(text, "\n")
	if e := said(line, failures, true); e != "" {
		return e
	}
	return otherwise
}

// marked judges a result that the recorder marked as an error.
func (w *window) marked() Finding {
	text := lower(w.head)
	if code, ok := httpStatus(text); ok {
		return is(Error, "HTTP "+code)
	}
	return is(Error, why(strings.TrimPrefix(text, "error: "), marked))
}

// spawned finds what a harness says that could not run a command.
func (w *window) spawned() Finding {
	text := lower(w.first())
	if strings.Contains(text, "posix_spawn") || strings.HasPrefix(text, "spawn ") || strings.HasPrefix(text, "error: spawn") {
		return is(Error, saysFailed)
	}
	if e := said(text, stops, false); e == wrongly {
		return is(Error, e)
	}
	return Finding{}
}

// errorHeads begin the answer of a tool that failed, in lower case.
var errorHeads = []string{
	"error:", "error -", "error executing", "error calling", "error running", "error reading", "error writing", "error occurred", "error while", "error in ", "error during",
	"error fetching", "error searching", "error processing", "error accessing", "error editing", "error parsing", "error creating", "error getting", "error opening", "error (", "error [", "error code",
	"an error occurred", "an error has occurred", "an unexpected error", "unexpected error", "tool error", "tool execution failed", "tool execution error", "execution failed", "internal error", "internal server error", "runtime error",
	"exception:", "exception occurred", "traceback (most recent", "mcp error", "mcperror", "api error", "apierror", "http error", "http request failed", "request failed", "network error", "connection error",
	"failed to ", "failed:", "failure:", "fatal:", "fatal error", "cannot ", "can't ", "could not ", "couldn't ", "unable to ", "access denied", "permission denied", "unauthorized", "forbidden", "not authorized",
	"enoent", "eacces", "eisdir", "eperm", "econnrefused", "etimedout", "string to replace not found", "no such file", "file not found", "path not found", "directory not found", "file does not exist", "path does not exist",
	"directory does not exist", "invalid ", "validation error", "rate limit exceeded", "rate limited", "too many requests", "service unavailable", "bad request", "bad gateway", "unknown function", "function not found", "no such function",
	"tool not found", "does not exist", "no replacement was performed", "your proposed edit has introduced", "no changes made", "no changes to make", "file has not been read", "file has been", "you must read", "oldstring", "old_string", "apply_patch verification failed",
	"patch failed", "failed ", "malformed", "expected ", "unsupported ", "missing ", "not found", "sorry, i couldn't", "syntaxerror", "typeerror", "valueerror", "keyerror", "runtimeerror", "filenotfounderror",
}

// answered judges what a tool answered in words of its own.
func (w *window) answered(k kind) Finding {
	if w.blank() {
		return Finding{}
	}
	text := lower(strings.TrimLeft(w.head, "[*❌✗⚠️ \n\t"))
	line, _, _ := strings.Cut(text, "\n")
	if status, ok := httpStatus(line); ok && (w.short() || k == web) {
		return is(Error, "HTTP "+status)
	}
	most := 2000
	if k.quotes() {
		most = 600
	}
	if w.size > most && !strings.HasPrefix(line, "your proposed edit has introduced") {
		return Finding{}
	}
	if strings.HasPrefix(line, "your proposed edit has introduced") {
		return is(Error, badSyntax)
	}
	for _, head := range errorHeads {
		if strings.HasPrefix(line, head) && !harmlessHead(line, head) {
			return is(Error, why(line, saysError))
		}
	}
	if k == edits {
		if e := said(line, failures[:19], true); e != "" && !strings.Contains(line, "success") && !strings.Contains(line, "has been updated") {
			return is(Error, e)
		}
	}
	if len(line) < 200 && w.size < 300 && !strings.HasPrefix(line, "no ") && !strings.HasPrefix(line, "0 ") {
		missing := []string{"does not exist", "doesn't exist", "no such file or directory", "is not available", "is not a valid", "not found.", "timed out"}
		for _, m := range missing {
			if strings.Contains(line, m) && (!k.quotes() || strings.Contains(line, "path") || strings.Contains(line, "file") || strings.Contains(line, "director")) {
				return is(Error, why(line, saysError))
			}
		}
		if strings.HasSuffix(line, "not found") && !k.quotes() {
			return is(Error, notFound)
		}
	}
	return Finding{}
}

// harmlessHead reports whether a line that begins like an error is none.
func harmlessHead(line, head string) bool {
	rest := strings.TrimLeft(line[len(head):], " ")
	switch head {
	case "error:":
		return strings.HasPrefix(rest, "(none)") || rest == "none" || rest == "null" || rest == "" && len(line) == len(head)
	case "file has been":
		return !strings.Contains(rest, "modified since") && !strings.Contains(rest, "unexpectedly")
	case "expected ", "missing ", "invalid ", "malformed", "unsupported ", "does not exist", "oldstring", "old_string":
		return len(line) > 250
	case "failed ":
		return strings.HasPrefix(rest, "tests: 0") || strings.HasPrefix(rest, "0")
	}
	return false
}

// httpStatus finds the status of a request that failed at the beginning of a
// line in lower case.
func httpStatus(line string) (code string, ok bool) {
	for _, head := range [...]string{"status code ", "status code: ", "http error ", "http ", "http/1.1 ", "http/2 ", "status: ", "status ", "error ", "error: ", "error code: ", "server returned ", "(http "} {
		i := strings.Index(line, head)
		if i < 0 || i > 120 {
			continue
		}
		at := i + len(head)
		if len(line) >= at+3 && (line[at] == '4' || line[at] == '5') && digits(line[at:at+3]) && (len(line) == at+3 || line[at+3] < '0' || line[at+3] > '9') {
			return line[at : at+3], true
		}
	}
	if len(line) > 4 && len(line) < 80 && digits(line[:3]) && (line[0] == '4' || line[0] == '5') && (line[3] == ' ' || line[3] == ':') {
		for _, say := range [...]string{"not found", "forbidden", "unauthorized", "bad request", "internal server", "too many", "bad gateway", "service unavailable", "gateway time"} {
			if strings.Contains(line, say) {
				return line[:3], true
			}
		}
	}
	return "", false
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
