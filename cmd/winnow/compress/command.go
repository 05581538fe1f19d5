package compress

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"winnow/cmd/winnow/config"
	"winnow/cmd/winnow/models"
	"winnow/cmd/winnow/print"
	"winnow/core/compress"
	"winnow/core/compress/compat"
	"winnow/core/llm"
	"winnow/core/token"
	"winnow/tui/draw"
)

// Program is what the command needs of the program.
type Program struct {
	Out     *print.Output
	Warn    func(format string, args ...any)
	Command func(words string) string // a command line that does something with the same database
	Now     func() time.Time
	Key     func(name string) string // a variable of the environment
	JSON    *bool                    // the outcome is to be printed as JSON
	Limit   *int
	Line    func() *print.Progress
	// Wrong is an error of wrong usage; Fail one that ends the program with a status,
	// nil where all has been said.
	Wrong func(format string, args ...any) error
	Fail  func(code int, err error) error
}

// Exit statuses.
const (
	failed      = 1
	partly      = 3
	interrupted = 130
)

// told is how many rows or segments are named at most.
const told = 20

// Command is the command with what its flags ask for.
type Command struct {
	Program
	Flags
}

// fileRow is what is printed of a job as JSON.
type fileRow struct {
	FilesReport
	By    string     `json:"by"`
	Model string     `json:"model,omitzero"`
	Host  string     `json:"host,omitzero"`
	Usage *llm.Usage `json:"usage,omitzero"`
}

// Files shortens a file, or those of a folder.
func (c *Command) Files(ctx context.Context, in string, conf *config.Config) error {
	if err := c.checkFiles(); err != nil {
		return err
	}
	yaml, err := c.yaml()
	if err != nil {
		return err
	}
	f := &Files{
		In: in, Out: c.out, Config: yaml, Metrics: c.compat || c.config != "", Force: c.force, Percent: c.percent, Seed: c.seed,
		Timeout: c.timeout, AtOnce: int(conf.Number("jobs")), Now: c.Now,
	}
	if f.Flaws, err = flawsOf(c.flaws); err != nil {
		return c.Wrong("%w", err)
	}
	if f.Counter, err = c.counter(&yaml); err != nil {
		return err
	}
	if f.AtOnce <= 0 {
		f.AtOnce = atOnce()
	}
	var who *models.Summarizer
	if c.by == byModel {
		if who, err = c.summarizer(conf, &yaml); err != nil {
			return err
		}
		f.Model = &Drafted{Model: who.Model, Say: who.Say, Fresh: c.again}
		f.AtOnce = who.Jobs
	}
	if !c.compat || c.by != byModel {
		f.By = c.strategy(f.Model, who)
	}
	return c.runFiles(ctx, f, who)
}

// runFiles does the job and says what came of it.
func (c *Command) runFiles(ctx context.Context, f *Files, who *models.Summarizer) error {
	line := c.Line()
	n := 0
	f.Told = func(k Kept) {
		if *c.JSON {
			_ = c.Out.JSON(k) // a failed write shows when the output is flushed
			return
		}
		if n++; n <= told {
			line.Clear()
			c.Warn("%s:%d: %s%s", k.File, k.Line, became(k.Outcome), k.Reason)
		}
	}
	f.Shown = func(bytes, all int64, rows int) {
		line.Show(fmt.Sprintf("%s, %s of %s%s", draw.Plural(rows, "row"), draw.Bytes(bytes), draw.Bytes(all), line.Left(bytes, all)))
	}
	defer line.Done()
	if who != nil && !c.dryRun {
		tell := f.Told
		f.Told = func(Kept) {}
		look, err := f.Run(ctx, true)
		if err != nil {
			return c.stopped(ctx, err)
		}
		line.Clear()
		if f.Told = tell; look.Asks > 0 {
			c.Warn("asking %s at %s: %s, about %s", who.Model, who.Host(), draw.Plural(look.Asks, "row"), draw.Plural(look.Send, "token"))
		}
		who.Waiting(func(text string) { line.Stay(text) })
		defer who.Waiting(nil)
	}
	r, err := f.Run(ctx, c.dryRun)
	line.Done()
	if err != nil {
		return c.stopped(ctx, err)
	}
	row := fileRow{FilesReport: r, By: c.by}
	if who != nil {
		used := who.Usage()
		row.Model, row.Host, row.Usage = who.Model, who.Host(), &used
	}
	if *c.JSON {
		if err := c.Out.JSON(row); err != nil {
			return err
		}
	} else {
		c.printFiles(&row)
		if n > told {
			c.Warn("%s more: --json lists them", draw.Plural(n-told, "row"))
		}
	}
	if r.Kept+r.Lost+r.Reasons[compat.Fallback] > 0 {
		return c.Fail(partly, nil)
	}
	return nil
}

