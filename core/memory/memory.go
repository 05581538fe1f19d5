// Package memory has what was learned in sessions, in a sentence or two each,
// with the quotes that prove it: rules of the user, pitfalls, procedures, facts.
//
// An Extractor proposes Candidates from the Evidence of a segment. Gate lets
// those through that hold what they claim, without asking a model, and says why
// it drops another. A curator judges what is left: nothing leaves winnow without
// a yes. The package is pure: it asks no database and draws nothing.
package memory

import (
	"time"

	"winnow/core/chat"
	"winnow/core/similar"
)

// Kind says what a memory is.
type Kind string

// The kinds.
const (
	Rule      Kind = "rule"      // what the user wants always or never
	Pitfall   Kind = "pitfall"   // what failed, why, and what worked
	Procedure Kind = "procedure" // steps that were carried out and checked
	Fact      Kind = "fact"      // about a project or its environment, lasting
)

// Kinds are all kinds, in the order in which they are listed and written.
var Kinds = [...]Kind{Rule, Pitfall, Procedure, Fact}

// ParseKind returns the kind of that name.
func ParseKind(name string) (k Kind, ok bool) { return parse(Kinds[:], name) }

// Status says what became of a memory.
type Status string

// The statuses.
const (
	Proposed Status = "proposed" // waits for a curator
	Approved Status = "approved"
	Rejected Status = "rejected" // is not proposed again
	Archived Status = "archived"
)

// Statuses are all of them.
var Statuses = [...]Status{Proposed, Approved, Rejected, Archived}

// ParseStatus returns the status of that name.
func ParseStatus(name string) (s Status, ok bool) { return parse(Statuses[:], name) }

// Flag is a warning about a memory. One that has any is approved by itself only,
// never among others.
type Flag string

// The flags.
const (
	FromTools Flag = "from_tools" // all its quotes are from results of tools: anybody's text
	Directive Flag = "directive"  // it speaks to the agent that will read it, as injections do
	Link      Flag = "link"       // it has an address that the user did not type
	Hidden    Flag = "hidden"     // it has characters that do not show, or long base64
)

// Flags are all flags, in the order in which they are written.
var Flags = [...]Flag{FromTools, Directive, Link, Hidden}

// ParseFlag returns the flag of that name.
func ParseFlag(name string) (f Flag, ok bool) { return parse(Flags[:], name) }

// Makers of memories.
const (
	ByModel   = "llm"
	ByRules   = "offline"
	ByCurator = "hand"
)

// RulesPrefix begins the names of extractors that ask no model.
const RulesPrefix = ByRules + " "

// Memory is one thing that was learned.
type Memory struct {
	ID         string `json:"id"` // UUIDv4; its first 8 digits are unique too
	Kind       Kind   `json:"kind"`
	Title      string `json:"title"`   // one line
	Content    string `json:"content"` // what was learned
	Context    string `json:"context"` // when it matters, "" always
	Resolution string `json:"resolution"`

	Status Status `json:"status"`
	Stale  bool   `json:"stale"`  // approved, and none of its sources is live
	Reason string `json:"reason"` // why it is archived or stale
	Note   string `json:"note"`   // a curator's

	Agent    string `json:"agent_id"`
	Dir      string `json:"dir"`
	TaskType string `json:"task_type"`
	Topic    string `json:"topic"`

	MadeBy string `json:"made_by"` // ByModel, ByRules, ByCurator
	Model  string `json:"model"`
	Prompt string `json:"prompt"` // version of the instruction

	Grade      float64           `json:"grade"` // 0 to 1: how much there is for it
	Flags      []Flag            `json:"flags"`
	Hash       string            `json:"hash"`                // see HashOf
	Signature  similar.Signature `json:"-"`                   // see SignatureOf
	Supersedes string            `json:"supersedes,omitzero"` // id of the memory that it corrects
	Edited     bool              `json:"edited"`              // a curator changed its words

	Curator  string    `json:"curator"`
	Reviewed time.Time `json:"reviewed_at,omitzero"`
	Created  time.Time `json:"created_at"`
	Updated  time.Time `json:"updated_at"`

	Sources []Source `json:"sources"`
	Tags    []string `json:"tags"` // see Tags
}

// Short is the beginning of the id by which people name a memory.
func (m *Memory) Short() string { return short(m.ID) }

// Fresh reports whether a memory may be written for agents to read.
func (m *Memory) Fresh() bool { return m.Status == Approved && !m.Stale }

// Source is a segment that a memory was learned from.
type Source struct {
	Detail      string `json:"detail"` // ContentKey of what it held
	Segment     string `json:"segment_id"`
	Fingerprint string `json:"fingerprint"`
	File        string `json:"session_file"`
	Start       int    `json:"start_line"` // message numbers, as of the time
	End         int    `json:"end_line"`
	Cites       []Cite `json:"cites"`
	Live        bool   `json:"live"` // the segment is there, unchanged, and its verdict stands
	// Added is when the memory got this source; zero is from its beginning on.
	Added time.Time `json:"added_at,omitzero"`
}

// Place says in which part of a message a quote is.
type Place string

// The places.
const (
	InText   Place = "text"
	InCall   Place = "call"
	InResult Place = "result"
)

// Cite is a quote of a message.
type Cite struct {
	N       int       `json:"n"`              // of the message in its segment's current view, from 1: that moves with no import
	Message int       `json:"message"`        // its number in the session, as of the time
	Part    int       `json:"part,omitzero"`  // chat.Message.Part
	Role    chat.Role `json:"role"`           // who speaks; results that stand in a user's message are a tool's
	In      Place     `json:"in"`             //
	Check   bool      `json:"check,omitzero"` // of a result that succeeded
	Quote   string    `json:"quote"`          // as it stands there, white space folded
}

// Drop says why a candidate is no memory; "" that it is one.
type Drop string

// The reasons.
const (
	Kept          Drop = ""
	NoQuote       Drop = "no_quote"        // nothing is quoted
	QuoteNotFound Drop = "quote_not_found" // not in the text, call or result of that message
	NoUserWords   Drop = "no_user_words"   // a rule without the user's own words
	NoCheck       Drop = "no_check"        // a procedure without a result that succeeded
	Long          Drop = "long"            // more than ContentMost characters
	Generic       Drop = "generic"         // nothing particular in it
	Transient     Drop = "transient"       // of the moment: "now passes", "in this PR"
	Restates      Drop = "restates"        // the session was told so, or recalled it
	Same          Drop = "same"            // is there already, word by word
	Near          Drop = "near"            // is there already, nearly
	Secret        Drop = "secret"          // a secret is left in it
	Many          Drop = "many"            // SegmentMost better ones are of the segment
)

// Drops are all reasons, in the order in which Gate looks for them.
var Drops = [...]Drop{NoQuote, QuoteNotFound, NoUserWords, NoCheck, Long, Secret, Generic, Transient, Restates, Same, Near, Many}

// ContentMost is how long the content of a memory may be, in characters.
const ContentMost = 600

// parse returns the one of all that has a name.
func parse[T ~string](all []T, name string) (T, bool) {
	for _, x := range all {
		if string(x) == name {
			return x, true
		}
	}
	return "", false
}

// short is the beginning of an id.
func short(id string) string { return id[:min(len(id), 8)] }
