package segment

import (
	"slices"
	"strings"
)

// templates remembers how prompts that open tasks begin, and with what prompts
// of a shell messages end.
type templates struct {
	heads  []string
	shells []string
}

const (
	templateLeast = 160 // bytes; a shorter message is not made from a template
	templateHead  = 32  // bytes in which two prompts of one template are the same
	templatesMost = 64
)

// add keeps the beginning of a long prompt.
func (t *templates) add(text string) {
	head := clip(text, templateHead)
	if len(text) >= templateLeast && len(t.heads) < templatesMost && !slices.Contains(t.heads, head) {
		t.heads = append(t.heads, strings.Clone(head))
	}
}

// match reports whether a long prompt begins as an opening did.
func (t *templates) match(text string) bool {
	return len(text) >= templateLeast && slices.Contains(t.heads, clip(text, templateHead))
}

// shell notes the prompt of a shell, and reports whether it was known. Folders
// in it change, its beginning does not.
func (t *templates) shell(line string) (known bool) {
	if i := strings.IndexAny(line, ":/~ ("); i > 0 {
		line = line[:i] + line[len(line)-1:]
	}
	if slices.Contains(t.shells, line) {
		return true
	}
	if len(t.shells) < templatesMost {
		t.shells = append(t.shells, strings.Clone(line))
	}
	return false
}
