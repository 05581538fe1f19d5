package llm

import (
	"encoding/base64"
	"net/url"
	"strings"
	"unicode/utf8"

	"winnow/core/clean"
)

const (
	// shortestSecret is below what anybody uses as a key: masking "a" would
	// leave no text.
	shortestSecret = 4
	// maxShown is how much of what a server says goes into a message, in
	// bytes: two lines of a terminal.
	maxShown = 200
	masked   = "***"
)

// secrets are texts that nobody is to see.
type secrets []string

// secretsOf collects what is secret in a key and a base URL, in the forms in
// which a server may echo it.
func secretsOf(key string, u *url.URL) secrets {
	var s secrets
	add := func(text string) {
		if len(text) >= shortestSecret {
			s = append(s, text)
			if escaped := url.QueryEscape(text); escaped != text {
				s = append(s, escaped)
			}
		}
	}
	add(key)
	if u.User != nil {
		add(u.User.Username())
		password, _ := u.User.Password()
		add(password)
		add(base64.StdEncoding.EncodeToString([]byte(u.User.Username() + ":" + password)))
	}
	for _, values := range u.Query() {
		for _, v := range values {
			add(v)
		}
	}
	return s
}

// hide returns text without the secrets, and without words that a server has
// masked in part: they tell how a key begins and ends.
func (s secrets) hide(text string) string {
	if strings.Contains(text, "**") {
		words := strings.Split(text, " ")
		for i, w := range words {
			if strings.Contains(w, "**") {
				words[i] = masked
			}
		}
		text = strings.Join(words, " ")
	}
	return s.mask(text)
}

// mask returns text without the secrets, whatever it is.
func (s secrets) mask(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, masked)
	}
	return text
}

// show returns what a server said as one safe line of at most maxShown bytes.
func (s secrets) show(text string) string {
	return shorten(strings.TrimSpace(clean.Line(s.hide(text))), maxShown)
}

// shorten cuts text to limit bytes, between characters.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	n := limit - len("…")
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.TrimRight(text[:n], " ") + "…"
}

// shown returns a URL for people: without what is or may be secret. The URL
// that an error cannot name is "".
func shown(u *url.URL) string {
	if u == nil {
		return ""
	}
	v := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	text := v.String()
	if u.User != nil {
		text = strings.Replace(text, "://", "://"+masked+"@", 1)
	}
	separator := "?"
	for _, pair := range strings.FieldsFunc(u.RawQuery, func(r rune) bool { return r == '&' }) {
		name, _, _ := strings.Cut(pair, "=")
		text += separator + name + "=" + masked
		separator = "&"
	}
	return clean.Line(text)
}
