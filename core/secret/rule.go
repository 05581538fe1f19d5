package secret

import (
	"math"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// rule finds one kind of secret where one of its keywords stands.
type rule struct {
	id       string
	keywords []string // lower case
	// find looks at a keyword, text[start:end]; nil: an expression does.
	find func(sc *scan, start, end int)

	*lazy
	group   int     // of the expression, that is the secret; 0: the first that is not empty
	entropy float64 // of the secret at least, in bits a character; 0: any
	allowed []*allow
	// worth tells quickly of most keywords that the expression cannot match
	// there; nil: it always may.
	worth func(text string, start, end int) bool
	// lines is how far behind a keyword a match may go; 0: to the end of the
	// word that stands windowAfter after it.
	lines int
	// before is how far before a keyword a match may begin, in bytes; 0:
	// windowBefore.
	before int
}

// lazy is an expression that is compiled when it is needed first.
type lazy struct {
	source string
	once   sync.Once
	re     *regexp.Regexp
}

func (l *lazy) compiled() *regexp.Regexp {
	l.once.Do(func() { l.re = regexp.MustCompile(l.source) })
	return l.re
}

// Windows of text around a keyword.
const (
	windowBefore = 96      // bytes; names before a keyword are 50 at most
	windowAfter  = 256     // bytes; what has no end is one word after that
	windowMost   = 8 << 10 // bytes; a signed token with many claims has 4 KB
)

// window returns the part of the text that the rule has to look at for a
// keyword. It begins and ends between characters.
func (r *rule) window(text string, start, end int) span {
	w := span{max(0, start-max(windowBefore, r.before)), min(len(text), end+windowAfter)}
	if r.lines > 0 {
		w.end = linesEnd(text, end, r.lines, windowMost)
	}
	most := min(len(text), end+windowMost)
	for w.end < most && !isSpace(text[w.end]) {
		w.end++
	}
	for w.start > 0 && !utf8.RuneStart(text[w.start]) {
		w.start--
	}
	for w.end < len(text) && !utf8.RuneStart(text[w.end]) {
		w.end++
	}
	return w
}

// linesEnd returns the end of the n-th line from a place on, at most so many
// bytes after it.
func linesEnd(text string, at, n, most int) int {
	last := min(len(text), at+most)
	for ; n > 0 && at < last; n-- {
		i := strings.IndexByte(text[at:last], '\n')
		if i < 0 {
			return last
		}
		at += i + 1
	}
	return at
}

// search adds what the expression finds in a part of the text.
func (r *rule) search(sc *scan, w span) {
	part := sc.text[w.start:w.end]
	for _, m := range r.compiled().FindAllStringSubmatchIndex(part, -1) {
		start, end := m[0], m[1]
		switch {
		case r.group > 0 && 2*r.group+1 < len(m):
			start, end = m[2*r.group], m[2*r.group+1]
		case r.group == 0:
			for g := 2; g < len(m); g += 2 {
				if m[g] >= 0 && m[g+1] > m[g] {
					start, end = m[g], m[g+1]
					break
				}
			}
		}
		if start < 0 {
			continue
		}
		// What ends a sentence is none of the secret.
		for end > start && (part[end-1] == '\n' || part[end-1] == '.') {
			end--
		}
		if end-start > 2 && part[start] == '"' && part[end-1] == '"' { // the quotes stay
			start, end = start+1, end-1
		}
		match, secret := strings.TrimRight(part[m[0]:m[1]], "\n"), part[start:end]
		if r.entropy > 0 && entropy(secret) <= r.entropy {
			continue
		}
		if !r.isAllowed(sc.text, match, secret, w.start+m[0], w.start+m[1]) && !ordinary(r.id, part[m[0]:start], secret) {
			sc.add(r.id, w.start+start, w.start+end)
		}
	}
}

func (r *rule) isAllowed(text, match, secret string, start, end int) bool {
	for _, a := range r.allowed {
		target := secret
		switch a.target {
		case "match":
			target = match
		case "line":
			target = lineOf(text, start, end)
		}
		if a.allows(target, secret) {
			return true
		}
	}
	return false
}

// lineOf returns the lines that a match stands in, up to 512 bytes around it.
func lineOf(text string, start, end int) string {
	from, to := max(0, start-512), min(len(text), end+512)
	if i := strings.LastIndexByte(text[from:start], '\n'); i >= 0 {
		from += i + 1
	}
	if i := strings.IndexByte(text[end:to], '\n'); i >= 0 {
		to = end + i
	}
	return text[from:to]
}

// allow is a list of what a rule finds and is no secret.
type allow struct {
	target    string // "match", "line" or "", the secret
	all       bool   // only what an expression and a stop word allow
	regexes   []*lazy
	stopWords *automaton // nil: none
}

func newAllow(a *gitleaksAllow) *allow {
	out := &allow{target: a.RegexTarget, all: strings.EqualFold(a.Condition, "and") || a.Condition == "&&"}
	for _, source := range a.Regexes {
		out.regexes = append(out.regexes, &lazy{source: source})
	}
	if len(a.StopWords) > 0 {
		out.stopWords = newAutomaton(a.StopWords)
	}
	return out
}

func (a *allow) allows(target, secret string) bool {
	matched := false
	for _, re := range a.regexes {
		if re.compiled().MatchString(target) {
			matched = true
			break
		}
	}
	stopped := a.stopWords != nil && a.stopWords.has(secret)
	if !a.all {
		return matched || stopped
	}
	return (matched || len(a.regexes) == 0) && (stopped || a.stopWords == nil)
}

// entropy returns the Shannon entropy of a text in bits a byte.
func entropy(text string) float64 {
	var counts [256]int
	for i := range len(text) {
		counts[text[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(text))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}
