package reader

import (
	"slices"
	"strings"

	"winnow/tui/reader/markdown"
	"winnow/tui/reader/sheet"
)

// reads are parts of the names of tools that print a file, prints the commands
// that do.
var (
	reads  = [...]string{"read", "view", "open", "cat", "show", "fetch"}
	prints = []string{"cat", "head", "tail", "sed", "nl", "bat"}
)

// printed returns the language of what a call prints, "" if it prints no file.
func printed(name string, f sheet.Fields) string {
	if path := f.Path(); path != "" {
		name = strings.ToLower(name)
		for _, part := range reads {
			if strings.Contains(name, part) {
				return markdown.LanguageOf(path)
			}
		}
		return ""
	}
	words := strings.Fields(f.First("command", "cmd"))
	if len(words) < 2 || !slices.Contains(prints, words[0]) || strings.ContainsAny(strings.Join(words, " "), "|;&<>") {
		return ""
	}
	return markdown.LanguageOf(strings.Trim(words[len(words)-1], `"'`))
}

// written returns the language of the texts among the arguments of a call.
func written(name string, f sheet.Fields) string {
	if path := f.Path(); path != "" {
		return markdown.LanguageOf(path)
	}
	name = strings.ToLower(name)
	switch {
	case f.HasText("command") || f.HasText("cmd") || f.HasText("script"):
		return "bash"
	case !f.HasText("code"):
		return ""
	case strings.Contains(name, "python") || strings.Contains(name, "jupyter") || strings.Contains(name, "notebook"):
		return "python"
	}
	return ""
}
