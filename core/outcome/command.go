package outcome

import (
	"slices"
	"strings"
)

// Programs by what they print. What is in no list may fail by what it prints.
var (
	// viewers print what is there: their text may talk of errors.
	viewers = words(`cat bat head tail less more sed awk gawk nl sort uniq wc cut tr column tee paste fold rev tac fmt strings xxd od hexdump
		find fd ls tree eza stat file du df pwd cd pushd popd echo printf export set unset source true false sleep mkdir touch rm cp mv ln chmod chown
		date env printenv basename dirname realpath readlink seq yes jq yq xmllint diff cmp comm journalctl dmesg history ps top free uname whoami id
		hostname wait kill pkill local declare read return exit man tldr trap shift tput clear shasum md5sum sha256sum base64
		get-content get-childitem select-object format-table format-list write-output write-host set-location type dir out-string xargs gh
		screen tmux alias break continue cls objdump nm readelf otool zcat unzip tar curl http`)
	// seekers exit with 1 without a hit.
	seekers = words(`grep egrep fgrep rg ag ack zgrep pgrep which whereis type command test [ [[ findstr select-string sls lsof pidof jq getent`)
	// shown are subcommands of a program that only print what is there.
	shown = map[string][]string{
		"git": words(`log show diff status branch blame grep ls-files ls-tree rev-parse cat-file shortlog describe reflog tag remote config show-ref rev-list merge-base
			diff-tree for-each-ref check-ignore stash worktree name-rev whatchanged`),
		"docker":  words(`logs ps images inspect`),
		"kubectl": words(`logs get describe`),
		"podman":  words(`logs ps images inspect`),
		"npm":     words(`ls list view info`),
		"go":      words(`doc list env version`),
	}
	// launchers run the rest of a command; keywords stand before one.
	launchers = words(`sudo env time nohup exec command builtin nice stdbuf xargs then do else elif if while until ! { ( &&`)
)

func words(s string) []string { return strings.Fields(s) }

// commandFlags reads a command of a shell: roughly, what it says of a result is
// a guess anyway.
func commandFlags(command string) flags {
	var all, last flags
	var list []string // of one simple command
	end := func(sep string) {
		if len(list) == 0 {
			return
		}
		f := simple(list)
		if list = list[:0]; f == neutral {
			return
		}
		if all&runs != 0 && sep != "" || f&runs != 0 && (sep == "|" || sep == "||" || sep == ";") {
			all |= masked
		}
		all |= f & (runs | looked)
		last = f
	}
	l := lexer{text: command}
	for {
		word, sep := l.next()
		if word != "" {
			list = append(list, word)
		}
		if sep != "" {
			end(sep)
		}
		if l.done() {
			break
		}
	}
	before := all
	end("")
	if before&runs != 0 && l.separated == ";" {
		all |= masked
	}
	return all | last&(looks|compares)
}

// neutral stands for commands that say nothing and change nothing of the rest.
const neutral flags = 1 << 7

// simple tells what one simple command is like.
func simple(list []string) flags {
	for len(list) > 0 {
		word := list[0]
		switch {
		case strings.Contains(word, "=") && !strings.HasPrefix(word, "-"):
			list = list[1:]
		case slices.Contains(launchers, word):
			if word == "command" && len(list) > 1 && list[1] == "-v" {
				return looks | looked
			}
			list = list[1:]
			for len(list) > 0 && word != "if" && strings.HasPrefix(list[0], "-") {
				list = list[1:]
			}
		case word == "timeout" && len(list) > 2:
			list = list[2:]
		default:
			return known(list)
		}
	}
	return neutral
}

