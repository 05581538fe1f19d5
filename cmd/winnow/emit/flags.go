package emit

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"winnow/cmd/winnow/print"
	"winnow/core/export"
	"winnow/core/metric"
	"winnow/core/spell"
	"winnow/core/token"
)

// exporting is what the flags of "export" ask for.
type exporting struct {
	export.Options
	minScore float64

	train, tooLong, tokenizer, ephemeral  string
	policy, gaps, compressed              string
	dedupe, balance, splits, system, size string
	redact                                bool
	users                                 []string
	redactReport                          string

	approved int // segments there are, whatever the filter

	lint string // a file to read instead
	diff bool   // compare two exports instead
}

func (p *Program) exportFlags(cmd *cobra.Command, how *exporting) {
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&how.Path, "output", "o", "", "write to `FILE`, to a data set folder if it ends in /, - for standard output")
	f.StringVar(&how.As, "as", "", "write records in this `FORMAT` (default "+export.Names()[0]+"); --as alone lists the formats")
	f.BoolVar(&how.Check, "check", false, "check everything, write nothing")
	f.BoolVar(&how.Force, "force", false, "replace an existing file or folder")
	p.JSONFlag("print the outcome as JSON")(cmd)

	p.FilterFlag(cmd)
	f.StringVar(&how.TaskType, "task-type", "", "only segments of that `TYPE`: "+strings.Join(metric.TaskTypeNames(), ", "))
	f.BoolVar(&how.AnyVerdict, "any-verdict", false, "also export pending and unsure segments, never rejected ones")
	f.Float64Var(&how.minScore, "min-score", 0, "only segments fit for training that score at least `X` (0 to 1)")
	f.BoolVar(&how.Stale, "stale", false, "also export segments whose content changed after their verdict")
	f.IntVar(&how.Limit, "limit", 0, "write at most `N` samples (0: all)")

	f.StringVar(&how.train, "train", "", "`WHICH` assistant messages are trained: "+strings.Join(export.TrainNames(), ", ")+" (default all)")
	f.StringVar(&how.policy, "policy", "", "on: train each answer once, after exactly what the model saw: "+strings.Join(export.OnPolicy(), ", ")+" (default off)")
	f.StringVar(&how.gaps, "gaps", "", "on policy, also write samples with these `GAPS` in what the model saw: all, or some of "+strings.Join(export.GapNames(), ","))
	f.StringVar(&how.compressed, "compressed", "", "`WHICH` compressions take the place of what they shorten: "+strings.Join(export.CompressedNames(), ", ")+" (default accepted)")
	f.StringVar(&how.system, "system", "", "system messages: keep, drop, or a `TEXT` that replaces them (default keep)")
	f.StringVar(&how.ephemeral, "ephemeral", "", ephemeralHelp)
	f.IntVar(&how.MaxTokens, "max-tokens", 0, "leave out samples of more than `N` tokens (0: no limit)")
	f.StringVar(&how.tooLong, "too-long", "", "with --max-tokens: drop such a sample, or cut it before a user message (default drop)")
	f.StringVar(&how.tokenizer, "tokenizer", "", "count tokens with the tokenizer `NAME`: "+strings.Join(token.Names(), ", ")+" (default "+token.Estimated+")")
	f.BoolVar(&how.Repair, "repair", false, repairHelp)
	f.BoolVar(&how.KeepNoReasoning, "keep-no-reasoning", false, "keep samples without reasoning in hermes-batch")

	f.StringVar(&how.dedupe, "dedupe", "", "keep only the best-scored of equal (exact) or similar (near) samples: "+strings.Join(export.DedupeNames(), ", "))
	f.StringVar(&how.balance, "balance", "", "balance the task types, with `HOW` as in type=even, type=100, type=code:0.6,qa:0.4")
	f.StringVar(&how.splits, "split", "", "split the data by session into `PARTS`, as in train=0.95,validation=0.05")
	f.IntVar(&how.Pairs, "pairs", export.MostPairs, "formats of pairs: write at most `N` of one prompt")
	f.Uint64Var(&how.Seed, "seed", 0, "`N` deals the sessions to the parts anew, and the pairs of a prompt")

	f.BoolVar(&how.redact, "redact", false, "replace secrets, addresses and user names with placeholders")
	f.StringArrayVar(&how.users, "redact-user", nil, "also replace the user name `NAME` (may be repeated)")
	f.StringVar(&how.redactReport, "redact-report", "", "write a list of what was found to `FILE`, without the secrets themselves")

	f.StringVar(&how.size, "shard-size", "", "start a new file after this `SIZE`, as in 256M")
	f.BoolVar(&how.Gzip, "gzip", false, "compress the files")
	f.BoolVar(&how.Parquet, "parquet", false, "write Parquet instead of JSON lines")

	f.StringVar(&how.lint, "lint", "", "read `FILE`, written by any program, and report what would break trainers")
	f.BoolVar(&how.diff, "diff", false, "compare two exports: --diff OLD NEW")

	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var missing *pflag.ValueRequiredError
		if errors.As(err, &missing) && missing.GetFlag().Name == "as" {
			return p.listEmitters()
		}
		return cmd.Parent().FlagErrorFunc()(cmd, err)
	})
	must(cmd.RegisterFlagCompletionFunc("as", completeEmitters(false)))
	for name, words := range map[string][]string{
		"task-type": metric.TaskTypeNames(), "train": export.TrainNames(), "policy": export.Policies(), "gaps": append([]string{"all"}, export.GapNames()...), "too-long": export.TooLongNames(),
		"compressed": export.CompressedNames(),
		"dedupe":     export.DedupeNames(), "system": {"keep", "drop"}, "tokenizer": token.Names(), "balance": {"type=even"},
		"split": {"train=0.95,validation=0.05"},
	} {
		must(cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)))
	}
}

