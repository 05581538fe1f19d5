package secret

// findKey looks at the beginning of a key that some services give out and
// gitleaks knows in one form only, or not at all.
func findKey(sc *scan, start, end int) {
	text := sc.text
	if start > 0 && (isName[text[start-1]] || text[start-1] == '/') && escapeAt(text, start-1) == 0 {
		return
	}
	to, digits, capitals := end, 0, 0
	for to < len(text) && to-start < 512 && (isWord(text[to]) || text[to] == '-' || text[to] == '.') {
		if c := text[to]; isDigit(c) {
			digits++
		} else if 'A' <= c && c <= 'Z' {
			capitals++
		}
		to++
	}
	for to > end && !isWord(text[to-1]) {
		to--
	}
	value := text[end:to]
	if to < len(text) && text[to] == '@' { // the name of an algorithm of SSH
		return
	}
	if len(value) < 28 || digits < 3 || isPlaceholder(value) || isIdentifier(value) || entropy(value) < 3.3 || capitals == 0 && digits < 6 {
		return
	}
	sc.add(Key, start, to)
}
