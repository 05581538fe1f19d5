package markdown

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"winnow/themes"
	"winnow/tui/draw"
)

// MostCode is the size of code that is coloured, in bytes: taking it apart
// takes about a millisecond for each KiB.
const MostCode = 32 << 10

// codeInks are the inks of the parts of code.
type codeInks struct{ text, keyword, name, literal, number, comment, added, removed draw.Ink }

// codeInksOf takes the colours of a theme that code has.
func codeInksOf(s themes.Styles) codeInks {
	plain := func(st lipgloss.Style) draw.Ink {
		return draw.InkOf(lipgloss.NewStyle().Foreground(st.GetForeground()))
	}
	return codeInks{
		text: draw.InkOf(s.Text), keyword: plain(s.User), name: plain(s.Code), literal: plain(s.Assistant), number: plain(s.Tool),
		comment: draw.InkOf(s.Thinking), added: plain(s.Approved), removed: plain(s.Rejected),
	}
}

// of returns the ink of a kind of token.
func (k *codeInks) of(t chroma.TokenType) draw.Ink {
	switch {
	case t == chroma.KeywordConstant || t.InSubCategory(chroma.LiteralNumber):
		return k.number
	case t == chroma.GenericDeleted:
		return k.removed
	case t == chroma.GenericInserted:
		return k.added
	case t.InCategory(chroma.Comment):
		return k.comment
	case t.InCategory(chroma.Keyword) || t == chroma.OperatorWord:
		return k.keyword
	case t.InSubCategory(chroma.LiteralString):
		return k.literal
	case t == chroma.NameFunction || t == chroma.NameClass || t == chroma.NameTag || t == chroma.NameDecorator ||
		t == chroma.NameAttribute || t.InSubCategory(chroma.NameBuiltin) || t == chroma.NameBuiltin:
		return k.name
	}
	return k.text
}

// Run is a piece of a line in one ink.
type Run struct {
	Text string
	Ink  draw.Ink
}

// highlight takes code apart into the lines it has; nil if its language is
// not known, or what came of it is not the code.
func (s *Style) highlight(code, language string) (lines [][]Run) {
	if language == "" || len(code) > MostCode {
		return nil
	}
	lexer := lexers.Get(language)
	if lexer == nil {
		return nil
	}
	defer func() {
		// No recorded text may end the program, whatever a lexer makes of it.
		if recover() != nil {
			lines = nil
		}
	}()
	tokens, err := chroma.Coalesce(lexer).Tokenise(&chroma.TokeniseOptions{State: "root", EnsureLF: true}, code)
	if err != nil {
		return nil
	}
	lines = [][]Run{nil}
	var all strings.Builder
	for _, t := range tokens.Tokens() {
		all.WriteString(t.Value)
		for i, part := range strings.Split(t.Value, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if part != "" {
				last := &lines[len(lines)-1]
				*last = append(*last, Run{part, s.code.of(t.Type)})
			}
		}
	}
	if strings.TrimSuffix(all.String(), "\n") != strings.TrimSuffix(code, "\n") {
		return nil
	}
	return lines[:strings.Count(code, "\n")+1]
}

// longestPath and longestName are how many bytes the path and the name of a file
// have whose language is looked for.
const longestPath, longestName = 512, 128

// LanguageOf returns the language of a file by its name, "" if that is not
// known, or is prose.
func LanguageOf(path string) string {
	path = strings.TrimSpace(path)
	if path == "" || len(path) > longestPath || strings.ContainsAny(path, "\n\r") {
		return ""
	}
	name := filepath.Base(filepath.ToSlash(path))
	if len(name) > longestName {
		return "" // hundreds of patterns would be tried on it, for nothing
	}
	lexer := lexers.Match(name)
	if lexer == nil {
		return ""
	}
	switch name := lexer.Config().Name; name {
	case "plaintext", "markdown", "reStructuredText":
		return ""
	default:
		return name
	}
}

// numberedLines is the share of lines that must begin with their numbers for
// these to be taken for such.
const numberedLines = 0.8

// lineNumber is the number of a line as tools print it, with what stands between it and the
// line: several spaces are a tab, expanded.
var lineNumber = regexp.MustCompile(`^ *[0-9]{1,7}(→|│|\||: |:|\t|  +|$)`)

// numbersIn returns where the numbers of lines end, nil if they have none.
func numbersIn(lines []string) []int {
	ends, with := make([]int, len(lines)), 0
	for i, line := range lines {
		if ends[i] = len(lineNumber.FindString(line)); ends[i] > 0 {
			with++
		}
	}
	if float64(with) < numberedLines*float64(len(lines)) {
		return nil
	}
	return ends
}

// Code takes a text of code apart, its line numbers from the code.
func (s *Style) Code(text, language string, number draw.Ink) [][]Run {
	lines := strings.Split(text, "\n")
	ends := numbersIn(lines)
	if ends == nil {
		return s.highlight(text, language)
	}
	code := make([]string, len(lines))
	for i, line := range lines {
		code[i] = line[ends[i]:]
	}
	runs := s.highlight(strings.Join(code, "\n"), language)
	for i := range runs {
		runs[i] = slices.Insert(runs[i], 0, Run{lines[i][:ends[i]], number})
	}
	return runs
}

// Cut draws the bytes from..to of a line.
func Cut(runs []Run, from, to int) string {
	var out strings.Builder
	at := 0
	for _, r := range runs {
		start, end := max(from, at), min(to, at+len(r.Text))
		if start < end {
			out.WriteString(r.Ink.On(r.Text[start-at : end-at]))
		}
		at += len(r.Text)
	}
	return out.String()
}
