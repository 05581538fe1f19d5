package export

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"winnow/core/filter"
)

// manifestVersion is raised when a reader of older ones could not read it.
const manifestVersion = 1

// Manifest is what the manifest of an export says at its beginning. The
// samples and what was left out follow, one on a line, so that neither who
// writes nor who reads it holds them all.
type Manifest struct {
	Version int             `json:"manifest"`
	Program string          `json:"program"`
	Emitter string          `json:"emitter"`
	Options ManifestOptions `json:"options"`
	Counts  ManifestCounts  `json:"counts"`
	Files   []File          `json:"files"`  // of records; paths are below the folder, with slashes
	Beside  []File          `json:"beside"` // the others, but the manifest itself
}

// ManifestCounts are the sums of an export.
type ManifestCounts struct {
	Candidates int `json:"candidates"`
	Samples    int `json:"samples"`
	Rows       int `json:"rows"`
	Tokens     int `json:"tokens"`
	Longest    int `json:"longest"` // tokens of the longest sample
	Trained    int `json:"trained"`
	LeftOut    int `json:"left_out"`
}

// ManifestOptions are the options that decide what is written; what is not
// given is absent.
type ManifestOptions struct {
	Filter          string             `json:"filter,omitzero"`
	AnyVerdict      bool               `json:"any_verdict,omitzero"`
	MinScore        *float64           `json:"min_score,omitzero"`
	TaskType        string             `json:"task_type,omitzero"`
	Stale           bool               `json:"stale,omitzero"`
	Limit           int                `json:"limit,omitzero"`
	Train           Train              `json:"train,omitzero"`
	System          string             `json:"system,omitzero"`    // "drop", or the SHA-256 of a text
	Ephemeral       string             `json:"ephemeral,omitzero"` // SHA-256 of the text
	MaxTokens       int                `json:"max_tokens,omitzero"`
	TooLong         TooLong            `json:"too_long,omitzero"`
	Tokenizer       string             `json:"tokenizer,omitzero"` // "" estimated
	Redact          bool               `json:"redact,omitzero"`
	Dedupe          Dedupe             `json:"dedupe,omitzero"`
	BalanceEven     bool               `json:"balance_even,omitzero"`
	BalanceMost     int                `json:"balance_most,omitzero"`
	BalanceShares   map[string]float64 `json:"balance_shares,omitempty"`
	Splits          []Split            `json:"splits,omitempty"`
	Seed            uint64             `json:"seed,omitzero"`
	Repair          bool               `json:"repair,omitzero"`
	KeepNoReasoning bool               `json:"keep_no_reasoning,omitzero"`
	ShardSize       int64              `json:"shard_size,omitzero"`
	Gzip            bool               `json:"gzip,omitzero"`
	Parquet         bool               `json:"parquet,omitzero"`
}

// ManifestSample is where one sample comes from, and where it went.
type ManifestSample struct {
	File string `json:"file"` // that its rows are in, below the folder
	Row  int    `json:"row"`  // the first, from 1
	Rows int    `json:"rows"`
	// Record is the beginning of the SHA-256 of the records as JSON lines.
	Record string `json:"record"`
	Lineage
}

// Lineage says where a sample comes from.
type Lineage = origin

// OptionsOf says what options decide, without what they would give away: texts
// and the names of users.
func OptionsOf(o *Options) ManifestOptions {
	m := ManifestOptions{
		Filter: filter.Print(o.Filter), AnyVerdict: o.AnyVerdict, MinScore: o.MinScore, TaskType: o.TaskType, Stale: o.Stale, Limit: o.Limit,
		Train: o.Train, System: sumOf(o.System.Text), Ephemeral: sumOf(o.Ephemeral), MaxTokens: o.MaxTokens, TooLong: o.TooLong,
		Redact: o.Redact != nil, Dedupe: o.Dedupe, BalanceEven: o.Balance.Even, BalanceMost: o.Balance.Most, BalanceShares: o.Balance.Shares,
		Splits: o.Splits, Seed: o.Seed, Repair: o.Repair, KeepNoReasoning: o.KeepNoReasoning, ShardSize: o.ShardSize, Gzip: o.Gzip, Parquet: o.Parquet,
	}
	if o.System.Drop {
		m.System = "drop"
	}
	if o.Counter != nil {
		m.Tokenizer = o.Counter.Name()
	}
	return m
}

func sumOf(text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// fromHome shortens a path below the home folder: the name in it is nobody's
// business where the data goes.
func fromHome(path, home string) string {
	home = strings.TrimRight(home, `/\`)
	if rest, below := strings.CutPrefix(path, home); home != "" && below && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
		return "~" + rest
	}
	return path
}

// head is the beginning of the manifest of an export to a folder.
func (f *dataset) head(opts *Options, r *Report, files []File) *Manifest {
	asked := OptionsOf(opts)
	asked.Filter = f.paths.in(asked.Filter)
	return &Manifest{
		Version: manifestVersion, Program: opts.Program, Emitter: f.emitter.Name, Options: asked, Files: files, Beside: f.beside,
		Counts: ManifestCounts{
			Candidates: r.Candidates, Samples: r.Written, Rows: r.Rows, Tokens: r.Tokens, Longest: f.longest, Trained: r.Trained, LeftOut: len(r.LeftOut),
		},
	}
}
