package metric

import (
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/phrases"
)

// spared reports whether what stands around a phrase takes its meaning away:
// it tells what may happen, what to make or to explain, or of another task.
func spared(text string, p *phrases.Entry[usage[mood]], at int) bool {
	before, after := text[:at], text[at+len(p.Text):]
	clause := strings.TrimSpace(before[clauseFrom(before):])
	if holdsWord(clause, supposing) || startsWithWord(withoutCourtesy(clause), orders) {
		return true
	}
	if p.Means.means == praises {
		rest := after[:clauseTo(after)]
		return !strings.HasPrefix(p.Text, "th") && holdsWord(clause, wishing) || strings.Contains(rest, "吗") && unspacedEnd(p.Text)
	}
	return attributive(p.Text, after) || slices.ContainsFunc(otherTasks, func(s string) bool { return strings.Contains(before, s) })
}

var (
	// supposing turns a clause into one of what may happen.
	supposing = []string{"if", "whether", "in case", "unless", "如果", "要是", "假如", "万一", "倘若", "是否"}
	// wishing makes praise a wish: "I'd appreciate it". Thanks stay thanks.
	wishing = []string{"would", "i'd", "hope", "hopefully", "will", "should"}
	// orders begin clauses that ask for something, and say nothing of the work.
	orders = []string{
		"add", "create", "write", "build", "implement", "translate", "explain", "describe", "grep", "search", "find", "print", "draft", "compose", "generate", "define", "list", "summarize",
		"which of", "which one", "which answer", "which statement", "what is", "what are", "what happens", "what if", "what should", "how do", "how to", "how should", "how can",
		"写", "翻译", "解释", "添加", "增加", "新增", "创建",
	}
	// courtesies stand in front of an order.
	courtesies = []string{"please", "can you", "could you", "now", "and", "then", "also", "next", "ok", "请", "帮我", "再"}
	// otherTasks say that what follows is no longer about the work so far.
	otherTasks = []string{"next bug", "another bug", "new bug", "next issue", "another issue", "new issue", "next problem", "another problem", "next task", "new task", "下一个问题", "另一个问题", "新问题", "下一个任务"}
)

// clauseSigns end a part of a sentence.
const clauseSigns = ".!?;:,\n。！？；：，、…"

func clauseFrom(text string) int {
	i := strings.LastIndexAny(text, clauseSigns)
	if i < 0 {
		return 0
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	return i + size
}

func clauseTo(text string) int {
	if i := strings.IndexAny(text, clauseSigns); i >= 0 {
		return i
	}
	return len(text)
}

// holdsWord reports whether a clause holds one of the words.
func holdsWord(clause string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		for rest := clause; ; {
			i := strings.Index(rest, word)
			if i < 0 {
				return false
			}
			r, _ := utf8.DecodeLastRuneInString(rest[:i])
			if (i == 0 || unspacedEnd(word) || !letterOrDigit(r)) && endsWord(word, rest[i+len(word):]) {
				return true
			}
			rest = rest[i+len(word):]
		}
	})
}

func startsWithWord(clause string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		rest, found := strings.CutPrefix(clause, word)
		return found && endsWord(word, rest)
	})
}

// withoutCourtesy cuts off what stands in front of an order.
func withoutCourtesy(clause string) string {
	const most = 3
	for range most {
		i := slices.IndexFunc(courtesies, func(word string) bool { return startsWithWord(clause, []string{word}) })
		if i < 0 {
			break
		}
		clause = strings.TrimSpace(clause[len(courtesies[i]):])
	}
	return clause
}

// attributive reports whether a Chinese phrase only says which thing is meant:
// 错了的单词 is a word.
func attributive(phrase, after string) bool {
	rest, found := strings.CutPrefix(after, "的")
	if !found || !unspacedEnd(phrase) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return unspaced(r) && !strings.ContainsRune("啊吧呀呢哦啦", r)
}

func unspacedEnd(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unspaced(r)
}

// quotes are signs that open and close what somebody else said, or what is
// meant word by word.
var quotes = [...][2]string{{`"`, `"`}, {"`", "`"}, {"“", "”"}, {"「", "」"}, {"『", "』"}, {"«", "»"}, {"'", "'"}, {"‘", "’"}}

// withoutQuotes returns a line without what stands in quotes. An apostrophe
// inside of a word opens none and closes none.
func withoutQuotes(line string) string {
	if !strings.ContainsAny(line, "\"`“「『«'‘") {
		return line
	}
	var b strings.Builder
	for i := 0; i < len(line); {
		open, end := quoteAt(line, i)
		if open == 0 {
			b.WriteByte(line[i])
			i++
			continue
		}
		b.WriteString(line[i : i+open])
		i = end
	}
	return b.String()
}

// quoteAt returns the length of the sign at line[i:] that opens a quote, and
// where its closing sign begins, after which no quote opens: 0 if there is none.
func quoteAt(line string, i int) (open, end int) {
	for _, q := range quotes {
		if !strings.HasPrefix(line[i:], q[0]) {
			continue
		}
		single := q[1] == "'" || q[1] == "’"
		if single && i > 0 && wordByte(line[i-1]) {
			continue
		}
		for from := i + len(q[0]); ; {
			k := strings.Index(line[from:], q[1])
			if k < 0 {
				break
			}
			after := from + k + len(q[1])
			if !single || after == len(line) || !wordByte(line[after]) {
				return len(q[0]), after
			}
			from = after
		}
	}
	return 0, 0
}
