package compress

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/core/compress"
	"winnow/core/compress/compat"
	"winnow/core/spell"
	"winnow/core/token"
)

// Flags are what the flags ask for.
type Flags struct {
	by, tokenizer      string
	all                bool // accept what a person should look at first, too
	to, summary, tail  int
	noHindsight, again bool
	dryRun             bool
	keep               string
	out, config        string
	compat, force      bool
	flaws              string
	percent            float64
	seed               int64
	timeout            time.Duration
	given              func(name string) bool
}

// byModel asks a model.
const byModel = "llm"

// strategies are what --by may say.
var strategies = []string{"clear", "extract", byModel}

// onFiles and onSegments are the flags of one kind of job only.
var (
	onFiles    = []string{"output", "config", "compat", "force", "as-published", "sample-percent", "seed", "timeout"}
	onSegments = []string{"filter", "limit", "keep"}
)

// Add adds the flags to a command.
func (f *Flags) Add(cmd *cobra.Command) {
	s := cmd.Flags()
	s.SortFlags = false
	s.StringVar(&f.by, "by", "extract", "`WHAT` stands for what is left out: clear (results of tools become a line), extract (a list of what was done), llm (a summary by the configured model)")
	s.IntVar(&f.to, "to", 0, "`TOKENS` that a sample may have (default 15250)")
	s.IntVar(&f.summary, "summary", 0, "`TOKENS` that a text may cost that stands for messages (default 750)")
	s.IntVar(&f.tail, "tail", 0, "the last `N` messages stay (default 4)")
	s.StringVar(&f.keep, "keep", "split", "segments: `FORM` of samples: split (each answer trains once, in its own context), fold (one sample)")
	s.StringVar(&f.tokenizer, "tokenizer", "", "count tokens with the tokenizer `NAME`: "+strings.Join(token.Names(), ", ")+" (default "+token.Estimated+")")
	s.BoolVar(&f.noHindsight, "no-hindsight", false, "extract: do not let later messages choose the names that are told")
	s.BoolVar(&f.again, "again", false, "also make anew what was rejected or changed, or is stale, and ask a model again for what it answered")
	s.BoolVar(&f.dryRun, "dry-run", false, "say what would be done and what a model would be sent; write nothing, ask nobody")
	s.StringVarP(&f.out, "output", "o", "", "files: write to `FILE`, or to that folder")
	s.BoolVar(&f.compat, "compat", false, "files: as the published trajectory_compressor.py does")
	s.StringVar(&f.config, "config", "", "files: its settings, a YAML `FILE`")
	s.BoolVar(&f.force, "force", false, "files: replace what is there")
	s.StringVar(&f.flaws, "as-published", "", "files, with --compat --by llm: `WHAT` it spoils is spoiled, too: midpoint, drop, filler, or all")
	s.Float64Var(&f.percent, "sample-percent", 0, "files: take `P` percent of the rows of each, at random")
	s.Int64Var(&f.seed, "seed", 42, "files: `N` draws other rows")
	s.DurationVar(&f.timeout, "timeout", 0, "files: a row may take this `TIME` (default 5m0s)")
	f.given = s.Changed
	for name, words := range map[string][]string{
		"by": strategies, "keep": {"split", "fold"}, "tokenizer": token.Names(), "as-published": {"midpoint", "drop", "filler", "all"},
	} {
		// It fails for flags that there are not.
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
}

// Check looks at what the flags say; files says that a file was named.
func (c *Command) Check(files bool) error {
	if !slices.Contains(strategies, c.by) {
		return c.Wrong("--by %q: unknown: %s", c.by, spell.Known(c.by, strategies))
	}
	if c.keep != compress.Split.String() && c.keep != compress.Fold.String() {
		return c.Wrong("--keep %q: must be split or fold", c.keep)
	}
	for _, n := range []struct {
		name string
		n    int
	}{{"to", c.to}, {"summary", c.summary}, {"tail", c.tail}} {
		if n.n < 0 || n.n == 0 && c.given(n.name) {
			return c.Wrong("--%s %d: must be more than 0", n.name, n.n)
		}
	}
	wrong, why := onFiles, "files: name one"
	if files {
		wrong, why = onSegments, "segments: leave the file out"
	}
	for _, name := range wrong {
		if c.given(name) {
			return c.Wrong("--%s is for %s", name, why)
		}
	}
	return nil
}

// Arguments refuses what is no file, and no command of this one either.
func (c *Command) Arguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	name := args[0]
	_, err := os.Stat(name)
	switch missing := errors.Is(err, fs.ErrNotExist); {
	case missing && name == "-":
		return c.Wrong("compress reads a file or a folder, not standard input: name one")
	case missing && strings.ContainsAny(name, `/\.`):
		return fmt.Errorf("%s: no such file or folder", name)
	case missing:
		var names []string
		for _, sub := range cmd.Commands() {
			names = append(names, sub.Name())
		}
		return c.Wrong("compress %s: no such command, file or folder: %ssee %s --help", name, spell.Meant(name, names), cmd.CommandPath())
	case len(args) > 1:
		return c.Wrong("compress takes one FILE or FOLDER, got %d: see %s --help", len(args), cmd.CommandPath())
	}
	return nil
}

// checkFiles looks at what the flags say of files.
func (c *Command) checkFiles() error {
	switch {
	case c.compat && !c.given("by"):
		return c.Wrong("--compat sums up by a model, and none is asked unless you say so: add --by llm to ask the configured one; --by extract and --by clear ask nobody and go by winnow's own rules")
	case c.flaws != "" && !(c.compat && c.by == byModel):
		return c.Wrong("--as-published is for --compat --by llm: winnow's own rules spoil nothing")
	case c.out == "-":
		return c.Wrong("-o -: a file is written, which appears when it is whole: name one (./- is a file of that name)")
	case c.out == "" && !c.compat && !c.dryRun:
		return c.Wrong("compress needs -o FILE, or -o FOLDER for a folder")
	case c.percent < 0 || c.percent > 100 || c.given("sample-percent") && c.percent == 0:
		return c.Wrong("--sample-percent %g: must be more than 0, and 100 at most", c.percent)
	case c.timeout < 0:
		return c.Wrong("--timeout %v: must not be negative", c.timeout)
	}
	return nil
}

// flawsOf reads what --as-published says.
func flawsOf(text string) (f compat.Flaws, err error) {
	if text == "" {
		return 0, nil
	}
	all := map[string]compat.Flaws{"midpoint": compat.Midpoint, "drop": compat.Drop, "filler": compat.Filler, "all": compat.All}
	for word := range strings.SplitSeq(text, ",") {
		flaw, ok := all[word]
		if !ok {
			return 0, fmt.Errorf("--as-published %q: unknown: midpoint, drop, filler or all", word)
		}
		f |= flaw
	}
	return f, nil
}

// atOnce is how much is worked on at once where nothing else says it.
func atOnce() int { return runtime.GOMAXPROCS(0) }

// Dry reports whether nothing is to be written.
func (f *Flags) Dry() bool { return f.dryRun }