// became says in front of a reason what became of a row.
func became(o compat.Outcome) string {
	switch o {
	case compat.Dropped:
		return "left out: "
	case compat.Fallback:
		return "a fixed sentence stands for its summary: "
	case compat.Compressed: // it would be
		return ""
	}
	return "stays as it is: "
}

// stopped says that a job ended early.
func (c *Command) stopped(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return fmt.Errorf("compress: %w", err)
	}
	text := "compress: stopped: the file that was being written is not there"
	if c.by == byModel {
		text += "; answers of the model are kept, the same command asks for none again"
	}
	return c.Fail(interrupted, errors.New(text))
}

// summarizer returns the model that is asked: the one that is configured, else the
// one that the YAML file names.
func (c *Command) summarizer(conf *config.Config, yaml *compat.Config) (*models.Summarizer, error) {
	who, err := models.NewSummarizer(conf, c.compat, c.Now)
	if errors.Is(err, models.ErrNoModel) && yaml.ModelNamed {
		return models.SummarizerAt(conf, yaml.Model, yaml.BaseURL, yaml.APIKeyEnv, c.Key(yaml.APIKeyEnv), yaml.MaxConcurrentRequests, c.Now)
	}
	if err == nil && yaml.ModelNamed && yaml.Model != who.Model {
		c.Warn("%s: summarization.model: %s is not asked: [llm] names %s", c.config, yaml.Model, who.Model)
	}
	return who, err
}

// strategy is how is shortened by winnow's rules.
func (c *Command) strategy(m *Drafted, who *models.Summarizer) compress.Strategy {
	switch c.by {
	case "clear":
		return compress.Clear{}
	case byModel:
		return compress.Model{Ask: m.Ask, Model: who.Model, Attempts: 1, Window: who.Window}
	}
	return compress.Extract{Foresight: c.noHindsight}
}

// yaml reads the published program's file of settings, and lays the flags over it.
func (c *Command) yaml() (compat.Config, error) {
	conf := compat.Defaults()
	if c.config != "" {
		data, err := os.ReadFile(c.config)
		if err != nil {
			return conf, err
		}
		var notes []string
		if conf, notes, err = compat.ReadConfig(data); err != nil {
			return conf, fmt.Errorf("%s: %w", c.config, err)
		}
		for _, note := range notes {
			c.Warn("%s: %s", c.config, note)
		}
	}
	for _, set := range []struct {
		flag int
		to   *int
	}{{c.to, &conf.TargetMaxTokens}, {c.summary, &conf.SummaryTargetTokens}, {c.tail, &conf.LastNTurns}} {
		if set.flag > 0 {
			*set.to = set.flag
		}
	}
	return conf, nil
}

// counter returns what counts tokens: the one that is named by a flag, or in the YAML
// file if it is here.
func (c *Command) counter(yaml *compat.Config) (token.Counter, error) {
	if c.tokenizer != "" {
		counter, err := token.Named(c.tokenizer)
		if err != nil {
			return nil, c.Wrong("--tokenizer: %w", err)
		}
		return counter, nil
	}
	if counter, err := token.Named(yaml.Tokenizer); err == nil {
		return counter, nil
	}
	if c.compat {
		c.Warn("tokenizer.name: %s is not here, and none is downloaded: tokens are counted by %s; --tokenizer names another", yaml.Tokenizer, token.Estimated)
	}
	return token.Named(token.Estimated)
}
