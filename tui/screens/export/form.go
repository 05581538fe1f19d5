package export

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"winnow/core/export"
	"winnow/core/token"
)

// Form is what the curator asks of an export: a word for each option, as
// it is shown. It outlives the screen that it is filled in on.
type Form struct {
	Values map[string]string // by option; the default is not in it
}

// option is a row of the form.
type option struct {
	name    string
	choices []string // the first one is the default
	typed   string   // what may be typed in its place, "" for nothing
	help    string
	only    func(*export.Emitter) bool // formats that it is for, nil: all
}

// The options that are asked for by name.
const (
	optTarget   = "target"
	optFormat   = "format"
	optPairs    = "pairs"
	optFilter   = "filter"
	optVerdicts = "verdicts"
	optMinScore = "min score"
	optStale    = "stale"
	optTrain    = "train"
	optPolicy   = "policy"
	optGaps     = "gaps"
	optShorter  = "compressed"
	optSystem   = "system"
	optTokens   = "max tokens"
	optTooLong  = "too long"
	optCounter  = "counted by"
	optDedupe   = "dedupe"
	optBalance  = "balance"
	optSplit    = "split"
	optRedact   = "redact"
	optLimit    = "limit"
	optShards   = "shard size"
	optFiles    = "files"
)

// none is how an option is shown that is not set.
const none = "none"

// rows are the options that there are with what was chosen, in their order.
func (f *Form) rows() []option {
	e, err := export.Find(f.Format())
	return slices.DeleteFunc(options(), func(o option) bool {
		if o.only != nil && (err != nil || !o.only(e)) {
			return true
		}
		onPolicy := f.word(optPolicy) == export.Policies()[1]
		return o.name == optPolicy && e.Tree() || o.name == optGaps && !e.Tree() && !onPolicy || o.name == optShorter && exact(e) && onPolicy
	})
}

// exact reports whether a format says of each message whether it is trained, as an
// export on policy needs it.
func exact(e *export.Emitter) bool { return slices.Contains(export.OnPolicy(), e.Name) }

// takesShorter reports whether compressions are applied in a format.
func takesShorter(e *export.Emitter) bool { return e.Converts() == nil }

// options are the rows of the form, in their order.
func options() []option {
	return []option{
		{optTarget, []string{""}, "target file, or folder/", "A file, or a folder/: a data set with card, recipes and the lineage of every row.", nil},
		{optFormat, export.Names(), "", "", nil}, // the format says it itself
		{optPairs, []string{strconv.Itoa(export.MostPairs), "1", "2", "8"}, "pairs (a number)", "How many pairs of one prompt are written at most.", (*export.Emitter).Pairs},
		{optFilter, []string{"the list's", none}, "", "Only what passes the filter of the list, or everything.", nil},
		{optVerdicts, []string{"approved", "any"}, "", "Approved segments, or pending and unsure ones too: with a min score those that are fit for training. Rejected ones never.", nil},
		{optMinScore, []string{none, "0.70", "0.80", "0.90"}, "min score (0 to 1)", "Only segments with at least this score that are well-formed and complete.", nil},
		{optStale, []string{"no", "yes"}, "", "Whether to take segments whose content changed after their verdict.", nil},
		{optTrain, export.TrainNames(), "", "Which messages of the assistant are trained: all, the last one, what follows the last failed result, all whose calls succeeded, or what curators wrote. Messages that you switched off never are.", nil},
		{optPolicy, export.Policies(), "", "Whose answers are trained: all that a segment holds, or on: only those that a model gave to exactly what stands before them, each once.", exact},
		{optGaps, append([]string{none, "all"}, export.GapNames()...), "gaps (system,tools,…)", "On policy: what may be missing of what the model saw. Samples that lack anything else are left out: " + strings.Join(export.GapNames(), ", ") + ".", exact},
		{optShorter, export.CompressedNames(), "", "Which compressions take the place of what they shorten: those you accepted, those that wait for your yes or no, too, or none. Formats without marks take only those into one sample (fold).", takesShorter},
		{optSystem, []string{"keep", "drop"}, "system (keep, drop, or a text)", "The system message: kept, dropped, or a text of your own in its place.", nil},
		{optTokens, []string{none, "4096", "8192", "16384", "32768", "65536"}, "max tokens", "Samples with more tokens are left out or cut.", nil},
		{optTooLong, export.TooLongNames(), "", "What happens to samples over max tokens: left out, or cut before a user message.", nil},
		{optCounter, counters(), "", "What counts tokens: a quarter of the characters, or a vocabulary, which takes longer.", nil},
		{optDedupe, export.DedupeNames(), "", "Of samples that are equal, or say nearly the same, only the best-scored stays.", nil},
		{optBalance, []string{none, "type=even"}, "balance (type=even, type=100, type=code:0.6,qa:0.4)", "How many of each task type: type=even as many as of the rarest, type=100 at most 100 each, type=code:0.6,qa:0.4 in these shares.", nil},
		{optSplit, []string{none, "train=0.95,validation=0.05", "train=0.9,validation=0.1"}, "split (train=0.95,validation=0.05)", "Parts of the data by session; what is similar stays on one side.", nil},
		{optRedact, []string{"no", "yes"}, "", "Secrets, addresses and user names become placeholders, the same ones in all samples. What is written is checked again.", nil},
		{optLimit, []string{none, "10", "100", "1000"}, "limit", "Write at most this many samples.", nil},
		{optShards, []string{none, "64M", "256M", "1G"}, "shard size (64M, 1G)", "Start a new file after this size.", nil},
		{optFiles, []string{"plain", "gzip", "parquet"}, "", "Lines of JSON, the same compressed, or Parquet.", nil},
	}
}

