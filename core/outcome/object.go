package outcome

import (
	"strconv"
	"strings"

	"winnow/core/rawjson"
)

func exit(code int) string { return "exit " + strconv.Itoa(code) }

// object returns the JSON object that a result consists of.
func (w *window) object() (string, bool) {
	v := w.head
	if w.tail == "" && len(v) > 1 && v[0] == '"' && rawjson.Valid(v) {
		v = strings.TrimSpace(rawjson.Unquote(v))
	}
	if len(v) < 2 || v[0] != '{' || w.tail == "" && !rawjson.Valid(v) {
		return "", false
	}
	return v, true
}

// inObject reads the facts in an object that a tool which runs something
// answers with. known says that they decide; else the output is to be judged.
func (c Call) inObject(v string, f *Facts) (found Finding, output string, known bool) {
	codeFound := false
	failure := ""
	output = ""
	var walk func(v string, depth int)
	walk = func(v string, depth int) {
		for name, val := range pairs(v) {
			switch name {
			case "exit_code", "exitCode", "exit_status", "exitStatus", "returncode", "return_code", "returnCode", "code", "status_code":
				if n, ok := number(val); ok && name != "status_code" && !codeFound {
					f.Coded, f.Code, codeFound = true, n, true
				}
			case "metadata", "result", "content", "data", "output":
				switch {
				case rawjson.IsObject(val) && depth < 2:
					walk(val, depth+1)
				case rawjson.IsText(val):
					output = joined(output, val)
				}
			case "stdout", "stderr", "text":
				if rawjson.IsText(val) {
					output = joined(output, val)
				}
			case "error", "error_message":
				if rawjson.IsText(val) {
					failure = unquote(clip(val, seen))
				}
			case "timed_out", "timedOut", "timeout":
				if val == "true" {
					found = is(Error, timedOut)
				}
			case "interrupted", "cancelled", "aborted":
				if val == "true" {
					found = is(Error, interrupted)
				}
			}
		}
	}
	walk(v, 0)
	switch e := lower(failure); {
	case found.Failed():
		return found, "", true
	case strings.Contains(e, "timed out") || strings.Contains(e, "timeout"):
		return is(Error, timedOut), "", true
	case e != "" && e != "none" && e != "null" && (!f.Coded || f.Code <= 0):
		return is(Error, why(e, saysError)), "", true
	}
	if f.Coded || output != "" {
		return Finding{}, output, false
	}
	if found, ok := c.structured(v); ok {
		return found, "", true
	}
	return Finding{}, output, false
}

// unquote returns the text of a JSON string, which may be cut off.
func unquote(val string) string {
	if len(val) < 2 {
		return ""
	}
	if val[len(val)-1] != '"' || val[len(val)-2] == '\\' && !rawjson.Valid(val) {
		val = strings.TrimRight(val, `\`) + `"`
	}
	if len(val) < 2 {
		return ""
	}
	return rawjson.Unquote(val)
}

func joined(a, val string) string {
	text := unquote(clip(val, 1<<16))
	if a == "" || text == "" {
		return a + text
	}
	return a + "\n" + text
}

// membersMost bounds the members of an object that are read.
const membersMost = 64

// pairs yields the members of an object with their plain names.
func pairs(v string) func(func(name, val string) bool) {
	return func(yield func(name, val string) bool) {
		n := 0
		for name, val := range rawjson.Pairs(v) {
			if n++; n > membersMost || !yield(strings.Trim(name, `"`), val) {
				return
			}
		}
	}
}

// structured judges an answer that is JSON, or looks like what Python prints of
// the same. ok is false for any other text.
func (c Call) structured(text string) (found Finding, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Finding{}, false
	}
	if c.kind.quotes() && len(text) > 600 {
		return Finding{}, false
	}
	return inValue(text, 0)
}

func inValue(v string, depth int) (Finding, bool) {
	if v == "" || depth > 3 {
		return Finding{}, false
	}
	switch v[0] {
	case '"':
		if !rawjson.Valid(v) {
			return Finding{}, false
		}
		inner := strings.TrimSpace(rawjson.Unquote(v))
		if inner != "" && (inner[0] == '{' || inner[0] == '[') {
			return inValue(inner, depth+1)
		}
		w := open(inner)
		return w.answered(service), true
	case '[':
		return inList(v, depth)
	case '{':
		if len(v) < seen && !rawjson.Valid(v) {
			return printedDict(v)
		}
		return inMembers(v, depth)
	}
	return Finding{}, false
}

