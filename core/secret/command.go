package secret

import "strings"

// optionMost is how far behind a command its option is looked for, in bytes.
const optionMost = 256

// findOption looks at a command with a password after its option -p: sshpass
// -p PASSWORD, mysql -pPASSWORD.
func findOption(sc *scan, start, end int) {
	text := sc.text
	if start > 0 && (isName[text[start-1]] && escapeAt(text, start-1) == 0) {
		return
	}
	line := text[end-1 : linesEnd(text, end, 1, optionMost)]
	i := strings.Index(line, " -p")
	if i < 0 || strings.ContainsAny(line[:i], "|;&") {
		return
	}
	at := end - 1 + i + len(" -p")
	if lower(text[start]) == 's' {
		at = skipSpaces(text, at)
	}
	from, to, _ := valueAt(text, at)
	value := text[from:to]
	if len(value) < 4 || isPlaceholder(value) || noValues[strings.ToLower(value)] || isCode(value) || isNumber(value) || strings.Contains(value, ":") || value[0] == '-' {
		return
	}
	sc.add(Field, from, to)
}

// findCurlUser looks at the option of curl for a user and a password:
// curl -u USER:PASSWORD.
func findCurlUser(sc *scan, start, end int) {
	text := sc.text
	if start == 0 || !isSpace(text[start-1]) && escapeAt(text, start-1) == 0 || !behindCurl(text[max(0, start-curlMost):start]) {
		return
	}
	if c := text[end-1]; c == '"' || c == '\'' {
		end--
	}
	from, to, _ := valueAt(text, skipSpaces(text, end))
	user, password, found := strings.Cut(text[from:to], ":")
	if !found {
		return
	}
	if password == "" { // a token in place of a user
		if len(user) >= 16 && looksRandom(user) && !isPlaceholder(user) {
			sc.add(Field, from, from+len(user))
		}
		return
	}
	if len(password) < 3 || isPlaceholder(password) || noValues[strings.ToLower(password)] || password == user || isCode(password) {
		return
	}
	sc.add(Field, from+len(user)+1, to)
}

// behindCurl reports whether a text ends inside of a command of curl.
func behindCurl(text string) bool {
	i := strings.LastIndex(text, "curl")
	if i < 0 || i+4 < len(text) && isName[text[i+4]] {
		return false
	}
	lines := strings.Split(text[i:], "\n")
	for _, line := range lines[:len(lines)-1] {
		if line = strings.TrimRight(line, " \r"); !strings.HasSuffix(line, "\\") {
			return false
		}
	}
	return true
}

// findTelegram looks at the colon in the token of a bot of Telegram: the number
// of the bot, AA and 33 letters of base64 for addresses.
func findTelegram(sc *scan, start, end int) {
	text := sc.text
	const behind = 33
	if text[start:end] != ":AA" || end+behind > len(text) {
		return
	}
	from, to := start, end
	for from > 0 && isDigit(text[from-1]) && start-from <= 16 {
		from--
	}
	for to < len(text) && to-end <= behind && (isWord(text[to]) || text[to] == '-') {
		to++
	}
	if digits := start - from; digits < 8 || digits > 16 || to-end != behind || wordy(text[end:to]) || isPlaceholder(text[end:to]) {
		return
	}
	sc.add(Key, from, to)
}
