package write

import (
	"cmp"
	"slices"
	"strings"

	"winnow/core/clean"
	"winnow/core/memory"
	"winnow/core/phrases"
)

// The published limits of skills.
const (
	nameMost        = 64
	descriptionMost = 1024
	bodyMost        = 500 // lines, fewer than
)

// File is a file to be written, with its path inside of a folder.
type File struct {
	Path string
	Data []byte
}

// Skills returns a folder with SKILL.md for each procedure.
func Skills(list []memory.Memory, o Options) ([]File, Report) {
	var r Report
	best := ready(list, &o, &r, func(m *memory.Memory) string {
		if m.Kind != memory.Procedure {
			return "a skill is a procedure: this is a " + string(m.Kind)
		}
		return ""
	})
	var pits Report
	pitfalls := ready(list, &o, &pits, func(m *memory.Memory) string {
		if m.Kind != memory.Pitfall {
			return "no pitfall"
		}
		return ""
	})
	names := slugs(best)
	var files []File
	for i, m := range best {
		files = append(files, File{names[i] + "/SKILL.md", skill(m, names[i], beside(m, pitfalls))})
		r.Written = append(r.Written, m.ID)
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, r
}

// skill writes SKILL.md.
func skill(m *memory.Memory, name string, pitfalls []*memory.Memory) []byte {
	var b strings.Builder
	b.WriteString("---\nname: " + name + "\ndescription: " + quoted(description(m)) + "\n---\n\n")
	b.WriteString("# " + line(m.Title) + "\n\nA note from past sessions, approved by a person. " + memory.Mark(m) + "\n")
	section(&b, "When to use", said(m, m.Context), line(m.Title)+".")
	section(&b, "Steps", said(m, m.Content), "")
	var pits []noted
	for _, p := range pitfalls {
		pits = append(pits, noted{"- " + sentence(p), p})
	}
	section(&b, "Pitfalls", pits, "None is known.")
	check := said(m, m.Resolution)
	for i := range m.Sources {
		for j := range m.Sources[i].Cites {
			if c := &m.Sources[i].Cites[j]; c.Check && len(check) < 8 {
				check = append(check, noted{"- it said: " + line(c.Quote), m})
			}
		}
	}
	section(&b, "Check", check, "")
	return sealed(b.String(), m)
}

// noted is a line of a memory.
type noted struct {
	text string
	of   *memory.Memory
}

// said are the lines of a text of a memory.
func said(m *memory.Memory, text string) (lines []noted) {
	for l := range strings.SplitSeq(text, "\n") {
		lines = append(lines, noted{l, m})
	}
	return lines
}

// section writes a heading and the lines after it, each with the mark by which it is
// known again. Blocks of code are written as they are, between the marks of a block.
func section(b *strings.Builder, head string, lines []noted, none string) {
	b.WriteString("\n## " + head + "\n\n")
	n := 0
	for i := 0; i < len(lines) && n < bodyMost/8; i++ {
		if code := codeLines(lines[i:], bodyMost/8-n); code > 0 {
			writeCode(b, lines[i:i+code])
			i, n = i+code-1, n+code+2
			continue
		}
		if text := line(lines[i].text); text != "" {
			if text[0] == '#' {
				text = `\` + text
			}
			b.WriteString(text + " " + memory.Mark(lines[i].of) + "\n")
			n++
		}
	}
	if n == 0 && none != "" {
		b.WriteString(none + "\n")
	}
}

// codeLines is how many lines a block of code has that begins with the first one, at most so
// many; 0 if none begins there. One that is not closed ends with the text.
func codeLines(lines []noted, most int) int {
	sign, n := fence([]byte(strings.TrimLeft(lines[0].text, " \t")))
	if n == 0 {
		return 0
	}
	for i := 1; i < min(len(lines), most); i++ {
		if closes(lines[i].text, sign, n) {
			return i + 1
		}
	}
	return min(len(lines), most)
}

// closes reports whether a line closes a block of code that so many signs began.
func closes(text string, sign byte, n int) bool {
	s, m := fence([]byte(strings.TrimLeft(text, " \t")))
	return s == sign && m >= n && strings.Trim(text, " \r\t"+string(sign)) == ""
}

// writeCode writes a block of code. No comment begins or ends in it, nothing is hidden.
func writeCode(b *strings.Builder, lines []noted) {
	first := strings.TrimLeft(lines[0].text, " \t")
	indent := lines[0].text[:len(lines[0].text)-len(first)]
	b.WriteString(indent + memory.BlockBegin + "\n")
	for i := range lines {
		parts := strings.Split(strings.TrimRight(lines[i].text, " \r\t"), "\t")
		for j := range parts {
			parts[j] = uncomment(clean.Line(parts[j]))
		}
		b.WriteString(strings.Join(parts, "\t") + "\n")
	}
	if sign, n := fence([]byte(first)); len(lines) == 1 || !closes(lines[len(lines)-1].text, sign, n) {
		b.WriteString(indent + strings.Repeat(string(sign), n) + "\n")
	}
	b.WriteString(indent + memory.BlockEnd + "\n")
}

// beside returns the pitfalls that were learned from a segment of the procedure.
func beside(m *memory.Memory, pitfalls []*memory.Memory) (list []*memory.Memory) {
	for _, p := range pitfalls {
		if slices.ContainsFunc(p.Sources, func(s memory.Source) bool {
			return slices.ContainsFunc(m.Sources, func(own memory.Source) bool { return own.Detail == s.Detail })
		}) {
			list = append(list, p)
		}
	}
	return list
}

// description says what a skill is for, when first: lists show the beginning only.
func description(m *memory.Memory) string {
	text := line(m.Title)
	if c := line(m.Context); c != "" {
		text += ". Use " + c
	}
	text = strings.NewReplacer("<", "", ">", "").Replace(text)
	runes := []rune(text)
	return strings.TrimSpace(string(runes[:min(len(runes), descriptionMost)]))
}

// quoted is a text as a string of YAML. The text is one line without control
// characters.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// reserved are words that names of skills may not have.
var reserved = [...]string{"anthropic", "claude"}

// slugs returns names for skills: of their titles, with the id where an older one has the
// name already, or where nothing is left of a title.
func slugs(list []*memory.Memory) []string {
	names := make([]string, len(list))
	byAge := make([]int, len(list))
	for i := range byAge {
		byAge[i] = i
	}
	slices.SortFunc(byAge, func(a, b int) int {
		return cmp.Or(list[a].Created.Compare(list[b].Created), cmp.Compare(list[a].ID, list[b].ID))
	})
	taken := map[string]bool{}
	for _, i := range byAge {
		m := list[i]
		name := slug(m.Title, nameMost)
		switch {
		case name == "":
			name = "procedure-" + m.Short()
		case taken[name]:
			name = slug(m.Title, nameMost-len(m.Short())-1) + "-" + m.Short()
		}
		names[i], taken[name] = name, true
	}
	return names
}

// slug makes a name of a title: words of a-z and 0-9 with "-" between them.
func slug(title string, most int) string {
	title = strings.ToLower(title)
	for _, word := range reserved {
		title = strings.ReplaceAll(title, word, " ")
	}
	words := strings.FieldsFunc(title, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	name := phrases.Clip(strings.Join(words, "-"), most)
	if len(name) == most { // no half of a word
		if i := strings.LastIndexByte(name, '-'); i > most/2 {
			name = name[:i]
		}
	}
	return strings.Trim(name, "-")
}
