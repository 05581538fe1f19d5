package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/chat"
	"winnow/core/phrases"
	"winnow/core/similar"
)

// ContentKey identifies what a segment holds by all of its digest: 16 hex digits.
// The detail alone does not, as it leaves out what was said. It is what the
// columns named detail hold.
func ContentKey(d chat.Digest) string {
	sum := sha256.Sum256([]byte(d.Fingerprint + "\x00" + d.Detail + "\x00" + d.Edited))
	return hex.EncodeToString(sum[:8])
}

// HashOf tells whether memories of one kind say the same: 16 hex digits over the
// words of content and resolution, without regard to case, white space and signs.
func HashOf(content, resolution string) string {
	sum := sha256.Sum256([]byte(plainWords(content) + "\x00" + plainWords(resolution)))
	return hex.EncodeToString(sum[:16])[:16]
}

// SignatureOf tells whether memories say nearly the same. Similarity compares runs of
// five words, which is most of a sentence: so each word is said five times, and what
// is compared is words and pairs of words.
func SignatureOf(content, resolution string) similar.Signature {
	var s similar.Signer
	for word := range strings.FieldsSeq(plainWords(content) + " " + plainWords(resolution)) {
		from := 0
		for i, r := range word { // of writing without spaces each character is a word
			if phrases.Unspaced(r) {
				say(&s, word[from:i])
				from = i + utf8.RuneLen(r)
				say(&s, word[i:from])
			}
		}
		say(&s, word[from:])
	}
	return s.Signature()
}

func say(s *similar.Signer, word string) {
	if word != "" {
		s.Add(strings.Repeat(word+" ", 5))
	}
}

// Identify sets what follows from the words of a memory: hash and signature.
func (m *Memory) Identify() {
	m.Hash, m.Signature = HashOf(m.Content, m.Resolution), SignatureOf(m.Content, m.Resolution)
}

// plainWords returns the words of a text in lower case with a space between them.
func plainWords(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// Tags that follow from what a memory is of.
const (
	TagTrajectory = "trajectory"
	Private       = "private" // of a segment: nothing is to be learned from it
	tagSegment    = "segment:"
	tagType       = "type:"
	tagTopic      = "topic:"
	tagAgent      = "agent:"
)

const (
	topicMost = 40 // characters of a topic in its tag
	ownMost   = 5  // tags of a model
)

// Tags returns the tags of a memory: those that follow from its sources that are
// live and from what it is of, and then its own, which a model or a curator gave
// it.
func Tags(m *Memory) []string {
	tags := []string{TagTrajectory}
	add := func(tag string) {
		if !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	if m.TaskType != "" {
		add(tagType + m.TaskType)
	}
	for i := range m.Sources {
		if s := &m.Sources[i]; s.Live && s.Segment != "" {
			add(tagSegment + short(s.Segment))
		}
	}
	if topic := []rune(fold(m.Topic)); len(topic) > 0 {
		add(tagTopic + strings.TrimSpace(string(topic[:min(len(topic), topicMost)])))
	}
	if m.Agent != "" {
		add(tagAgent + m.Agent)
	}
	for _, tag := range m.Tags {
		if !Derived(tag) {
			add(tag)
		}
	}
	return tags
}

// Derived reports whether a tag follows from what a memory is of: nobody gives or
// takes it.
func Derived(tag string) bool {
	if tag == TagTrajectory {
		return true
	}
	for _, head := range [...]string{tagSegment, tagType, tagTopic, tagAgent} {
		if strings.HasPrefix(tag, head) {
			return true
		}
	}
	return false
}

// fold makes a text one line, with single spaces.
func fold(text string) string { return strings.Join(strings.Fields(text), " ") }
