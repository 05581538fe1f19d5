// Package lineage tells where each row of a data set comes from: the manifest of
// an export, how it is read, and what tells two of them apart. It imports
// core/review and core/rawjson.
package lineage

import (
	"fmt"

	"winnow/core/review"
)

// Names in the folder of a data set.
const (
	Folder       = ".lineage"
	ManifestName = Folder + "/manifest.json"
)

// File is one file that an export wrote.
type File = review.ExportedFile

// Version is raised when a reader of older ones could not read it.
const Version = 1

// Manifest is what the manifest of an export says at its beginning. The
// samples and what was left out follow, one on a line, so that neither who
// writes nor who reads it holds them all.
type Manifest struct {
	Version int     `json:"manifest"`
	Program string  `json:"program"`
	Emitter string  `json:"emitter"`
	Options Options `json:"options"`
	Counts  Counts  `json:"counts"`
	Files   []File  `json:"files"`  // of records; paths are below the folder, with slashes
	Beside  []File  `json:"beside"` // the others, but the manifest itself
}

// Counts are the sums of an export.
type Counts struct {
	Candidates int `json:"candidates"`
	Samples    int `json:"samples"`
	Rows       int `json:"rows"`
	Tokens     int `json:"tokens"`
	Longest    int `json:"longest"` // tokens of the longest sample
	Trained    int `json:"trained"`
	LeftOut    int `json:"left_out"`
	// Gaps counts the samples of an export on policy by what is not recorded of
	// what the model saw.
	Gaps map[string]GapCount `json:"gaps,omitempty"`
}

// GapCount counts samples with a gap.
type GapCount struct {
	Written int `json:"written"`
	LeftOut int `json:"left_out"`
}

// Options are the options that decide what is written; what is not
// given is absent.
type Options struct {
	Filter          string             `json:"filter,omitzero"`
	AnyVerdict      bool               `json:"any_verdict,omitzero"`
	MinScore        *float64           `json:"min_score,omitzero"`
	TaskType        string             `json:"task_type,omitzero"`
	Stale           bool               `json:"stale,omitzero"`
	Limit           int                `json:"limit,omitzero"`
	Policy          string             `json:"policy,omitzero"`
	Gaps            []string           `json:"gaps,omitempty"` // that samples may have
	Train           string             `json:"train,omitzero"`
	System          string             `json:"system,omitzero"`    // "drop", or the SHA-256 of a text
	Ephemeral       string             `json:"ephemeral,omitzero"` // SHA-256 of the text
	MaxTokens       int                `json:"max_tokens,omitzero"`
	TooLong         string             `json:"too_long,omitzero"`
	Tokenizer       string             `json:"tokenizer,omitzero"` // "" estimated
	Redact          bool               `json:"redact,omitzero"`
	Dedupe          string             `json:"dedupe,omitzero"`
	BalanceEven     bool               `json:"balance_even,omitzero"`
	BalanceMost     int                `json:"balance_most,omitzero"`
	BalanceShares   map[string]float64 `json:"balance_shares,omitempty"`
	Splits          []Split            `json:"splits,omitempty"`
	Seed            uint64             `json:"seed,omitzero"`
	Repair          bool               `json:"repair,omitzero"`
	KeepNoReasoning bool               `json:"keep_no_reasoning,omitzero"`
	Pairs           int                `json:"pairs,omitzero"`      // of one prompt
	Compressed      string             `json:"compressed,omitzero"` // "" those that were accepted
	ShardSize       int64              `json:"shard_size,omitzero"`
	Gzip            bool               `json:"gzip,omitzero"`
	Parquet         bool               `json:"parquet,omitzero"`
}

// Sample is where one sample comes from, and where it went.
type Sample struct {
	File string `json:"file"` // that its rows are in, below the folder
	Row  int    `json:"row"`  // the first, from 1
	Rows int    `json:"rows"`
	// Record is the beginning of the SHA-256 of the records as JSON lines.
	Record string `json:"record"`
	Origin
}

// Split is a part of a data set.
type Split struct {
	Name  string  `json:"name"`  // such as "train"
	Share float64 `json:"share"` // of the sessions, 0 to 1
}