// checkExport reads what the flags say into the options. Errors are of wrong usage.
func (p *Program) checkExport(cmd *cobra.Command, how *exporting) error {
	e, err := export.Find(how.As)
	if err != nil {
		return p.Fail(exitUsage, fmt.Errorf("--as: %w", err))
	}
	if cmd.Flags().Changed("min-score") {
		if !(how.minScore >= 0 && how.minScore <= 1) {
			return p.Wrong("--min-score %g: must be from 0 to 1", how.minScore)
		}
		how.MinScore = &how.minScore
	}
	if _, ok := metric.ParseTaskType(how.TaskType); !ok && how.TaskType != "" {
		return p.Wrong("--task-type %q: unknown: %s", how.TaskType, spell.Known(how.TaskType, metric.TaskTypeNames()))
	}
	if err := how.parse(); err != nil {
		return p.Wrong("%w", err)
	}
	if err := how.Exact(e); err != nil {
		return p.Wrong("--policy on: %w", err)
	}
	switch {
	case len(how.Gaps) > 0 && !how.OnPolicy && !e.Tree():
		return p.Wrong("--gaps needs --policy on: nothing else looks for gaps in what the model saw")
	case how.Path == "" && !how.Check:
		return p.Wrong("export needs -o FILE, or --check: see %s --help", cmd.CommandPath())
	case how.Pairs < 1:
		return p.Wrong("--pairs %d: must be at least 1", how.Pairs)
	case cmd.Flags().Changed("pairs") && !e.Pairs():
		return p.Wrong("--pairs: %s writes no pairs", e.Name)
	case how.Limit < 0:
		return p.Wrong("--limit %d: must not be negative", how.Limit)
	case how.MaxTokens < 0:
		return p.Wrong("--max-tokens %d: must not be negative", how.MaxTokens)
	case how.MaxTokens == 0 && how.tooLong != "":
		return p.Wrong("--too-long needs --max-tokens N")
	case how.Gzip && how.Parquet:
		return p.Wrong("--gzip and --parquet: Parquet is compressed already, choose one")
	case how.streams() && (len(how.Splits) > 0 || how.Gzip || how.Parquet || how.ShardSize > 0):
		return p.Wrong("-o -: standard output takes one uncompressed part: name a file or a folder with -o")
	}
	if !cmd.Flags().Changed("pairs") {
		how.Pairs = 0 // as by default, which no manifest names
	}
	how.Program = "winnow " + p.Version
	how.Home = p.Env.Home()
	return p.checkRedaction(how)
}

// checkRedaction looks at what concerns secrets: nothing is exported if the
// report could not be written.
func (p *Program) checkRedaction(how *exporting) error {
	if how.redact {
		how.Redact = &export.Redaction{Users: p.Env.UserNames(how.users)}
	} else if len(how.users) > 0 {
		return p.Wrong("--redact-user needs --redact")
	}
	switch path := how.redactReport; {
	case path == "":
		return nil
	case !how.redact && !how.Check:
		return p.Wrong("--redact-report needs --redact, or --check: nothing else looks for secrets")
	case filepath.Clean(path) == filepath.Clean(how.Path):
		return p.Wrong("--redact-report %s: this is the target of the export: name another file", path)
	case how.Force:
		return nil
	default:
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("--redact-report: %s %w", path, export.ErrExists)
		}
		return nil
	}
}

// parse reads the options that are written as words.
func (how *exporting) parse() error {
	return cmp.Or(
		Word("train", how.train, &how.Train, export.ParseTrain),
		Word("policy", how.policy, &how.OnPolicy, export.ParsePolicy),
		Word("gaps", how.gaps, &how.Gaps, export.ParseGaps),
		Word("compressed", how.compressed, &how.Compressed, export.ParseCompressed),
		Word("too-long", how.tooLong, &how.TooLong, export.ParseTooLong),
		Word("dedupe", how.dedupe, &how.Dedupe, export.ParseDedupe),
		Word("balance", how.balance, &how.Balance, export.ParseBalance),
		Word("split", how.splits, &how.Splits, export.ParseSplits),
		Word("system", how.system, &how.System, export.ParseSystem),
		Word("tokenizer", how.tokenizer, &how.Counter, token.Named),
		Word("shard-size", how.size, &how.ShardSize, export.ParseSize),
		Word("ephemeral", how.ephemeral, &how.Ephemeral, readEphemeral),
	)
}

// Word reads what a flag says into an option, which stays as it is if that is nothing.
func Word[T any](name, text string, to *T, parse func(string) (T, error)) (err error) {
	if text == "" {
		return nil
	}
	if *to, err = parse(text); err != nil {
		return fmt.Errorf("--%s %w", name, err)
	}
	return nil
}

// What is said of the options that conversions have, too.
const (
	// MaxValueHelp is said of what reads recorded conversations.
	MaxValueHelp = "leave out values larger than this `SIZE`, as in 2G"

	ephemeralHelp = "remove the text in `FILE` from every system message"
	repairHelp    = "replace NULs, half characters and the like, which no trainer accepts"
)

// readEphemeral reads the text to remove from system messages.
func readEphemeral(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	cut := strings.Trim(string(text), "\r\n")
	if strings.TrimSpace(cut) == "" {
		return "", fmt.Errorf("%s: it holds no text", path)
	}
	return cut, nil
}

// warnNotCut says that the text to be cut was nowhere.
func (p *Program) warnNotCut(of string) {
	p.Warn("--ephemeral: nothing was removed: no system message of %s holds exactly this text", of)
}

// streams reports whether the samples go to standard output.
func (how *exporting) streams() bool { return how.Path == print.Stream && !how.Check }
