package write

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/memory"
)

// heads are the headings of a block by kind, in their order. Procedures are skills.
var heads = [...]struct {
	kind memory.Kind
	text string
}{
	{memory.Rule, "Rules"}, {memory.Pitfall, "Pitfalls"}, {memory.Fact, "Facts"},
}

// preface stands above all of a block: who reads it is to know what it is.
const preface = "A person approved each of them. What the user says, and what the files here show, counts more than they do."

// Agents returns a file such as AGENTS.md or CLAUDE.md with the block of memories in
// it: where one is already, or at the end. The rest stays byte for byte. The error
// says what has to be mended in the file first.
func Agents(file []byte, list []memory.Memory, o Options) ([]byte, Report, error) {
	at, err := find(file)
	if err != nil {
		return nil, Report{}, err
	}
	var r Report
	block := agentsBlock(list, &o, &r)
	var out []byte
	switch {
	case block != "":
		out = put(file, at, block)
	case at.end > 0:
		out = cut(file, at)
	default:
		return bytes.Clone(file), r, nil
	}
	r.compare(file[at.begin:at.end])
	r.warn(out)
	return out, r, nil
}

// compare says what a block has that the one before had not, and what it has no more.
func (r *Report) compare(was []byte) {
	before := map[string]bool{}
	for _, m := range mark.FindAllSubmatch(was, -1) {
		before[string(m[1])] = true
	}
	for _, id := range r.Written {
		short := id[:min(len(id), 8)]
		if !before[short] {
			r.Added = append(r.Added, short)
		}
		delete(before, short)
	}
	r.Removed = slices.Sorted(maps.Keys(before))
}

// mark is the mark of a memory.
var mark = regexp.MustCompile(regexp.QuoteMeta(memory.MarkHead) + `([0-9a-f]{8})` + regexp.QuoteMeta(memory.MarkTail))

// cut takes a block out of a file with the lines that it stands on, and the empty line
// above where one follows, or nothing does.
func cut(file []byte, at blockAt) []byte {
	from := bytes.LastIndexByte(file[:at.begin], '\n') + 1
	if bytes.HasPrefix(file[from:], []byte("\ufeff")) {
		from += len("\ufeff")
	}
	to := lineEnd(file, at.end)
	rest := bytes.TrimLeft(file[to:], "\r")
	if len(rest) == 0 || rest[0] == '\n' {
		for _, ending := range [...]string{"\r\n", "\n"} {
			above, ok := bytes.CutSuffix(file[:from], []byte(ending))
			if ok && bytes.HasSuffix(above, []byte("\n")) {
				from = len(above)
				break
			}
		}
	}
	return append(bytes.Clone(file[:from]), file[to:]...)
}

// put puts a block into a file.
func put(file []byte, at blockAt, block string) []byte {
	ending := "\n"
	if i := bytes.IndexByte(file[at.begin:], '\n'); i > 0 && file[at.begin+i-1] == '\r' { // as the block has, or the first line
		ending = "\r\n"
	}
	block = strings.ReplaceAll(memory.BlockBegin+"\n"+block+memory.BlockEnd, "\n", ending)
	if at.end > 0 {
		return append(append(bytes.Clone(file[:at.begin]), block...), file[at.end:]...)
	}
	out := bytes.Clone(file)
	if len(out) > 0 {
		if !bytes.HasSuffix(out, []byte("\n")) {
			out = append(out, ending...)
		}
		out = append(out, ending...)
	}
	return append(append(out, block...), ending...)
}

const (
	readMost  = 32 << 10 // bytes of AGENTS.md that Codex reads
	linesMost = 200      // lines that CLAUDE.md should have at most
)

// warn says what agents will not read of a file.
func (r *Report) warn(file []byte) {
	if len(file) > readMost {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the file has %d KiB, of which some agents read the first %d", (len(file)+1023)>>10, readMost>>10))
	}
	if n := bytes.Count(file, []byte("\n")); n > linesMost {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the file has %d lines: agents follow files of up to %d best", n, linesMost))
	}
}

