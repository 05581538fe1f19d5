package metric

import (
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/phrases"
	"winnow/core/voice"
)

// evidence collects what speaks for a type of task: the words of the prompts,
// the tools, the files and commands they were called with, and how the answers
// look. Each source counts by shares, so that many calls of a tool outweigh
// nothing else.
type evidence struct {
	prompts  int // looked at
	words    votes
	opening  votes // words of the first prompt
	files    votes
	filed    int // calls that name a file or command of a known type
	look     votes
	answers  int
	question bool // the first prompt asks something
	length   int  // of the first prompt, in words
	chatty   int  // prompts that only greet or thank
}

// votes are weights by type, in the order of TaskTypes.
type votes [kinds]float64

// kind is a TaskType by its place in TaskTypes.
type kind uint8

const (
	kindCode kind = iota
	kindData
	kindResearch
	kindWriting
	kindMath
	kindOps
	kindQA
	kindChat
	kindOther
	kinds
	kindNone = kinds
)

func (k kind) taskType() TaskType { return TaskTypes()[k] }

// kindOf returns the kind of a type, kindNone of none.
func kindOf(t TaskType) kind {
	if i := slices.Index(TaskTypes(), t); i >= 0 {
		return kind(i)
	}
	return kindNone
}

// vote is what a phrase, a tool or a file speaks for.
type vote struct {
	kind   kind
	weight float64
}

// What the sources count at most. Words of prompts say what was wanted, and
// tools and files what was done.
const (
	openingShare = 3.0
	wordsShare   = 1.5
	toolsShare   = 2.5
	filesShare   = 2.5
	lookShare    = 1.5

	promptsLooked = 8
	promptMost    = 1 << 10 // bytes of a prompt that are looked at
	enough        = 0.9     // what evidence must sum up to, to count
)

func (e *evidence) add(r *reading) {
	switch r.m.Role {
	case chat.User:
		if r.voice == voice.Person && r.text != "" && e.prompts < promptsLooked {
			e.prompt(r.text)
		}
	case chat.Assistant:
		for i := range r.calls {
			if k := r.calls[i].about; k < kinds {
				e.files[k]++
				e.filed++
			}
		}
		if r.own && r.text != "" && e.answers < answersLooked {
			e.answer(phrases.Clip(r.text, answerMost))
		}
	}
}

const (
	answersLooked = 16
	answerMost    = 4 << 10 // bytes of an answer that are looked at
)

func (e *evidence) prompt(text string) {
	plain := strings.ToLower(phrases.Clip(text, promptMost))
	e.prompts++
	into := &e.words
	if e.prompts == 1 {
		into = &e.opening
		e.length = words(plain, promptMost)
		e.question = asksSomething(plain)
	}
	seen := map[string]bool{}
	found := false
	tables().prompts.each(plain, false, func(v vote, phrase string) bool {
		if !seen[phrase] && v.weight > 0 {
			seen[phrase] = true
			into[v.kind] += v.weight
			found = found || v.kind != kindChat
		}
		return true
	})
	if !found && words(plain, 8) < 8 && onlyTalk(plain) {
		e.chatty++
	}
	if holdsSum(plain) {
		into[kindMath] += 1.4
	}
	for _, c := range codeSigns {
		if strings.Contains(plain, c) {
			into[kindCode] += 0.8
			break
		}
	}
	for _, c := range mathSigns {
		if strings.Contains(plain, c) {
			into[kindMath] += 1
			break
		}
	}
}

// holdsSum reports whether a text holds a sum such as "9 - 2 x 3": signs with space
// around them between numbers, which dates and versions have not.
func holdsSum(plain string) bool {
	words := strings.Fields(plain)
	number := func(w string) bool { return w != "" && w[0] >= '0' && w[0] <= '9' }
	for i := 1; i+1 < len(words); i++ {
		if len(words[i]) <= len("×") && strings.Contains(" + - * / x × ÷ ^ ", " "+words[i]+" ") && number(words[i-1]) && number(words[i+1]) {
			return true
		}
	}
	return false
}

