package digest

import (
	"strconv"
	"strings"

	"winnow/core/rawjson"
)

// change is a file that a call changes.
type change struct {
	key      uint64 // of its path
	name     string
	add, del int // lines
}

// edit tells what a tool that changes files does: which, and by how many lines.
func (c *call) edit(args, value string) {
	path := value
	for _, name := range [...]string{"file_path", "path", "filename", "notebook_path", "absolute_path", "target_file"} {
		if v := rawjson.Get(args, name); rawjson.IsText(v) {
			path = rawjson.Unquote(v)
			break
		}
	}
	c.files = nil
	c.changes(path)
	c.arg = c.files[0].name
	c.does = one("edit", path)
	if command := text(rawjson.Get(args, "command")); command == "view" {
		c.kind, c.files = looks, nil
		return
	}
	pairs := []string{args}
	for _, name := range [...]string{"edits", "edit", "changes"} {
		if list := rawjson.Get(args, name); rawjson.IsList(list) {
			for one := range rawjson.Elements(list) {
				pairs = append(pairs, one)
			}
		}
	}
	for _, one := range pairs {
		if !rawjson.IsObject(one) {
			continue
		}
		was := firstText(one, "old_string", "oldText", "old_str", "oldString", "old_text", "search", "old_code")
		is := firstText(one, "new_string", "newText", "new_str", "newString", "new_text", "replace", "new_code", "new_source", "content", "contents", "file_text", "insert_text")
		add, del := lineChanges(was, is)
		c.files[0].add, c.files[0].del = c.files[0].add+add, c.files[0].del+del
	}
	if p := firstText(args, "patch", "input", "diff"); p != "" {
		c.patch(p)
	}
}

func firstText(object string, names ...string) string {
	for _, name := range names {
		if v := rawjson.Get(object, name); rawjson.IsText(v) {
			return rawjson.Unquote(v)
		}
	}
	return ""
}

// patch counts the lines of a patch, file by file.
func (c *call) patch(patch string) {
	c.kind, c.does, c.files = changes, does{}, nil
	for line := range strings.Lines(patch) {
		n := len(c.files) - 1
		switch {
		case strings.HasPrefix(line, "*** Update File: "), strings.HasPrefix(line, "*** Add File: "), strings.HasPrefix(line, "*** Delete File: "), strings.HasPrefix(line, "+++ b/"):
			_, path, _ := strings.Cut(line, " ")
			if _, after, ok := strings.Cut(path, ": "); ok {
				path = after
			}
			path = strings.TrimSpace(strings.TrimPrefix(path, "b/"))
			c.changes(path)
			c.does.parts = append(c.does.parts, part{key: keyOf("edit", path)})
		case n < 0, strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
		case strings.HasPrefix(line, "+"):
			c.files[n].add++
		case strings.HasPrefix(line, "-"):
			c.files[n].del++
		}
	}
	if len(c.files) == 0 {
		c.does = one("edit", patch)
		return
	}
	c.arg = c.files[0].name
	if n := len(c.files) - 1; n > 0 {
		c.arg += " and " + strconv.Itoa(n) + " more"
	}
}

// changes notes a file that is changed.
func (c *call) changes(path string) {
	c.files = append(c.files, change{key: keyOf(path), name: shortPath(path)})
}

// lineChanges counts the lines that were added and removed, without those at the
// beginning and the end that stayed.
func lineChanges(was, is string) (add, del int) {
	a, b := linesOf(was), linesOf(is)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(b), len(a)
}

func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
