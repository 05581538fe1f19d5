package memories

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/core/memory"
	"winnow/core/review"
)

// writing is what flags say of the words of a memory.
type writing struct{ kind, title, content, context, resolution string }

func (w *writing) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&w.kind, "kind", "", "what it is: `KIND` rule, pitfall, procedure or fact")
	f.StringVar(&w.title, "title", "", "its title, a line of `TEXT`")
	f.StringVar(&w.context, "context", "", "when it matters, `TEXT`")
	f.StringVar(&w.resolution, "resolution", "", "what to do, `TEXT`")
}

// lay lays what flags say over words. It reports whether any was given.
func (w *writing) lay(cmd *cobra.Command, c *command, to *memory.Words) (given bool, err error) {
	if cmd.Flags().Changed("kind") {
		var names []string
		for _, k := range memory.Kinds {
			names = append(names, string(k))
		}
		if err := c.word("kind", w.kind, names); err != nil {
			return false, err
		}
		to.Kind, given = memory.Kind(w.kind), true
	}
	for _, part := range []struct {
		flag, text string
		to         *string
	}{{"title", w.title, &to.Title}, {"content", w.content, &to.Content}, {"context", w.context, &to.Context}, {"resolution", w.resolution, &to.Resolution}} {
		if cmd.Flags().Changed(part.flag) {
			*part.to, given = strings.TrimSpace(part.text), true
		}
	}
	return given, nil
}

// edit is "memories edit".
func (p *Program) edit() *cobra.Command {
	c := &command{Program: p}
	var w writing
	cmd := with(&cobra.Command{
		Use: "edit ID", Short: "Change what a memory says", Args: c.exactly(1, "the ID of a memory"),
		Long: `Changes what a memory says: by flags, or without any in your editor ($VISUAL, else
$EDITOR). Its quotes stay as they are. "winnow undo" takes it back.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.Open(cmd.Context(), true, func(d *desk.Desk) error {
				m, err := c.find(cmd.Context(), d, args[0])
				if err != nil {
					return err
				}
				words := m.Words()
				given, err := w.lay(cmd, c, &words)
				if err != nil {
					return err
				}
				draft := c.Draft()
				if !given {
					text, err := draft.Text("memory.md", words.Sheet())
					if errors.Is(err, desk.ErrAsItWas) {
						c.Out.Printf("nothing changed: the text is as it was\n")
						return nil
					}
					if err != nil {
						return draft.Done(err)
					}
					if words, err = memory.ParseSheet(text); err != nil {
						return draft.Done(fmt.Errorf("not changed: %w", err))
					}
				}
				if words, err = d.Rewritten(cmd.Context(), &m, words); err != nil {
					return draft.Done(fmt.Errorf("not changed: %w", err))
				}
				return draft.Done(c.change(cmd.Context(), d, []memory.Memory{m}, memory.Judgement{Words: &words}, "", "changed"))
			})
		},
	}, w.add, p.JSONFlag("print the journal entry as JSON"))
	cmd.Flags().StringVar(&w.content, "content", "", "what was learned, `TEXT`")
	return cmd
}

// add is "memories add".
func (p *Program) add() *cobra.Command {
	c := &command{Program: p}
	var w writing
	var segment, quote string
	var cites []int
	var tags []string
	cmd := with(&cobra.Command{
		Use: "add --kind KIND --segment ID --cite N TEXT", Short: "Make a memory by hand",
		Long: `Makes a memory of a segment, with a quote of the message N of its session, as the
screen numbers it: --quote, or the beginning of what it says. It is approved by
that, unless it has flags. "-" reads TEXT from standard input.`,
		Example: `  winnow memories add --kind rule --segment 3f2a91bc --cite 3 'Never edit generated files by hand'`,
		Args:    c.exactly(1, "a TEXT: what was learned"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if w.content = args[0]; w.content == "-" {
				data, err := io.ReadAll(cmd.InOrStdin())
				if err != nil {
					return err
				}
				w.content = string(data)
			}
			words := memory.Words{Content: strings.TrimSpace(w.content)}
			switch _, err := w.lay(cmd, c, &words); {
			case err != nil:
				return err
			case words.Kind == "":
				return c.Wrong("add needs --kind: rule, pitfall, procedure or fact")
			case segment == "":
				return c.Wrong("add needs --segment ID: %s lists them", c.Command("list"))
			case len(cites) == 0:
				return c.Wrong("add needs --cite N, the number of the message that proves it: %s shows them", c.Command("show "+segment))
			case quote != "" && len(cites) > 1:
				return c.Wrong("--quote is for one --cite")
			}
			own, err := c.tags("tag", tags)
			if err != nil {
				return err
			}
			return c.Open(cmd.Context(), true, func(d *desk.Desk) error {
				seg, err := c.Segment(cmd.Context(), d, segment)
				if err != nil {
					return err
				}
				cand := memory.Candidate{Kind: words.Kind, Title: words.Title, Content: words.Content, Context: words.Context, Resolution: words.Resolution, Tags: own}
				if cand.Cites, err = d.Cites(cmd.Context(), &seg, cites, quote); err != nil {
					return err
				}
				return c.make(cmd, d, &seg, cand)
			})
		},
	}, w.add, p.JSONFlag("print the memory as JSON"))
	f := cmd.Flags()
	f.StringVar(&segment, "segment", "", "the segment `ID` that it is from")
	f.IntSliceVar(&cites, "cite", nil, "quote the message `N` (may be repeated)")
	f.StringVar(&quote, "quote", "", "the words of it that prove it, `TEXT` (default: its beginning)")
	f.StringArrayVar(&tags, "tag", nil, "a `TAG` of yours (may be repeated)")
	return cmd
}

// make adds a memory by hand, and says what came of it.
func (c *command) make(cmd *cobra.Command, d *desk.Desk, seg *review.Segment, cand memory.Candidate) error {
	m, err := d.NewMemory(cmd.Context(), seg, cand)
	if err != nil {
		return err
	}
	e, err := d.Store.AddMemory(cmd.Context(), d.Config.Text("reviewer"), m)
	if err != nil {
		return fmt.Errorf("no memory: %w", err)
	}
	list, err := d.Store.MemoriesOf(cmd.Context(), []string{e.Memories[0].ID})
	if err != nil || len(list) == 0 {
		return err
	}
	if *c.JSON {
		return c.Out.JSON(&list[0])
	}
	c.Out.Printf("%s %s: %s\n", list[0].Short(), state(&list[0]), list[0].Title)
	if len(list[0].Flags) > 0 {
		c.Warn("it has flags (%s) and waits for %s", flags(&list[0]), c.Command("memories approve "+list[0].Short()))
	}
	return nil
}
