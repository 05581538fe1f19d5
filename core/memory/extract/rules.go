package extract

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"winnow/core/chat"
	"winnow/core/memory"
	"winnow/core/metric"
	"winnow/core/phrases"
)

//go:embed words.toml
var wordsFile []byte

// wordLists are the lists of words.toml.
type wordLists struct {
	Courtesies []string
	Language   []struct {
		Name                                        string
		Begins, Anywhere, But, Replaces, Uses, Over []string
	}
}

// lists are read when they are first needed.
var lists = sync.OnceValue(func() (w wordLists) {
	if err := toml.Unmarshal(wordsFile, &w); err != nil {
		panic("core/memory/extract: words.toml: " + err.Error())
	}
	return w
})

const (
	spokenMost   = 1_000 // bytes of a message in which all is somebody's words; of a longer one the first paragraph is
	sentenceMost = 300   // characters
	titleMost    = 100   // characters
)

// rules finds what users say they want always or never.
func rules(e *memory.Evidence) (found []memory.Candidate) {
	asked, begun := false, false
	for i := range e.Said {
		s := &e.Said[i]
		if s.Role == chat.Assistant && s.Text != "" {
			asked, begun = metric.Asks(s.Text), true
		}
		if !s.Person {
			continue
		}
		spoken := firstWords(s.Text)
		corrects := begun && metric.Corrects(spoken, asked)
		asked = false
		for _, sentence := range sentences(spoken) {
			if lasting(sentence) || corrects && replaces(sentence) {
				found = append(found, memory.Candidate{
					Kind: memory.Rule, Title: phrases.Clip(sentence, titleMost), Content: sentence,
					Cites: []memory.Cite{{N: s.N, Quote: sentence}},
				})
			}
		}
	}
	return found
}

// firstWords returns what of a message is somebody's words: what is pasted mostly
// stands after them.
func firstWords(text string) string {
	if len(text) <= spokenMost {
		return text
	}
	first, _, _ := strings.Cut(text, "\n\n")
	return phrases.Clip(first, spokenMost)
}

// sentences cuts a text at line breaks and at signs that end a sentence. Code,
// quoted lines and questions are left out.
func sentences(text string) (list []string) {
	code := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			code = !code
			continue
		}
		if code || line == "" || strings.ContainsRune(">|<{}$#+➜", []rune(line)[0]) {
			continue
		}
		from := 0
		for i, r := range line {
			end := i + utf8.RuneLen(r)
			if !strings.ContainsRune(".!?。！？；", r) || r < utf8.RuneSelf && end < len(line) && line[end] != ' ' {
				continue
			}
			list = appendSentence(list, line[from:end])
			from = end
		}
		list = appendSentence(list, line[from:])
	}
	return list
}

func appendSentence(list []string, s string) []string {
	s = strings.TrimSpace(s)
	if phrases.Asks(s) || utf8.RuneCountInString(s) > sentenceMost || s == "" {
		return list
	}
	return append(list, strings.TrimSpace(strings.TrimLeft(s, "-*• \t")))
}

// lasting reports whether a sentence says what is wanted always or never.
func lasting(sentence string) bool {
	plain := plain(sentence)
	begins := withoutCourtesies(plain)
	found := false
	for _, l := range lists().Language {
		if holds(plain, l.But) {
			return false
		}
		found = found || holds(plain, l.Anywhere) ||
			slices.ContainsFunc(l.Begins, func(p string) bool { return strings.HasPrefix(begins, p) && memory.StandsAt(begins, 0, p) })
	}
	return found
}

// withoutCourtesies cuts off what stands in front of a wish.
func withoutCourtesies(plain string) string {
	const most = 3
	for range most {
		before := plain
		for _, c := range lists().Courtesies {
			if rest, ok := strings.CutPrefix(plain, c); ok && (rest == "" || strings.ContainsAny(rest[:1], " ,.:!-") || phrases.Unspaced([]rune(c)[0])) {
				plain = strings.TrimLeft(rest, " ,.:!-，。、！")
				break
			}
		}
		if plain == before {
			break
		}
	}
	return plain
}

// replaces reports whether a sentence says which of two things is to be used.
func replaces(sentence string) bool {
	plain := plain(sentence)
	for _, l := range lists().Language {
		if holds(plain, l.Replaces) || holds(plain, l.Uses) && holds(plain, l.Over) {
			return true
		}
	}
	return false
}

func holds(plain string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool { return memory.ContainsWords(plain, p) })
}

func plain(sentence string) string { return phrases.Plain(sentence, len(sentence)) }
