package export

import (
	"cmp"
	"crypto/sha256"
	"slices"

	"winnow/core/chat"
	"winnow/core/secret"
)

// redactor finds secrets in samples, and replaces them by placeholders: the
// same secret by the same one in the whole export.
type redactor struct {
	scanner  *secret.Scanner
	replaces bool

	// Of number, that one goroutine calls.
	numbers map[[sha256.Size]byte]int // by rule and value, of which only the hash is kept
	last    map[string]int            // number by rule
}

// found is a secret in a sample.
type found struct {
	secret Secret // without its segment
	value  string
	spots  []spot
}

// spot is where a secret is: in which of the sample's texts, by their
// order, and where in it.
type spot struct {
	text       int
	start, end int
}

// newRedactor returns nil if nobody wants to know about secrets.
func newRedactor(opts *Options) (*redactor, error) {
	if opts.Redact == nil && !opts.Check {
		return nil, nil
	}
	var users []string
	if opts.Redact != nil {
		users = opts.Redact.Users
	}
	r := &redactor{
		scanner: secret.New(users), replaces: opts.Redact != nil,
		numbers: map[[sha256.Size]byte]int{}, last: map[string]int{},
	}
	return r, r.scanner.Load()
}

// sampleText is one text of a sample.
type sampleText struct {
	text    *string
	message int    // its number, 0: the sample as a whole
	where   string // as in Secret
}

// texts lists all texts of a sample that may get into a record, in the order
// in which their secrets are numbered.
func (s *Sample) texts() []sampleText {
	out := make([]sampleText, 0, 2*len(s.Messages)+6)
	for m := range s.each {
		if out = m.appendTexts(out); m.was != nil {
			out = m.was.appendTexts(out)
		}
	}
	return append(out, s.beside()...)
}

// beside lists those that are no message's.
func (s *Sample) beside() []sampleText {
	return []sampleText{
		{&s.Tools, 0, "tools"}, {&s.Metadata, 0, "metadata"}, {&s.Topic, 0, "topic"},
		{&s.Agent, 0, "provenance"}, {&s.Model, 0, "provenance"}, {&s.Provenance, 0, "provenance"},
	}
}

func (m *Message) appendTexts(out []sampleText) []sampleText {
	content := "content"
	if m.Role == chat.Tool {
		content = "tool output"
	}
	out = append(out, sampleText{&m.Reasoning, m.N, "reasoning"}, sampleText{&m.Content, m.N, content})
	for j := range m.Calls {
		c := &m.Calls[j]
		out = append(out, sampleText{&c.Name, m.N, "tool name"}, sampleText{&c.Arguments, m.N, "arguments"}, sampleText{&c.ID, m.N, "call id"})
	}
	return append(out, sampleText{&m.Name, m.N, "tool name"}, sampleText{&m.ToolCallID, m.N, "call id"})
}

// find lists the secrets in the texts of a sample. It is safe for concurrent use.
// What is a secret in one of them is one in all of them, even where nothing else
// tells.
func (r *redactor) find(texts []sampleText) []found {
	hits := make([][]secret.Hit, len(texts))
	var known []secret.Secret
	for i, t := range texts {
		hits[i] = r.scanner.Find(*t.text)
		for _, h := range hits[i] {
			known = append(known, secret.Secret{Rule: h.Rule, Value: h.Value(*t.text)})
		}
	}
	if len(known) == 0 {
		return nil
	}
	everywhere := secret.NewKnown(known)
	var c gathering
	for i, t := range texts {
		for _, h := range secret.Join(*t.text, hits[i], everywhere.Find(*t.text)) {
			c.add(h, i, &t)
		}
	}
	return c.found
}

// gathering collects the spots of each secret.
type gathering struct {
	found []found
	index map[secret.Secret]int
	// kinds holds the kinds of spots that a secret was found in.
	kinds map[kindOfSpot]bool
}

type kindOfSpot struct {
	of    secret.Secret
	where string
}

// add adds a hit. Of the spots of one kind, the report names the first: the
// name of a user may stand in every line of a session.
func (c *gathering) add(h secret.Hit, text int, t *sampleText) {
	if c.index == nil {
		c.index, c.kinds = map[secret.Secret]int{}, map[kindOfSpot]bool{}
	}
	of := secret.Secret{Rule: h.Rule, Value: h.Value(*t.text)}
	at := spot{text, h.Start, h.End}
	kind := kindOfSpot{of, t.where}
	if c.kinds[kind] {
		f := &c.found[c.index[of]]
		f.spots = append(f.spots, at)
		return
	}
	c.kinds[kind] = true
	if _, met := c.index[of]; !met {
		c.index[of] = len(c.found)
	}
	c.found = append(c.found, found{
		secret: Secret{Message: t.message, Where: t.where, Rule: h.Rule, Shown: secret.Shown(of.Value)},
		value:  of.Value, spots: []spot{at},
	})
}

// number gives secrets their placeholders. It is called in the order of the
// samples.
func (r *redactor) number(fs []found) {
	if !r.replaces {
		return
	}
	for i := range fs {
		f := &fs[i]
		key := sha256.Sum256([]byte(f.secret.Rule + "\x00" + f.value))
		n, met := r.numbers[key]
		if !met {
			r.last[f.secret.Rule]++
			n = r.last[f.secret.Rule]
			r.numbers[key] = n
		}
		f.secret.Placeholder = secret.Placeholder(f.secret.Rule, n)
	}
}

// replace puts the placeholders where the secrets are in the texts of find, and
// returns the texts without any. It is safe for concurrent use.
func (r *redactor) replace(texts []sampleText, fs []found) (clean map[string]bool) {
	type put struct {
		spot
		placeholder string
	}
	var all []put
	for i := range fs {
		for _, p := range fs[i].spots {
			all = append(all, put{p, fs[i].secret.Placeholder})
		}
	}
	slices.SortFunc(all, func(a, b put) int { return cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(a.start, b.start)) })
	clean = make(map[string]bool, len(texts))
	for i, t := range texts {
		if len(all) == 0 || all[0].text != i {
			clean[*t.text] = true
			continue
		}
		out, at := make([]byte, 0, len(*t.text)), 0
		for ; len(all) > 0 && all[0].text == i; all = all[1:] {
			out = append(append(out, (*t.text)[at:all[0].start]...), all[0].placeholder...)
			at = all[0].end
		}
		*t.text = string(append(out, (*t.text)[at:]...))
	}
	return clean
}
