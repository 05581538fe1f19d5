package memory

import (
	"errors"
	"fmt"
	"strings"

	"winnow/core/phrases"
)

// The parts of a sheet, each below its heading.
const (
	sheetKind       = "# kind: rule, pitfall, procedure or fact"
	sheetTitle      = "# title"
	sheetContent    = "# what was learned"
	sheetContext    = "# when it matters"
	sheetResolution = "# what to do"
)

// Sheet writes the words of a memory as a text that people edit.
func (w *Words) Sheet() string {
	var b strings.Builder
	for _, part := range [...][2]string{
		{sheetKind, string(w.Kind)}, {sheetTitle, w.Title}, {sheetContent, w.Content}, {sheetContext, w.Context}, {sheetResolution, w.Resolution},
	} {
		b.WriteString(part[0] + "\n" + strings.TrimSpace(part[1]) + "\n\n")
	}
	return b.String()
}

// ParseSheet is the other way round. The error says what to mend.
func ParseSheet(text string) (w Words, err error) {
	parts := map[string]string{}
	head := ""
	for line := range strings.Lines(text) {
		switch name := strings.TrimSpace(line); name {
		case sheetKind, sheetTitle, sheetContent, sheetContext, sheetResolution:
			head = name
		default:
			parts[head] += line
		}
	}
	if strings.TrimSpace(parts[""]) != "" {
		return w, fmt.Errorf("there is text above the first heading: headings are %q and the like", sheetTitle)
	}
	of := func(name string) string { return strings.TrimSpace(parts[name]) }
	w = Words{Title: fold(of(sheetTitle)), Content: of(sheetContent), Context: of(sheetContext), Resolution: of(sheetResolution)}
	var ok bool
	if w.Kind, ok = ParseKind(strings.ToLower(of(sheetKind))); !ok {
		return w, fmt.Errorf("there is no kind of memory %q: rule, pitfall, procedure or fact", of(sheetKind))
	}
	return w, w.Check()
}

// Check sees that words say something, and not too much; a title that is missing is made
// of what they say.
func (w *Words) Check() error {
	if w.Content == "" {
		return errors.New("it says nothing: what was learned is missing")
	}
	for _, part := range [...]struct {
		name, text string
		most       int
	}{{"title", w.Title, titleMost}, {"what was learned", w.Content, ContentMost}, {"when it matters", w.Context, ContentMost}, {"what to do", w.Resolution, ContentMost}} {
		if n := len([]rune(part.text)); n > part.most {
			return fmt.Errorf("%s has %d characters, %d are the most", part.name, n, part.most)
		}
	}
	if w.Title == "" {
		w.Title = phrases.Clip(fold(w.Content), titleMost)
	}
	return nil
}

// Words are the words of a memory.
func (m *Memory) Words() Words {
	return Words{m.Kind, m.Title, m.Content, m.Context, m.Resolution, m.Flags}
}

// ChangesText says in a few words what happened to memories: "2 memories approved", "3
// memories: 1 approved, 2 rejected". count is how many there are, of which changes are the
// first.
func ChangesText(changes []Change, count int) string {
	if len(changes) == 0 {
		return "nothing"
	}
	what := fmt.Sprintf("%d memories", count)
	if count <= 1 {
		what = "memory " + short(changes[0].ID)
	}
	var kinds []string
	n := map[string]int{}
	for i := range changes {
		done := changes[i].done()
		if n[done]++; n[done] == 1 {
			kinds = append(kinds, done)
		}
	}
	switch {
	case len(kinds) == 1:
		return what + " " + kinds[0]
	case count > len(changes):
		return what + " changed"
	}
	for i, done := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", n[done], done)
	}
	return what + ": " + strings.Join(kinds, ", ")
}

// done says what happened to a memory.
func (c *Change) done() string {
	b, a := c.Before, c.After
	switch {
	case b == nil:
		return "added"
	case a == nil:
		return "taken away"
	case !a.Says(b):
		return "edited"
	case a.Status == Proposed && b.Status != Proposed:
		return "open again"
	case a.Status != b.Status || !a.Reviewed.Equal(b.Reviewed):
		return string(a.Status)
	case a.Note != b.Note && a.Note == "":
		return "without a note now"
	case a.Note != b.Note:
		return "given a note"
	}
	return "tagged"
}
