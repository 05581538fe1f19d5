package segment

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// phrases finds the lexicon's phrases in a text.
type phrases struct {
	long  map[[4]byte][]phrase // by their first four bytes, longest first
	short map[[2]byte][]phrase // those of two or three bytes
	heads heads                // what either begins with
	stop  map[uint32]struct{}  // their words, which say nothing about a subject
}

type phrase struct {
	text   string
	sense  sense
	spaced bool // ends at the end of a word
	leads  bool // only at the beginning of a sentence
	signed bool // only before a sign or the end
}

func newPhrases() *phrases {
	p := &phrases{long: map[[4]byte][]phrase{}, short: map[[2]byte][]phrase{}, stop: map[uint32]struct{}{}}
	var r wordReader
	for _, row := range lexicon {
		for s, list := range row.phrases {
			for _, entry := range list {
				text, signed := strings.CutSuffix(entry, "|")
				for _, w := range r.read(text) {
					p.stop[w.id] = struct{}{}
				}
				p.add(phrase{text, sense(s), ending(text, sense(s)), !row.verbLast && leading(text, sense(s)), signed})
			}
		}
	}
	for _, list := range p.long {
		slices.SortStableFunc(list, longer)
	}
	for _, list := range p.short {
		slices.SortStableFunc(list, longer)
	}
	return p
}

func longer(a, b phrase) int { return len(b.text) - len(a.text) }

func (p *phrases) add(ph phrase) {
	if len(ph.text) < 4 {
		head := [2]byte([]byte(ph.text[:2]))
		p.short[head] = append(p.short[head], ph)
		p.heads.add(head2(ph.text))
		return
	}
	head := [4]byte([]byte(ph.text[:4]))
	p.long[head] = append(p.long[head], ph)
	p.heads.add(head4(ph.text))
}

// heads tells quickly that no phrase begins as a text does, as is mostly so: a
// bit for each beginning, that few others share.
type heads [1 << 15 / 64]uint64

func (h *heads) add(head uint32) {
	bit := head * 0x9E3779B1 >> 17
	h[bit/64] |= 1 << (bit % 64)
}

func (h *heads) has(head uint32) bool {
	bit := head * 0x9E3779B1 >> 17
	return h[bit/64]&(1<<(bit%64)) != 0
}

func head2(s string) uint32 { return uint32(s[0]) | uint32(s[1])<<8 }
func head4(s string) uint32 { return head2(s) | uint32(s[2])<<16 | uint32(s[3])<<24 }

// ending reports whether a phrase only counts at the end of a word: in scripts
// with spaces between words, and where a single character may begin a longer
// word.
func ending(text string, s sense) bool {
	r, size := utf8.DecodeRuneInString(text)
	if !unspaced(r) {
		return true
	}
	return size == len(text) && s != sensePointer && s != senseAsk && s != senseAlso
}

// leading reports whether a phrase only counts where a sentence begins: a
// request of one word is mostly a verb, which elsewhere may be anything.
func leading(text string, s sense) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return !unspaced(r) && (s == senseShift || s == senseAsk && !strings.Contains(text, " "))
}

// unspaced reports whether words of r's script are found anywhere in a text:
// Chinese, Japanese, Thai, and Korean, which glues endings to words.
func unspaced(r rune) bool {
	return dense(r) || r >= 0xAC00 && r <= 0xD7A3 || r >= 0x0E00 && r <= 0x0E7F
}

// found says where the phrases of each sense stand in a text.
type found struct {
	count [senses]int
	first [senses]int // byte offsets; only if count is not 0
}

func (f *found) has(s sense) bool   { return f.count[s] > 0 }
func (f *found) leads(s sense) bool { return f.count[s] > 0 && f.first[s] == 0 }

// find looks for phrases in a plain text, see plain.
func (p *phrases) find(text string) found {
	var f found
	begins, sentence := true, true
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if letterOrDigit(r) {
			if begins || unspaced(r) {
				p.at(text, i, func(ph *phrase) {
					if ph.leads && !sentence {
						return
					}
					if f.count[ph.sense] == 0 {
						f.first[ph.sense] = i
					}
					f.count[ph.sense]++
				})
			}
			begins, sentence = false, false
		} else {
			begins = true
			sentence = sentence || r != ' ' && strings.ContainsRune(".!?:;¿¡।…", r)
		}
		i += size
	}
	return f
}

