package extract

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/chat"
	"winnow/core/memory"
	"winnow/core/metric"
	"winnow/core/phrases"
	"winnow/core/rawjson"
)

const (
	commandMost = 200 // bytes of a command
	complainMin = 12  // bytes of a line that says what is wrong
	complainMax = 200
	triesMost   = 3 // results of the tool after a failure
)

// pitfalls finds commands that failed as they were called and went well when called
// another way, with nothing changed between. A failing test or a compile error is no
// pitfall: what mended it was in the code.
func pitfalls(e *memory.Evidence) (found []memory.Candidate) {
	for i := range e.Said {
		failed := &e.Said[i]
		command, ok := commandOf(e, failed)
		if !ok || !failed.Found.Failed() {
			continue
		}
		line := complaint(failed.Text)
		if line == "" || aboutCode[failed.Found.Evidence] {
			continue
		}
		good := mended(e, failed, command)
		if good == nil {
			continue
		}
		better, _ := commandOf(e, good)
		c := memory.Candidate{
			Kind: memory.Pitfall, Title: phrases.Clip(program(command)+": "+line, titleMost),
			Content: "`" + command + "`: " + line, Resolution: "`" + better + "`",
			Cites: []memory.Cite{{N: failed.N, Quote: line}, {N: good.Answers, Quote: better}},
		}
		if said := firstLine(good.Text); said != "" {
			c.Cites = append(c.Cites, memory.Cite{N: good.N, Quote: said})
		}
		found = append(found, c)
	}
	return found
}

// aboutCode is evidence of failures that are mended in the code, or that say nothing
// of how something is called.
var aboutCode = map[string]bool{
	"tests failed": true, "compile error": true, "lint errors": true, "traceback": true, "crashed": true, "conflict": true,
	"refused": true, "blocked by a hook": true, "timed out": true, "interrupted": true, "task failed": true, "npm failed": true,
}

// complains finds what programs say of how they were called.
var complains = regexp.MustCompile(`(?i)command not found|not recognized|unknown (option|flag|command|argument|subcommand|shorthand)|unrecognized|(invalid|illegal|unexpected|bad) (option|flag|argument|choice)|no such (option|command)|unsupported|not supported|` +
	`requires (a|an|at least|the)|required (flag|argument|option)|missing (required|argument|operand|option)|did you mean|must be (run|called|specified|set)|use '?--?\w|deprecated|not a (git repository|valid)|no module named|cannot find module|missing script|permission denied|is not (installed|enabled|set)|could not find|no configuration|unable to locate`)

// complaint is the line of a result that says how the call was wrong, "" without one.
func complaint(text string) string {
	for line := range strings.Lines(text) {
		line = strings.Join(strings.Fields(line), " ")
		if len(line) >= complainMin && len(line) <= complainMax && complains.MatchString(line) {
			return line
		}
	}
	return ""
}

// commandOf is the command that a result answers, on one line and without what only
// changes the folder before it or cuts its output after it.
func commandOf(e *memory.Evidence, s *memory.Said) (string, bool) {
	if s.Role != chat.Tool || s.Answers == 0 || !metric.RunsCommands(s.Tool) {
		return "", false
	}
	arguments := e.Said[s.Answers-1].Calls[s.Call].Arguments
	if !rawjson.Valid(arguments) {
		return "", false
	}
	command := ""
	for _, name := range [...]string{"command", "cmd", "script"} {
		if v := rawjson.Get(arguments, name); rawjson.IsText(v) {
			command = strings.TrimSpace(rawjson.Unquote(v))
			break
		}
	}
	if command = bare(command); command == "" || len(command) > commandMost || strings.Contains(command, "\n") {
		return "", false
	}
	return command, true
}

var (
	leads  = regexp.MustCompile(`^(?:cd\s+\S+\s*(?:&&|;)\s*)+`)
	trails = regexp.MustCompile(`(?:\s*(?:2>&1|2>/dev/null|\|\s*(?:head|tail|less|cat|wc)(?:\s+-?\w+)*))+$`)
)

func bare(command string) string {
	return strings.TrimSpace(trails.ReplaceAllString(leads.ReplaceAllString(command, ""), ""))
}

// mended is the first success of the same tool, soon after a failure was known, with
// a command that is the failed one called another way; nil without one, or if files
// were changed or a user spoke in between.
func mended(e *memory.Evidence, failed *memory.Said, command string) *memory.Said {
	tries := 0
	for i := failed.N; i < len(e.Said) && tries < triesMost; i++ {
		s := &e.Said[i]
		if s.Role == chat.User || changes(s) {
			return nil
		}
		if s.Role != chat.Tool || s.Tool != failed.Tool || s.Answers < failed.N {
			continue
		}
		tries++
		other, ok := commandOf(e, s)
		if ok && s.OK() && anotherWay(command, other) {
			return s
		}
	}
	return nil
}

// changers are parts of names of tools that change files.
var changers = [...]string{"edit", "write", "patch", "replace", "create", "insert"}

func changes(s *memory.Said) bool {
	for i := range s.Calls {
		name := strings.ToLower(s.Calls[i].Name)
		if slices.ContainsFunc(changers[:], func(part string) bool { return strings.Contains(name, part) }) {
			return true
		}
	}
	return false
}

// anotherWay reports whether two commands are for the same, called differently: most
// words of the first are in the second, and what runs is among them.
func anotherWay(failed, better string) bool {
	const most = 0.5
	if failed == better || strings.Contains(better, "/tmp/") || strings.Contains(better, "<REDACTED") {
		return false
	}
	was, now := strings.Fields(failed), strings.Fields(better)
	if !slices.Contains(now, program(failed)) && !slices.ContainsFunc(now, func(w string) bool { return strings.HasSuffix(w, "/"+program(failed)) }) {
		return false
	}
	shared := 0
	for _, w := range was {
		if slices.Contains(now, w) {
			shared++
		}
	}
	return float64(shared) >= most*float64(len(was)) && (shared < len(was) || len(now) > len(was))
}

// program is what a command runs.
func program(command string) string {
	for word := range strings.FieldsSeq(command) {
		if !strings.Contains(word, "=") && word != "sudo" && word != "time" && word != "env" {
			return word
		}
	}
	return ""
}

// firstLine is the first line of a result that says something, "" without one.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); utf8.RuneCountInString(line) >= complainMin && len(line) <= complainMax {
			return line
		}
	}
	return ""
}
