package training

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/core/train"
)

// onRun makes a command about one run, which changes it. What became of the run is told,
// and whatever told says besides.
func (p *Program) onRun(use, short string, do func(ctx context.Context, d *desk.Desk, id int64, rest []string) (train.Run, error), told ...func(*train.Run) string) *cobra.Command {
	words := strings.Count(use, " ")
	what := "the number of a run"
	if words > 1 {
		what += ", and a text"
	}
	return with(&cobra.Command{
		Use: use, Short: short, Args: p.exactly(words, what),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := p.idOf(args[0])
			if err != nil {
				return err
			}
			return p.Open(cmd.Context(), true, func(d *desk.Desk) error {
				r, err := do(cmd.Context(), d, id, args[1:])
				if err != nil {
					return p.about(id, err)
				}
				if *p.JSON {
					return p.Out.JSON(rowOf(&r))
				}
				p.Out.Printf("run %d: %s\n", r.ID, outcome(&r))
				for _, f := range told {
					if text := f(&r); text != "" {
						p.Out.Printf("%s\n", text)
					}
				}
				return nil
			})
		},
	}, p.JSONFlag("print the run as JSON"))
}

// stop is "runs stop".
func (p *Program) stop() *cobra.Command {
	here := false
	cmd := p.onRun("stop ID", "Stop a run: its processes end, what was saved stays", func(ctx context.Context, d *desk.Desk, id int64, _ []string) (train.Run, error) {
		return d.StopRun(ctx, id, here)
	})
	cmd.Flags().BoolVar(&here, "here", false, "ask no server that trains it: its job there may go on")
	return cmd
}

// resume is "runs resume".
func (p *Program) resume() *cobra.Command {
	return p.onRun("resume ID", "Go on with a run that was stopped, failed or is lost", func(ctx context.Context, d *desk.Desk, id int64, _ []string) (train.Run, error) {
		r, err := d.ResumeRun(ctx, id)
		if err == nil && r.Status == train.Failed {
			err = fmt.Errorf("run %d failed: %s", id, r.Error)
		}
		return r, err
	})
}

// note is "runs note".
func (p *Program) note() *cobra.Command {
	return p.onRun("note ID TEXT", "Write a note on a run, in place of the one there is", func(ctx context.Context, d *desk.Desk, id int64, rest []string) (train.Run, error) {
		return d.ChangeRun(ctx, id, func(r *train.Run) error {
			r.Note = strings.TrimSpace(rest[0])
			return nil
		})
	})
}

// promote is "runs promote".
func (p *Program) promote() *cobra.Command {
	force, before := false, int64(0)
	cmd := p.onRun("promote ID", "Say that the result of a run is the model to use", func(ctx context.Context, d *desk.Desk, id int64, _ []string) (r train.Run, err error) {
		r, before, err = d.Promote(ctx, id, force)
		return r, err
	}, func(*train.Run) string {
		if before == 0 {
			return ""
		}
		return fmt.Sprintf("it takes the place of run %d: %s takes that back", before, p.Command(fmt.Sprintf("runs promote %d", before)))
	})
	cmd.Flags().BoolVar(&force, "force", false, "also if it does not measure better by [train] min_gain")
	return cmd
}

// work is "runs work", which trains. It is begun by "train" and "resume".
func (p *Program) work() *cobra.Command {
	return &cobra.Command{
		Use: "work ID", Short: "Train a run that waits for it", Hidden: true, Args: p.exactly(1, "the number of a run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := p.idOf(args[0])
			if err != nil {
				return err
			}
			return p.Open(cmd.Context(), true, func(d *desk.Desk) error { return p.about(id, d.Trainer().Work(cmd.Context(), id)) })
		},
	}
}

// log is "runs log".
func (p *Program) log() *cobra.Command {
	follow := false
	cmd := &cobra.Command{
		Use: "log ID", Short: "Print what a trainer printed", Args: p.exactly(1, "the number of a run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := p.idOf(args[0])
			if err != nil {
				return err
			}
			return p.Open(cmd.Context(), false, func(d *desk.Desk) error { return p.printLog(cmd.Context(), d, id, follow) })
		},
	}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on until the run has ended")
	return cmd
}

func (p *Program) printLog(ctx context.Context, d *desk.Desk, id int64, follow bool) error {
	if err := settle(ctx, d); err != nil {
		return err
	}
	r, err := p.find(ctx, d, id)
	if err != nil {
		return err
	}
	place := d.Trainer().Place(id)
	if err := place.Gone(&r); err != nil {
		return err
	}
	f, err := os.Open(place.Log())
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("run %d has no log: nothing was printed, or %s was removed", id, place.Log())
	}
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		return fmt.Errorf("the log of run %d cannot be read: %s: %w", id, inner.Path, inner.Err)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	in, rest := bufio.NewReader(f), ""
	for {
		text, err := in.ReadString('\n')
		if rest += text; err == nil {
			p.Out.Printf("%s\n", strings.TrimSuffix(rest, "\n"))
			rest = ""
			continue
		}
		if !errors.Is(err, io.EOF) {
			return err
		}
		if err := p.Out.Flush(); err != nil {
			return err
		}
		if !follow || r.Status.Ended() {
			if rest != "" {
				p.Out.Printf("%s\n", rest)
			}
			return nil
		}
		if !paused(ctx, watches) {
			return p.Fail(interrupted, fmt.Errorf("log: stopped: run %d goes on", id))
		}
		if err := settle(ctx, d); err != nil {
			return err
		}
		if r, err = p.find(ctx, d, id); err != nil {
			return err
		}
	}
}
