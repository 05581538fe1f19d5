// Package secret finds secrets in texts and in JSON: keys and tokens by the
// rules of gitleaks, and by rules of our own what those do not look for: mail
// addresses, names of users in paths, values of fields that are named like
// secrets, headers, passwords in addresses, blocks of private keys.
//
// Regular expressions over whole sessions would take minutes. So one pass over
// the text looks for the keywords of all rules at once, and only where a
// keyword stands in a place that can matter, its rule looks at the text around
// it.
//
// Hashes, UUIDs, ids of calls and sessions, placeholders such as <API_KEY> and
// $TOKEN, addresses of example.com and names like root or runner are no
// secrets: they tell nobody anything, and a model has to learn to handle them.
package secret

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Hit is a secret in a text: text[Start:End]. Hits are in order, do not
// overlap, and begin and end between characters.
type Hit struct {
	Rule       string
	Start, End int // in bytes
	// Escaped says that the text is JSON and the hit a part of one of its
	// strings: what takes its place must need no escapes, as placeholders do.
	Escaped bool
}

// Value returns the secret.
func (h Hit) Value(text string) string {
	if h.Escaped {
		return unescaped(text[h.Start:h.End])
	}
	return text[h.Start:h.End]
}

// Rules of our own. Others are those of gitleaks by their ids.
const (
	Mail          = "email"
	User          = "user-name"
	Field         = "secret-field"
	URLPassword   = "url-password"
	Authorization = "authorization"
	Cookie        = "cookie"
	PrivateKey    = "private-key"
	Key           = "api-key"
	Webhook       = "webhook"
)

// generic is the rule of gitleaks that knows a secret by the name before it
// only; any other one knows better what the secret is.
const generic = "generic-api-key"

// Scanner finds secrets. It may be used by several goroutines at a time.
type Scanner struct {
	known *Known // names of users

	load  sync.Once
	rules *ruleSet
	err   error
	pool  sync.Pool // of *scan
}

// New returns a scanner that also takes the names of users for secrets,
// wherever they stand as words. Names that are common words are left out.
func New(users []string) *Scanner {
	s := &Scanner{}
	var names []Secret
	for _, u := range users {
		if Spreads(u) {
			names = append(names, Secret{User, u})
		}
	}
	s.known = NewKnown(names)
	s.pool.New = func() any { return new(scan) }
	return s
}

// Load reads the rules, which takes some milliseconds; Find does it when it is
// called first. It fails only if the rules themselves are broken.
func (s *Scanner) Load() error {
	s.load.Do(func() { s.rules, s.err = loadRules() })
	return s.err
}

// Find returns the secrets of a text. If it is JSON, an object or a list, they
// lie in its strings, names of fields among them: strings are looked at without
// their escapes, what they hold may be JSON again, and a value is known by the
// name of its field. Placeholders that stand in a text are no secrets. Without
// rules, see Load, nothing is found.
func (s *Scanner) Find(text string) []Hit { return find(text, s.findText, true) }

func (s *Scanner) findText(text string) []Hit {
	hits := s.findOnce(text)
	// What a placeholder takes the place of can have hidden a secret beside
	// it. Three times are enough for all but texts made to that end.
	for range 3 {
		more := s.beside(text, hits)
		if len(more) == 0 {
			break
		}
		hits = Join(text, hits, more)
	}
	return hits
}

func (s *Scanner) findOnce(text string) []Hit {
	if s.Load() != nil || len(text) < shortest {
		return nil
	}
	sc := s.pool.Get().(*scan)
	sc.begin(s.rules, text)
	s.rules.keywords.each(text, sc.keyword)
	sc.windows()
	hits := sc.hits
	if !s.known.Empty() {
		hits = append(hits, s.known.Find(text)...)
	}
	hits = joined(text, hits)
	sc.end()
	s.pool.Put(sc)
	return hits
}

// shortest is the length of the shortest text that can hold a secret, in
// bytes: a name of a user.
const shortest = 3

// Join returns the hits of both lists in one text, as Find does: in order and
// apart.
func Join(text string, a, b []Hit) []Hit {
	return joined(text, slices.Concat(a, b))
}

