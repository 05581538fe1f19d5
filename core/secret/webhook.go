package secret

import "strings"

// webhookWords are what the path of a webhook's address has besides ids and the
// token, in lower case.
var webhookWords = set("services", "workflows", "triggers", "catch", "standard", "incomingwebhook", "hook", "v1", "v2", "send")

// findWebhook looks after the part of an address that says that it is one of a
// webhook: whoever has the token in the rest of its path may write there. Ids
// before the token stay.
func findWebhook(sc *scan, start, end int) {
	text, keyword := sc.text, strings.ToLower(sc.text[start:end])
	p := webhookPath{at: end, absolute: hasScheme(text, start), ids: keyword == "/with/key/", short: keyword == "integrations/deploy/"}
	if !strings.Contains(keyword, "/") { // the name of a host, in which the path begins after it
		for p.at < len(text) && isName[text[p.at]] {
			p.at++
		}
		p.at = behindSlash(text, p.at)
		p.absolute, p.ids = true, true
	}
	p.marks = p.absolute && (!strings.Contains(keyword, "hooks") || start > 0 && text[start-1] == '_') // as in build_hooks
	for from := p.at; p.at >= 0; from = p.at {
		to := segmentEnd(text, from)
		if p.secret(text[from:to]) {
			if p.start == 0 {
				p.start = from
			}
			p.end = to
		}
		switch {
		case p.done:
			p.at = -1
		case p.absolute && strings.HasPrefix(text[to:], "?key="):
			p.at, p.marks = to+len("?key="), true
		default:
			p.at = behindSlash(text, to)
		}
	}
	if p.start > 0 {
		sc.add(Webhook, p.start, p.end)
	}
}

// webhookPath is the path of a webhook's address while it is read.
type webhookPath struct {
	at         int
	start, end int  // of the token, 0 as long as there is none
	absolute   bool // the address has a host
	marks      bool // a UUID or a number in hex may be the token
	short      bool // so may anything, after an id
	ids        bool // one was there, or is not expected
	done       bool // nothing that belongs to it follows
}

// secret reports whether the next segment is of the token.
func (p *webhookPath) secret(segment string) bool {
	word := strings.ToLower(segment)
	switch {
	case segment == "" || isPlaceholder(segment):
		p.done = true
	case webhookWords[word]:
		p.short = p.short || word == "catch" || word == "standard"
	case isWebhookToken(segment, p.ids), p.marks && isWebhookMark(segment):
		return true
	case p.short && p.ids && p.absolute && len(segment) >= 5 && !isNumber(segment):
		return true
	case isWebhookID(segment):
		p.ids = true
	default:
		p.done = true
	}
	return false
}

// behindSlash returns the place after the slash at a place, which may be
// escaped as in JSON; -1 if there is none.
func behindSlash(text string, at int) int {
	if at < len(text) && text[at] == '\\' {
		at++
	}
	if at >= len(text) || text[at] != '/' {
		return -1
	}
	return at + 1
}

// segmentEnd returns the end of the segment of a path. No token has a dot: a
// file has.
func segmentEnd(text string, from int) int {
	at := from
	for at < len(text) && (isWord(text[at]) || text[at] == '-' || text[at] == '@') {
		at++
	}
	if at+1 < len(text) && text[at] == '.' && isWord(text[at+1]) {
		return from
	}
	return at
}

// hasScheme reports whether a place is in an address with a scheme.
func hasScheme(text string, at int) bool {
	before := text[max(0, at-256):at]
	i := max(strings.LastIndex(before, "://"), strings.LastIndex(before, `:\/\/`))
	return i >= 0 && !strings.ContainsAny(before[i:], " \t\r\n\"'`<>")
}

// isWebhookToken reports whether a segment is as random as nothing but a token
// is: no hash, and no id with what it is of before it. Without an id before it,
// it may be one itself, and must be longer.
func isWebhookToken(segment string, behindID bool) bool {
	least := 24
	if behindID {
		least = 20
	}
	mark := strings.IndexByte(segment, '_')
	if len(segment) < least || isHex(segment) || isHash(segment) || !looksRandom(segment) || mark > 1 && mark < 6 && len(segment) < 40 {
		return false
	}
	return strings.ToUpper(segment) != segment
}

// isWebhookMark reports whether a segment is a UUID, two of them, or a number in
// hex, which are tokens only where nothing else is expected.
func isWebhookMark(segment string) bool {
	first, second, two := strings.Cut(segment, "@")
	if two {
		return isHash(first) && isHash(second)
	}
	return len(segment) == 36 && isHash(segment) || len(segment) >= 24 && len(segment) <= 32 && isHex(segment)
}

func isHex(text string) bool {
	return strings.Trim(text, "0123456789abcdefABCDEF") == ""
}

// isWebhookID reports whether a segment is an id before a token.
func isWebhookID(segment string) bool {
	if isWebhookMark(segment) || strings.Trim(segment, "0123456789") == "" {
		return true
	}
	mark := strings.IndexByte(segment, '_')
	return len(segment) <= 14 && strings.ToUpper(segment) == segment || mark > 1 && mark < 6 && len(segment) < 40
}

// findURLSignature looks at the signature of an address that was given out for
// whoever has it, such as those that start a flow of Azure.
func findURLSignature(sc *scan, start, end int) {
	text := sc.text
	if start == 0 || text[start-1] != '?' && text[start-1] != '&' && text[start-1] != ';' && !strings.HasSuffix(text[:start], `\u0026`) {
		return
	}
	to := end
	for to < len(text) && (isWord(text[to]) || text[to] == '-' || text[to] == '%' || text[to] == '+' || text[to] == '/' || text[to] == '=') {
		to++
	}
	if value := text[end:to]; len(value) >= 32 && len(value) <= 256 && looksRandom(value) && !isPlaceholder(value) {
		sc.add(Webhook, end, to)
	}
}
