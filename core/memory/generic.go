package memory

import (
	"regexp"
	"strings"

	"winnow/core/tongue"
)

// particular finds what makes a text particular: what stands in quotes or
// backticks, paths, options, identifiers, numbers, and names within a sentence.
var particular = regexp.MustCompile("`[^`\n]+`|\"[^\"\n]+\"|“[^”\n]+”|‘[^’\n]+’|「[^」\n]+」|『[^』\n]+』|«[^»\n]+»" +
	`|[\w.~@-]+/[\w./@-]*|/[\w.@-]+(?:/[\w.@-]*)*` + // paths
	`|(?:^|\s)--?[a-zA-Z][\w-]*` + // options
	`|\b[a-zA-Z]\w*(?:[._:]\w+)+(?:\(\))?` + // a.b, a_b, a::b
	`|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*` + // camelCase
	`|\b[A-Z][A-Z0-9_]+\b` + // ABC
	`|\b\w*\d\w*\b` + // numbers
	`|\w+\(\)`)

// names finds words with a capital that do not begin a sentence.
var names = regexp.MustCompile(`[\p{L}\p{N},;]\s+\p{Lu}\p{L}+`)

// latin finds words of Latin letters in writing without spaces: names of tools.
var latin = regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]\s*[A-Za-z]{2,}|[A-Za-z]{2,}\s*[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]`)

// commands are words for what is run and in what is written, which people write
// without any sign.
var commands = newWordList(
	"git", "commit", "commits", "committing", "push", "pushing", "merge", "merging", "rebase", "rebasing", "squash", "amend", "npm", "npx", "pnpm", "yarn", "bun", "deno", "pip", "poetry", "uv", "conda",
	"pytest", "tox", "ruff", "mypy", "black", "eslint", "prettier", "tsc", "jest", "vitest", "cargo", "clippy", "gofmt", "gradle", "maven", "mvn", "bazel", "cmake", "makefile", "docker", "podman", "kubectl", "helm", "terraform",
	"ansible", "systemctl", "ssh", "rsync", "curl", "jq", "sed", "awk", "grep", "sqlite", "postgres", "mysql", "redis", "typescript", "javascript", "python", "golang", "rust", "kotlin",
	"english", "german", "french", "spanish", "chinese", "japanese", "russian", "deutsch", "中文", "英文", "日文", "提交", "推送", "合并",
)

// specifics counts what is particular in a text.
func specifics(text string) int {
	n := len(particular.FindAllString(text, -1)) + len(latin.FindAllString(text, -1)) + commands.count(text)
	if tongue.Of(text, 1) != "de" { // where every noun has a capital
		n += len(names.FindAllString(text, -1))
	}
	return n
}

func isGeneric(m *Memory, _ *Evidence, _ []Memory) bool {
	return specifics(strings.Join(m.said()[1:], ".\n")) == 0 // titles may have capitals anywhere
}

// passing are phrases of what holds at the moment only, in lower case.
var passing = newWordList(
	"now passes", "now pass", "now works", "now fails", "is now fixed", "now green", "passes now", "works now", "currently failing", "currently broken",
	"in this pr", "this pr", "in this session", "this session", "this conversation", "in this commit", "this commit", "in this branch", "this pull request", "in this task", "for now",
	"just now", "so far", "not yet", "yesterday", "tomorrow", "today", "this morning", "this week", "the previous message", "the last message", "as of now", "at the moment", "right now", "todo list",
	"was fixed", "has been fixed", "were fixed", "has been updated", "have been updated", "was merged", "all tests pass", "tests are passing", "tests pass now",
	"本次会话", "这次会话", "目前为止", "刚才", "刚刚", "暂时", "今天", "昨天", "明天", "现在通过", "已修复", "已经修复", "这个pr", "本次提交", "此pr",
	"in diesem pr", "heute", "gestern", "vorerst", "momentan", "jetzt grün", "aujourd'hui", "pour l'instant", "dans cette pr", "hoy", "por ahora", "en esta pr", "сегодня", "пока что", "в этом pr", "今日", "いまのところ", "今のところ", "このpr", "오늘", "지금은",
)

func isTransient(m *Memory, _ *Evidence, _ []Memory) bool {
	return passing.in(m.Title + "\n" + m.Content + "\n" + m.Resolution)
}

// wordList finds phrases in a text: as whole words, where their writing has any.
type wordList []string

func newWordList(phrases ...string) wordList { return phrases }

// in reports whether one of the phrases is in a text.
func (l wordList) in(text string) bool { return l.count(text) > 0 }

// count counts the phrases that are in a text.
func (l wordList) count(text string) (n int) {
	text = strings.ToLower(fold(strings.ReplaceAll(text, "’", "'")))
	for _, phrase := range l {
		if ContainsWords(text, phrase) {
			n++
		}
	}
	return n
}
