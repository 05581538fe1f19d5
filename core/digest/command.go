package digest

import (
	"regexp"
	"strings"

	"winnow/core/phrases"
)

// withoutFolder leaves out the change of folder that a command begins with.
func withoutFolder(command string) string {
	command = strings.TrimSpace(command)
	if strings.HasPrefix(command, "cd ") {
		if at := strings.Index(command, "&&"); at > 0 && !strings.ContainsAny(command[:at], "\n;|") {
			return strings.TrimSpace(command[at+2:])
		}
	}
	return command
}

var (
	// longPaths are paths of many folders, cutTails what only shortens the output
	// of a command.
	longPaths = regexp.MustCompile(`(^|[\s"'=(])~?/(?:[\w.@+-]+/){2,}([\w.@+-]+/[\w.@+-]+)`)
	cutTails  = regexp.MustCompile(`\s*(?:2>&1|2>/dev/null)?\s*(?:\|\s*(?:head|tail|cat)(?:\s+-(?:n\s*)?\d+|\s+-\d+)?\s*|2>&1\s*|2>/dev/null\s*)$`)
)

// shortCommand leaves out of a command what only cuts its output, and the
// beginnings of long paths.
func shortCommand(command string) string {
	command = phrases.Clip(command, 4*wordsKept)
	for {
		cut := cutTails.ReplaceAllString(command, "")
		if cut == command || cut == "" {
			break
		}
		command = cut
	}
	return longPaths.ReplaceAllString(command, "$1$2")
}
