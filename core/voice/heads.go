package voice

import (
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/phrases"
)

// machineHeads begin what recorders, hooks and harnesses write as the user.
var machineHeads = [...]string{
	"<local-command-", "<command-message>", "<command-args>", "<command-contents>", "<system-reminder>", "<bash-input>", "<bash-stdout>", "<bash-stderr>",
	"<user-prompt-submit-hook>", "<task-notification>", "<environment_context>", "<environment_details>", "<user_instructions>", "<INSTRUCTIONS>", "<turn_aborted>",
	"<session-start-hook>", "<user-memory-input>", "<ide_opened_file>", "<ide_selection>", "<new-diagnostics>", "<permissions", "<collaboration_mode>",
	"Caveat: The messages below were generated", "Base directory for this skill:", "# AGENTS.md instructions", "Stop hook feedback", "PreToolUse:", "PostToolUse:", "UserPromptSubmit hook",
	"Ran `", "API Error:", "[image]\n[image: source", "[Image: source:", "Your tool call was malformed", "Exit code ", "[hook",
}

// resultHeads begin tool results that stand in a user's message.
var resultHeads = [...]string{
	"observation:", "<observation", "tool result", "[tool result", "<tool_result", "<tool_response", "<function_result", "<tool-result", "<result>", "tool output", "command output", "execution result", "execution output",
	"[file:", "your command ran successfully", "traceback (most recent call last)", "stdout:", "<stdout", "<returncode>", "<output>", "exit code:", "[tool use", "[the command", "new terminal output", "current terminal state", "terminal output",
}

var interruptHeads = [...]string{"[request interrupted by user", "[request cancelled", "[user interrupted", "[interrupted by user", "[aborted by user", "<turn_aborted"}

// resets begin another conversation in the same session.
var resets = [...]string{"/clear", "/new", "/reset"}

// headMost is in how many bytes of a text a head is looked for.
const headMost = 256

// Of tells who speaks in a user's message, as far as the message itself says,
// and the text in it that somebody may have written.
func Of(m *chat.Message) (Voice, string) {
	beside, sums := m.BesideSummary()
	if sums && beside == "" {
		return Compaction, ""
	}
	text := strings.TrimSpace(beside)
	low := strings.ToLower(phrases.Clip(text, headMost))
	switch v := byHead(text, low); {
	case v == Result, v == Person && strings.HasPrefix(low, "[") && strings.Contains(low, "] result:"):
		return Result, text
	case v != Person:
		return v, ""
	}
	said, wrapped := unwrap(text)
	switch {
	case said == "" && !wrapped:
		return Person, ""
	case byMachine(said):
		return Machine, ""
	}
	if name, rest, ok := slashCommand(said); ok {
		switch {
		case isReset(name):
			return Reset, rest
		case rest == "":
			return Machine, ""
		}
	}
	return Person, said
}

// Written returns what somebody wrote in a user's message. written is false if
// a recorder, a hook or an interruption stands in the user's place; all of the
// text is returned then, and nothing of a summary.
func Written(m *chat.Message) (said string, written bool) {
	beside, sums := m.BesideSummary()
	text := strings.TrimSpace(beside)
	said, _ = unwrap(text)
	if sums && beside == "" || byHead(text, strings.ToLower(phrases.Clip(text, headMost))) != Person || byMachine(said) {
		return text, false
	}
	return said, true
}

// Injected reports whether a text is only what a recorder, a hook or a harness
// put in: elements of theirs, or one that begins as theirs do.
func Injected(text string) bool {
	rest, _ := unwrap(strings.TrimSpace(text))
	return byMachine(rest)
}

// byMachine reports whether what is left of a text without a machine's elements
// is nothing, or a machine's as well.
func byMachine(rest string) bool { return rest == "" || startsWithAny(rest, machineHeads[:]) }

// byHead tells who speaks by the beginning of a text, low in lower case: Person
// if it does not say.
func byHead(text, low string) Voice {
	switch {
	case startsWithAny(low, interruptHeads[:]):
		return Interrupt
	case strings.HasPrefix(text, "<command-name>"):
		if isReset(commandName(text)) {
			return Reset
		}
		return Machine
	case startsWithAny(low, resultHeads[:]):
		return Result
	}
	return Person
}

// slashCommand takes a text apart that begins with a command such as "/model".
func slashCommand(text string) (name, rest string, ok bool) {
	if text[0] != '/' {
		return "", "", false
	}
	name, rest, _ = strings.Cut(text, " ")
	if i := strings.IndexByte(name, '\n'); i >= 0 {
		name, rest = text[:i], text[i+1:]
	}
	if len(name) > 40 || strings.Contains(name[1:], "/") || strings.Contains(name, ".") {
		return "", "", false // a path
	}
	return name, strings.TrimSpace(rest), true
}

func commandName(text string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(text, "<command-name>"), "<")
	name = strings.TrimSpace(name)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name
	}
	return name
}

func isReset(name string) bool {
	return slices.ContainsFunc(resets[:], func(reset string) bool { return strings.EqualFold(name, reset) })
}

// unwrap takes leading elements off a text that a machine put there, such as
// <system-reminder>…</system-reminder>: their names hold a dash or underscore.
// An element that holds what a user said is opened instead.
func unwrap(text string) (rest string, wrapped bool) {
	for strings.HasPrefix(text, "<") {
		end := strings.IndexAny(text, "> \n")
		if end < 2 || end > 48 || text[1] == '/' {
			break
		}
		name := text[1:end]
		if !strings.ContainsAny(name, "-_") || strings.ContainsAny(name, "=\"'(){}:") {
			break
		}
		closing := "</" + name + ">"
		at := strings.Index(text, closing)
		open := strings.IndexByte(text, '>')
		if at < 0 || open > at {
			break
		}
		if strings.Contains(name, "user") && !strings.Contains(name, "instruction") && !strings.Contains(name, "hook") || strings.Contains(name, "mate-message") {
			return strings.TrimSpace(text[open+1 : at]), true
		}
		wrapped = true
		text = strings.TrimSpace(text[at+len(closing):])
	}
	return text, wrapped
}

func startsWithAny(text string, heads []string) bool {
	return slices.ContainsFunc(heads, func(head string) bool { return strings.HasPrefix(text, head) })
}
