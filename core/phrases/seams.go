// Package phrases knows what people and assistants write at the seams of a
// conversation: greetings, thanks, requests, a change of subject, in many
// languages. It finds these phrases, and those of any other list, in texts that
// are made plain. It imports nothing of the project.
package phrases

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
)

// Sense is what a phrase tells about the message it stands in.
type Sense uint8

// The senses.
const (
	Greeting Sense = iota // opens a conversation
	Thanks                // thanks; alone or with a farewell it closes a task
	Closing               // says that nothing more is wanted, or goodbye
	Offer                 // an assistant that is done offers further help
	Welcome               // an assistant asks what is wanted: neither done nor asking for details
	Farewell              // an assistant answers thanks or says goodbye
	Ack                   // answers what was asked or shown
	Go                    // only lets the work go on
	Also                  // adds to what was said before, near the beginning
	Link                  // ties a message to what was said before
	Ask                   // asks for something; a single word only at the beginning of a sentence
	Shift                 // announces something else
	Pointer               // points at something said before
	senses
)

// senseNames are the names of the senses in seams.toml.
var senseNames = [senses]string{"greeting", "thanks", "closing", "offer", "welcome", "farewell", "ack", "go", "also", "link", "ask", "shift", "pointer"}

//go:embed seams.toml
var seamsFile []byte

// language is what is written in one language.
type language struct {
	Name     string
	VerbLast bool                `toml:"verb_last"` // requests stand at the end of a sentence
	Phrases  map[string][]string // by the name of the sense
}

// readSeams reads the languages of seams.toml, which is part of the program.
func readSeams() []language {
	var file struct{ Language []language }
	if err := toml.Unmarshal(seamsFile, &file); err != nil {
		panic("core/phrases: seams.toml: " + err.Error())
	}
	return file.Language
}

// Lexicon finds the phrases of all languages. It may be used by several
// goroutines.
type Lexicon struct{ index *Index[seam] }

// seam says where a phrase counts.
type seam struct {
	sense  Sense
	spaced bool // ends at the end of a word
	leads  bool // only at the beginning of a sentence
	signed bool // only before a sign or the end
}

// Seams returns the Lexicon, which is made when it is first asked for.
var Seams = sync.OnceValue(func() *Lexicon {
	var entries []Entry[seam]
	for _, lang := range readSeams() {
		for sense, name := range senseNames {
			s := Sense(sense)
			for _, entry := range lang.Phrases[name] {
				text, signed := strings.CutSuffix(entry, "|")
				entries = append(entries, Entry[seam]{text, seam{s, ending(text, s), !lang.VerbLast && leading(text, s), signed}})
			}
		}
	}
	return &Lexicon{NewIndex(entries)}
})

// All returns the texts of all phrases, in no order.
func (l *Lexicon) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, list := range []map[uint32][]Entry[seam]{l.index.long, l.index.short} {
			for _, entries := range list {
				for i := range entries {
					if !yield(entries[i].Text) {
						return
					}
				}
			}
		}
	}
}

// ending reports whether a phrase only counts at the end of a word: in scripts
// with spaces between words, and where a single character may begin a longer
// word.
func ending(text string, s Sense) bool {
	r, size := utf8.DecodeRuneInString(text)
	if !Unspaced(r) {
		return true
	}
	return size == len(text) && s != Pointer && s != Ask && s != Also
}

// leading reports whether a phrase only counts where a sentence begins: a
// request of one word is mostly a verb, which elsewhere may be anything.
func leading(text string, s Sense) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return !Unspaced(r) && (s == Shift || s == Ask && !strings.Contains(text, " "))
}

// Found says where the phrases of each sense stand in a text.
type Found struct {
	count [senses]int
	first [senses]int // byte offsets; only if count is not 0
}

// Has reports whether a phrase of the sense stands in the text.
func (f *Found) Has(s Sense) bool { return f.count[s] > 0 }

// Leads reports whether the text begins with one.
func (f *Found) Leads(s Sense) bool { return f.HasWithin(s, 1) }

// HasWithin reports whether one begins within the first bytes of the text.
func (f *Found) HasWithin(s Sense, bytes int) bool { return f.count[s] > 0 && f.first[s] < bytes }

// Find looks for phrases in a plain text, see Plain.
func (l *Lexicon) Find(text string) (f Found) {
	begins, sentence := true, true
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if letterOrDigit(r) {
			if begins || Unspaced(r) {
				l.at(text[i:], func(p *Entry[seam]) {
					if p.Means.leads && !sentence {
						return
					}
					if f.count[p.Means.sense] == 0 {
						f.first[p.Means.sense] = i
					}
					f.count[p.Means.sense]++
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

// at calls f for the phrases that a text begins with and that may end there,
// longest first.
func (l *Lexicon) at(text string, f func(*Entry[seam])) {
	l.index.Each(text, func(p *Entry[seam]) bool {
		after := text[len(p.Text):]
		if (!p.Means.spaced || endsWord(after)) && !(p.Means.signed && strings.HasPrefix(after, " ")) {
			f(p)
		}
		return true
	})
}

func endsWord(after string) bool {
	r, _ := utf8.DecodeRuneInString(after)
	return after == "" || !letterOrDigit(r)
}

// Only reports whether a plain text is nothing but phrases of the senses, such
// as "yes, please go on".
func (l *Lexicon) Only(text string, senses ...Sense) bool {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !letterOrDigit(r) {
			i += size
			continue
		}
		longest := 0
		l.at(text[i:], func(p *Entry[seam]) {
			if longest == 0 && slices.Contains(senses, p.Means.sense) {
				longest = len(p.Text)
			}
		})
		if longest == 0 {
			return false
		}
		i += longest
	}
	return true
}

// WithoutOpening returns text without what stands in front of a request: a
// greeting, "Perfect.", "New task:". It is all of it if nothing else is there.
func (l *Lexicon) WithoutOpening(text string) string {
	text = strings.TrimSpace(text)
	for range openings {
		rest := l.withoutPhrase(text)
		if rest == "" {
			break
		}
		text = rest
	}
	return text
}

// openings is how many of them follow each other: "Hi! Thanks. One more thing:".
const openings = 3

// withoutPhrase returns what stands after the opening phrase of text, "" if
// there is none.
func (l *Lexicon) withoutPhrase(text string) string {
	low := strings.ToLower(Clip(text, 64))
	if len(low) != len(Clip(text, 64)) {
		return ""
	}
	n := 0
	l.at(low, func(p *Entry[seam]) {
		after := low[len(p.Text):]
		switch sense := p.Means.sense; {
		case sense == Greeting,
			(sense == Ack || sense == Thanks) && (strings.HasPrefix(after, ".") || strings.HasPrefix(after, "!")), // "perfect squares" are none
			sense == Shift && strings.HasPrefix(after, ":"):
			n = max(n, len(p.Text))
		}
	})
	if n == 0 {
		return ""
	}
	return strings.TrimLeftFunc(text[n:], func(r rune) bool { return !letterOrDigit(r) && !strings.ContainsRune("/@#\"'`<([{", r) })
}
