package secret

import (
	"strings"
	"unicode/utf8"
)

// strength says how surely a name is that of a secret.
type strength int

const (
	noName strength = iota
	// weakName may name other things as well, such as the token of a page or
	// of a text: its value must look random.
	weakName
	// strongName has a secret as its value, however simple.
	strongName
)

// Ends of names, in lower case without marks between words.
var (
	strongNames = [...]string{
		"password", "passwd", "passphrase", "secretkey", "clientsecret", "apikey", "privatekey", "accesskey", "secretaccesskey",
		"accesstoken", "authtoken", "refreshtoken", "apitoken", "bearertoken", "sessiontoken", "apisecret", "appsecret",
	}
	weakNames = [...]string{
		"secret", "token", "authorization", "cookie", "credential", "credentials", "pwd", "auth", "signingkey", "encryptionkey", "masterkey",
		"sessionkey", "authkey", "accountkey", "storagekey", "secretkeybase", "connectionstring",
	}
	// notNames end like the name of a secret and are none.
	notNames = [...]string{
		"nexttoken", "pagetoken", "continuationtoken", "stoptoken", "eostoken", "bostoken", "padtoken", "unktoken", "masktoken", "septoken",
		"clstoken", "publickeytoken", "maxtoken", "pertoken", "lasttoken", "firsttoken", "newtoken", "publicaccesskey", "nopassword", "forgotpassword",
	}
)

// nameStrength tells what a name says of its value.
func nameStrength(name string) strength {
	if len(name) > 64 {
		return noName
	}
	name = normal(name)
	if namesNoSecret(name) {
		return noName
	}
	for _, n := range strongNames {
		if strings.HasSuffix(name, n) {
			return strongName
		}
	}
	for _, n := range weakNames {
		if strings.HasSuffix(name, n) {
			return weakName
		}
	}
	return noName
}

// namesNoSecret reports whether a normal name is one of those that end like
// the name of a secret only.
func namesNoSecret(name string) bool {
	for _, n := range notNames {
		if strings.HasSuffix(name, n) {
			return true
		}
	}
	return false
}

// normal returns a name in lower case, letters and digits only.
func normal(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if c := lower(name[i]); isLetter(c) || isDigit(c) {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// secretValue reports whether the value of a field is a secret. Only a value
// of a strong name in quotes may be a simple word.
func secretValue(s strength, value string) bool {
	if s == noName || isPlaceholder(value) || noValues[strings.ToLower(value)] || !utf8.ValidString(value) || isPath(value) {
		return false
	}
	if s == strongName {
		return len(value) >= 4 && !strings.ContainsAny(value, " \t\r\n") && !isCode(value)
	}
	if len(value) < 8 || isCode(value) {
		return false
	}
	if strings.ContainsAny(value, " \t\r\n") {
		// A header: its scheme, or several cookies.
		return strings.IndexFunc(value, func(r rune) bool { return r == '\n' }) < 0 && longestRandom(value) >= 16
	}
	return looksRandom(value) || isBasic(value)
}

// looksRandom reports whether a word has letters and digits as nobody writes
// them.
func looksRandom(word string) bool {
	digits, letters := 0, 0
	for i := range len(word) {
		switch {
		case isDigit(word[i]):
			digits++
		case isLetter(word[i]):
			letters++
		}
	}
	return digits > 0 && letters > 0 && entropy(word) >= 2.75 && !isIdentifier(word) && !isMark(word)
}

// longestRandom returns the length of the longest part of a text between
// spaces and marks that looks random.
func longestRandom(text string) int {
	longest := 0
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r <= ' ' || r == ';' || r == '=' || r == ',' }) {
		if looksRandom(word) {
			longest = max(longest, len(word))
		}
	}
	return longest
}

// isCode reports whether a value is an expression of a language.
func isCode(value string) bool {
	return strings.ContainsAny(value, "(){}[]<>") || strings.HasPrefix(value, "self.") || strings.HasPrefix(value, "this.") ||
		strings.HasPrefix(value, "config.") || strings.HasPrefix(value, "args.") || strings.HasPrefix(value, "process.")
}