// inList looks into a list with one element: a part of a message, or a result
// that was packed once more.
func inList(v string, depth int) (Finding, bool) {
	if len(v) < seen && !rawjson.Valid(v) {
		return printedDict(strings.TrimLeft(v, "[ "))
	}
	n, one := 0, ""
	for val := range rawjson.Elements(v) {
		if n++; n > 1 {
			break
		}
		one = val
	}
	if n != 1 || !rawjson.IsObject(one) {
		return Finding{}, true
	}
	for _, member := range [...]string{"text", "content"} {
		if val := rawjson.Get(one, member); rawjson.IsText(val) {
			inner := open(unquote(val))
			if found, ok := inValue(inner.head, depth+1); ok {
				return found, true
			}
			return inner.answered(service), true
		}
	}
	return inMembers(one, depth+1)
}

// printedDict reads what Python prints of a dictionary.
func printedDict(v string) (Finding, bool) {
	if !strings.HasPrefix(v, "{'") {
		return Finding{}, false
	}
	head := clip(v, 1000)
	switch {
	case strings.Contains(head, "'success': False"):
		return is(Error, why(lower(head), saysFailed)), true
	case strings.HasPrefix(head, "{'error': ") && !strings.HasPrefix(head, "{'error': None") && !strings.HasPrefix(head, "{'error': ''"):
		return is(Error, why(lower(head), saysError)), true
	case strings.Contains(head, "'status': 'error'"), strings.Contains(head, "'status': 'failed'"):
		return is(Error, saysFailed), true
	}
	return Finding{}, true
}

// inMembers judges an answer that is an object.
func inMembers(v string, depth int) (Finding, bool) {
	found, told := Finding{}, ""
	status, members := "", 0
	fail := func(evidence string) {
		if !found.Failed() {
			found = is(Error, evidence)
		}
	}
	for name, val := range pairs(v) {
		members++
		switch name {
		case "success", "ok", "succeeded", "is_success", "successful", "isSuccess":
			if val == "false" {
				fail(saysFailed)
			}
		case "isError", "is_error", "failed", "timed_out", "timedOut":
			if val == "true" {
				fail(marked)
			}
		case "error", "errors", "err", "exception", "Error", "error_message", "errorMessage", "error_msg":
			if says(val) {
				fail(why(lower(val), saysError))
			}
		case "exit_code", "exitCode", "returncode", "return_code", "exit_status":
			if n, ok := number(val); ok && n != 0 && !found.Failed() {
				found = is(Exit, exit(n))
			}
		case "status", "state", "result_status":
			if rawjson.IsText(val) {
				status = lower(unquote(clip(val, 64)))
			} else if n, ok := number(val); ok && n >= 400 && n < 600 {
				status = "HTTP " + strconv.Itoa(n)
			}
		case "status_code", "statusCode", "http_status", "code":
			if n, ok := number(val); ok && n >= 400 && n < 600 {
				status = "HTTP " + strconv.Itoa(n)
			}
		case "message", "msg", "detail", "reason", "description":
			if rawjson.IsText(val) {
				told = lower(unquote(clip(val, 512)))
				if name == "detail" && members == 1 && len(v) < 300 {
					fail(why(told, saysError))
				}
			}
		case "content", "result", "response":
			switch {
			case rawjson.IsObject(val) && depth < 2:
				if inner, _ := inMembers(val, depth+1); inner.Failed() && !found.Failed() {
					found = inner
				}
			case rawjson.IsText(val) && len(v) < 600:
				w := open(unquote(val))
				if inner := w.answered(service); inner.Failed() && !found.Failed() {
					found = inner
				}
			}
		}
	}
	if found.Failed() {
		return found, true
	}
	switch status {
	case "error", "failed", "failure", "fail", "timeout", "denied", "rejected", "unauthorized", "not_found", "invalid", "forbidden":
		if told != "" || members <= 3 {
			return is(Error, why(told, saysFailed)), true
		}
	}
	if strings.HasPrefix(status, "HTTP ") && (told != "" || members <= 4) {
		return is(Error, status), true
	}
	if members <= 2 && (strings.HasPrefix(told, "error") || strings.HasPrefix(told, "failed to ")) {
		return is(Error, why(told, saysError)), true
	}
	return Finding{}, true
}

// says reports whether the value of a member for errors says that there is one.
func says(val string) bool {
	switch {
	case rawjson.IsNull(val), val == "false", val == "0", val == "{}", val == "[]":
		return false
	case rawjson.IsText(val):
		text := strings.ToLower(strings.TrimSpace(unquote(clip(val, 256))))
		return text != "" && text != "none" && text != "null" && text != "no error" && text != "(none)" && text != "n/a"
	}
	return rawjson.IsObject(val) || rawjson.IsList(val) || val == "true"
}
