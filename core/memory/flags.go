package memory

import (
	"regexp"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/clean"
)

// FlagsOf returns the flags of a memory, in their order. What the user typed is
// known from the evidence; without it all addresses count as others'.
func FlagsOf(m *Memory, e *Evidence) []Flag { return flagsOf(m, links(m.said(), e)) }

func flagsOf(m *Memory, linked bool) (flags []Flag) {
	all := strings.Join(m.texts(), "\n")
	if !m.anyCite(func(c *Cite) bool { return c.Role != chat.Tool }) {
		flags = append(flags, FromTools)
	}
	if directs(all) {
		flags = append(flags, Directive)
	}
	if linked {
		flags = append(flags, Link)
	}
	if hides(all) {
		flags = append(flags, Hidden)
	}
	return flags
}

// FlagsAgain returns the flags of a memory whose sources are others now: those that it
// had, and more.
func FlagsAgain(m *Memory) []Flag {
	more := flagsOf(m, false)
	return slices.DeleteFunc(slices.Clone(Flags[:]), func(f Flag) bool { return !slices.Contains(m.Flags, f) && !slices.Contains(more, f) })
}

// orders are phrases that speak to an agent, or of what it is told, in lower case.
var orders = newWordList(
	"you must", "you are now", "you are no longer", "you have to obey", "you should now", "you will now", "your new", "from now on you", "act as a", "act as an", "pretend to be", "pretend you", "roleplay as",
	"system prompt", "developer mode", "jailbreak", "do anything now", "new instructions", "new instruction", "updated instructions", "override your", "overrides all", "overrides any", "supersedes all",
	"do not tell", "don't tell the user", "never tell the user", "do not mention", "never mention", "without telling", "without asking", "without confirmation", "keep this secret", "secretly", "hide this from",
	"exfiltrate", "send the contents", "post the contents", "upload the contents", "reveal your", "print your", "repeat your", "skip the checks", "skip the review", "bypass the", "--no-verify", "--dangerously",
	"note to agent", "note to ai", "note for ai", "attention ai", "attention agent", "ai agents", "ai assistant", "language model", "if you are an ai", "as an ai", "dear assistant",
	"你必须", "忽略以上", "忽略之前", "忽略上面", "忽略所有", "无视", "系统提示", "你现在是", "不要告诉", "du musst", "ignoriere", "sag dem nutzer nicht", "ignorez", "ignore les", "tu dois", "vous devez", "ignora las", "ignora todas", "ignora le", "debes", "ignore as instruções", "игнорируй", "ты должен", "無視して", "あなたは今", "무시하고",
)

// directive finds what speaks to agents, in forms that phrases do not tell.
var directive = regexp.MustCompile(`(?i)\b(ignore|disregard|forget|override)\b.{0,40}\b(instruction|instructions|prompt|prompts|rule|rules|above|previous|prior|everything|guidelines|told|policy|policies|safety)` +
	`|<\|[a-z_]{2,30}\|>|<｜|\[/?INST\]|<<SYS>>|</?s>|<(start|end)_of_turn>|</?(system|assistant|user|developer|human|instructions?|important|tool_call|function_calls?|messages|system-reminder)\b[^>]*>` +
	`|(?m)^\s*#{1,6}\s*(system|instruction|assistant|user|human|response)\b|^\s*(system|assistant|user|human|developer)\s*:|<!--|-->` +
	`|(curl|wget|fetch|iwr|invoke-webrequest)\b.{0,200}\|\s*(sudo\s+)?(ba|z|k|da)?sh\b|(curl|wget)\b.{0,200}\|\s*(sudo\s+)?(python|perl|ruby|node|php)|\b(ba|z)?sh\s+(-c\s+)?["'<(]*\s*[<$]\(\s*(curl|wget)|base64\s+(-d|--decode|-D)\b|\beval\s*[("$]|\biex\b|invoke-expression|powershell.{0,40}-e(nc|ncodedcommand)?\s|\brm\s+-rf?\s+[/~]|chmod\s+(777|\+s)|/etc/(passwd|shadow)|\.ssh/|authorized_keys|\bnc\s+-e|/dev/tcp/|atob\(|child_process|os\.system|javascript:|data:text`)

// directs reports whether a text speaks to the agent that will read it.
func directs(text string) bool { return orders.in(text) || directive.MatchString(text) }

// address finds addresses of pages and hosts.
var address = regexp.MustCompile(`(?i)\b(?:https?|ftps?|wss?|hxxps?|file|ssh|git|smb|ldap|gopher):\\?/?\\?/[^\s<>"'` + "`" + `)\]]+` +
	`|\bwww\.[^\s<>"'` + "`" + `)\]]+|\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?/[^\s]+` +
	`|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*(?:\.|\[\.\]|\(\.\)| dot )(?:com|net|org|io|dev|sh|ru|cn|xyz|top|example|app|me|co|info|biz|site|online|tk|cc|gg|ly|to|link|click|zip|test|onion)\b(?:[/:?][^\s<>"'` + "`" + `)\]]*)` +
	`|\]\(\s*//[^)]+\)`)

// links reports whether a text that agents will read has an address that no person typed in the segment.
func links(texts []string, e *Evidence) bool {
	for _, text := range texts {
		for _, found := range address.FindAllString(text, -1) {
			if !e.typed(strings.TrimRight(found, ".,;:!?")) {
				return true
			}
		}
	}
	return false
}

// typed reports whether a person wrote a text in the segment.
func (e *Evidence) typed(text string) bool {
	if e == nil {
		return false
	}
	for i := range e.Said {
		if e.Said[i].Person && strings.Contains(e.Said[i].Text, text) {
			return true
		}
	}
	return false
}

// encoded finds what may be base64 or base32.
var encoded = regexp.MustCompile(`[A-Za-z0-9+/_-]{40,}={0,2}`)

// hides reports whether a text has what a reader does not see, or cannot read.
func hides(text string) bool {
	if flat := strings.ReplaceAll(text, "\t", " "); clean.Text(flat) != flat {
		return true
	}
	if strings.ContainsAny(text, "\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200C\u200D\u2060\u2061\u2062\u2063\u2064\u3164\uFEFF\uFFA0") {
		return true
	}
	for _, run := range encoded.FindAllString(text, -1) {
		if looksEncoded(run) {
			return true
		}
	}
	return false
}

// looksEncoded tells encoded bytes from long paths and names: letters of both
// cases and digits without a word's separator, or capitals and digits only.
func looksEncoded(run string) bool {
	upper, lower, digit, signs := 0, 0, 0, 0
	for _, c := range []byte(run) {
		switch {
		case 'A' <= c && c <= 'Z':
			upper++
		case 'a' <= c && c <= 'z':
			lower++
		case '0' <= c && c <= '9':
			digit++
		default:
			signs++
		}
	}
	if signs*16 > len(run) {
		return false
	}
	return digit > 0 && upper*8 > len(run)
}