// isPath reports whether a value names a file or an address.
func isPath(value string) bool {
	return strings.HasPrefix(value, "/") && strings.Count(value, "/") > 1 || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "~/") ||
		strings.HasPrefix(value, "urn:") || strings.HasPrefix(value, "http://") || strings.HasPrefix(value, "https://")
}

// findField looks at a name of a secret in a text: "password": "…" as in
// JSON, password='…' as in code, PASSWORD=… as in files of settings.
func findField(sc *scan, start, end int) {
	text := sc.text
	for start > 0 && isName[text[start-1]] && end-start < 64 {
		start--
	}
	for end < len(text) && isName[text[end]] && end-start < 64 {
		end++
	}
	name := text[start:end]
	strong := nameStrength(name)
	if strong == noName {
		return
	}
	quoted := start > 0 && (text[start-1] == '"' || text[start-1] == '\'')
	at, operator := skipOperator(text, end, quoted)
	if at < 0 && quoted { // "PASSWORD=…", a text of its own
		quoted = false
		at, operator = skipOperator(text, end, false)
	}
	if at < 0 && !quoted && strong == strongName {
		at, operator = skipBlank(text, start, end)
	}
	quoted = quoted && operator == ':'
	if at < 0 {
		return
	}
	from, to, quote := valueAt(text, at)
	if from >= to {
		return
	}
	value := text[from:to]
	if quote { // text that holds JSON
		value = unescaped(value)
	}
	switch {
	case quoted && quote:
		if !secretValue(strong, value) {
			return
		}
	case quote:
		if !secretValue(strong, value) || len(value) < 6 || !looksRandom(value) && !hasMark(value) && !hasDigit(value) && !shuffled(value) && !isBasic(value) {
			return
		}
	case len(value) < 8 || !secretValue(strong, value) || strings.Contains(value, "."):
		return
	case strong == strongName && (isSetting(name, text[end:from]) && settable(value) || isAmazonKey(name, value)):
		// Nor is anything else named so.
	case shuffled(value) && strong == strongName && (operator != ':' || alone(text, start, to)):
		// No word stands there.
	case operator == ' ' && hasDigit(value) && !looksLikeName(value) && value != strings.ToUpper(value):
		// No variable of a program stands there.
	case !looksRandom(value):
		return
	case operator != '=' && (strong != strongName || looksLikeName(value) && !alone(text, start, to)):
		return
	}
	sc.add(Field, from+schemeLength(value), to)
}

// schemeLength returns the length of what stands before the token in the value
// of a header: the token alone is the secret, as it is elsewhere.
func schemeLength(value string) int {
	const scheme = "bearer "
	if len(value) > len(scheme) && strings.EqualFold(value[:len(scheme)], scheme) {
		return len(scheme)
	}
	return 0
}

// isSetting reports whether a name and what stands between it and its value are
// those of a variable of the environment: DB_PASSWORD=.
func isSetting(name, between string) bool {
	return between == "=" && name == strings.ToUpper(name)
}

// settable reports whether the value of a setting is a password, be it of
// letters only, and not the name of another one.
func settable(value string) bool {
	if isIdentifier(value) || nameStrength(value) != noName || namesSecret.has(value) {
		return false
	}
	small := false
	for i := range len(value) {
		if !isLetter(value[i]) && !isDigit(value[i]) && !hasMark(value[i:i+1]) {
			return false
		}
		small = small || value[i] >= 'a'
	}
	return small
}

// namesSecret are words that stand in names of secrets, and in what is put in
// their place.
var namesSecret = newAutomaton([]string{"pass", "pwd", "secret", "token", "key", "test", "here", "your", "change", "dummy", "fake", "value", "string", "sample"})

// isAmazonKey reports whether a value is the secret key of Amazon, of 40 letters of
// base64, by its name.
func isAmazonKey(name, value string) bool {
	return len(value) == 40 && strings.HasSuffix(normal(name), "secretaccesskey") && !wordy(value) && !isHash(value)
}

