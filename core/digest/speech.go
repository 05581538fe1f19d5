package digest

import (
	"regexp"
	"strings"
	"time"

	"winnow/core/clean"
)

// speech is a text of a person or an answer: its beginning and its end.
type speech struct {
	n          int
	head, tail []string // lines that are not empty; tail is nil if head is all
	left       int      // lines between
	bytes      int
	at         time.Time
}

const (
	// headKept and tailKept are the bytes kept of a text: more than the lines
	// of any digest hold.
	headKept, tailKept = 6 << 10, 3 << 10
	// wordsKept is the bytes kept of what is told in a line.
	wordsKept = 240
)

// speechOf keeps the beginning and the end of a text.
func speechOf(n int, text string, at time.Time) *speech {
	s := &speech{n: n, bytes: len(text), at: at}
	if len(text) <= headKept+tailKept {
		s.head = lines(text)
		return s
	}
	s.head = lines(strings.ToValidUTF8(text[:headKept], ""))
	end := strings.ToValidUTF8(text[len(text)-tailKept:], "")
	if _, whole, found := strings.Cut(end, "\n"); found && strings.TrimSpace(whole) != "" {
		end = whole // not the middle of a line
	}
	s.tail = lines(end)
	s.left = 1 + strings.Count(text[headKept:len(text)-tailKept], "\n")
	return s
}

// lines returns the lines of a text that say something, clean and without the
// signs of Markdown: empty ones, rules and fences are left out.
func lines(text string) []string {
	var all []string
	code := false
	for line := range strings.Lines(clean.Text(strings.ReplaceAll(text, "\r\n", "\n"))) {
		line = strings.TrimRight(line, " \n")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			code = !code && !strings.HasSuffix(strings.TrimSpace(line)[3:], "```")
			continue
		case strings.Trim(line, " -=_*#~`|:+") == "":
			continue
		case !code:
			line = withoutSigns(line)
		}
		all = append(all, line)
	}
	if len(all) == 0 && strings.TrimSpace(text) != "" {
		all = []string{word(text)}
	}
	return all
}

var (
	heading = regexp.MustCompile(`^#{1,6} +`)
	strong  = regexp.MustCompile(`\*\*([^*\s](?:[^*]*[^*\s])?)\*\*`)
	ticked  = regexp.MustCompile("`([^`]+)`")
)

// withoutSigns drops the signs of headings, of strong text and of code.
func withoutSigns(line string) string {
	line = heading.ReplaceAllString(line, "")
	if strings.Contains(line, "**") {
		line = strong.ReplaceAllString(line, "$1")
	}
	if strings.Contains(line, "`") {
		line = ticked.ReplaceAllString(line, "$1")
	}
	return line
}

// sentence returns the beginning of a text on one line, up to the end of its
// first sentence.
func sentence(text string) string {
	text = word(strings.TrimSpace(withoutSigns(strings.TrimSpace(text))))
	for _, end := range [...]string{". ", "? ", "! ", ": "} {
		if i := strings.Index(text, end); i > 20 {
			text = text[:i+1]
		}
	}
	return text
}

// word cleans the beginning of an untrusted text for a line.
func word(text string) string {
	cut := len(text) > wordsKept
	if cut {
		text = strings.ToValidUTF8(text[:wordsKept], "")
	}
	text = strings.Join(strings.Fields(clean.Line(text)), " ")
	if cut {
		text += "…"
	}
	return strings.Clone(text)
}
