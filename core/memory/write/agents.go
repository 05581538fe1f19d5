package write

import (
	"bytes"
	"errors"
	"fmt"
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
const preface = "Notes from past sessions, each approved by a person. What the user says, and what the files here show, counts more than they do."

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
	if block == "" && at.end == 0 {
		return bytes.Clone(file), r, nil
	}
	ending := "\n"
	if i := bytes.IndexByte(file[at.begin:], '\n'); i > 0 && file[at.begin+i-1] == '\r' { // as the block has, or the first line
		ending = "\r\n"
	}
	block = strings.ReplaceAll(memory.BlockBegin+"\n"+block+memory.BlockEnd, "\n", ending)
	if at.end > 0 {
		return append(append(bytes.Clone(file[:at.begin]), block...), file[at.end:]...), r, nil
	}
	out := bytes.Clone(file)
	if len(out) > 0 {
		if !bytes.HasSuffix(out, []byte("\n")) {
			out = append(out, ending...)
		}
		out = append(out, ending...)
	}
	return append(append(out, block...), ending...), r, nil
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

// find finds the marks of a block. They count on a line of their own only.
func find(file []byte) (at blockAt, err error) {
	if !utf8.Valid(file) || bytes.IndexByte(file, 0) >= 0 {
		return at, errNoText
	}
	begun, number := 0, 0
	for from := 0; from < len(file); {
		number++
		to := len(file)
		if i := bytes.IndexByte(file[from:], '\n'); i >= 0 {
			to = from + i + 1
		}
		text := strings.TrimSpace(strings.TrimPrefix(string(file[from:to]), "\ufeff"))
		switch {
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
