package reader

import (
	"strings"
	"unicode"

	"winnow/core/clean"
	"winnow/core/metric"
)

// gistBytes is how much of a text is looked at for the line that stands for it.
const gistBytes = 4 * briefBytes

// gistOf returns the line that stands for what a tool answered: of a terminal
// the last that says something, else the first.
func gistOf(name, text string) string {
	if metric.RunsCommands(name) {
		if line := lastLine(text); line != "" {
			return line
		}
	}
	return firstLine(text)
}

// lastLine returns the last line of a clean text that says something, "" if there
// is none near its end.
func lastLine(text string) string {
	text = text[runeStart(text, max(0, len(text)-2*gistBytes)):]
	for text != "" {
		i := strings.LastIndexByte(text, '\n')
		if line := strings.TrimSpace(text[i+1:]); says(line) {
			return oneLine(line)
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
// neither a prompt nor what is printed behind every output.
func says(line string) bool {
	if strings.IndexFunc(line, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) < 0 || isPromptLine(line) {
		return false
	}
	lower := strings.ToLower(beginning(line, 32))
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

// firstSentence returns the first sentence of a clean text: a title, or what ends
// with a stop or an empty line.
func firstSentence(text string) string {
	text = beginning(strings.TrimLeft(text, " \n"), gistBytes)
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
	line := oneLine(text[:end])
	if bold, ok := strings.CutPrefix(line, "**"); ok && strings.HasSuffix(bold, "**") && end == len(text) {
		line = strings.TrimSuffix(bold, "**")
	}
	return line
}

// abbreviated reports whether the stop behind a text ends no sentence: that of
// "e.g.", of a number in a list, or of an initial.
func abbreviated(text string) bool {
	word := text[strings.LastIndexAny(text, " \n(")+1:]
	switch strings.ToLower(word) {
	case "vs", "etc", "cf", "approx", "mr", "dr":
		return true
	}
	return len(word) < 2 || strings.Contains(word, ".") && len(word) <= 3 || strings.Trim(word, "0123456789") == ""
}

// shorten writes the paths in the headlines of a message from the folder that its
// session worked in. Headlines that show all there is stay as they are.
func (d *document) shorten(dir string) {
	dir = strings.TrimRight(clean.Line(dir), `/\`)
	if len(dir) < 2 {
		return
	}
	for i := range d.blocks {
		b := &d.blocks[i]
		if b.kind == callBlock {
			short := within(b.brief, dir)
			b.whole = b.whole && short == b.brief
			b.brief = short
		}
		if b.kind == resultBlock && !b.whole {
			b.brief = within(b.brief, dir)
		}
	}
}

// within writes the paths in a line from a folder: those below it without it, and
// itself as a dot.
func within(line, dir string) string {
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