// Signs that a text holds code or formulas.
var (
	codeSigns = []string{"```", "def ", "func ", "#include", "import ", "public class", "console.log", "traceback (most", "</div>", "=> {", "();"}
	mathSigns = []string{"\\frac", "\\sqrt", "$$", "\\boxed", "x^2", "\\sum", "\\int", "\\le ", "\\(", "mod "}
)

func (e *evidence) answer(text string) {
	e.answers++
	switch {
	case strings.Contains(text, "\\boxed") || strings.Contains(text, "\\frac") || strings.Contains(text, "$$"):
		e.look[kindMath]++
	case strings.Contains(text, "```sql") || strings.Contains(text, "```SQL"):
		e.look[kindData]++
	case strings.Contains(text, "```"):
		e.look[kindCode]++
	}
}

// asksSomething reports whether a prompt asks a question.
func asksSomething(plain string) bool {
	if strings.ContainsAny(plain, "?？") {
		return true
	}
	return slices.ContainsFunc(questionHeads, func(head string) bool { return strings.HasPrefix(plain, head) }) || strings.ContainsAny(plain, "吗呢") || strings.Contains(plain, "什么") || strings.Contains(plain, "怎么") || strings.Contains(plain, "如何") || strings.Contains(plain, "为什么")
}

var questionHeads = []string{"what ", "who ", "why ", "how ", "when ", "where ", "which ", "is ", "are ", "does ", "do ", "can ", "explain ", "tell me ", "define ", "解释", "请问", "介绍"}

// onlyTalk reports whether a short text greets, thanks, or talks.
func onlyTalk(plain string) bool {
	talk := false
	tables().prompts.each(plain, false, func(v vote, _ string) bool {
		talk = v.kind == kindChat
		return talk
	})
	return talk
}

// tools are the votes of the tools, by their calls.
func (t *toolTable) votes() (v votes, all int) {
	for i := range t.list {
		n := t.list[i].stat.Count
		if n == 0 {
			continue
		}
		all += n
		if about := t.list[i].about; about.kind < kinds {
			v[about.kind] += float64(n) * about.weight
		}
	}
	return v, all
}

// decide returns the type with the most evidence, and what for it is the
// strongest: "tools", "words", "files", "form".
func (e *evidence) decide(tools *toolTable) (kind, []string) {
	var sum votes
	var from [kinds]map[string]float64
	add := func(name string, v votes, most, all float64) {
		if all == 0 {
			return
		}
		for k := range v {
			if v[k] == 0 {
				continue
			}
			w := most * min(1, v[k]/all)
			sum[k] += w
			if from[k] == nil {
				from[k] = map[string]float64{}
			}
			from[k][name] += w
		}
	}
	byTools, called := tools.votes()
	add("tools", byTools, toolsShare, float64(called))
	add("files", e.files, filesShare, float64(max(e.filed, 2)))
	add("words", e.opening, openingShare, 2)
	add("words", e.words, wordsShare, 3)
	add("form of the answers", e.look, lookShare, float64(e.answers))
	e.rest(&sum, called)
	best := kindOther
	for k := range sum {
		if sum[k] >= enough && (best == kindOther || sum[k] > sum[best]) {
			best = kind(k)
		}
	}
	var why []string
	for _, name := range []string{"words", "tools", "files", "form of the answers"} {
		if from[best] != nil && from[best][name] > 0 {
			why = append(why, name)
		}
	}
	return best, why
}

// wishWords is how many words a prompt has at least that wishes for a text.
const wishWords = 5

// rest adds what only counts if nothing else is known: without tools, a
// question is one, small talk is talk, and a wish is one for a text.
func (e *evidence) rest(sum *votes, called int) {
	if called > 0 || e.prompts == 0 {
		return
	}
	if e.question {
		sum[kindQA] += 1
	}
	switch {
	case e.chatty == e.prompts:
		sum[kindChat] += 2
	case !e.question && e.answers > 0 && e.length >= wishWords:
		sum[kindWriting] += enough // text is wanted, and nothing but text
	}
}
