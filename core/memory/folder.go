package memory

import "strings"

// In reports whether a memory was learned in a folder, or in one below it. A folder that
// is no full path is some of the path's last parts: "web" of /home/ann/web.
func (m *Memory) In(folder string) bool {
	part, first := FolderPart(folder)
	dir := slashed(m.Dir) + "/"
	if first {
		return strings.HasPrefix(dir, part)
	}
	return strings.Contains(dir, part)
}

// slashed is a path with slashes, without one at its end, and without a "~" for the home.
func slashed(path string) string {
	return strings.TrimPrefix(strings.TrimRight(strings.ReplaceAll(path, `\`, "/"), "/"), "~/")
}

// full reports whether a path with slashes begins at the root or at a drive.
func full(path string) bool {
	return strings.HasPrefix(path, "/") || len(path) > 2 && path[1] == ':' && path[2] == '/'
}

// FolderPart is what a folder's name has to have in a path with slashes that ends in
// one: at its beginning, or anywhere.
func FolderPart(folder string) (part string, first bool) {
	if part = slashed(folder) + "/"; full(part) {
		return part, true
	}
	return "/" + part, false
}

// Of returns the memories that were learned in a folder, all of them if none was: a file
// of instructions is for the project that it lies in. others is how many were left.
func Of(folder string, list []Memory) (in []Memory, others int) {
	for i := range list {
		if list[i].In(folder) {
			in = append(in, list[i])
		}
	}
	if len(in) == 0 {
		return list, 0
	}
	return in, len(list) - len(in)
}

// Folders is how many folders memories were learned in.
func Folders(list []Memory) int {
	names := map[string]bool{}
	for i := range list {
		if list[i].Dir != "" {
			names[list[i].Dir] = true
		}
	}
	return len(names)
}

// Asks reports whether a filter has a term of a field.
func (f Filter) Asks(field string) bool {
	for i := range f {
		if f[i].Field == field {
			return true
		}
	}
	return false
}
