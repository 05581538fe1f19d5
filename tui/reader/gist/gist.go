// Package gist makes one line of a text: the first or last that says something, the
// first sentence, a path from the folder one works in.
//
// Lines are clean and never longer than a screen is wide. None takes more time than
// looking at a few kilobytes does.
package gist

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/clean"
	"winnow/core/metric"
)

const (
	// Most is how much of a text, in bytes, a line is made of: more than any screen
	// is wide.
	Most = 512
	// Looked is how much of a text, in bytes, is looked at for the line that stands
	// for it.
	Looked = 4 * Most
)

// Of returns the line that stands for what a tool answered: of a terminal
// the last that says something, else the first.
func Of(name, text string) string {
	if metric.RunsCommands(name) {
		if line := Last(text); line != "" {
			return line
		}
	}
	return First(text)
}

// Last returns the last line of a clean text that says something, "" if there
// is none near its end.
func Last(text string) string {
	text = text[Start(text, max(0, len(text)-2*Looked)):]
	for text != "" {
		i := strings.LastIndexByte(text, '\n')
		if line := strings.TrimSpace(text[i+1:]); says(line) {
			return Line(line)
		}
		text = text[:max(0, i)]
	}
	return ""
}

// hollow is how lines begin that shells and agents print below what was asked for.
var hollow = [...]string{
	"exit code", "[exit code", "exit status", "exit_code", "process exited with code", "shell cwd was reset to", "(open file: ", "(current directory: ", "took ",
}

// says reports whether a line of a terminal tells something: it has words, and is
// neither a prompt nor what is printed after every output.
func says(line string) bool {
	if strings.IndexFunc(line, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) < 0 || isPromptLine(line) {
		return false
	}
	lower := strings.ToLower(Beginning(line, 32))
	for _, words := range hollow {
		if strings.HasPrefix(lower, words) {
			return false
		}
	}
	return true
}

// isPromptLine reports whether a line is a shell waiting for a command: one word,
// with the name of an environment before it at most, and the sign that ends it.
func isPromptLine(line string) bool {
	const longest = 120 // bytes; what is longer is output
	word := strings.TrimRight(line, "$#%>❯λ")
	if word == line || len(line) > longest || strings.HasPrefix(line, "<") {
		return false
	}
	if _, rest, ok := strings.Cut(word, ") "); ok && strings.HasPrefix(word, "(") {
		word = rest
	}
	word = strings.TrimSpace(strings.TrimPrefix(word, "PS "))
	if strings.HasSuffix(line, "%") && !strings.ContainsAny(word, "@~:") {
		return false // a share
	}
	return !strings.ContainsAny(word, " \t")
}

// shortSentence is the length of a sentence, in bytes, that says nothing alone:
// "Perfect!"
const shortSentence = 11

// Sentence returns the first sentence of a clean text: a title, or what ends
// with a stop or an empty line.
func Sentence(text string) string {
	text = Beginning(strings.TrimLeft(text, " \n"), Looked)
	text, _, _ = strings.Cut(text, "\n\n")
	end := len(text)
	for i, c := range text {
		if !strings.ContainsRune(".!?。！？", c) {
			continue
		}
		rest := text[i+len(string(c)):]
		if i < shortSentence && rest != "" {
			continue
		}
		if c > unicode.MaxASCII || rest == "" || rest[0] == '\n' || rest[0] == ' ' && !abbreviated(text[:i]) {
			end = len(text) - len(rest)
			break
		}
	}
	line := Line(text[:end])
	if bold, ok := strings.CutPrefix(line, "**"); ok && strings.HasSuffix(bold, "**") && end == len(text) {
		line = strings.TrimSuffix(bold, "**")
	}
	return line
}

// abbreviated reports whether the stop after a text ends no sentence: that of
// "e.g.", of a number in a list, or of an initial.
func abbreviated(text string) bool {
	word := text[strings.LastIndexAny(text, " \n(")+1:]
	switch strings.ToLower(word) {
	case "vs", "etc", "cf", "approx", "mr", "dr":
		return true
	}
	return len(word) < 2 || strings.Contains(word, ".") && len(word) <= 3 || strings.Trim(word, "0123456789") == ""
}

// Within writes the paths in a line from a folder: those below it without it, and
// itself as a dot.
func Within(line, dir string) string {
	var out strings.Builder
	for from := 0; ; {
		i := strings.Index(line[from:], dir)
		if i < 0 {
			out.WriteString(line[from:])
			return out.String()
		}
		at, end := from+i, from+i+len(dir)
		if at > 0 && inPath(line[at-1]) || end < len(line) && inPath(line[end]) && line[end] != '/' && line[end] != '\\' {
			out.WriteString(line[from:end])
			from = end
			continue
		}
		out.WriteString(line[from:at])
		if end+1 < len(line) && (line[end] == '/' || line[end] == '\\') && inPath(line[end+1]) {
			end++
		} else {
			out.WriteByte('.')
		}
		from = end
	}
}

// inPath reports whether a byte may be part of the name of a file.
func inPath(c byte) bool {
	return c == '/' || c == '.' || c == '-' || c == '_' || c == '~' || c == '@' || c == '+' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '\\'
}

// Line cleans the beginning of an untrusted text for a headline.
func Line(text string) string {
	return strings.Join(strings.Fields(clean.Line(Beginning(text, Most))), " ")
}

// Words returns the first words of a clean text.
func Words(text string) string {
	return Line(strings.TrimLeft(text[:min(len(text), Looked)], " \n"))
}

// First returns the beginning of the first line of a clean text that is
// not empty.
func First(text string) string {
	text = strings.TrimLeft(text, " \n")
	text = text[:min(len(text), Looked)]
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return Line(text)
}

// Opening returns the first words of a text.
func Opening(text string) string { return Line(Beginning(strings.TrimSpace(text), Looked)) }

// Beginning is as much of a text as fits into so many bytes, cut between characters.
func Beginning(text string, most int) string { return text[:Start(text, min(most, len(text)))] }

// Start moves an offset back to the start of the character it lies in.
func Start[T string | []byte](s T, at int) int {
	for i := 0; i < utf8.UTFMax && at > 0 && at < len(s) && !utf8.RuneStart(s[at]); i++ {
		at--
	}
	return at
}
