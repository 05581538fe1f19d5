package reader

import (
	"strconv"
	"strings"

	"winnow/core/clean"
)

// change is how many lines an edit adds and removes. The zero value is no edit.
type change struct {
	edits          bool
	added, removed int
}

// text writes a change: "+3 −1".
func (c change) text(minus string) string {
	if !c.edits {
		return ""
	}
	return "+" + strconv.Itoa(c.added) + " " + minus + strconv.Itoa(c.removed)
}

// count adds the lines of a diff or patch.
func (c *change) count(diff string) {
	c.edits = true
	for len(diff) > 0 {
		line, rest, _ := strings.Cut(diff, "\n")
		diff = rest
		switch {
		case strings.HasPrefix(line, "+++ ") || strings.HasPrefix(line, "--- "):
		case strings.HasPrefix(line, "+"):
			c.added++
		case strings.HasPrefix(line, "-"):
			c.removed++
		}
	}
}

// contents are the arguments that hold what is written to a file.
var contents = [...]string{"content", "file_text", "contents", "insert_text", "new_str", "new_source", "text"}

// writes are parts of the names of tools, and of their commands, that write a text
// to a file.
var writes = [...]string{"write", "create", "insert", "save", "append", "edit"}

// countWritten counts the lines that a call writes to a file, if it does.
func (c *change) countWritten(name string, f fields) {
	if c.edits || f.first(paths[:]...) == "" {
		return
	}
	name = strings.ToLower(name + " " + beginning(f.first("command"), briefBytes))
	for _, word := range writes {
		if !strings.Contains(name, word) {
			continue
		}
		if text := f.first(contents[:]...); text != "" {
			c.edits, c.added = true, strings.Count(strings.TrimSuffix(text, "\n"), "\n")+1
		}
		return
	}
}

// patched are how the lines of a diff or patch begin that name a file.
var patched = [...]string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "+++ b/", "+++ "}

// filesShown is how many files of a patch its headline names at most.
const filesShown = 4

// patchFiles names the files that a diff or patch is about, "" if it names none.
func patchFiles(diff string) string {
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
				names = append(names, oneLine(clean.Line(name)))
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
