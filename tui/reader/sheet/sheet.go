// Package sheet lays out what tools are called with and answer, and JSON by itself,
// as texts that people read: edits as diffs, strings with their line breaks, lists
// of objects as tables, everything else as JSON over several lines, also where it
// stands inside of a string or of a text.
//
// Its texts are clean: they come from tools. What one calls itself, it tells by the
// names that the tools of common agents use.
package sheet

import (
	"slices"
	"strings"

	"winnow/core/clean"
)

// Kind says what the lines of a section are.
type Kind uint8

const (
	PlainLines   Kind = iota
	TitleLines        // the name of an argument, the path of an edit
	JSONLines         // JSON, a value on a line
	StringLines       // what follows a line break that is written in a string of it
	NoteLines         // what is no part of it
	DiffLines         // a diff, its lines marked by their first character
	ContextLines      // of an edit: what stays
	RemovedLines      // of an edit: what goes
	AddedLines        // of an edit: what comes
)

// Section is a part of a text, up to the next one.
type Section struct {
	From int // the byte at which its first line begins
	Kind Kind
}

// Sheet is a text laid out: clean, without a line feed at its end.
type Sheet struct {
	strings.Builder
	// Sections are its parts, in order. Without any it is all alike.
	Sections []Section
	// Tables are the lists of objects in it, in order.
	Tables []Table
	// Change is what the edits in it add and remove.
	Change Change
	// Files are those that patches in it name, in one line.
	Files string
}

// put appends lines: clean text without a line feed at its end.
func (s *Sheet) put(kind Kind, lines string) {
	if s.Len() > 0 {
		s.WriteByte('\n')
	}
	s.Sections = append(s.Sections, Section{s.Len(), kind})
	s.WriteString(lines)
}

// paths are the names of the argument that tells which file is meant.
var paths = [...]string{"file_path", "path", "filename", "notebook_path", "filePath", "target_file", "file"}

// Readable lays out a JSON object for reading: edits as diffs, texts with their
// line breaks, and the remaining fields as JSON. It is not ok if the object reads
// as well as JSON: then only Change and Files say what was found. It takes time
// linear in the object.
func Readable(all Fields) (s *Sheet, ok bool) {
	s = &Sheet{}
	left := slices.Clone(all)
	for _, name := range paths {
		if i := left.text(name); i >= 0 {
			if left[i].value != "" {
				s.put(TitleLines, clean.Line(left[i].value))
			}
			left = slices.Delete(left, i, i+1)
			break
		}
	}
	title := s.Len()
	left = s.texts(s.edits(left))
	if s.Len() == title || len(left) > 0 && !s.rest(left) {
		return s, false
	}
	return s, true
}

// texts appends the strings that JSON shows with escapes only, and lists of
// words of which one is such a string. It returns the fields left.
func (s *Sheet) texts(all Fields) (left Fields) {
	for i := range all {
		f := all[i]
		text := f.value
		if !f.escaped {
			if text = wordsOf(f.value); f.text || text == "" {
				left = append(left, f)
				continue
			}
		}
		kind := PlainLines
		if f.name == "patch" || f.name == "diff" || IsDiff(text) {
			kind = DiffLines
		}
		s.put(TitleLines, clean.Line(f.name)+":")
		if kind == PlainLines && (s.object(text) || s.prose(text)) {
			continue
		}
		text = Body(text)
		s.put(kind, text)
		if kind == DiffLines {
			s.Change.Count(text)
			s.Files = PatchFiles(text)
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
func (s *Sheet) rest(left Fields) bool {
	of := Of(left.object())
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
func (s *Sheet) edits(all Fields) (left Fields) {
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
func (s *Sheet) editList(value string) bool {
	type edit struct {
		before, after string
		left          Fields
	}
	var edits []edit
	for _, element := range elements(value) {
		of, _ := FieldsOf(element.value)
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
func pairOf(all Fields) (before, after string, left Fields, ok bool) {
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
func (s *Sheet) diff(before, after string) {
	before, after = linesOf(before), linesOf(after)
	head, tail := shared(before, after)
	s.Change.Edits = true
	s.Change.Removed += strings.Count(before[head:len(before)-tail], "\n")
	s.Change.Added += strings.Count(after[head:len(after)-tail], "\n")
	s.marked(ContextLines, " ", before[:head])
	s.marked(RemovedLines, "-", before[head:len(before)-tail])
	s.marked(AddedLines, "+", after[head:len(after)-tail])
	s.marked(ContextLines, " ", before[len(before)-tail:])
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
func (s *Sheet) marked(kind Kind, sign, lines string) {
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

// body cleans a text for display. Empty lines around it are left out.
func Body(text string) string {
	return strings.TrimRight(clean.Text(strings.Trim(text, "\r\n")), " \n")
}
