package metric

import (
	"slices"
	"strings"

	"winnow/core/phrases"
)

// nameKind guesses what work a tool is for, from its name.
func nameKind(name string) (v vote) {
	v = vote{kind: kindNone}
	for _, row := range tables().tools {
		nameWords(name, func(word string) bool {
			if slices.Contains(row.Phrases, word) {
				v = row.vote()
			}
			return v.kind == kindNone
		})
		if v.kind != kindNone {
			break
		}
	}
	return v
}

// pathMembers are members of arguments that hold the path of a file.
var pathMembers = []string{`"file_path"`, `"path"`, `"filename"`, `"file"`, `"notebook_path"`, `"target_file"`, `"absolute_path"`, `"file_name"`, `"filepath"`}

// pathKind guesses what work a file is for, by the JSON of its path.
func pathKind(json string) kind {
	path := strings.TrimSuffix(json[max(0, len(json)-64):], `"`)
	if strings.HasSuffix(strings.ToLower(path), "dockerfile") || strings.HasSuffix(path, "compose.yml") || strings.HasSuffix(path, "compose.yaml") {
		return kindOps
	}
	dot := strings.LastIndexByte(path, '.')
	if dot < 0 || len(path)-dot > 9 {
		return kindNone
	}
	if k, ok := tables().extensions[strings.ToLower(path[dot+1:])]; ok {
		return k
	}
	return kindNone
}

// dataFiles in a command say more than its programs.
var dataFiles = []string{".csv", ".tsv", ".xlsx", ".parquet", ".sqlite", ".sql"}

// commandKind guesses what work a command is for, by the files of data or else
// the first program in it that is known.
func commandKind(json string) (k kind) {
	k = kindNone
	clipped := phrases.Clip(json, commandMost)
	for _, ext := range dataFiles {
		if strings.Contains(clipped, ext) {
			return kindData
		}
	}
	for from := 0; from < len(clipped) && k == kindNone; {
		end := from
		for end < len(clipped) && (letterOrDigit(rune(clipped[end])) || clipped[end] == '-' || clipped[end] == '+') {
			end++
		}
		if end > from && (end == len(clipped) || clipped[end] != '.' && clipped[end] != '/') && (from == 0 || clipped[from-1] != '.' && clipped[from-1] != '-') {
			if found, ok := tables().programs[clipped[from:end]]; ok {
				k = found
			}
		}
		from = end + 1
	}
	return k
}
