package export

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/graph"
)

// taken names the repair that takes it out.
const taken = "taken"

// takenMark stands where a redaction took a text out of what lies beside messages.
const takenMark = "[redacted]"

// takenOut takes texts out of what lies beside the messages of a sample: redactions
// changed messages, and the same may be said in topics, tools, metadata and paths. A
// short text has to be a word of its own, and the names of members in JSON stay. A nil
// one changes nothing.
type takenOut struct{ texts *edit.Finder }

// redactions are what redactions in force took out: what messages said, and texts
// that stood in them. A nil one has nothing.
type redactions struct {
	said  map[graph.Saying]bool
	texts *edit.Finder
}

// readRedactions reads them, and keeps what is taken out of what lies beside messages.
func (o *Options) readRedactions(ctx context.Context, src Source) (*redactions, error) {
	said, err := src.Sealed(ctx)
	if err != nil || len(said) == 0 {
		return nil, err
	}
	replaced, dropped, err := src.TakenOut(ctx)
	if err != nil {
		return nil, err
	}
	if list := slices.Concat(replaced, dropped); len(list) > 0 {
		// The longest of those that begin alike is what is taken out.
		slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
		o.taken = &takenOut{edit.NewFinder(list)}
	}
	return &redactions{said, edit.NewFinder(replaced)}, nil
}

// in reports whether a message says what was taken out.
func (r *redactions) in(m *chat.Message) bool {
	return r != nil && (r.said[graph.SayingOf(m)] || r.texts.In(m))
}

// of returns a text without what was taken out.
func (t *takenOut) of(text string) string {
	if t == nil {
		return text
	}
	return t.texts.Replace(text, takenMark)
}

// schemaWords are what schemas say themselves in the definitions of tools.
var schemaWords = []string{"type", "object", "string", "number", "integer", "boolean", "array", "null", "function", "properties", "required"}

// inside returns what replaces in the values of a JSON text. In definitions of tools the
// words of schemas stay.
func (t *takenOut) inside(where string) func(string) string {
	if where != "tools" {
		return t.of
	}
	return func(said string) string {
		if slices.Contains(schemaWords, said) {
			return said
		}
		return t.of(said)
	}
}

// from takes it out of a sample, in what is no message. JSON stays JSON.
func (t *takenOut) from(s *Sample) {
	if t == nil || s == nil {
		return
	}
	var where []string
	for _, text := range s.beside() {
		now := t.of(*text.text)
		if utf8.ValidString(*text.text) {
			now = edit.ReplaceValues(*text.text, t.inside(text.where)) // as it stands, if it is no JSON
		}
		if now != *text.text {
			*text.text = now
			where = append(where, text.where)
		}
	}
	if len(where) > 0 {
		s.repairs = append(s.repairs, Finding{Check: taken, Detail: "what was redacted is taken out of " + strings.Join(slices.Compact(where), ", ")})
	}
}
