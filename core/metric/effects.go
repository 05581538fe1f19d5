package metric

import (
	"slices"
	"strings"
)

// effects says what a successful call does to the world that later calls see.
// It is a guess by names: only which repeated call counts as needless hangs on
// it, and in doubt none does.
type effects uint8

const (
	mayChange effects = iota
	readsOnly
	waits // time passes, and others may change something
)

// Words in names of tools. A tool that reads and changes something changes it.
var (
	readWords = []string{
		"get", "read", "list", "ls", "find", "search", "grep", "glob", "view", "show", "cat", "fetch", "lookup", "look", "describe",
		"inspect", "check", "status", "count", "calculate", "calculator", "think", "thought", "explain", "stat", "retrieve", "query", "info", "whoami",
		"websearch", "webfetch", "webfetchtool", "todoread", "outline", "diff", "recall", "compare", "estimate", "translate", "weather", "help",
	}
	changeWords = []string{
		"write", "edit", "create", "delete", "remove", "update", "set", "add", "insert", "replace", "apply", "patch", "send", "post", "put", "move", "rename",
		"run", "exec", "execute", "book", "cancel", "modify", "return", "exchange", "transfer", "submit", "save", "commit", "push", "install", "click", "type", "press", "navigate", "open", "goto", "scroll", "task", "agent", "todowrite", "multiedit", "next",
	}
	waitWords = []string{"sleep", "wait", "await", "poll"}
)

// nameEffects guesses from the name of a tool.
func nameEffects(name string) effects {
	reads, changes, waiting := false, false, false
	nameWords(name, func(word string) bool {
		reads = reads || slices.Contains(readWords, word)
		changes = changes || slices.Contains(changeWords, word)
		waiting = waiting || slices.Contains(waitWords, word)
		return true
	})
	switch {
	case waiting:
		return waits
	case reads && !changes:
		return readsOnly
	}
	return mayChange
}

// shells are words in names of tools that run a command.
var shells = []string{"bash", "shell", "terminal", "exec", "command", "powershell", "cmd", "sh", "zsh", "console"}

// RunsCommands reports whether a tool runs the command in its arguments.
func RunsCommands(name string) bool {
	runs := false
	nameWords(name, func(word string) bool {
		runs = slices.Contains(shells, word)
		return !runs
	})
	return runs
}

// isCommand reports whether a member of the arguments, with its quotes, holds
// the command.
func isCommand(member string) bool {
	return member == `"command"` || member == `"cmd"` || member == `"script"` || member == `"commands"`
}

// Commands that only read. A redirection changes something nevertheless.
var (
	readCommands = []string{
		"ls", "cat", "head", "tail", "grep", "egrep", "rg", "ag", "find", "fd", "pwd", "wc", "stat", "file", "which", "type", "whoami", "id", "date", "env", "printenv",
		"tree", "du", "df", "ps", "diff", "cmp", "sort", "uniq", "cut", "awk", "nl", "less", "more", "hexdump", "xxd", "strings", "md5sum", "sha256sum", "basename", "dirname",
		"realpath", "readlink", "uname", "hostname", "cd", "echo", "printf", "true", "test", "jq", "bat", "column", "dir", "where", "get-content", "get-childitem", "select-string",
	}
	readGit = []string{"status", "log", "diff", "show", "branch", "blame", "rev-parse", "ls-files", "remote", "describe", "grep", "--no-pager"}
	// launchers stand in front of the command that counts.
	launchers = []string{"sudo", "time", "bash", "sh", "zsh", "-c", "-lc", "/bin/bash", "/bin/sh", "env", "command", "timeout"}
)

// commandMost is how much of a command is looked at, in bytes. A longer one may
// change something.
const commandMost = 1 << 10

// harmless are redirections that change nothing.
var harmless = []string{"2>&1", "2>/dev/null", "2> /dev/null", ">/dev/null", "> /dev/null", "&>/dev/null"}

// commandEffects guesses from a command, as the JSON of a string or of a list
// of strings.
func commandEffects(json string) effects {
	if len(json) > commandMost {
		return mayChange
	}
	if strings.Contains(json, ">") {
		for _, text := range harmless {
			json = strings.ReplaceAll(json, text, " ")
		}
	}
	if strings.ContainsAny(json, ">`") || strings.Contains(json, "$(") {
		return mayChange
	}
	if strings.Contains(json, `\`) {
		json = strings.ReplaceAll(strings.ReplaceAll(json, `\n`, ";"), `\t`, " ")
	}
	e := readsOnly
	for json != "" {
		part := json
		if i := strings.IndexAny(json, ";|&"); i >= 0 {
			part, json = json[:i], json[i+1:]
		} else {
			json = ""
		}
		switch partEffects(part) {
		case waits:
			return waits
		case mayChange:
			e = mayChange
		}
	}
	return e
}

// partEffects guesses from one command and its arguments.
func partEffects(command string) effects {
	words := strings.FieldsFunc(command, func(r rune) bool { return r <= ' ' || strings.ContainsRune(`[]"',`, r) })
	for len(words) > 0 && (slices.Contains(launchers, words[0]) || strings.Contains(words[0], "=")) {
		words = words[1:]
	}
	if len(words) == 0 {
		return readsOnly
	}
	name := strings.ToLower(strings.TrimSuffix(words[0], `\`))
	switch {
	case name == "sleep" || name == "wait" || name == "start-sleep":
		return waits
	case name == "git" && len(words) > 1 && slices.Contains(readGit, words[1]):
		return readsOnly
	case name == "find" && (slices.Contains(words, "-delete") || slices.Contains(words, "-exec")):
		return mayChange
	case name == "sed" && slices.Contains(words, "-n"):
		return readsOnly
	case slices.Contains(readCommands, name):
		return readsOnly
	}
	return mayChange
}
