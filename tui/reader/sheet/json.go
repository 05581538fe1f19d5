package sheet

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/rawjson"
	"winnow/tui/draw"
	"winnow/tui/reader/gist"
)

// JSON that is shown by itself is laid out so that its texts read as texts: a
// row ends after each line break that is written in a string, and the rest of
// it is indented. Nothing else is added to what was recorded, and what is left
// out of it is said.

const (
	// PageMost is the size of a page, in bytes: more than
	// anybody scrolls through.
	PageMost = 4 << 20
	// stringHead and stringTail are what is shown of a longer string: all of
	// nearly every message, and both ends of a giant one.
	stringHead, stringTail = 48 << 10, 8 << 10
	// stringFolded is what is shown of a string that is folded, in bytes.
	stringFolded = 100
	// inlineMost is the size of an object or list, without others in it, that
	// stays on one line.
	inlineMost = 64
)

// Page is JSON that is shown by itself, laid out so that its texts read as texts.
type Page struct {
	*Sheet
	// Starts are the lines that are neither the rest of a string nor a note, Items
	// those with which messages or rows begin: bytes of the text, in order.
	Starts, Items []int
	// Left is how many bytes of long strings, and of the end, are not shown.
	Left int
}

// PageOf lays out JSON, one value or several, for a terminal with ASCII signs only
// or any; folded, each string takes one row. It returns nil for anything else. It
// takes time linear in raw.
func PageOf(raw []byte, ascii, folded bool) *Page {
	s := &jsonSheet{ascii: ascii, folded: folded}
	if !s.layOut(raw) {
		return nil
	}
	return &Page{&s.Sheet, s.starts, s.items, s.left + s.cut}
}

// jsonSheet is JSON under construction.
type jsonSheet struct {
	Sheet
	ascii   bool
	folded  bool  // strings take one row
	spelled bool  // characters that are written as escapes are shown as what they mean
	starts  []int // of the lines that are not the rest of a string, or a note
	items   []int // of the lines with which messages begin, or rows
	left    int   // bytes left out of long strings
	cut     int   // bytes of the end that are left out
	depth   int
	flat    int // the place after the object or list that is written on one line
	nested  int // how deep JSON inside of strings is laid out; 0: strings are shown as recorded, and giant ones cut
	open    int // the depth of what stands in the table under construction, 0 without one
}

// layOut appends recorded values, one after the other; false if they are not
// valid, and nothing was appended.
func (s *jsonSheet) layOut(raw []byte) bool {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for dec.PeekKind() != 0 {
		if err := dec.SkipValue(); err != nil {
			return false
		}
	}
	if len(bytes.TrimSpace(raw[dec.InputOffset():])) > 0 || len(bytes.TrimSpace(raw)) == 0 {
		return false
	}
	s.tokens(raw)
	return true
}

// tokens appends valid JSON.
func (s *jsonSheet) tokens(raw []byte) {
	for at, end := rawjson.Token(raw, 0); at < end; at, end = rawjson.Token(raw, end) {
		if s.Len() > PageMost && at >= s.flat {
			s.cut = len(raw) - at
			s.note(draw.Bytes(int64(s.cut)) + " more")
			return
		}
		s.token(raw, at, end)
	}
}

// token appends the token raw[at:end].
func (s *jsonSheet) token(raw []byte, at, end int) {
	c := raw[at]
	switch c {
	case '}', ']':
		s.depth--
		if at >= s.flat {
			if s.open > s.depth {
				s.open, s.Tables[len(s.Tables)-1].To = 0, s.Len()
			}
			s.line(JSONLines, s.depth)
		}
		s.WriteByte(c)
		return
	case ',':
		s.WriteByte(',')
		if at < s.flat {
			s.WriteByte(' ')
		} else {
			s.line(JSONLines, s.depth)
		}
		return
	case ':':
		s.WriteString(": ")
		return
	}
	if s.depth == 0 {
		s.line(JSONLines, 0)
	}
	switch c {
	case '{', '[':
		s.container(raw, at)
	case '"':
		s.text(raw[at:end])
	default:
		s.Write(raw[at:end])
	}
}

// itemDepth is how deep the objects stand that are gone to one by one: records,
// and their messages.
const itemDepth = 2

