package sheet

import (
	"strconv"
	"strings"

	"winnow/core/clean"
	"winnow/tui/reader/gist"
)

// Change is how many lines an edit adds and removes. The zero value is no edit.
type Change struct {
	Edits          bool // there are any
	Added, Removed int
}

// Text writes a change: "+3 −1", with the sign for what is removed; "" for no edit.
func (c Change) Text(minus string) string {
	if !c.Edits {
		return ""
	}
	return "+" + strconv.Itoa(c.Added) + " " + minus + strconv.Itoa(c.Removed)
}

// Count adds the lines of a diff or patch.
func (c *Change) Count(diff string) {
	c.Edits = true
	for len(diff) > 0 {
		line, rest, _ := strings.Cut(diff, "\n")
		diff = rest
		switch {
		case strings.HasPrefix(line, "+++ ") || strings.HasPrefix(line, "--- "):
		case strings.HasPrefix(line, "+"):
			c.Added++
		case strings.HasPrefix(line, "-"):
			c.Removed++
		}
	}
}

// contents are the arguments that hold what is written to a file.
var contents = [...]string{"content", "file_text", "contents", "insert_text", "new_str", "new_source", "text"}

// writes are parts of the names of tools, and of their commands, that write a text
// to a file.
var writes = [...]string{"write", "create", "insert", "save", "append", "edit"}

// CountWritten counts the lines that a call writes to a file, if it does.
func (c *Change) CountWritten(name string, f Fields) {
	if c.Edits || f.Path() == "" {
		return
	}
	name = strings.ToLower(name + " " + gist.Beginning(f.First("command"), gist.Most))
	for _, word := range writes {
		if !strings.Contains(name, word) {
			continue
		}
		if text := f.First(contents[:]...); text != "" {
			c.Edits, c.Added = true, strings.Count(strings.TrimSuffix(text, "\n"), "\n")+1
		}
		return
	}
}

// patched are how the lines of a diff or patch begin that name a file.
var patched = [...]string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "+++ b/", "+++ "}

// filesShown is how many files of a patch its headline names at most.
const filesShown = 4

// PatchFiles names the files that a diff or patch is about, "" if it names none.
func PatchFiles(diff string) string {
	var names []string
	more := 0
	for len(diff) > 0 {
		line, rest, _ := strings.Cut(diff, "\n")
		diff = rest
		for _, words := range patched {
			name, ok := strings.CutPrefix(line, words)
			if !ok {
				continue
			}
			if name, _, _ = strings.Cut(name, "\t"); len(names) < filesShown {
				names = append(names, gist.Line(clean.Line(name)))
			} else {
				more++
			}
			break
		}
	}
	if more > 0 {
		names = append(names, "and "+strconv.Itoa(more)+" more")
	}
	return strings.Join(names, ", ")
}

// IsDiff reports whether a text is a diff or a patch, judged by its beginning.
func IsDiff(text string) bool {
	const looked = 16 << 10 // bytes; tools print a few lines before a diff
	text = text[:min(len(text), looked)]
	if strings.HasPrefix(text, "diff --git ") || strings.HasPrefix(text, "*** Begin Patch") {
		return true
	}
	for _, hunk := range [...]string{"\n@@ ", "\n@@@ "} {
		if strings.Contains(text, hunk) && (strings.HasPrefix(text, "--- ") || strings.Contains(text, "\n--- ")) {
			return true
		}
	}
	return false
}
