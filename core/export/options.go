package export

import (
	"winnow/core/export/shortened"
	"winnow/core/review"
	"winnow/core/token"
)

// Options says what an export writes, and where. The zero value of each field
// but Path is what an export does by default.
type Options struct {
	Selection
	As string // name of the emitter, "" the default
	// Path is the target: a file, or a folder if it ends with a slash or is
	// one already.
	Path string
	// Force replaces files that exist.
	Force bool
	// Check does everything but writing: no file is made or touched, and
	// Path may be empty. The report is that of the export, and names secrets
	// that it would let through.
	Check bool

	// OnPolicy trains each answer that a model gave to exactly what stands before it
	// once in the whole export, after all that the model saw. Segments only say which
	// of them are wanted.
	OnPolicy bool
	// Gaps are what may be missing of what the model saw, see GapNames.
	Gaps []Gap

	// Train says which assistant messages are trained.
	Train Train
	// System says what becomes of the leading system message.
	System System
	// Ephemeral is cut out of every system message wherever it stands: a text
	// that was only appended while the session ran.
	Ephemeral string
	// Repair replaces what else leaves a sample out for ever: NULs and what no
	// JSON may hold, such as half of a surrogate pair.
	Repair bool
	// MaxTokens drops or cuts samples that cost more; 0: no limit. Tokens are
	// counted by Counter, nil: estimated.
	MaxTokens int
	TooLong   TooLong
	Counter   token.Counter

	// Compressed says which compressions take the place of what they were made of.
	Compressed shortened.Which

	// Redact replaces secrets by placeholders; nil: they stay, and Check
	// reports them.
	Redact *Redaction

	Dedupe  Dedupe
	Balance Balance
	// Splits are the names and shares of the parts that samples are split
	// into, by session; empty: no split. The shares add up to 1.
	Splits []Split
	// Seed changes which sessions fall into which part.
	Seed uint64
	// KeepNoReasoning keeps samples without any reasoning in a batch export.
	KeepNoReasoning bool

	// Pairs is how many preference pairs of one prompt are written at most, if
	// the format writes such; 0: MostPairs.
	Pairs int

	// ShardSize is the size of a file in bytes, before compression, beyond
	// which the next one is begun; 0: no limit for a file as target, the
	// default for a folder.
	ShardSize int64
	Gzip      bool
	Parquet   bool

	// Held tells of a segment that it was held back before: it does not go to the first
	// of several Splits, nor does what is like it. Nil: none was.
	Held func(*review.Segment) bool

	// Place has the report say where each sample went.
	Place bool

	// Program is the name and version that the manifest states.
	Program string
	// Home is the home folder of the user, "" unknown: paths in the manifest
	// below it begin with "~".
	Home string

	taken *takenOut // by redactions
	// alone says that the target is one file, whatever lies beside it.
	alone bool
}

// MostPairs is how many pairs of one prompt are written by default: enough to
// show what is better than what, too few for one prompt to outweigh the others.
const MostPairs = 4

// Train is a policy of which assistant messages are trained. A message that a
// curator switched off, or that a recorder wrote in the model's place, never is.
type Train string

// The policies.
const (
	TrainAll  Train = ""
	TrainLast Train = "last" // only the last one
	// TrainAfterErrors trains what comes after the last tool result that
	// failed, and everything in a sample without one: what led to the error
	// stays to be seen, but is not learned.
	TrainAfterErrors Train = "after-errors"
	// TrainSucceeded trains all but the messages of which a call failed.
	TrainSucceeded Train = "succeeded"
	// TrainEdited trains only what a curator wrote: fixes and additions. A
	// segment without such is left out.
	TrainEdited Train = "edited"
)

// System is a policy of the leading system message. The zero System keeps the
// recorded one, in front of later segments of its session too.
type System struct {
	Drop bool
	Text string // takes the place of the recorded one, "" does not
}

// TooLong says what becomes of a sample that costs too many tokens.
type TooLong string

// What becomes of it.
const (
	DropLong TooLong = ""    // it is left out
	CutLong  TooLong = "cut" // it ends before a user message
)

// Dedupe says which samples count as the same; the best-scored one stays.
type Dedupe string

// The ways.
const (
	DedupeNone  Dedupe = ""
	DedupeExact Dedupe = "exact" // equal messages
	DedupeNear  Dedupe = "near"  // alike in what users and assistants say
)

// Balance evens out how many samples there are of each task type. The zero
// Balance changes nothing.
type Balance struct {
	// Even keeps as many of each type as the rarest has.
	Even bool
	// Most keeps at most so many of each; 0: no limit.
	Most int
	// Shares keeps the most samples of which each type has its share; types
	// that are not in it are left out. Nil: no shares.
	Shares map[string]float64
}

// Redaction says what counts as a secret beside the rules.
type Redaction struct {
	Users []string // names of users, as in /home/NAME
}