// findAuth looks at the field of a password in files of Docker.
func findAuth(sc *scan, start, _ int) { findField(sc, start, start+len("auth")) }

// alone reports whether nothing else stands in a line, as in files of settings.
func alone(text string, start, end int) bool {
	for start > 0 && (text[start-1] == ' ' || text[start-1] == '-') {
		start--
	}
	return (start == 0 || text[start-1] == '\n') && (end == len(text) || text[end] == '\n' || text[end] == '\r')
}

func hasDigit(value string) bool { return strings.ContainsAny(value, "0123456789") }

// hasMark reports whether a value has a character that no name has.
func hasMark(value string) bool { return strings.ContainsAny(value, "!@#$%^&*+?~") }

// skipOperator returns the place after the operator that gives a value to a
// name ending at a place, and the operator; -1 if there is none.
func skipOperator(text string, at int, quoted bool) (int, byte) {
	if quoted {
		if at < len(text) && text[at] == '\\' {
			at++
		}
		if at >= len(text) || text[at] != '"' && text[at] != '\'' {
			return -1, 0
		}
		at++
		if at < len(text) && text[at] == ']' { // environ["PASSWORD"] = "…"
			at++
		}
	}
	at = skipSpaces(text, at)
	if at >= len(text) || text[at] != ':' && text[at] != '=' {
		return -1, 0
	}
	operator := text[at]
	if at++; at < len(text) && (text[at] == '=' || text[at] == '>') {
		if text[at] == '=' {
			return -1, 0 // a comparison
		}
		at++
	}
	return skipSpaces(text, at), operator
}

// skipBlank returns the place after the blank that gives a value to an option
// of a command, --password VALUE, and in a file of logins.
func skipBlank(text string, start, end int) (int, byte) {
	if end >= len(text) || text[end] != ' ' {
		return -1, 0
	}
	line := text[max(0, start-80):start]
	if strings.HasPrefix(text[start:end], "--") || strings.Contains(line, "login ") && !strings.HasSuffix(strings.TrimRight(line, " "), "login") {
		return end + 1, ' '
	}
	return -1, 0
}

// looksLikeName reports whether a value may be a variable as well: small
// letters with one number at most.
func looksLikeName(value string) bool {
	numbers := 0
	for i := range len(value) {
		switch c := value[i]; {
		case isDigit(c):
			if i == 0 || !isDigit(value[i-1]) {
				numbers++
			}
		case (c < 'a' || c > 'z') && c != '_':
			return false
		}
	}
	return numbers < 2
}

func skipSpaces(text string, at int) int {
	for last := min(len(text), at+16); at < last && (text[at] == ' ' || text[at] == '\t'); at++ {
	}
	return at
}

// The longest values of a field, in bytes: in quotes there are tokens with
// claims and certificates.
const (
	maxValue = 8 << 10
	maxBare  = 512
)

// valueAt returns the value that stands at a place, and whether it is in
// quotes. An empty one is none.
func valueAt(text string, at int) (from, to int, quoted bool) {
	if at >= len(text) {
		return at, at, false
	}
	from = at
	if text[at] == '\\' && at+1 < len(text) && text[at+1] == '"' { // JSON in JSON
		from = at + 2
		i := strings.Index(text[from:min(len(text), from+maxValue)], `\"`)
		if i < 0 || strings.IndexByte(text[from:from+i], '"') >= 0 {
			return at, at, false
		}
		return from, from + i, true
	}
	if q := text[at]; q == '"' || q == '\'' || q == '`' {
		from = at + 1
		for to = from; to < len(text) && to-from < maxValue; to++ {
			switch text[to] {
			case q:
				return from, to, true
			case '\\':
				to++
			case '\n':
				return at, at, false
			}
		}
		return at, at, false
	}
	for to = from; to < len(text) && to-from < maxBare && !isSpace(text[to]) && strings.IndexByte("\"'`,;)}]\\|&<>", text[to]) < 0; to++ {
	}
	return from, to, false
}
