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
	secrets []Secret
	// starts are the indexes of the values by their first three bytes, and
	// begins tells of most other bytes that no value begins so.
	starts map[uint32][]int
	begins [1 << 13]bool
}

// spreadFrom is the length from which a value is looked for everywhere, in
// bytes: shorter ones stand in other places for other things.
const spreadFrom = 8

// NewKnown makes one of the values that may be looked for: names of users that
// are no common words, and other values of 8 bytes at least, 12 if they might
// be a word.
func NewKnown(secrets []Secret) *Known {
	k := &Known{}
	for _, s := range secrets {
		if s.Rule == User && Spreads(s.Value) || s.Rule != User && (len(s.Value) >= spreadFrom+4 || len(s.Value) >= spreadFrom && !onlyLetters(s.Value)) {
			k.secrets = append(k.secrets, s)
		}
	}
	slices.SortFunc(k.secrets, func(a, b Secret) int {
		return cmp.Or(cmp.Compare(a.Value, b.Value), cmp.Compare(rank(a.Rule), rank(b.Rule)), cmp.Compare(a.Rule, b.Rule))
	})
	k.secrets = slices.CompactFunc(k.secrets, func(a, b Secret) bool { return a.Value == b.Value })
	k.starts = make(map[uint32][]int, len(k.secrets))
	for i, s := range k.secrets {
		key := firstBytes(s.Value, 0)
		k.starts[key] = append(k.starts[key], i)
		k.begins[hashOf(key)] = true
	}
	return k
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
func (k *Known) Empty() bool { return k == nil || len(k.secrets) == 0 }

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
		for _, i := range k.starts[key] {
			s := &k.secrets[i]
			if !strings.HasPrefix(text[at:], s.Value) {
				continue
			}
			if end := at + len(s.Value); s.Rule != User && len(s.Value) >= 2*spreadFrom || bounded(text, at, end) {
				hits = append(hits, Hit{Rule: s.Rule, Start: at, End: end})
			}
		}
	}
	return settle(text, hits)
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
