package reader

import (
	"path/filepath"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"winnow/themes"
	"winnow/tui/draw"
)

// codeMost is the size of code that is coloured, in bytes: taking it apart
// takes about a millisecond for each KiB.
const codeMost = 32 << 10

// codeInks are the inks of the parts of code.
type codeInks struct{ text, keyword, name, literal, number, comment, added, removed draw.Ink }

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

// inked is a piece of a line in one ink.
type inked struct {
	text string
	ink  draw.Ink
}

// highlightCode takes code apart into the lines it has; nil if its language is
// not known, or what came of it is not the code.
func highlightCode(code, language string, k *codeInks) (lines [][]inked) {
	if language == "" || len(code) > codeMost {
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
	lines = [][]inked{nil}
	var all strings.Builder
	for _, t := range tokens.Tokens() {
		all.WriteString(t.Value)
		for i, part := range strings.Split(t.Value, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if part != "" {
				last := &lines[len(lines)-1]
				*last = append(*last, inked{part, k.of(t.Type)})
			}
		}
	}
	if strings.TrimSuffix(all.String(), "\n") != strings.TrimSuffix(code, "\n") {
		return nil
	}
	return lines[:strings.Count(code, "\n")+1]
}

// longestName is how many bytes the name of a file has whose language is looked
// for.
const longestName = 128

// languageOf returns the language of a file by its name, "" if that is not
// known, or is prose.
func languageOf(path string) string {
	path = strings.TrimSpace(path)
	if path == "" || len(path) > briefBytes || strings.ContainsAny(path, "\n\r") {
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

// reads are parts of the names of tools that print a file, prints the commands
// that do.
var (
	reads  = [...]string{"read", "view", "open", "cat", "show", "fetch"}
	prints = []string{"cat", "head", "tail", "sed", "nl", "bat"}
)

// printed returns the language of what a call prints, "" if it prints no file.
func printed(name string, f fields) string {
	if path := f.first(paths[:]...); path != "" {
		name = strings.ToLower(name)
		for _, part := range reads {
			if strings.Contains(name, part) {
				return languageOf(path)
			}
		}
		return ""
	}
	words := strings.Fields(f.first("command", "cmd"))
	if len(words) < 2 || !slices.Contains(prints, words[0]) || strings.ContainsAny(strings.Join(words, " "), "|;&<>") {
		return ""
	}
	return languageOf(strings.Trim(words[len(words)-1], `"'`))
}

// written returns the language of the texts among the arguments of a call.
func written(name string, f fields) string {
	if path := f.first(paths[:]...); path != "" {
		return languageOf(path)
	}
	name = strings.ToLower(name)
	switch {
	case f.text("command") >= 0 || f.text("cmd") >= 0 || f.text("script") >= 0:
		return "bash"
	case f.text("code") < 0:
		return ""
	case strings.Contains(name, "python") || strings.Contains(name, "jupyter") || strings.Contains(name, "notebook"):
		return "python"
	}
	return ""
}

// numberedLines is the share of lines that must begin with their numbers for
// these to be taken for such.
const numberedLines = 0.8

// numberEnd returns the end of the number of a line as tools print it, with
// what stands between it and the line; 0 without one.
func numberEnd(line string) int {
	i := 0
	for i < len(line) && line[i] == ' ' {
		i++
	}
	digits := i
	for i < len(line) && line[i] >= '0' && line[i] <= '9' {
		i++
	}
	if i == digits || i-digits > 7 {
		return 0
	}
	rest := line[i:]
	for _, sign := range [...]string{"→", "│", "|", ": ", ":", "\t"} {
		if strings.HasPrefix(rest, sign) {
			return i + len(sign)
		}
	}
	if n := len(rest) - len(strings.TrimLeft(rest, " ")); n > 1 { // a tab, expanded
		return i + n
	}
	if rest == "" {
		return i
	}
	return 0
}

// numbersIn returns where the numbers of lines end, nil if they have none.
func numbersIn(lines []string) []int {
	ends, with := make([]int, len(lines)), 0
	for i, line := range lines {
		if ends[i] = numberEnd(line); ends[i] > 0 {
			with++
		}
	}
	if float64(with) < numberedLines*float64(len(lines)) {
		return nil
	}
	return ends
}

// inkCode takes a text of code apart, its line numbers from the code.
func inkCode(text, language string, k *codeInks, number draw.Ink) [][]inked {
	lines := strings.Split(text, "\n")
	ends := numbersIn(lines)
	if ends == nil {
		return highlightCode(text, language, k)
	}
	code := make([]string, len(lines))
	for i, line := range lines {
		code[i] = line[ends[i]:]
	}
	inked := highlightCode(strings.Join(code, "\n"), language, k)
	for i := range inked {
		inked[i] = slices.Insert(inked[i], 0, runOf(lines[i][:ends[i]], number))
	}
	return inked
}

func runOf(text string, k draw.Ink) inked { return inked{text, k} }
