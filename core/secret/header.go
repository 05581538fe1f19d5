package secret

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// findAuthorization looks at the scheme of a header: Bearer TOKEN, and Basic
// with a name and a password in base64.
func findAuthorization(sc *scan, start, end int) {
	text := sc.text
	if start > 0 && isWord(text[start-1]) && escapeAt(text, start-1) == 0 {
		return
	}
	to := end
	for to < len(text) && (isValue[text[to]] || text[to] == '~' || text[to] == ':') {
		to++
	}
	value := strings.TrimRight(text[end:to], ".:")
	if lower(text[start]) == 'b' && lower(text[start+1]) == 'a' {
		if !isBasic(value) {
			return
		}
	} else if len(value) < 16 || isPlaceholder(value) || !looksRandom(value) || strings.Contains(value, "://") {
		return
	}
	sc.add(Authorization, end, end+len(value))
}

// isBasic reports whether a value is a name and a password as headers have
// them.
func isBasic(value string) bool {
	if len(value) < 8 {
		return false
	}
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	if err != nil || !utf8.Valid(plain) {
		return false
	}
	user, password, found := strings.Cut(string(plain), ":")
	for i := range len(plain) {
		if plain[i] < ' ' {
			return false
		}
	}
	return found && user != "" && len(password) >= 3
}

// findAuthorizationHeader looks at a header with another scheme, or none.
func findAuthorizationHeader(sc *scan, _, end int) {
	text := sc.text
	at := skipSpaces(text, end)
	from := at
	for range 2 {
		to := at
		for to < len(text) && (isValue[text[to]] || text[to] == '~') {
			to++
		}
		if value := text[at:to]; len(value) >= 16 && !isPlaceholder(value) && looksRandom(value) {
			sc.add(Authorization, at, to)
			return
		}
		if at = skipSpaces(text, to); at == to || to == from {
			return
		}
	}
}

// findCookie looks at a header of cookies: every value that looks random is a
// secret.
func findCookie(sc *scan, start, end int) {
	if start < sc.cookies {
		return // in a line that was looked at
	}
	text := sc.text
	line := text[end:linesEnd(text, end, 1, windowMost)]
	sc.cookies = end + len(line)
	for at := 0; at < len(line); {
		from := at
		for at < len(line) && (isValue[line[at]] && line[at] != '=' || line[at] == '%' || line[at] == '~' || line[at] == ':') {
			at++
		}
		if value := line[from:at]; len(value) >= 16 && from > 0 && line[from-1] == '=' && looksRandom(value) && !isPlaceholder(value) {
			sc.add(Cookie, end+from, end+at)
		}
		if at < len(line) && (line[at] == '"' || line[at] == '\'') {
			return
		}
		at++
	}
}

// findURLPassword looks at the :// of an address: scheme://user:password@host.
func findURLPassword(sc *scan, start, end int) {
	text := sc.text
	if start == 0 || !isLetter(text[start-1]) && !isDigit(text[start-1]) {
		return
	}
	colon, at := -1, end
	for last := min(len(text), end+512); ; at++ {
		if at >= last || isSpace(text[at]) || strings.IndexByte("/?#\"'`<>\\|", text[at]) >= 0 {
			return
		}
		if text[at] == ':' && colon < 0 {
			colon = at
		}
		if text[at] == '@' {
			break
		}
	}
	if colon < 0 {
		if value := text[end:at]; len(value) >= 16 && looksRandom(value) && !isPlaceholder(value) {
			sc.add(URLPassword, end, at) // a token in place of a user
		}
		return
	}
	user, password := text[end:colon], text[colon+1:at]
	if len(password) < 3 || isPlaceholder(password) || password == user || noValues[strings.ToLower(password)] {
		return
	}
	sc.add(URLPassword, colon+1, at)
}

// maxBlock is the length of the longest private key that is looked for, in
// bytes: keys of 16384 bits have 13 KB.
const maxBlock = 64 << 10

// findPrivateKey looks at the first line of a block. Without a last line it
// ends where the text is no longer base64.
func findPrivateKey(sc *scan, start, end int) {
	text := sc.text
	head := strings.ToUpper(text[end:min(len(text), end+128)])
	name := strings.Index(head, "PRIVATE KEY")
	if name < 0 || strings.Trim(head[:name], " ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
		return
	}
	dashes := strings.Index(head[name:], "-----")
	if dashes < 0 {
		return
	}
	body := end + name + dashes + len("-----")
	rest := text[body:min(len(text), body+maxBlock)]
	if i := strings.Index(rest, "-----BEGIN"); i >= 0 {
		rest = rest[:i]
	}
	length, to := 0, 0
	if i := strings.Index(rest, "-----END"); i >= 0 {
		length = i
		to = i + len("-----END")
		if j := strings.Index(rest[to:min(len(rest), to+128)], "-----"); j >= 0 {
			to += j + len("-----")
		}
	} else {
		for to < len(rest) && (isValue[rest[to]] && rest[to] != '.' || isSpace(rest[to]) || rest[to] == '\\') {
			to++ // to where the text was cut off: "..."
		}
		to = len(strings.TrimRight(rest[:to], " \t\r\n"))
		length = to
	}
	letters := 0
	for i := range length {
		if isEncoded[rest[i]] {
			letters++
		}
	}
	if letters < 40 || isPlaceholder(strings.TrimSpace(rest[:length])) || strings.Contains(rest[:length], "...") {
		return
	}
	sc.add(PrivateKey, start, body+to)
}
