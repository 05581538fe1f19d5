package segment

import (
	"strings"
	"unicode/utf8"

	"winnow/core/chat"
)

// kind says what a message in the user's role is.
type kind uint8

const (
	kindReal        kind = iota // somebody wrote it; it may begin a task
	kindFiller                  // lets the work go on, or only answers: "yes", "continue", "2"
	kindMachine                 // written by the recorder or a hook
	kindObservation             // a tool's result in user clothing
	kindInterrupt               // the user stopped the agent
	kindCompaction              // a summary of what came before; it continues the task
	kindReset                   // "/clear": what follows is another task
)

const (
	fillerMost  = 80  // bytes; what is longer says something of its own
	machineMost = 256 // bytes in which a marker is looked for
)

// machineHeads begin what recorders, hooks and harnesses write as the user.
var machineHeads = [...]string{
	"<local-command-", "<command-message>", "<command-args>", "<command-contents>", "<system-reminder>", "<bash-input>", "<bash-stdout>", "<bash-stderr>",
	"<user-prompt-submit-hook>", "<task-notification>", "<environment_context>", "<environment_details>", "<user_instructions>", "<INSTRUCTIONS>", "<turn_aborted>",
	"<session-start-hook>", "<user-memory-input>", "<ide_opened_file>", "<ide_selection>", "<new-diagnostics>", "<permissions", "<collaboration_mode>",
	"Caveat: The messages below were generated", "Base directory for this skill:", "# AGENTS.md instructions", "Stop hook feedback", "PreToolUse:", "PostToolUse:", "UserPromptSubmit hook",
	"Ran `", "API Error:", "[image]\n[image: source", "[Image: source:", "Your tool call was malformed", "Exit code ", "[hook",
}

// observationHeads begin tool results that stand in a user's message.
var observationHeads = [...]string{
	"observation:", "<observation", "tool result", "[tool result", "<tool_result", "<tool_response", "<function_result", "<tool-result", "<result>", "tool output", "command output", "execution result", "execution output",
	"[file:", "your command ran successfully", "traceback (most recent call last)", "stdout:", "<stdout", "<returncode>", "<output>", "exit code:", "[tool use", "[the command", "new terminal output", "current terminal state", "terminal output",
}

var interruptHeads = [...]string{"[request interrupted by user", "[request cancelled", "[user interrupted", "[interrupted by user", "[aborted by user", "<turn_aborted"}

var compactionHeads = [...]string{"this session is being continued from a previous conversation", "this is a session continuation summary", "# context checkpoint", "another language model started to solve this problem", "the conversation history before this point was compacted"}

// resets begin another conversation in the same session.
var resets = [...]string{"/clear", "/new", "/reset"}

// handovers begin prompts that hand over a whole task. They count only at the
// beginning of a prompt of at least templateLeast bytes.
var handovers = [...]string{"implement the following plan", "we're currently solving the following", "# task", "## task", "<task>", "task:", "your task is", "you are given", "you will be given", "<pr_description>", "<issue>", "<uploaded_files>", "# instructions", "solve the following", "please solve the following", "you are a helpful", "[scheduled task]", "任务：", "# 任务", "请完成以下任务", "aufgabe:", "tâche :", "tarea:", "tarefa:", "задача:", "課題:", "タスク:"}

// handsOver reports whether a prompt is made to hand over a whole task.
func handsOver(text string) bool {
	return len(text) >= templateLeast && startsWithAny(lowerHead(text, 64), handovers[:])
}

// reminds reports whether a system message is a recorder's or a hook's, put
// into elements or known by its beginning.
func reminds(text string) bool {
	rest, _ := unwrap(strings.TrimSpace(text))
	return rest == "" || startsWithAny(rest, machineHeads[:])
}

// kindOf tells what a user message is by itself, and the text in it that
// somebody may have written. Without phrases, fillers count as real.
func kindOf(m *chat.Message, p *phrases) (kind, string) {
	if m.Marks.Has(chat.MarkCompaction) {
		return kindCompaction, ""
	}
	text := strings.TrimSpace(m.Content)
	low := lowerHead(text, machineMost)
	switch {
	case startsWithAny(low, compactionHeads[:]):
		return kindCompaction, ""
	case startsWithAny(low, interruptHeads[:]):
		return kindInterrupt, ""
	case strings.HasPrefix(text, "<command-name>"):
		if isReset(commandName(text)) {
			return kindReset, ""
		}
		return kindMachine, ""
	case startsWithAny(low, observationHeads[:]), strings.HasPrefix(low, "[") && strings.Contains(low, "] result:"):
		return kindObservation, text
	}
	text, wrapped := unwrap(text)
	if text == "" {
		if wrapped {
			return kindMachine, ""
		}
		return kindFiller, ""
	}
	if startsWithAny(text, machineHeads[:]) {
		return kindMachine, ""
	}
	if name, rest, ok := slashCommand(text); ok {
		switch {
		case isReset(name):
			return kindReset, rest
		case rest == "":
			return kindMachine, ""
		}
	}
	if p != nil && len(text) <= fillerMost && fills(text, p) {
		return kindFiller, text
	}
	return kindReal, text
}

// fills reports whether a short text says nothing of its own: answers and
// thanks only, a choice such as "4", a sign.
func fills(text string, p *phrases) bool {
	words := plain(text, fillerMost)
	if utf8.RuneCountInString(words) <= 1 {
		return true
	}
	if strings.Trim(words, "0123456789 .,;:/+-#%&()") == "" {
		return true
	}
	return p.only(words, senseAck, senseGo, senseThanks, senseClosing, senseLink, sensePointer)
}

// chooses reports whether a plain text begins with the sign of a choice, such
// as "b)" or "2.": it answers a question.
func chooses(head string) bool {
	i := strings.IndexAny(head, ".):")
	return i == 1 || i == 2 && head[0] >= '0' && head[0] <= '9' && head[1] >= '0' && head[1] <= '9'
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
	for _, r := range resets {
		if strings.EqualFold(name, r) {
			return true
		}
	}
	return false
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
	for _, h := range heads {
		if strings.HasPrefix(text, h) {
			return true
		}
	}
	return false
}

// lowerHead returns the beginning of s with ASCII letters in lower case.
func lowerHead(s string, n int) string { return strings.ToLower(clip(s, n)) }

// lastLine returns the last line of a text that is not blank, "" if it is
// longer than a prompt of a shell may be.
func lastLine(text string) string {
	text = strings.TrimRight(clipLeft(text, promptMost+64), " \t\r\n")
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		text = text[i+1:]
	}
	if len(text) > promptMost {
		return ""
	}
	return text
}

const promptMost = 120 // bytes of a shell's prompt

// promptLike reports whether a line looks like the prompt of a shell.
func promptLike(line string) bool {
	if len(line) < 2 {
		return false
	}
	return strings.IndexByte("$#>%", line[len(line)-1]) >= 0
}

// document reports whether a text is one JSON object or list: what a tool
// answers, and nobody types.
func document(text string) bool {
	if len(text) < 2 {
		return false
	}
	open, last := text[0], text[len(text)-1]
	return open == '{' && last == '}' && strings.ContainsAny(clip(text, 64), "\":") || open == '[' && last == ']' && strings.ContainsAny(clip(text, 64), "{\"")
}