// joined sorts hits, joins those that overlap and drops what touches a
// placeholder. Of hits that overlap, the one that knows most gives its rule.
func joined(text string, hits []Hit) []Hit {
	if len(hits) == 0 {
		return nil
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(rank(a.Rule), rank(b.Rule)), cmp.Compare(a.Rule, b.Rule))
	})
	taken := placeholders(text)
	out := make([]Hit, 0, len(hits))
	for _, h := range hits {
		for len(taken) > 0 && taken[0].end <= h.Start {
			taken = taken[1:]
		}
		if h.Start >= h.End || len(taken) > 0 && taken[0].start < h.End {
			continue
		}
		if len(out) == 0 || h.Start >= out[len(out)-1].End {
			out = append(out, h)
			continue
		}
		last := &out[len(out)-1]
		last.End, last.Escaped = max(last.End, h.End), last.Escaped || h.Escaped
		if rank(h.Rule) < rank(last.Rule) {
			last.Rule = h.Rule
		}
	}
	return out
}

// rank orders rules by how much they know of what they find, best first.
func rank(rule string) int {
	switch rule {
	case PrivateKey:
		return 0
	case generic:
		return 6
	case Field:
		return 5
	case Authorization, Cookie:
		return 4
	case Mail, User:
		return 3
	case URLPassword, Key:
		return 2
	}
	return 1
}

// scan is the work on one text.
type scan struct {
	rules *ruleSet
	text  string
	hits  []Hit
	// spans are the parts of the text that a rule has to look at, by rule, in
	// order and apart from each other; touched are the rules that have any.
	spans   [][]span
	touched []int
	// runStart and runEnd are those of the long run of letters seen last.
	runStart, runEnd int
	// cookies is the end of the header of cookies seen last.
	cookies int
}

type span struct{ start, end int }

func (sc *scan) begin(rules *ruleSet, text string) {
	sc.rules, sc.text = rules, text
	if sc.spans == nil {
		sc.spans = make([][]span, len(rules.list))
	}
	sc.runStart, sc.runEnd, sc.cookies = 0, 0, 0
}

// maxKeptSpans is how many spans of a rule are kept for the next text: more
// are needed for texts of megabytes only.
const maxKeptSpans = 256

func (sc *scan) end() {
	for _, r := range sc.touched {
		if sc.spans[r] = sc.spans[r][:0]; cap(sc.spans[r]) > maxKeptSpans {
			sc.spans[r] = nil
		}
	}
	sc.touched, sc.hits, sc.text = sc.touched[:0], nil, ""
}

// keyword takes the occurrence of a keyword, text[start:end].
func (sc *scan) keyword(id, start, end int) {
	if sc.inLongRun(start) {
		return
	}
	for _, r := range sc.rules.byKeyword[id] {
		rule := &sc.rules.list[r]
		if rule.find != nil {
			rule.find(sc, start, end)
			continue
		}
		if rule.worth != nil && !rule.worth(sc.text, start, end) {
			continue
		}
		w := rule.window(sc.text, start, end)
		spans := sc.spans[r]
		if len(spans) == 0 {
			sc.touched = append(sc.touched, r)
		} else if last := &spans[len(spans)-1]; w.start <= last.end {
			last.end = max(last.end, w.end)
			continue
		}
		sc.spans[r] = append(spans, w)
	}
}

// longRun is how far inside a run of letters and digits no rule begins any
// more, in bytes: such a run is an encoded image or the like.
const longRun = 2 << 10

// inLongRun reports whether the longRun bytes before a place are encoded data.
func (sc *scan) inLongRun(at int) bool {
	if at < longRun || !isEncoded[sc.text[at-1]] || !isEncoded[sc.text[at-longRun]] || !isEncoded[sc.text[at-longRun/2]] {
		return false
	}
	if at >= sc.runStart+longRun && at <= sc.runEnd {
		return true
	}
	for i := at - 1; i >= at-longRun; i-- {
		if !isEncoded[sc.text[i]] {
			return false
		}
	}
	end := at
	for end < len(sc.text) && isEncoded[sc.text[end]] {
		end++
	}
	sc.runStart, sc.runEnd = at-longRun, end
	return true
}

func (sc *scan) add(rule string, start, end int) {
	sc.hits = append(sc.hits, Hit{Rule: rule, Start: start, End: end})
}

// windows lets the rules look at their parts of the text.
func (sc *scan) windows() {
	for _, r := range sc.touched {
		for _, w := range sc.spans[r] {
			sc.rules.list[r].search(sc, w)
		}
	}
}

// Replace returns the text with each hit replaced by what placeholder returns.
func Replace(text string, hits []Hit, placeholder func(Hit) string) string {
	if len(hits) == 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	at := 0
	for _, h := range hits {
		b.WriteString(text[at:h.Start])
		b.WriteString(placeholder(h))
		at = h.End
	}
	b.WriteString(text[at:])
	return b.String()
}
