package reader

import (
	"slices"
	"strings"

	"winnow/core/clean"
)

// sectionKind says what the lines of a section are.
type sectionKind uint8

const (
	plainSection   sectionKind = iota
	titleSection               // the name of an argument, the path of an edit
	jsonSection                // JSON, a value on a line
	stringSection              // what follows a line break that is written in a string of it
	noteSection                // what is no part of it
	diffSection                // a diff, its lines marked by their first character
	contextSection             // of an edit: what stays
	removedSection             // of an edit: what goes
	addedSection               // of an edit: what comes
)

// section is a part of a block's text, up to the next one.
type section struct {
	from int
	kind sectionKind
}

// sheet is a text under construction.
type sheet struct {
	strings.Builder
	sections []section
	change   change // of the edits in it
	files    string // that patches in it name
	tables   []table
}

// put appends lines: clean text without a line feed at its end.
func (s *sheet) put(kind sectionKind, lines string) {
	if s.Len() > 0 {
		s.WriteByte('\n')
	}
	s.sections = append(s.sections, section{s.Len(), kind})
	s.WriteString(lines)
}

// paths are the names of the argument that tells which file is meant.
var paths = [...]string{"file_path", "path", "filename", "notebook_path", "filePath", "target_file", "file"}

// readable writes a JSON object for reading: edits as diffs, texts with their
// line breaks, and the remaining fields as JSON. It returns "" if the object
// reads as well as JSON. It takes time linear in the object.
func (s *sheet) readable(all fields) (text string, sections []section) {
	left := slices.Clone(all)
	for _, name := range paths {
		if i := left.text(name); i >= 0 {
			if left[i].value != "" {
				s.put(titleSection, clean.Line(left[i].value))
			}
			left = slices.Delete(left, i, i+1)
			break
		}
	}
	title := s.Len()
	left = s.texts(s.edits(left))
	if s.Len() == title || len(left) > 0 && !s.rest(left) {
		return "", nil
	}
	return s.String(), s.sections
}

// texts appends the strings that JSON shows with escapes only, and lists of
// words of which one is such a string. It returns the fields left.
func (s *sheet) texts(all fields) (left fields) {
	for i := range all {
		f := all[i]
		text := f.value
		if !f.escaped {
			if text = wordsOf(f.value); f.text || text == "" {
				left = append(left, f)
				continue
			}
		}
		kind := plainSection
		if f.name == "patch" || f.name == "diff" || isDiff(text) {
			kind = diffSection
		}
		s.put(titleSection, clean.Line(f.name)+":")
		if kind == plainSection && (s.object(text) || s.prose(text)) {
			continue
		}
		text = body(text)
		s.put(kind, text)
		if kind == diffSection {
			s.change.count(text)
			s.files = patchFiles(text)
		}
	}
	return left
}

// wordsOf returns a JSON list of strings as a command line, if one of them
// holds a line break; else "".
func wordsOf(value string) string {
	if !strings.HasPrefix(value, "[") || !strings.Contains(value, `\n`) {
		return ""
	}
	var words []string
	for _, word := range elements(value) {
		if !word.text {
			return ""
		}
		words = append(words, word.value)
	}
	return strings.Join(words, " ")
}

// rest appends fields as indented JSON; false if they are too large for that.
func (s *sheet) rest(left fields) bool {
	of := laidOut(left.object())
	if of == nil {
		return false
	}
	s.laid(of)
	return true
}

// pairs are the names that tools give to a text and what replaces it.
var pairs = [...][2]string{
	{"old_string", "new_string"}, {"old_str", "new_str"}, {"oldText", "newText"}, {"old_text", "new_text"},
	{"oldString", "newString"}, {"old_content", "new_content"}, {"old_code", "new_code"}, {"old", "new"}, {"search", "replace"},
}

// edits appends the replacements among fields, and those in lists of them. It
// returns the fields left.
func (s *sheet) edits(all fields) (left fields) {
	before, after, all, ok := pairOf(all)
	if ok {
		s.diff(before, after)
	}
	for i := range all {
		if !s.editList(all[i].value) {
			left = append(left, all[i])
		}
	}
	return left
}

// editList appends a JSON list of replacements; false if it is none.
func (s *sheet) editList(value string) bool {
	type edit struct {
		before, after string
		left          fields
	}
	var edits []edit
	for _, element := range elements(value) {
		of, _ := fieldsOf(element.value)
		before, after, left, ok := pairOf(of)
		if !ok {
			return false
		}
		edits = append(edits, edit{before, after, left})
	}
	for _, e := range edits {
		s.diff(e.before, e.after)
		if len(e.left) > 0 {
			s.rest(e.left)
		}
	}
	return len(edits) > 0
}

// pairOf takes the first replacement out of fields.
func pairOf(all fields) (before, after string, left fields, ok bool) {
	for _, pair := range pairs {
		i, j := all.text(pair[0]), all.text(pair[1])
		if i < 0 || j < 0 {
			continue
		}
		for k := range all {
			if k != i && k != j {
				left = append(left, all[k])
			}
		}
		return all[i].value, all[j].value, left, true
	}
	return "", "", all, false
}

// diff appends a replacement: the lines both texts begin and end with, and
// between them those that go and those that come.
func (s *sheet) diff(before, after string) {
	before, after = linesOf(before), linesOf(after)
	head, tail := shared(before, after)
	s.change.edits = true
	s.change.removed += strings.Count(before[head:len(before)-tail], "\n")
	s.change.added += strings.Count(after[head:len(after)-tail], "\n")
	s.marked(contextSection, " ", before[:head])
	s.marked(removedSection, "-", before[head:len(before)-tail])
	s.marked(addedSection, "+", after[head:len(after)-tail])
	s.marked(contextSection, " ", before[len(before)-tail:])
}

// linesOf cleans a text and ends every line of it, so that a line break at
// its end counts as the empty line it begins. An empty text has no lines.
func linesOf(text string) string {
	if text == "" {
		return ""
	}
	return clean.Text(text) + "\n"
}

// marked appends whole lines with a sign before each.
func (s *sheet) marked(kind sectionKind, sign, lines string) {
	if lines != "" {
		s.put(kind, sign+strings.ReplaceAll(lines[:len(lines)-1], "\n", "\n"+sign))
	}
}

// shared returns the bytes of the whole lines that a and b begin with, and of
// those that what remains of both ends with.
func shared(a, b string) (head, tail int) {
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	head = strings.LastIndexByte(a[:head], '\n') + 1
	a, b = a[head:], b[head:]
	for tail < min(len(a), len(b)) && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	if from := a[len(a)-tail:]; tail > 0 && !(begins(a, tail) && begins(b, tail)) {
		tail -= strings.IndexByte(from, '\n') + 1
	}
	return head, tail
}

// begins reports whether the last tail bytes of s begin a line.
func begins(s string, tail int) bool {
	return tail == len(s) || s[len(s)-tail-1] == '\n'
}
