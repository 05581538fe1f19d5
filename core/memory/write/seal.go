package write

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"regexp"

	"winnow/core/memory"
)

// seal is the first mark of a skill, with a sum of the rest of the file: it tells what
// was written here, and whether somebody changed it since.
var seal = regexp.MustCompile(memory.MarkHead + `([0-9a-f]{8}) sum:([0-9a-f]{16})` + memory.MarkTail)

// sealed puts the sum of a file into the first mark of a memory in it.
func sealed(text string, m *memory.Memory) []byte {
	file := []byte(text)
	mark := []byte(memory.MarkHead + m.Short() + " sum:" + sum(file) + memory.MarkTail)
	return bytes.Replace(file, []byte(memory.Mark(m)), mark, 1)
}

func sum(file []byte) string { return fmt.Sprintf("%x", sha256.Sum256(file))[:16] }

// Sealed returns the short id of the memory that a SKILL.md was made of, "" if it was
// not written here, and whether it is as it was written.
func Sealed(file []byte) (id string, whole bool) {
	at := seal.FindSubmatchIndex(file)
	if at == nil {
		return "", false
	}
	id = string(file[at[2]:at[3]])
	was := append(append(bytes.Clone(file[:at[0]]), memory.MarkHead+id+memory.MarkTail...), file[at[1]:]...)
	return id, sum(was) == string(file[at[4]:at[5]])
}