// agentsBlock writes what stands between the marks, "" without memories.
func agentsBlock(list []memory.Memory, o *Options, r *Report) string {
	most := o.MaxTokens
	if most <= 0 {
		most = DefaultTokens
	}
	best := ready(list, o, r, func(m *memory.Memory) string {
		if m.Kind == memory.Procedure {
			return "a procedure is a skill: --as skills"
		}
		return ""
	})
	if len(best) == 0 {
		return ""
	}
	r.Tokens = o.count("## Notes from past sessions\n\n" + preface + "\n")
	lines := map[memory.Kind][]string{}
	ids := map[memory.Kind][]string{}
	for _, m := range best {
		text := "- " + sentence(m) + " " + memory.Mark(m) + "\n"
		cost := o.count(text)
		if len(lines[m.Kind]) == 0 {
			cost += o.count("\n### " + string(m.Kind) + "s\n\n")
		}
		if r.Tokens+cost > most {
			r.leave(m, fmt.Sprintf("over the budget of %d tokens: --max-tokens allows more", most))
			continue
		}
		r.Tokens += cost
		lines[m.Kind] = append(lines[m.Kind], text)
		ids[m.Kind] = append(ids[m.Kind], m.ID)
	}
	var b strings.Builder
	b.WriteString("## Notes from past sessions\n\n" + preface + "\n")
	for _, h := range heads {
		if len(lines[h.kind]) > 0 {
			b.WriteString("\n### " + h.text + "\n\n" + strings.Join(lines[h.kind], ""))
			r.Written = append(r.Written, ids[h.kind]...)
		}
	}
	if len(r.Written) == 0 {
		r.Tokens = 0
		return ""
	}
	return b.String()
}

// sentence says a memory on one line.
func sentence(m *memory.Memory) string {
	text := line(m.Content)
	if s := line(m.Resolution); s != "" {
		text += " → " + s
	}
	if s := line(m.Context); s != "" {
		text += " (" + s + ")"
	}
	return line(text)
}

// blockAt is where a block is in a file, from its first mark to the end of its last;
// zero without one.
type blockAt struct{ begin, end int }

// errNoText says that a file is none that a block can be written into.
var errNoText = errors.New("it is no UTF-8 text: save it as UTF-8 first")

// find finds the marks of a block. They count on a line of their own only, and not in
// blocks of code.
func find(file []byte) (at blockAt, err error) {
	if !utf8.Valid(file) || bytes.IndexByte(file, 0) >= 0 {
		return at, errNoText
	}
	begun, number, code := 0, 0, 0
	for from := 0; from < len(file); {
		number++
		to := lineEnd(file, from)
		if code <= from {
			code = codeEnd(file, from)
		}
		text := strings.TrimSpace(strings.TrimPrefix(string(file[from:to]), "\ufeff"))
		switch {
		case code > from:
		case text == memory.BlockBegin && begun > 0:
			return at, fmt.Errorf("line %d: %s a second time (first on line %d): remove one of the blocks", number, memory.BlockBegin, begun)
		case text == memory.BlockBegin:
			begun, at.begin = number, from+bytes.Index(file[from:to], []byte(memory.BlockBegin))
		case text == memory.BlockEnd && begun == 0:
			return at, fmt.Errorf("line %d: %s without %s before it: add that line where the notes begin, or remove this one", number, memory.BlockEnd, memory.BlockBegin)
		case text == memory.BlockEnd && at.end > 0:
			return at, fmt.Errorf("line %d: %s a second time: remove it", number, memory.BlockEnd)
		case text == memory.BlockEnd:
			at.end = from + bytes.Index(file[from:to], []byte(memory.BlockEnd)) + len(memory.BlockEnd)
		}
		from = to
	}
	if begun > 0 && at.end == 0 {
		return at, fmt.Errorf("line %d: %s without %s after it: add that line where the notes end, or remove this one", begun, memory.BlockBegin, memory.BlockEnd)
	}
	return at, nil
}

// lineEnd is where the line that begins at file[from:] ends, its line break included.
func lineEnd(file []byte, from int) int {
	if i := bytes.IndexByte(file[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(file)
}

// codeEnd is where a block of code ends that begins with the line at file[from:], 0 if
// none does, or if it is not closed.
func codeEnd(file []byte, from int) int {
	if from >= len(file) {
		return 0
	}
	to := lineEnd(file, from)
	sign, n := fence(file[from:to])
	for n > 0 && to < len(file) {
		next := lineEnd(file, to)
		line := file[to:next]
		if s, m := fence(line); s == sign && m >= n && len(bytes.Trim(line, " \r\n\t"+string(sign))) == 0 {
			return next
		}
		to = next
	}
	return 0
}

// fence returns the sign of a line that begins or ends a block of code, and how often it
// stands there; 0 for any other line.
func fence(line []byte) (sign byte, n int) {
	text := bytes.TrimLeft(line, " ")
	if len(line)-len(text) > 3 || len(text) == 0 || text[0] != '`' && text[0] != '~' {
		return 0, 0
	}
	if n = len(text) - len(bytes.TrimLeft(text, string(text[:1]))); n < 3 {
		return 0, 0
	}
	return text[0], n
}
