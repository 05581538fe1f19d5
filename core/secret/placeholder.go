package secret

import (
	"strconv"
	"strings"
)

// Placeholder returns what takes the place of the n-th secret that a rule
// found; without a number where n is 0.
func Placeholder(rule string, n int) string {
	if n == 0 {
		return placeholderStart + rule + ">"
	}
	return placeholderStart + rule + ":" + strconv.Itoa(n) + ">"
}

const placeholderStart = "<REDACTED:"

// placeholders returns the places of the placeholders in a text, in order.
func placeholders(text string) (found []span) {
	for at := 0; ; {
		i := strings.Index(text[at:], placeholderStart)
		if i < 0 {
			return found
		}
		start := at + i
		at = start + len(placeholderStart)
		for at < len(text) && (isName[text[at]] || text[at] == ':') {
			at++
		}
		if at < len(text) && text[at] == '>' {
			at++
			found = append(found, span{start, at})
		}
	}
}

// standIns are parts of texts that stand where a secret would.
var standIns = newAutomaton([]string{
	"xxxx", "****", "....", "your_", "your-", "yourkey", "yourapi", "yourtoken", "yourpass", "yoursecret", "my_api", "my-api", "changeme",
	"change_me", "change-me", "placeholder", "redacted", "insert_", "replace_me", "replaceme", "process.env", "environ", "getenv",
	"example", "<your", "${", "{{", "…", "•",
})

// isPlaceholder reports whether a value stands for a secret that is not there:
// <API_KEY>, $TOKEN, {key}, xxxx, your_key_here, os.environ["KEY"].
func isPlaceholder(value string) bool {
	value = strings.Trim(value, `"'`+"`")
	if value == "" {
		return true
	}
	if isReference(value) {
		return true
	}
	if standIns.has(value) {
		return true
	}
	for i := 1; i < len(value); i++ {
		if value[i] != value[0] {
			return false
		}
	}
	return true
}

// pairs are the marks around what is to be put in place of a value.
var pairs = map[byte]byte{'<': '>', '{': '}', '[': ']', '(': ')', '%': '%'}

// isReference reports whether a value names another one: $NAME, ${NAME},
// $(command), <NAME>, {name}, %NAME%, %s.
func isReference(value string) bool {
	if closing, opens := pairs[value[0]]; opens {
		return len(value) == 2 || strings.IndexByte(value[1:], closing) >= 0
	}
	if value[0] != '$' {
		return false
	}
	if len(value) == 1 || value[1] == '{' || value[1] == '(' || value[1] == '$' || strings.Count(value, "$") > 2 { // the last: a hash
		return true
	}
	for i := 1; i < len(value); i++ {
		if !isWord(value[i]) && value[i] != ':' && value[i] != '.' && value[i] != '/' && value[i] != '-' {
			return false
		}
	}
	return !isDigit(value[1])
}

// noValues are words that stand where a password would, and are none.
var noValues = set("string", "str", "text", "number", "boolean", "bool", "object", "null", "none", "nil", "undefined", "true", "false",
	"required", "optional", "hidden", "masked", "secret", "secrets", "password", "passwd", "pass", "pwd", "passphrase", "token", "tokens", "key", "apikey", "api_key",
	"api-key", "test", "testing", "user", "username", "admin", "root", "guest", "postgres", "mysql", "redis", "mongo", "default", "empty", "missing", "invalid", "valid",
	"value", "unknown", "bearer", "basic", "oauth", "oauth2", "include", "omit", "same-origin", "disabled", "enabled", "error", "input",
	"field", "label", "type", "name", "public", "private", "credentials", "credential", "cookie", "cookies", "authorization", "session", "any", "file", "env", "sensitive", "float", "int", "integer", "array", "list", "dict", "bytes", "buffer", "class", "function", "self", "this")

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
