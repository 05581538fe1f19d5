package secret

import (
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Names and hosts of addresses that are nobody's: git@github.com is how a
// repository is written, aes256-gcm@openssh.com is an algorithm, and
// example.com is reserved for examples (RFC 2606).
var (
	nobody = set("git", "hg", "svn", "noreply", "no-reply", "donotreply", "do-not-reply", "you", "your", "yourname", "your.name", "your-name", "your_name",
		"youremail", "your.email", "your-email", "your_email", "username", "user.name", "someone", "somebody", "first.last", "firstname.lastname")
	nowhere = set("domain.com", "yourdomain.com", "your-domain.com", "mydomain.com", "yourcompany.com", "test.com", "email.com", "foo.com", "bar.com", "openssh.com", "libssh.org")
	// files are ends of names of files that are top-level domains too.
	files = set("py", "sh", "rs", "md", "pl", "cc", "so", "zip", "mov", "ps", "app", "tf", "ml")
)

// findMail looks at an @.
func findMail(sc *scan, start, end int) {
	text := sc.text
	from := start
	for from > 0 && start-from < 64 && isMailName(text[from-1]) {
		from--
	}
	from = min(start, from+escapeAt(text, from))
	for from < start && !isWord(text[from]) {
		from++
	}
	to := end
	for to < len(text) && to-end < 253 && isHostName(text[to]) {
		to++
	}
	for to > end && !isLetter(text[to-1]) {
		to--
	}
	local, host := text[from:start], strings.ToLower(text[end:to])
	if local == "" || local[len(local)-1] == '.' || from > 0 && (text[from-1] >= 0x80 || text[from-1] == '@') || !isMailHost(host) {
		return
	}
	if nobody[strings.ToLower(local)] || nowhere[host] || isPlaceholder(local) {
		return
	}
	if strings.Count(local, ".") > 1 && !hasLetter(local) { // the id of a message
		return
	}
	if inAddress(text, from) || isRemotePath(text[to:]) {
		return
	}
	sc.add(Mail, from, to)
}

func isMailName(c byte) bool { return isName[c] || c == '+' || c == '%' }

func isHostName(c byte) bool { return isLetter(c) || isDigit(c) || c == '.' || c == '-' }

// isMailHost reports whether mail could be sent to somebody on a host: its top
// level is one that there is, and it is not reserved for examples.
func isMailHost(host string) bool {
	dot := strings.LastIndexByte(host, '.')
	if dot <= 0 || strings.Contains(host, "..") || host[0] == '-' || host[0] == '.' {
		return false
	}
	top := host[dot+1:]
	if strings.IndexByte(host, '.') == dot && files[top] {
		return false
	}
	switch name := host[:dot]; {
	case top == "example" || top == "test" || top == "invalid" || top == "localhost" || top == "local":
		return false
	case name == "example" || strings.HasSuffix(name, ".example"):
		return false
	}
	suffix, official := publicsuffix.PublicSuffix(host)
	return len(suffix) < len(host) && (official || strings.Contains(suffix, "."))
}

// inAddress reports whether what begins at a place is the password of an
// address such as https://user:password@host.
func inAddress(text string, at int) bool {
	for i := at - 1; i >= max(0, at-128) && !isSpace(text[i]) && text[i] != '"' && text[i] != '\''; i-- {
		if text[i] == '/' {
			return i > 1 && text[i-1] == '/' && text[i-2] == ':'
		}
	}
	return false
}

// isRemotePath reports whether a path on a host follows, as in
// user@host.com:/srv and in the prompt user@host.com:~$.
func isRemotePath(rest string) bool {
	return len(rest) > 1 && rest[0] == ':' && (rest[1] == '/' || rest[1] == '~')
}

// escapeAt returns the length of what follows of an escape of JSON whose
// backslash stands before a place: text that holds JSON must stay valid.
func escapeAt(text string, at int) int {
	n := 0
	for at-n > 0 && text[at-n-1] == '\\' {
		n++
	}
	if n%2 == 0 || at >= len(text) {
		return 0
	}
	switch text[at] {
	case 'n', 'r', 't', 'b', 'f':
		return 1
	case 'u':
		return min(5, len(text)-at)
	}
	return 0
}
