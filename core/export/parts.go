package export

import "strings"

// part is one file of an export.
type part struct {
	// infix goes before the extension of the target: "notools" makes
	// train.notools.jsonl of train.jsonl.
	infix string
	// folderName is the name of the part in a folder, such as
	// "trajectory_samples"; "": it is named after what it is split into.
	folderName string
	// first is the index of the part with the same folderName that has all
	// keys. Others may take its name if it stays empty.
	first int
}

// lack is what records may be without.
type lack struct {
	infix string   // of the files without it
	keys  []string // that go together
	in    func(*Sample) bool
}

// noTools is for formats in which an empty list of tools would be read as one:
// some chat templates print a heading for it, others fail.
var noTools = []lack{{"notools", []string{"tools", "parallel_tool_calls"}, lacksTools}}

func lacksTools(s *Sample) bool { return s.Tools == "" }

// allParts are the parts of an export: for each name in a folder that of records
// which lack nothing, and then one for each set of keys that may be lacking.
func (e *Emitter) allParts() (parts []part) {
	names := e.folderNames
	if len(names) == 0 {
		names = []string{""}
	}
	for _, name := range names {
		first := len(parts)
		for set := range 1 << len(e.lacks) {
			var infix []string
			for i := range e.lacks {
				if set&(1<<i) != 0 {
					infix = append(infix, e.lacks[i].infix)
				}
			}
			parts = append(parts, part{strings.Join(infix, "."), name, first})
		}
	}
	return parts
}

// partFor returns the index of the part that a sample belongs to.
func (e *Emitter) partFor(s *Sample) int {
	at := 0
	if e.folderOf != nil {
		at = e.folderOf(s)
	}
	at <<= len(e.lacks)
	for i := range e.lacks {
		if e.lacks[i].in(s) {
			at |= 1 << i
		}
	}
	return at
}
