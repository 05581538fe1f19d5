package memory

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/chat"
	"winnow/core/similar"
)

const (
	titleMost = 120 // characters
	fieldMost = 600 // of context and of resolution
)

// Gate makes a memory of a candidate, or says why it is none. It asks no model.
// One that is Same or Near to a known memory comes back with that one's id, "" if
// it was rejected, and the source that is to be added to it.
func Gate(c Candidate, e *Evidence, known []Memory) (Memory, Drop) {
	m, drop := gate(c, e, known, []rule{
		{NoUserWords, noUserWords}, {NoCheck, noCheck}, {Long, isLong}, {Secret, isSecret},
		{Generic, isGeneric}, {Transient, isTransient}, {Restates, restates},
	})
	if m.Status == Rejected {
		m.ID = ""
	}
	return m, drop
}

// ByHand is Gate for what a curator writes: quotes have to be there, no secrets,
// and it is not there yet; the rest is their judgement. What is Same or Near comes back
// with the id and status of the known memory, a rejected one too.
func ByHand(c Candidate, e *Evidence, known []Memory) (Memory, Drop) {
	m, drop := gate(c, e, known, []rule{{Long, isLong}, {Secret, isSecret}})
	m.MadeBy = ByCurator
	return m, drop
}

// rule is a reason to drop a memory, and when that is so.
type rule struct {
	drop  Drop
	holds func(m *Memory, e *Evidence, known []Memory) bool
}

func gate(c Candidate, e *Evidence, known []Memory, rules []rule) (Memory, Drop) {
	cites, drop := cite(c.Cites, e)
	if drop != Kept {
		return Memory{}, drop
	}
	source := e.Source()
	source.Cites = cites
	m := Memory{
		Kind: c.Kind, Title: fold(c.Title), Content: strings.TrimSpace(c.Content), Context: strings.TrimSpace(c.Context), Resolution: strings.TrimSpace(c.Resolution),
		Status: Proposed, Agent: e.Agent, Dir: e.Dir, TaskType: e.TaskType, Topic: e.Topic, Sources: []Source{source}, Tags: ownTags(c.Tags),
	}
	for _, r := range rules {
		if r.holds(&m, e, known) {
			return Memory{}, r.drop
		}
	}
	m.Identify()
	if at, drop := alikeOr(&m, c.SameAs, known); drop != Kept {
		k := &known[at]
		m.ID, m.Status, m.Stale, m.Reason = k.ID, k.Status, k.Stale, k.Reason
		return m, drop
	}
	if i := slices.IndexFunc(known, func(k Memory) bool { return k.ID != "" && k.ID == c.Corrects }); i >= 0 {
		m.Supersedes = known[i].ID
	}
	m.Tags = Tags(&m)
	m.Flags = FlagsOf(&m, e)
	m.Grade = GradeOf(&m)
	return m, Kept
}

// cite finds the quotes, all of them.
func cite(cites []Cite, e *Evidence) (found []Cite, drop Drop) {
	for _, c := range cites {
		if fold(c.Quote) == "" {
			continue
		}
		at, ok := e.Find(c.N, c.Quote)
		if !ok {
			return nil, QuoteNotFound
		}
		found = union(found, []Cite{at})
	}
	if len(found) == 0 {
		return nil, NoQuote
	}
	return found, Kept
}

// anyCite reports whether f holds of a quote.
func (m *Memory) anyCite(f func(*Cite) bool) bool {
	for i := range m.Sources {
		for j := range m.Sources[i].Cites {
			if f(&m.Sources[i].Cites[j]) {
				return true
			}
		}
	}
	return false
}

func users(c *Cite) bool { return c.Role == chat.User }

func noUserWords(m *Memory, _ *Evidence, _ []Memory) bool {
	return m.Kind == Rule && !m.anyCite(users)
}

func noCheck(m *Memory, _ *Evidence, _ []Memory) bool {
	return m.Kind == Procedure && !m.anyCite(func(c *Cite) bool { return c.Check })
}

func isLong(m *Memory, _ *Evidence, _ []Memory) bool {
	return utf8.RuneCountInString(m.Content) > ContentMost || utf8.RuneCountInString(m.Title) > titleMost ||
		utf8.RuneCountInString(m.Context) > fieldMost || utf8.RuneCountInString(m.Resolution) > fieldMost
}

func isSecret(m *Memory, e *Evidence, _ []Memory) bool { return e.leaks(m.texts()...) }

// said is what a memory says.
func (m *Memory) said() []string { return []string{m.Title, m.Content, m.Context, m.Resolution} }

// texts are all texts of a memory that somebody may read.
func (m *Memory) texts() []string {
	texts := m.said()
	for i := range m.Sources {
		for j := range m.Sources[i].Cites {
			texts = append(texts, m.Sources[i].Cites[j].Quote)
		}
	}
	return append(texts, m.Tags...)
}

// alikeOr is alike, but for what is said to be the same as a known memory.
func alikeOr(m *Memory, sameAs string, known []Memory) (at int, drop Drop) {
	if at, drop = alike(m, known); drop == Kept && sameAs != "" {
		at = slices.IndexFunc(known, func(k Memory) bool { return k.ID == sameAs && k.Status != Archived })
		if at >= 0 {
			return at, Near
		}
	}
	return at, drop
}

// alike finds the memory that says the same, or nearly. Archived ones do not count.
func alike(m *Memory, known []Memory) (at int, drop Drop) {
	for i := range known {
		if k := &known[i]; k.Status != Archived && k.Kind == m.Kind && k.Hash == m.Hash {
			return i, Same
		}
	}
	for i := range known {
		if k := &known[i]; k.Status != Archived && similar.Similarity(&k.Signature, &m.Signature) >= similar.Duplicate {
			return i, Near
		}
	}
	return -1, Kept
}

// ownTags are the tags of a model that may be kept: few, short, in lower case.
func ownTags(tags []string) (own []string) {
	const most = 32 // bytes
	for _, tag := range tags {
		tag = strings.ToLower(fold(tag))
		if len(own) < ownMost && tag != "" && len(tag) <= most && !Derived(tag) && !hides(tag) && !slices.Contains(own, tag) {
			own = append(own, tag)
		}
	}
	return own
}

// GradeOf says how much there is for a memory, 0 to 1: words of the user, a check
// that succeeded, something particular, several sources; less with a flag. It
// has two digits.
func GradeOf(m *Memory) float64 {
	grade := 0.2
	if m.anyCite(users) {
		grade += 0.3
	}
	if m.anyCite(func(c *Cite) bool { return c.Check }) {
		grade += 0.25
	}
	grade += 0.05 * float64(min(specifics(m.Content+".\n"+m.Resolution), 3))
	live := 0
	for i := range m.Sources {
		if m.Sources[i].Live {
			live++
		}
	}
	grade += 0.05 * float64(min(max(live-1, 0), 2))
	if len(m.Flags) > 0 {
		grade -= 0.2
	}
	return math.Round(100*grade) / 100
}