// counters are what tokens may be counted by, what does by default first.
func counters() []string {
	return append([]string{token.Estimated}, slices.DeleteFunc(token.Names(), func(name string) bool { return name == token.Estimated })...)
}

// get returns the value of an option.
func (f *Form) get(o *option) string {
	if v, ok := f.Values[o.name]; ok {
		return v
	}
	return o.choices[0]
}

// set changes an option, if that can be read.
func (f *Form) set(o *option, value string) error {
	before, had := f.Values[o.name]
	if value = strings.TrimSpace(value); value == "" {
		value = o.choices[0]
	}
	f.put(o, value)
	_, err := f.Options()
	switch {
	case err == nil:
	case had:
		f.Values[o.name] = before
	default:
		delete(f.Values, o.name)
	}
	return err
}

// turn goes to the next choice, or with -1 to the one before. From a text that
// was typed it goes to the first.
func (f *Form) turn(o *option, by int) {
	n := len(o.choices)
	at := slices.Index(o.choices, f.get(o))
	if at < 0 {
		at = -max(by, 0)
	}
	f.put(o, o.choices[(at+by+n)%n])
}

func (f *Form) put(o *option, value string) {
	if f.Values == nil {
		f.Values = map[string]string{}
	}
	f.Values[o.name] = value
}

// Restore fills the form as it was, but for what means nothing any more.
func (f *Form) Restore(values map[string]string) {
	for _, o := range options() {
		if v, ok := values[o.name]; ok {
			_ = f.set(&o, v) // it stays as it is by default
		}
	}
}

// Format is the name of the format that was chosen, "" for none.
func (f *Form) Format() string { return f.word(optFormat) }

// Counter names what counts tokens.
func (f *Form) Counter() string {
	return cmp.Or(f.word(optCounter), counters()[0])
}

// word returns what was chosen, "" for nothing.
func (f *Form) word(name string) string {
	if v := f.Values[name]; v != none {
		return v
	}
	return ""
}

// Options reads the form. The filter, and what is known of the user and the
// program, are not in it.
func (f *Form) Options() (o export.Options, err error) {
	read := func(name string, set func(text string) error) {
		if text := f.word(name); text != "" && err == nil {
			if err = set(text); err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	o.As, o.Path = f.word(optFormat), f.word(optTarget)
	o.AnyVerdict, o.Stale = f.word(optVerdicts) == "any", f.word(optStale) == "yes"
	o.Gzip, o.Parquet = f.word(optFiles) == "gzip", f.word(optFiles) == "parquet"
	if f.word(optRedact) == "yes" {
		o.Redact = &export.Redaction{}
	}
	read(optPairs, func(text string) (e error) { o.Pairs, e = readCount(text); return })
	read(optPolicy, func(text string) (e error) { o.OnPolicy, e = export.ParsePolicy(text); return })
	read(optGaps, func(text string) (e error) { o.Gaps, e = export.ParseGaps(text); return })
	shortens := false
	if e, err := export.Find(o.As); err == nil {
		if !e.Pairs() {
			o.Pairs = 0
		}
		o.OnPolicy = o.OnPolicy && exact(e) && !e.Tree() // which always is
		if !o.OnPolicy && !e.Tree() {
			o.Gaps = nil
		}
		shortens = takesShorter(e) && !o.OnPolicy
	}
	if shortens {
		read(optShorter, func(text string) (e error) { o.Compressed, e = export.ParseCompressed(text); return })
	}
	read(optMinScore, func(text string) error {
		x, err := strconv.ParseFloat(text, 64)
		if o.MinScore = &x; err != nil || !(x >= 0 && x <= 1) {
			return fmt.Errorf("%q: must be a number from 0 to 1", text)
		}
		return nil
	})
	read(optTrain, func(text string) (e error) { o.Train, e = export.ParseTrain(text); return })
	read(optSystem, func(text string) (e error) { o.System, e = export.ParseSystem(text); return })
	read(optTokens, func(text string) (e error) { o.MaxTokens, e = readCount(text); return })
	read(optTooLong, func(text string) (e error) { o.TooLong, e = export.ParseTooLong(text); return })
	read(optCounter, func(text string) (e error) { o.Counter, e = token.Named(text); return })
	read(optDedupe, func(text string) (e error) { o.Dedupe, e = export.ParseDedupe(text); return })
	read(optBalance, func(text string) (e error) { o.Balance, e = export.ParseBalance(text); return })
	read(optSplit, func(text string) (e error) { o.Splits, e = export.ParseSplits(text); return })
	read(optLimit, func(text string) (e error) { o.Limit, e = readCount(text); return })
	read(optShards, func(text string) (e error) { o.ShardSize, e = export.ParseSize(text); return })
	if e, unknown := export.Find(o.As); err == nil && unknown == nil {
		err = o.Exact(e)
	}
	return o, err
}

// readCount reads a number of things, of which there is one at least.
func readCount(text string) (int, error) {
	n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q: must be a whole number above 0", text)
	}
	return n, nil
}
