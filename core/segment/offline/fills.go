package offline

import (
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/phrases"
	"winnow/core/voice"
)

const fillerMost = 80 // bytes; what is longer says something of its own

// fills reports whether a text is short and says nothing of its own: answers and
// thanks only, a choice such as "4", a sign.
func (o *Cutter) fills(text string) bool {
	if len(text) > fillerMost {
		return false
	}
	words := phrases.Plain(text, fillerMost)
	if utf8.RuneCountInString(words) <= 1 {
		return true
	}
	if strings.Trim(words, "0123456789 .,;:/+-#%&()") == "" {
		return true
	}
	return o.lexicon.Only(words, phrases.Ack, phrases.Go, phrases.Thanks, phrases.Closing, phrases.Link, phrases.Pointer)
}

// chooses reports whether a plain text begins with the sign of a choice, such
// as "b)" or "2.": it answers a question.
func chooses(head string) bool {
	i := strings.IndexAny(head, ".):")
	return i == 1 || i == 2 && head[0] >= '0' && head[0] <= '9' && head[1] >= '0' && head[1] <= '9'
}

// handovers begin prompts that hand over a whole task. They count only at the
// beginning of a prompt of at least voice.TemplateLeast bytes.
var handovers = [...]string{"implement the following plan", "we're currently solving the following", "# task", "## task", "<task>", "task:", "your task is", "you are given", "you will be given", "<pr_description>", "<issue>", "<uploaded_files>", "# instructions", "solve the following", "please solve the following", "you are a helpful", "[scheduled task]", "任务：", "# 任务", "请完成以下任务", "aufgabe:", "tâche :", "tarea:", "tarefa:", "задача:", "課題:", "タスク:"}

// handsOver reports whether a prompt is made to hand over a whole task.
func handsOver(text string) bool {
	if len(text) < voice.TemplateLeast {
		return false
	}
	low := strings.ToLower(phrases.Clip(text, 64))
	return slices.ContainsFunc(handovers[:], func(head string) bool { return strings.HasPrefix(low, head) })
}