// container appends the beginning of an object or list, or all of a small one.
func (s *jsonSheet) container(raw []byte, at int) {
	if from := s.starts[len(s.starts)-1]; raw[at] == '{' && s.depth <= itemDepth && s.Len() == from+2*s.depth {
		s.items = append(s.items, from)
	}
	if s.open == s.depth && s.open > 0 {
		s.Tables[len(s.Tables)-1].add(s.Len())
	}
	s.WriteByte(raw[at])
	s.depth++
	if s.flat = inlineEnd(raw, at); s.flat > 0 {
		return
	}
	begins := s.nested > 0 && s.open == 0 && raw[at] == '[' && listsObjects(raw[at:])
	s.line(JSONLines, s.depth)
	if begins {
		s.open = s.depth
		s.Tables = append(s.Tables, Table{From: s.Len() - 2*s.depth, Depth: s.depth, Raw: string(raw[at:rawjson.End(raw, at)])})
	}
}

// inlineEnd returns the end of an object or list that stays on one line, 0 for
// others.
func inlineEnd(raw []byte, at int) int {
	for from, end := rawjson.Token(raw, at+1); from-at < inlineMost && from < end; from, end = rawjson.Token(raw, end) {
		switch raw[from] {
		case '{', '[':
			return 0
		case '}', ']':
			return end
		case '"':
			if bytes.Contains(raw[from:min(end, from+inlineMost)], []byte(`\n`)) {
				return 0
			}
		}
	}
	return 0
}

// line begins a line.
func (s *jsonSheet) line(kind Kind, depth int) {
	if s.Len() > 0 {
		s.WriteByte('\n')
	}
	if n := len(s.Sections); n == 0 || s.Sections[n-1].Kind != kind {
		s.Sections = append(s.Sections, Section{s.Len(), kind})
	}
	if kind == JSONLines {
		s.starts = append(s.starts, s.Len())
	}
	for range depth {
		s.WriteString("  ")
	}
}

func (s *jsonSheet) note(text string) {
	s.line(NoteLines, s.depth+1)
	s.WriteString("(" + text + ")")
}

// text appends a string with its quotes.
func (s *jsonSheet) text(raw []byte) {
	if s.folded {
		s.fold(raw)
		return
	}
	if s.nested > 0 {
		if value := jsonWithin(raw); value != nil {
			s.inside(value)
		} else {
			s.lines(raw)
		}
		return
	}
	if most := stringHead + stringTail; len(raw) > most+most/8 {
		head, tail := escapeStart(raw, stringHead), escapeStart(raw, len(raw)-stringTail)
		s.left += tail - head
		s.lines(raw[:head])
		s.note(draw.Bytes(int64(tail-head)) + " of this text left out")
		s.line(StringLines, s.depth+1)
		s.lines(raw[tail:])
		return
	}
	s.lines(raw)
}

// lines appends a piece of a string, a row for each line written in it.
func (s *jsonSheet) lines(raw []byte) {
	for {
		end := feedEnd(raw)
		s.WriteString(s.clean(raw[:end]))
		if raw = raw[end:]; len(raw) == 0 {
			return
		}
		s.line(StringLines, s.depth+1)
	}
}

// fold appends as much of a string as one row takes.
func (s *jsonSheet) fold(raw []byte) {
	end := feedEnd(raw)
	if len(raw) <= stringFolded && end == len(raw) {
		s.WriteString(s.clean(raw))
		return
	}
	end = escapeStart(raw, min(end, stringFolded))
	lines := bytes.Count(raw, []byte(`\n`)) + 1
	more := "..."
	if !s.ascii {
		more = "…"
	}
	s.WriteString(s.clean(raw[:end]) + more + `" (` + Extent(lines, len(raw)-2) + ")")
}

// feedEnd returns the place after the first line break written in a piece of
// a string, or its end: a quote alone begins no row.
func feedEnd(raw []byte) int {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if i++; i < len(raw) && raw[i] == 'n' && i+2 < len(raw) {
			return i + 1
		}
	}
	return len(raw)
}

// escapeStart moves a place in a string back, out of a character or an escape.
func escapeStart(raw []byte, at int) int {
	at = gist.Start(raw, at)
	const longest = len(`\u0000`)
	low := max(0, at-longest+1)
	i := low + bytes.LastIndexByte(raw[low:at], '\\')
	if i < low || !beginsEscape(raw, i) {
		return at
	}
	size := 2
	if i+1 < len(raw) && raw[i+1] == 'u' {
		size = longest
	}
	if i+size > at {
		return i
	}
	return at
}

// beginsEscape reports whether the backslash at a place begins an escape.
func beginsEscape(raw []byte, at int) bool {
	n := 0
	for i := at - 1; i >= 0 && raw[i] == '\\'; i-- {
		n++
	}
	return n%2 == 0
}
