package secret

import (
	"encoding/hex"
	"strconv"
	"strings"
)

const (
	// curlMost is how far behind a curl its header or user may begin, in bytes.
	curlMost = 2 << 10
	// curlLines is how many lines a curl may take: five more, each after one
	// end of a line or two.
	curlLines = 11
)

// assignment is how the expressions of gitleaks go on after a name that a
// value is given to.
const assignment = `[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)`

// look sets how a rule of gitleaks looks at the text around its keywords.
func (r *rule) look(source string) {
	switch r.id {
	case "curl-auth-header", "curl-auth-user":
		r.lines = curlLines
		r.worth = func(text string, _, end int) bool {
			command := text[end:linesEnd(text, end, curlLines, curlMost)]
			return strings.Contains(command, " -H") || strings.Contains(command, "--header") ||
				strings.Contains(command, " -u") || strings.Contains(command, "--user")
		}
	case "kubernetes-secret-yaml":
		r.before, r.lines = 600, 24
		r.worth = func(text string, start, end int) bool {
			from := max(0, start-24)
			return strings.Contains(strings.ToLower(text[from:start]), "kind:")
		}
	case generic:
		r.worth = worthAssigning
	case "jwt":
		r.worth = func(text string, start, end int) bool { return worthToken(text, start, end, 17) }
	case "vault-service-token":
		// "s." is what old ones begin with; "hvs." says enough.
		r.worth = func(text string, start, end int) bool {
			return end-start > 2 || worthToken(text, start, end, 24)
		}
	case "twilio-api-key":
		r.worth = func(text string, start, end int) bool { return worthToken(text, start, end, 32) }
	default:
		if r.namedByKeywords(source) {
			r.worth = worthNaming
		}
	}
}

// namedByKeywords reports whether all keywords of an expression stand before
// the operator that gives the value. Others are the beginning of the value.
func (r *rule) namedByKeywords(source string) bool {
	name, _, found := strings.Cut(source, assignment)
	name = strings.ToLower(name)
	for _, k := range r.keywords {
		found = found && strings.Contains(name, strings.ToLower(k))
	}
	return found
}

// isSpace, isName, isValue and isEncoded are classes of bytes: white space,
// what names and what values consist of, and base64 in both alphabets.
var isName, isValue, isEncoded = classes()

