// Package write makes the files of memories that agents and other programs read:
// bytes from memories, the same for the same memories. Only what a curator approved
// and whose sources are there is written, and nothing in which a secret is found.
package write

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"winnow/core/clean"
	"winnow/core/memory"
	"winnow/core/secret"
	"winnow/core/token"
)

// DefaultTokens is the budget of a block for agents.
const DefaultTokens = 2000

// Options say how memories are written.
type Options struct {
	MaxTokens int             // of a block for agents; 0: DefaultTokens
	Counter   token.Counter   // counts them; nil: by characters
	Scanner   *secret.Scanner // finds secrets
}

// Report says what became of each memory.
type Report struct {
	Written []string // ids, in the order in which they are written
	Left    []Left
	Tokens  int // of a block for agents
	// Added are the short ids of those that a block for agents has and had not, Removed
	// those that it had and has no more.
	Added, Removed []string
	Warnings       []string // what the reader of a file should know, a line each
}

// Left is a memory that was left out.
type Left struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// leave notes a memory that is left out.
func (r *Report) leave(m *memory.Memory, why string) {
	r.Left = append(r.Left, Left{m.ID, why})
}

// ready returns the memories that may be written, the best first: by grade, then by
// id. take says why one is left out nevertheless, "" if it is not.
func ready(list []memory.Memory, o *Options, r *Report, take func(*memory.Memory) string) (out []*memory.Memory) {
	for i := range list {
		m := &list[i]
		why := take(m)
		switch {
		case m.Status != memory.Approved:
			why = "it is not approved"
		case m.Stale:
			why = "it is stale: its source changed"
		case why == "":
			why = o.leak(m)
		}
		if why != "" {
			r.leave(m, why)
			continue
		}
		read := m.AsReviewed()
		out = append(out, &read)
	}
	slices.SortFunc(out, func(a, b *memory.Memory) int {
		return cmp.Or(cmp.Compare(b.Grade, a.Grade), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// leak says which secret is in the texts of a memory, "" if none is.
func (o *Options) leak(m *memory.Memory) string {
	if o.Scanner == nil {
		return "secrets were not looked for"
	}
	for _, text := range append([]string{m.Title, m.Content, m.Context, m.Resolution, m.Topic, m.Note}, append(quotes(m), m.Tags...)...) {
		if hits := o.Scanner.Find(text); len(hits) > 0 {
			return fmt.Sprintf("a secret is in it (%s): edit or reject it", hits[0].Rule)
		}
	}
	return ""
}

func quotes(m *memory.Memory) (list []string) {
	for i := range m.Sources {
		for j := range m.Sources[i].Cites {
			list = append(list, m.Sources[i].Cites[j].Quote)
		}
	}
	return list
}

func (o *Options) count(text string) int {
	if o.Counter == nil {
		return token.Estimate(text)
	}
	return o.Counter.Count(text)
}

// line makes a text one line that ends no comment and begins none, in which nothing
// is hidden.
func line(text string) string {
	return uncomment(clean.Line(strings.Join(strings.Fields(text), " ")))
}

// uncomment takes signs apart that begin or end a comment.
func uncomment(text string) string {
	for strings.Contains(text, "<!--") || strings.Contains(text, "-->") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "<!--", "<! --"), "-->", "-- >")
	}
	return text
}
