package export

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"winnow/core/export/lineage"
	"winnow/core/filter"
)

// OptionsOf says what options decide, without what they would give away: texts
// and the names of users.
func OptionsOf(o *Options) lineage.Options {
	m := lineage.Options{
		Filter: filter.Print(o.Filter), AnyVerdict: o.AnyVerdict, MinScore: o.MinScore, TaskType: o.TaskType, Stale: o.Stale, Limit: o.Limit,
		Gaps: gapList(o.Gaps), Train: string(o.Train), System: sumOf(o.System.Text), Ephemeral: sumOf(o.Ephemeral), MaxTokens: o.MaxTokens, TooLong: string(o.TooLong),
		Redact: o.Redact != nil, Dedupe: string(o.Dedupe), BalanceEven: o.Balance.Even, BalanceMost: o.Balance.Most, BalanceShares: o.Balance.Shares,
		Splits: o.Splits, Seed: o.Seed, Repair: o.Repair, KeepNoReasoning: o.KeepNoReasoning, Pairs: o.Pairs, Compressed: string(o.Compressed), ShardSize: o.ShardSize, Gzip: o.Gzip, Parquet: o.Parquet,
	}
	if o.OnPolicy {
		m.Policy = Policies()[1]
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
func (f *dataset) head(opts *Options, r *Report, files []File) *lineage.Manifest {
	asked := OptionsOf(opts)
	asked.Filter = f.paths.in(asked.Filter)
	return &lineage.Manifest{
		Version: lineage.Version, Program: opts.Program, Emitter: f.emitter.Name, Options: asked, Files: files, Beside: f.beside,
		Counts: lineage.Counts{
			Candidates: r.Candidates, Samples: r.Written, Rows: r.Rows, Tokens: r.Tokens, Longest: f.longest, Trained: r.Trained, LeftOut: len(r.LeftOut),
			Gaps: r.gaps(),
		},
	}
}