func classes() (name, value, encoded [256]bool) {
	for c := range 256 {
		letter := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		name[c] = letter || c == '.' || c == '-'
		value[c] = name[c] || c == '=' || c == '+' || c == '/'
		encoded[c] = letter || c == '-' || c == '+' || c == '/'
	}
	return name, value, encoded
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isWord(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

// operatorBehind returns the place of the operator that gives a value to the
// name that a keyword, which ends at end, is part of; -1 if there is none.
func operatorBehind(text string, end int) int {
	// 23 bytes are what the expressions allow, the rest is what may follow a
	// keyword inside of a name that it does not end.
	for i, last := end, min(len(text), end+44); i < last; i++ {
		switch c := text[i]; {
		case c == '=' || c == ':' || c == '>' || c == '|' || c == '?' || c == ',':
			return i
		case !isName[c] && !isSpace(c) && c != '\'' && c != '"':
			return -1
		}
	}
	return -1
}

func worthNaming(text string, _, end int) bool { return operatorBehind(text, end) >= 0 }

// worthAssigning asks for a value with a digit as well: letters alone are
// allowed by the rule for secrets of any kind.
func worthAssigning(text string, _, end int) bool {
	at := operatorBehind(text, end)
	if at < 0 {
		return false
	}
	// The operator has three bytes at most, and five come between it and the
	// value. A shorter operator may be followed by another name.
	for last := min(len(text), at+9); at < last && (!isValue[text[at]] || text[at] == '='); at++ {
	}
	digit, last := false, min(len(text), at+150)
	for i := at; i < last; i++ {
		if !isValue[text[i]] {
			return digit && i-at >= 10
		}
		if digit = digit || isDigit(text[i]); digit && i-at >= 10 {
			return true
		}
	}
	return digit && last-at >= 10
}

// worthToken asks for the beginning of a word, and a word that is long enough.
func worthToken(text string, start, end, least int) bool {
	if start > 0 && isWord(text[start-1]) || end+least > len(text) {
		return false
	}
	for i := end; i < end+least; i++ {
		if !isLetter(text[i]) && !isDigit(text[i]) {
			return false
		}
	}
	return true
}

// ordinary reports whether what a rule of gitleaks found is a hash, an id or a
// placeholder after all. name is what stands before it.
func ordinary(rule, name, secret string) bool {
	if isPlaceholder(secret) {
		return true
	}
	if rule == generic {
		return isMark(secret) || isHash(secret) && !namesKey(name) || isIdentifier(secret) || isNumber(secret) ||
			namesHash(name) || namesNoSecret(normal(name))
	}
	if rule == "hashicorp-tf-password" && (noValues[strings.ToLower(secret)] || secret == strings.ToUpper(secret) || strings.ContainsAny(secret, "_-") && isIdentifier(secret)) {
		return true // a constant, as the names of settings have
	}
	// Expressions that take any hash where the name of a service stands
	// somewhere near tell nothing without a name before the hash.
	return name == "" && isHash(secret)
}

// isHash reports whether a text is an MD5, a SHA-1, a SHA-2 or a UUID.
func isHash(text string) bool {
	switch len(text) {
	case 32, 40, 56, 64, 96, 128:
	case 36:
		if text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
			return false
		}
		text = strings.ReplaceAll(text, "-", "")
	default:
		return false
	}
	_, err := hex.DecodeString(text)
	return err == nil
}

// namesKey reports whether the text before a value ends in a name of a secret,
// and not of one of the many other things that are called a key or a token.
func namesKey(name string) bool {
	name = normal(name)
	for _, end := range [...]string{"apikey", "secret", "secretkey", "password", "passwd", "accesstoken", "authtoken", "accesskey", "privatekey", "apitoken"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// namesHash reports whether the text before a value ends in a name of a hash,
// or is that of a line of go.sum.
func namesHash(name string) bool {
	if strings.HasSuffix(name, " h1:") {
		return true
	}
	name = normal(name)
	for _, end := range [...]string{"sha", "sha1", "sha256", "sha384", "sha512", "md5", "hash", "checksum", "digest", "fingerprint", "thumbprint", "integrity", "etag"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// marks begin ids that sessions are full of.
var marks = [...]string{
	"call_", "toolu_", "tool_", "msg_", "chatcmpl-", "resp_", "req_", "fc_", "rs_", "ses_", "session_", "thread_", "run_",
	"srvtoolu_", "file-", "sha256-", "sha384-", "sha512-", "sha1-", "sha256:", "h1:", "evt_", "asst_", "conv_", "step_",
}

func isMark(text string) bool {
	for _, m := range marks {
		if strings.HasPrefix(text, m) {
			return true
		}
	}
	return false
}

// isIdentifier reports whether a text is a name in code rather than a secret:
// words that begin with capitals or have marks between them, a number, a
// version, a date.
func isIdentifier(text string) bool {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == '_' || r == '-' || r == '/' || r == '=' })
	letters, words := 0, 0
	for _, p := range parts {
		l, w, ok := wordsOf(p, len(parts) > 1)
		if letters, words = letters+l, words+w; !ok {
			return false
		}
	}
	// Words have three letters on average; what is random has one or two.
	return len(parts) > 0 && letters >= 3*words && (len(parts) > 1 || letters < 12 || wordy(text))
}

// wordsOf counts the letters and the words of a part of a name, which begin
// with capitals. ok is false if it is none: it has several numbers, or one that
// is long. apart says that it is not all there is: then a number may be a part
// of its own, and letters need not be of both cases.
func wordsOf(part string, apart bool) (letters, words int, ok bool) {
	digits, numbers, upper := 0, 0, 0
	for i := range len(part) {
		c := part[i]
		switch {
		case isDigit(c):
			if digits++; i == 0 || !isDigit(part[i-1]) {
				numbers++
			}
		case isLetter(c):
			letters++
			capital := c <= 'Z'
			if capital {
				upper++
			}
			if i == 0 || !isLetter(part[i-1]) || capital && part[i-1] > 'Z' {
				words++
			}
		default:
			return 0, 0, false
		}
	}
	if letters == 0 {
		return 0, 0, apart && digits <= 4 || digits > 4 && isDate(part)
	}
	if !apart && (upper == 0 || upper == letters) {
		return 0, 0, false
	}
	return letters, words, numbers <= 1 && (digits <= 2 || isDigit(part[len(part)-1]) || upper > 0 && upper < letters && digits <= 3)
}

// isDate reports whether digits are a day or a second, as in 20260131.
func isDate(digits string) bool {
	return (len(digits) == 8 || len(digits) == 14) && (strings.HasPrefix(digits, "20") || strings.HasPrefix(digits, "19"))
}

// isNumber reports whether a text is a number as programs write it.
func isNumber(text string) bool {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return true
	}
	_, err := strconv.ParseInt(text, 0, 64)
	return err == nil
}
