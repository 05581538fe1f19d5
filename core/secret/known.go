package secret

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Secret is a value that a rule found somewhere.
type Secret struct{ Rule, Value string }

// Known finds values that are known to be secrets wherever they stand. It may
// be used by several goroutines at a time.
type Known struct {
	rules map[string]string // by value
	// lengths are those of the values that begin with the same three bytes,
	// and begins tells of most other bytes that no value begins so.
	lengths map[uint32][]int
	begins  [1 << 13]bool
}

// spreadFrom is the length from which a value is looked for everywhere, in
// bytes: shorter ones stand in other places for other things.
const spreadFrom = 8

// NewKnown makes one of the values that may be looked for: names of users that
// are no common words, and other values of 8 bytes at least, 12 if they might
// be a word.
func NewKnown(secrets []Secret) *Known {
	k := &Known{rules: map[string]string{}, lengths: map[uint32][]int{}}
	for _, s := range secrets {
		if !spreads(s) {
			continue
		}
		rule, met := k.rules[s.Value]
		if !met || cmp.Or(cmp.Compare(rank(s.Rule), rank(rule)), cmp.Compare(s.Rule, rule)) < 0 {
			k.rules[s.Value] = s.Rule
		}
		if met {
			continue
		}
		key := firstBytes(s.Value, 0)
		k.begins[hashOf(key)] = true
		if all := k.lengths[key]; !slices.Contains(all, len(s.Value)) {
			k.lengths[key] = append(all, len(s.Value))
		}
	}
	return k
}

// spreads reports whether a secret is looked for wherever it may stand.
func spreads(s Secret) bool {
	if s.Rule == User {
		return Spreads(s.Value)
	}
	return len(s.Value) >= spreadFrom+4 || len(s.Value) >= spreadFrom && !onlyLetters(s.Value)
}

// firstBytes returns the three bytes at a place as one number.
func firstBytes(text string, at int) uint32 {
	return uint32(text[at]) | uint32(text[at+1])<<8 | uint32(text[at+2])<<16
}

func hashOf(key uint32) uint32 { return key * 0x9E3779B1 >> 19 }

func onlyLetters(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// Empty reports whether nothing is known.
func (k *Known) Empty() bool { return k == nil || len(k.rules) == 0 }

// Find returns the places of the values in a text or in the strings of JSON,
// as Scanner.Find does. Names, and values as short as names, count as words
// only.
func (k *Known) Find(text string) []Hit {
	if k.Empty() {
		return nil
	}
	return find(text, k.findText, false)
}

func (k *Known) findText(text string) []Hit {
	var hits []Hit
	for at := 0; at+shortest <= len(text); at++ {
		key := firstBytes(text, at)
		if !k.begins[hashOf(key)] {
			continue
		}
		for _, length := range k.lengths[key] {
			end := at + length
			if end > len(text) {
				continue
			}
			if rule, known := k.rules[text[at:end]]; known && (rule != User && length >= 2*spreadFrom || bounded(text, at, end)) {
				hits = append(hits, Hit{Rule: rule, Start: at, End: end})
			}
		}
	}
	return joined(text, hits)
}

// bounded reports whether text[start:end] is a word of its own. The letter of
// an escape such as \n is none of the word.
func bounded(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	if inWord(after) {
		return false
	}
	return !inWord(before) || before < utf8.RuneSelf && escapeAt(text, start-1) == 1
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

// Shown returns a secret as it may be shown: its beginning and its end, a
// quarter of it at most.
func Shown(value string) string {
	runes := []rune(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '·'
		}
		return r
	}, value))
	visible := len(runes) / 4
	first := min(4, (visible+1)*2/3)
	last := min(2, visible-first)
	if visible == 0 {
		first, last = 0, 0
	}
	return string(runes[:first]) + strings.Repeat("*", min(len(runes)-first-last, 12)) + string(runes[len(runes)-last:])
}
