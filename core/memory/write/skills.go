package write

import (
	"bytes"
	"slices"
	"strings"

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

// Ours reports whether a file was written here: others are not written over.
func Ours(file []byte) bool { return bytes.Contains(file, []byte(memory.MarkHead)) }

// skill writes SKILL.md.
func skill(m *memory.Memory, name string, pitfalls []*memory.Memory) []byte {
	var b strings.Builder
	b.WriteString("---\nname: " + name + "\ndescription: " + quoted(description(m)) + "\n---\n\n")
	b.WriteString("# " + line(m.Title) + "\n\nA note from past sessions, approved by a person. " + memory.Mark(m) + "\n")
	section(&b, m, "When to use", []string{m.Context}, line(m.Title)+".")
	section(&b, m, "Steps", strings.Split(m.Content, "\n"), "")
	var pits []string
	for _, p := range pitfalls {
		pits = append(pits, "- "+sentence(p))
	}
	section(&b, m, "Pitfalls", pits, "None is known.")
	check := strings.Split(m.Resolution, "\n")
	for i := range m.Sources {
		for j := range m.Sources[i].Cites {
			if c := &m.Sources[i].Cites[j]; c.Check && len(check) < 8 {
				check = append(check, "- it said: "+c.Quote)
			}
		}
	}
	section(&b, m, "Check", check, "")
	return []byte(b.String())
}

// section writes a heading and the lines after it, each with the mark by which it is
// known again.
func section(b *strings.Builder, m *memory.Memory, head string, lines []string, none string) {
	b.WriteString("\n## " + head + "\n\n")
	n := 0
	for _, text := range lines {
		if text = line(text); text != "" && n < bodyMost/8 {
			if text[0] == '#' {
				text = `\` + text
			}
			b.WriteString(text + " " + memory.Mark(m) + "\n")
			n++
		}
	}
	if n == 0 && none != "" {
		b.WriteString(none + "\n")
	}
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

// slugs returns names for skills: of their titles, with the id where two would have
// one, or where nothing is left of a title.
func slugs(list []*memory.Memory) []string {
	names := make([]string, len(list))
	count := map[string]int{}
	for i, m := range list {
		names[i] = slug(m.Title, nameMost)
		count[names[i]]++
	}
	for i, m := range list {
		if names[i] == "" {
			names[i] = "procedure-" + m.Short()
		} else if count[names[i]] > 1 {
			names[i] = slug(m.Title, nameMost-len(m.Short())-1) + "-" + m.Short()
		}
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