// at calls f for the phrases that stand at text[i:], longest first.
func (p *phrases) at(text string, i int, f func(*phrase)) {
	rest := text[i:]
	if len(rest) < 2 {
		return
	}
	if len(rest) >= 4 && p.heads.has(head4(rest)) {
		list := p.long[[4]byte{rest[0], rest[1], rest[2], rest[3]}]
		for i := range list {
			if list[i].stands(rest) {
				f(&list[i])
			}
		}
	}
	if !p.heads.has(head2(rest)) {
		return
	}
	list := p.short[[2]byte{rest[0], rest[1]}]
	for i := range list {
		if list[i].stands(rest) {
			f(&list[i])
		}
	}
}

// stands reports whether rest begins with the phrase.
func (ph *phrase) stands(rest string) bool {
	if !strings.HasPrefix(rest, ph.text) {
		return false
	}
	after := rest[len(ph.text):]
	return (!ph.spaced || endsWord(after)) && !(ph.signed && strings.HasPrefix(after, " "))
}

func endsWord(after string) bool {
	if after == "" {
		return true
	}
	r, _ := utf8.DecodeRuneInString(after)
	return !letterOrDigit(r)
}

// only reports whether a plain text is nothing but phrases of the senses, such
// as "yes, please go on".
func (p *phrases) only(text string, senses ...sense) bool {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !letterOrDigit(r) {
			i += size
			continue
		}
		longest := 0
		p.at(text, i, func(ph *phrase) {
			if longest == 0 && slices.Contains(senses, ph.sense) {
				longest = len(ph.text)
			}
		})
		if longest == 0 {
			return false
		}
		i += longest
	}
	return true
}

// withoutOpening returns text without what stands in front of a request: a
// greeting, "Perfect.", "New task:". It is all of it if nothing else is there.
func (p *phrases) withoutOpening(text string) string {
	text = strings.TrimSpace(text)
	for range openings {
		rest := p.withoutPhrase(text)
		if rest == "" {
			break
		}
		text = rest
	}
	return text
}

// openings is how many of them follow each other: "Hi! Thanks. One more thing:".
const openings = 3

// withoutPhrase returns what stands behind the opening phrase of text, "" if
// there is none.
func (p *phrases) withoutPhrase(text string) string {
	low := strings.ToLower(clip(text, 64))
	if len(low) < 2 || len(low) != len(clip(text, 64)) {
		return ""
	}
	n := 0
	p.at(low, 0, func(ph *phrase) {
		behind := low[min(len(ph.text), len(low)):]
		switch ph.sense {
		case senseGreeting:
			n = max(n, len(ph.text))
		case senseAck, senseThanks: // "perfect squares" are none
			if strings.HasPrefix(behind, ".") || strings.HasPrefix(behind, "!") {
				n = max(n, len(ph.text))
			}
		case senseShift:
			if strings.HasPrefix(behind, ":") {
				n = max(n, len(ph.text))
			}
		}
	})
	if n == 0 {
		return ""
	}
	return strings.TrimLeftFunc(text[n:], func(r rune) bool { return !letterOrDigit(r) && !strings.ContainsRune("/@#\"'`<([{", r) })
}

func letterOrDigit(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// plain brings the beginning of a text into the form that phrases have: lower
// case, straight apostrophes, white space folded, nothing in front of the
// first letter or digit.
func plain(s string, most int) string {
	if len(s) > most {
		s = clip(s, most)
	}
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		if 'a' <= r && r <= 'z' {
			if space {
				b.WriteByte(' ')
				space = false
			}
			b.WriteByte(byte(r))
			continue
		}
		switch {
		case r == '’' || r == '‘' || r == '`':
			r = '\''
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case r == utf8.RuneError || b.Len() == 0 && !letterOrDigit(r):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(foldRune(r))
	}
	return b.String()
}

// clip cuts s to at most n bytes, at a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// clipLeft keeps at most the last n bytes of s, from a character on.
func clipLeft(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := len(s) - n
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return s[i:]
}
