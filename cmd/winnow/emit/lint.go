package emit

import (
	"context"
	"fmt"
	"io"
	"os"
	"winnow/cmd/winnow/print"
	"winnow/core/export"
	"winnow/core/session"
	"winnow/tui/draw"
)

// lint reads a file of training data and says what trainers break on.
func (p *Program) lint(ctx context.Context, how *exporting) error {
	if _, err := export.Find(how.As); err != nil {
		return p.Fail(exitUsage, fmt.Errorf("--as: %w", err))
	}
	c, err := p.Config()
	if err != nil {
		return err
	}
	var in io.Reader = p.Stdin
	if how.lint != print.Stream {
		f, err := os.Open(how.lint)
		if err != nil {
			return fmt.Errorf("--lint: %w", err)
		}
		defer f.Close()
		in = f
	}
	text, _, err := session.Decode(in)
	if err != nil {
		return fmt.Errorf("--lint: %s: %w", how.lint, err)
	}
	found := 0
	done, err := export.LintFile(ctx, text, export.Linting{As: how.As, MaxValue: c.Size("max_value")}, func(f export.LintFinding) {
		found++
		if *p.JSON {
			_ = p.Out.JSON(f) // a failed write shows when the output is flushed
			return
		}
		p.Out.Printf("%s\n", findingText(how.lint, &f))
	})
	switch {
	case err != nil:
		return fmt.Errorf("--lint: %s: %w", how.lint, err)
	case *p.JSON:
		if err := p.Out.JSON(done); err != nil {
			return err
		}
	case done.As != "":
		p.Out.Printf("%s read as %s: %s clean, %s\n", draw.Plural(done.Rows, "record"), done.As,
			draw.Grouped(done.Clean), draw.Plural(found, "finding"))
	}
	switch {
	case done.Rows == 0:
		return p.Fail(exitFailed, fmt.Errorf("--lint: %s: it holds no record", how.lint))
	case found > 0:
		return p.Fail(exitPartly, nil)
	}
	return nil
}
