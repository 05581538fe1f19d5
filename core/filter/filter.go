// Package filter is the language in which curators say which segments they
// want: score>=0.8 type:code -has:error "connection refused". Parse turns text
// into a tree whose values are typed and checked, Print turns a tree back into
// text, and what keeps the segments compiles the tree into a question of its
// own. No value of a tree is ever a piece of such a question.
package filter

import "time"

// Node is a parsed expression: And, Or, Not, Term or Text. A nil Node lets
// everything through. A term about a value that a segment lacks is false, and
// its negation true.
type Node interface{ node() }

// And holds if all of its nodes do. It has at least two, none of them an And.
type And []Node

// Or holds if any of its nodes does. It has at least two, none of them an Or.
type Or []Node

// Not holds if its node does not. Its node is no Not.
type Not struct{ Of Node }

// Term says something about one field.
type Term struct {
	Field Field
	// Metric is the name after the dot of Metric, "" for other fields.
	Metric string
	// Op compares numbers and dates; it is Is for all other kinds.
	Op Op
	// Num is the number of a Number field, and the lower bound of Between,
	// whose upper one, inclusive, is Max.
	Num, Max float64
	// Date is that of a Date field, and the first of Between, whose last one
	// is Last.
	Date, Last Date
	// Value is that of all other kinds. For an Enum it is one of the values of
	// its field.
	Value string
}

// Text is a search in the text of a segment's messages: a word that stands
// anywhere in them, or several in a row within one message.
type Text struct {
	Value  string // as it was meant, without quotes and without the asterisk
	Phrase bool   // it was quoted
	Prefix bool   // an asterisk was after it: the last word only begins so
}

func (And) node()  {}
func (Or) node()   {}
func (Not) node()  {}
func (Term) node() {}
func (Text) node() {}

// Date is a moment, or a stretch of time, as people write one: "2026",
// "2026-11", "2026-11-20", "2026-11-20T17:58", "7d" (seven days ago), "today".
type Date struct {
	Text string // as written
	// From is its first moment and To the first one after it, both UTC. A
	// year, month or day is a stretch in the zone that Parse was given; other
	// dates are a second, or a minute if no second was written.
	From, To time.Time
}

// Op is how a value is compared.
type Op string

// The operators. A colon is Is; for numbers and dates it is Equal, and with
// two dots between two values Between.
const (
	Is           Op = ":"
	Equal        Op = "="
	NotEqual     Op = "!="
	Less         Op = "<"
	LessEqual    Op = "<="
	Greater      Op = ">"
	GreaterEqual Op = ">="
	Between      Op = ".."
)

// Kind is what the values of a field are.
type Kind int

// The kinds. Enum, Exact and ID are compared as they are, Substring without
// regard to case, anywhere in the value.
const (
	Enum      Kind = iota // one of Info.Values
	Exact                 // a name
	ID                    // the first four digits of an id or more, in small letters
	Substring             // part of a text
	Number
	Day // a Date
)

// Field names what a term is about.
type Field string

// The fields. All are of a segment, or of the session it is part of.
const (
	Status      Field = "status"      // verdict
	Score       Field = "score"       // missing until scored
	Likely      Field = "likely"      // how likely it would be approved, missing where nothing was learned
	Seen        Field = "seen"        // how much of it was seen on the screen, 0 where nothing was
	Type        Field = "type"        // task type, missing until scored
	Topic       Field = "topic"       //
	Agent       Field = "agent"       // agent id
	Model       Field = "model"       // of the session, missing if unknown
	Format      Field = "format"      // of the session's source
	File        Field = "file"        // session_file
	Session     Field = "session"     // session id
	Tool        Field = "tool"        // a tool that is called in it
	Tag         Field = "tag"         //
	Why         Field = "why"         // a reason of the verdict, which is a tag that begins with WhyPrefix
	Note        Field = "note"        // missing if empty
	Reviewer    Field = "reviewer"    // who judged it, missing while pending
	Cut         Field = "cut"         // who cut it
	Edit        Field = "edit"        // what edits of its messages are for
	Compression Field = "compression" // what became of its compression
	Flag        Field = "flag"        // of the analysis
	Turns       Field = "turns"       // user messages
	Messages    Field = "messages"    //
	Tokens      Field = "tokens"      // estimated
	ToolCalls   Field = "toolcalls"   //
	ToolFails   Field = "toolfails"   // failed tool results
	Errors      Field = "errors"      // tool results with the outcome error
	Exits       Field = "exits"       // tool results with the outcome exit
	After       Field = "after"       // recorded at that time or later; missing if the recording has no times
	Before      Field = "before"      // recorded before
	Reviewed    Field = "reviewed"    // when it was judged, missing while pending
	Came        Field = "came"        // when its session came into the database
	IDField     Field = "id"          // segment id
	Metric      Field = "metric"      // a metric's score, missing where it does not apply
	Has         Field = "has"         // has:think and the like
)

// Candidate is a value of a field that segments have, for completion.
type Candidate struct {
	Value string
	Count int // segments
}
