package review

import "strings"

// FileTitle is the short name of a session_file: the name of the file without
// its folders, and the key after it with its '#', which may hold separators
// of its own. The name of a folder is never part of it, also where that holds
// a '#'. Both '/' and '\' separate, as databases move between systems.
func FileTitle(file string) string {
	folder, _ := splitFile(file)
	return file[folder:]
}

// SourcePath is the path of the file that a session_file lies in: what stands
// before the '#' of its key.
func SourcePath(file string) string {
	_, key := splitFile(file)
	return file[:key]
}

// splitFile returns where the name of the file begins, and where it ends.
func splitFile(file string) (folder, key int) {
	for i := 0; i < len(file); i++ {
		switch c := file[i]; {
		case c == '/' || c == '\\':
			folder = i + 1
		case c == '#' && i > folder && isKey(file[i+1:]):
			return folder, i
		}
	}
	return folder, len(file)
}

// isKey reports whether a text has the form of a session's key: L and a line,
// an index in brackets, both perhaps with a number after a dot, or the native
// id of a session or a branch.
func isKey(s string) bool {
	if strings.HasPrefix(s, "s=") || strings.HasPrefix(s, "b=") {
		return true
	}
	if dot := strings.LastIndexByte(s, '.'); dot >= 0 && isNumber(s[dot+1:]) {
		s = s[:dot]
	}
	if line, ok := strings.CutPrefix(s, "L"); ok {
		return isNumber(line)
	}
	inner, opened := strings.CutPrefix(s, "[")
	index, closed := strings.CutSuffix(inner, "]")
	return opened && closed && isNumber(index)
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