func known(list []string) flags {
	name := strings.ToLower(strings.TrimSuffix(base(strings.TrimLeft(list[0], "(")), ".exe"))
	sub := ""
	for _, word := range list[1:] {
		if !strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "/") {
			sub = word
			break
		}
	}
	switch name {
	case "":
		return neutral
	case "cd", "export", "set", "source", ".", "for", "done", "fi", "esac", "case", "in", "pushd", "}", ")", "#":
		return neutral
	case "diff", "cmp":
		return compares
	case "git":
		switch {
		case sub == "grep" || sub == "check-ignore" || sub == "config":
			return looks | looked
		case sub == "diff" && (slices.Contains(list, "--exit-code") || slices.Contains(list, "--no-index") || slices.Contains(list, "--quiet")):
			return compares
		case sub == "stash" && (slices.Contains(list, "pop") || slices.Contains(list, "apply")) || sub == "diff" && slices.Contains(list, "--check"):
			return runs
		}
	}
	switch {
	case strings.HasPrefix(name, "#"):
		return neutral
	case slices.Contains(seekers, name):
		return looks | looked
	case slices.Contains(viewers, name), slices.Contains(shown[name], sub):
		return 0
	case strings.HasPrefix(name, "-"):
		return 0
	}
	return runs
}

// lexer cuts a command in words. What is between quotes, in a substitution or
// in a here-document belongs to the word around it.
type lexer struct {
	text      string
	at        int
	heredoc   string // the word that ends one which begins with the next line
	separated string // the last separator
}

func (l *lexer) done() bool { return l.at >= len(l.text) }

// next returns the next word, "" for none, and the separator after it, "" for
// none.
func (l *lexer) next() (word, sep string) {
	for !l.done() && (l.text[l.at] == ' ' || l.text[l.at] == '\t' || l.text[l.at] == '\r') {
		l.at++
	}
	from := l.at
	for !l.done() {
		switch c := l.text[l.at]; c {
		case ' ', '\t', '\r':
			return l.text[from:l.at], ""
		case '\'', '"', '`':
			l.quoted(c)
		case '\\':
			if l.at+1 < len(l.text) && l.text[l.at+1] == '\n' && l.at == from {
				l.at += 2
				return "", ""
			}
			l.at += 2
		case '$':
			if l.at++; !l.done() && l.text[l.at] == '(' {
				l.nested()
			}
		case '<':
			if strings.HasPrefix(l.text[l.at:], "<<") && !strings.HasPrefix(l.text[l.at:], "<<<") {
				l.at += 2
				l.here()
			} else {
				l.at++
			}
		case '>':
			for !l.done() && strings.IndexByte(">&", l.text[l.at]) >= 0 {
				l.at++
			}
		case ';', '\n', '|', '&':
			if c == '&' && l.at+1 < len(l.text) && l.text[l.at+1] == '>' {
				l.at += 2
				continue
			}
			word = l.text[from:l.at]
			return word, l.separator(c)
		default:
			l.at++
		}
	}
	l.at = len(l.text)
	return l.text[min(from, l.at):], ""
}

func (l *lexer) separator(c byte) string {
	sep := string(c)
	if l.at++; !l.done() && l.text[l.at] == c && (c == '|' || c == '&') {
		sep += string(c)
		l.at++
	}
	if c == '\n' || c == '&' && sep == "&" {
		sep = ";"
		if c == '\n' && l.heredoc != "" {
			l.skip()
		}
	}
	if c == ';' || c == '\n' {
		sep = ";"
	}
	l.separated = sep
	return sep
}

func (l *lexer) quoted(quote byte) {
	for l.at++; !l.done() && l.text[l.at] != quote; l.at++ {
		if l.text[l.at] == '\\' && quote != '\'' {
			l.at++
		}
	}
	l.at++
}

func (l *lexer) nested() {
	depth := 0
	for ; !l.done(); l.at++ {
		switch c := l.text[l.at]; c {
		case '\'', '"':
			l.quoted(c)
			l.at--
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				l.at++
				return
			}
		}
	}
}

// here remembers the word that ends a here-document.
func (l *lexer) here() {
	rest := strings.TrimLeft(l.text[min(l.at, len(l.text)):], "- ")
	end := strings.IndexAny(rest, " \t\r\n;|&<>")
	if end < 0 {
		end = len(rest)
	}
	l.heredoc = strings.Trim(rest[:end], `'"\`)
	l.at = len(l.text) - len(rest) + end
}

// skip passes a here-document, whose first line begins here.
func (l *lexer) skip() {
	for !l.done() {
		line, _, found := strings.Cut(l.text[l.at:], "\n")
		l.at += len(line)
		if found {
			l.at++
		}
		if strings.TrimSpace(line) == l.heredoc {
			break
		}
	}
	l.heredoc = ""
}