// Origin tells where a sample comes from. It is what the manifest says of it.
type Origin struct {
	Sample      string `json:"sample"`  // id
	Segment     string `json:"segment"` // id
	Fingerprint string `json:"fingerprint"`
	// Edited tells what curators made of the recorded messages, "" nothing.
	Edited      string `json:"edited,omitzero"`
	Source      string `json:"source"` // path
	SessionFile string `json:"session_file"`
	// Start and End are message numbers of the segment, Messages the numbers
	// of those in the sample, the first of each that were joined.
	Start    int   `json:"start"`
	End      int   `json:"end"`
	Messages []int `json:"messages"`
	// Context counts the messages of other sessions in front of a branch, which
	// are not trained.
	Context int `json:"context,omitzero"`
	// Masked numbers the messages of the segment that a curator switched off.
	Masked []int `json:"masked,omitzero"`
	// FirstLine and LastLine are those of the source on which the values with
	// the first and the last message begin, elements of an array on their own;
	// 0: unknown. Where a value ends is not recorded, so that only a source
	// whose name says that each line is a value has a LastLine.
	FirstLine  int64    `json:"first_line,omitzero"`
	LastLine   int64    `json:"last_line,omitzero"`
	Verdict    string   `json:"verdict"`
	Curator    string   `json:"curator,omitzero"`
	ReviewedAt string   `json:"reviewed_at,omitzero"` // RFC 3339 UTC
	Score      *float64 `json:"score,omitzero"`       // nil: none
	TaskType   string   `json:"task_type,omitzero"`
	// Answer is the number of an answer that a curator rewrote, if it is about
	// that alone, and Recorded says that it is as the model wrote it.
	Answer   int  `json:"answer,omitzero"`
	Recorded bool `json:"recorded,omitzero"`
	// Compression tells what is left out of a sample that was shortened, and where its
	// further samples are.
	Compression *Compression `json:"compression,omitzero"`
	// From is the message number from which on a row of an export on policy goes on
	// after a compaction, or 1; 0: it is no such row. Trained are the numbers of the
	// messages that it trains, Gaps what is not recorded of what the model saw, and
	// Also the further segments that it trains messages of.
	From    int      `json:"from,omitzero"`
	Trained []int    `json:"trained,omitempty"`
	Gaps    []string `json:"gaps,omitempty"`
	Also    []Origin `json:"also,omitempty"`
	// Rejected is where the rejected answer of a pair comes from, of which the
	// rest is the chosen one; nil: it is a sample.
	Rejected *Origin `json:"rejected,omitzero"`
}

// Finding is what a check or a repair has to say.
type Finding struct {
	Check   string `json:"check"`            // name of the check
	Message int    `json:"message,omitzero"` // number in the session; 0: the sample as a whole
	Detail  string `json:"detail"`
}

// LeftOut is a segment that was selected and not written, or a pair of them.
type LeftOut struct {
	Segment     string `json:"segment"` // id, of a pair that of the chosen answer
	SessionFile string `json:"session_file"`
	Rejected    string `json:"rejected,omitzero"` // id of the segment with the rejected answer of a pair
	// Sample is the id of one of the samples that a compression makes of the segment,
	// if it is about that alone.
	Sample  string `json:"sample,omitzero"`
	Finding        // the first one
	More    int    `json:"more,omitzero"` // further findings
	// Gaps is what is not recorded of what the model saw, with commas between, if a
	// sample of the segment is left out for that.
	Gaps string `json:"gaps,omitzero"`
}

// The names of what options leave out. It is what was asked for, not a sample
// that failed.
const (
	OutDuplicate     = "duplicate"      // equal to another sample
	OutNearDuplicate = "near_duplicate" // similar to another sample
	OutBalance       = "balance"        // more of its task type than wanted
	OutLimit         = "limit"          // more samples than wanted
	OutMaxTokens     = "max_tokens"     // too long
	OutNoReasoning   = "no_reasoning"   // nothing to learn from in a batch
	OutUnedited      = "unedited"       // nothing that a curator wrote
	OutPairs         = "pairs"          // more pairs of one prompt than wanted
	OutUnsampled     = "unsampled"      // no answer to exactly what stands before it
	OutElsewhere     = "elsewhere"      // other samples train all of it
)

// The names of why an approved or a rejected segment, or an answer of one, is in no
// preference pair. It may be sound for all that.
const (
	OutAlone    = "alone"     // no run of the other verdict forks off
	OutAtPrompt = "at_prompt" // such runs fork where something else was asked
	OutUnfit    = "unfit"     // an answer at the fork may not stand on its side
	OutRedacted = "redacted"  // a redaction took out what the model wrote
)

// ByOption reports whether what was asked for left the segment out, not a check.
func (l LeftOut) ByOption() bool {
	switch l.Check {
	case OutDuplicate, OutNearDuplicate, OutBalance, OutLimit, OutMaxTokens, OutNoReasoning, OutUnedited, OutPairs, OutUnsampled, OutElsewhere, OutAlone, OutAtPrompt, OutUnfit, OutRedacted:
		return true
	}
	return false
}

// Reason says in one line why the segment was left out.
func (l LeftOut) Reason() string {
	s := l.Detail
	if l.Message > 0 {
		s = fmt.Sprintf("message %d: %s", l.Message, s)
	}
	if l.More > 0 {
		s += fmt.Sprintf(" (and %d more)", l.More)
	}
	return s
}
