package outcome

import (
	"slices"
	"strings"
)

// seen is how much of either end of a result is read, in bytes.
const seen = 4096

// window is the two ends of a result without the space around it. Where all of
// it is seen, tail is "".
type window struct {
	head, tail string
	size       int
}

func open(content string) window {
	w := window{size: len(content)}
	if len(content) <= 2*seen {
		w.head = strings.TrimSpace(content)
		return w
	}
	w.head = strings.TrimLeft(content[:seen], " \t\r\n")
	w.tail = strings.TrimRight(content[len(content)-seen:], " \t\r\n")
	return w
}

// blank reports whether there is no text but what tools say in its place.
func (w *window) blank() bool {
	if w.size > 200 {
		return w.head == ""
	}
	switch strings.ToLower(strings.Trim(w.head, "()[]<>.")) {
	case "", "no output", "empty", "no content", "none", "command produced no output", "no stdout", "empty output", "tool ran without output or errors":
		return true
	}
	return false
}

// short reports whether the result is so short that all of it is a message of
// the tool.
func (w *window) short() bool { return w.size <= 600 && strings.Count(w.head, "\n") < 8 }

// end returns the part with the end of the result.
func (w *window) end() string {
	if w.tail != "" {
		return w.tail
	}
	return w.head
}

// first returns the first line.
func (w *window) first() string {
	line, _, _ := strings.Cut(w.head, "\n")
	return strings.TrimRight(line, "\r")
}

// cutFirst takes the first line off.
func (w *window) cutFirst() {
	_, rest, _ := strings.Cut(w.head, "\n")
	w.head = strings.TrimLeft(rest, "\r\n")
}

// cutEnd takes the end off from a place in end on.
func (w *window) cutEnd(at int) {
	if w.tail != "" {
		w.tail = strings.TrimRight(w.tail[:at], " \t\r\n")
		return
	}
	w.head = strings.TrimRight(w.head[:at], " \t\r\n")
}

// last yields the last lines that are not blank, the last one first, with the
// place in end where each begins.
func (w *window) last(most int, f func(line string, at int) bool) {
	rest := w.end()
	for n := 0; n < most && rest != ""; {
		at := strings.LastIndexByte(rest, '\n') + 1
		line := strings.TrimSpace(rest[at:])
		if line != "" {
			if n++; !f(line, at) {
				return
			}
		}
		rest = rest[:max(0, at-1)]
	}
}

// lines yields all lines that are seen, without the space after them.
func (w *window) lines(f func(line string) bool) {
	for _, part := range [...]string{w.head, w.tail} {
		for part != "" {
			line := part
			if i := strings.IndexByte(part, '\n'); i >= 0 {
				line, part = part[:i], part[i+1:]
			} else {
				part = ""
			}
			if len(line) > lineMost {
				line = line[:lineMost]
			}
			if line = strings.TrimRight(line, " \t\r"); line != "" && !f(line) {
				return
			}
		}
	}
}

// lineMost is how much of a line is read, in bytes.
const lineMost = 512

// frame is what a tool wrote around the output of a command.
type frame struct {
	code  int
	coded bool
}

// unframe takes what a tool wrote around the output off, as far as it is known,
// and reads the exit status in it.
func (w *window) unframe() (fr frame) {
	for range 2 {
		if code, ok := statusIn(w.first()); ok {
			fr = frame{code, true}
			w.cutFirst()
		}
	}
	for rest := w.head; !fr.coded && rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if line = strings.TrimSpace(line); line != "" && !begins(line, factHeads) {
			break
		}
		fr.code, fr.coded = statusIn(line)
	}
	if !fr.coded {
		w.last(8, func(line string, at int) bool {
			if fr.code, fr.coded = statusIn(line); fr.coded {
				if at > 0 {
					w.cutEnd(at)
				}
				return false
			}
			return begins(line, factTails)
		})
	}
	if !fr.coded && strings.Contains(w.head, `\nExit Code: `) { // whose line ends were escaped twice
		_, after, _ := strings.Cut(w.head, `\nExit Code: `)
		fr.code, fr.coded = number(after)
	}
	return fr
}

// What lines of facts begin with that tools write before and after an output.
var (
	factHeads = []string{"Chunk ID:", "Wall time:", "Command:", "Directory:", "Process exited", "Original token count:", "Total output lines:", "Session ID:", "Status:", "<status>", "<exit_code>"}
	factTails = []string{"Signal:", "Background PIDs:", "Process Group PGID:", "[", "(Open file:", "(Current directory:", "bash-$", "<", "Wall time", "Duration:"}
)

func begins(s string, any []string) bool {
	return slices.ContainsFunc(any, func(head string) bool { return strings.HasPrefix(s, head) })
}

// statuses are the words before an exit status, in lower case.
var statuses = []string{"exit code", "exit_code", "exitcode", "exit status", "exit_status", "exited with code", "exited with status", "exited with", "returncode", "return code", "exit", "rc"}

// statusIn reads a line that tells an exit status and nothing after it.
func statusIn(line string) (code int, ok bool) {
	line = strings.TrimSpace(line)
	if len(line) > 120 || len(line) < 4 {
		return 0, false
	}
	digit := strings.LastIndexAny(line, "0123456789")
	if digit < 0 || strings.Trim(line[digit+1:], `)]}>."'*`+"`") != "" && !strings.HasPrefix(line[digit+1:], "</") {
		return 0, false
	}
	from := digit
	for from > 0 && line[from-1] >= '0' && line[from-1] <= '9' {
		from--
	}
	if from > 0 && line[from-1] == '-' {
		from--
	}
	before := strings.ToLower(strings.TrimRight(line[:from], " :=>\"'*("))
	if strings.HasSuffix(before, " of") || strings.HasSuffix(before, " is") {
		before = before[:len(before)-3]
	}
	for _, word := range statuses {
		if !strings.HasSuffix(before, word) {
			continue
		}
		head := before[:len(before)-len(word)]
		if (word == "exit" || word == "rc") && (strings.Trim(head, "[(<*= -") != "" || !strings.ContainsAny(line[:from], ":=[(")) {
			continue
		}
		if strings.ContainsAny(head, ";{}\"$") {
			return 0, false // source code
		}
		return number(line[from:])
	}
	return 0, false
}

// number reads the number a text begins with.
func number(s string) (n int, ok bool) {
	negative := strings.HasPrefix(s, "-")
	if negative {
		s = s[1:]
	}
	for i := 0; i < len(s) && i < 10 && s[i] >= '0' && s[i] <= '9'; i++ {
		n, ok = n*10+int(s[i]-'0'), true
	}
	if n > 1<<31 {
		n = 1 << 31
	}
	if negative {
		n = -n
	}
	return n, ok
}
