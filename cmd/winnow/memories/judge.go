package memories

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/tell"
	"winnow/core/memory"
	"winnow/core/review"
	"winnow/tui/draw"
)

// judging is a command that judges memories.
type judging struct {
	name, short, done string
	to                memory.Status
	of                []string // the statuses that it is for, where a filter says none
}

var judgings = []judging{
	{"approve", "Approve memories: they are exported", "approved", memory.Approved, []string{"proposed"}},
	{"reject", "Reject memories: they are not proposed again", "rejected", memory.Rejected, []string{"proposed"}},
	{"archive", "Put memories away", "archived", memory.Archived, []string{"proposed", "approved", "stale"}},
	{"reset", "Take the verdict on memories back: they are proposed again", "open again", memory.Proposed, []string{"approved", "stale", "rejected", "archived"}},
}

// judge is one of judgings.
func (p *Program) judge(j *judging) *cobra.Command {
	c := &command{Program: p}
	long := j.short + `.

With --filter it judges those of them that are ` + strings.Join(j.of, ", ") + `, unless
the filter says which status. On a terminal it says first how many these are and
asks; --yes skips the question. "winnow undo" takes it back.`
	if j.to == memory.Approved {
		long += `

Memories with flags are approved one by one only: read them first. A stale one that
is approved again counts without its source.`
	}
	return with(&cobra.Command{
		Use: j.name + " ID… | --filter Q", Short: j.short, Long: long, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, ids []string) error {
			if err := c.choosing(cmd, ids); err != nil {
				return err
			}
			return c.Open(cmd.Context(), true, func(d *desk.Desk) error {
				list, err := c.chosen(cmd.Context(), d, cmd, ids, func(f memory.Filter) memory.Filter { return f.With("status", j.of...) })
				if err != nil {
					return err
				}
				bulk := cmd.Flags().Changed("filter")
				return c.change(cmd.Context(), d, list, memory.Judgement{Status: j.to, Bulk: bulk}, strings.ToLower(j.name)+" them", j.done)
			})
		},
	}, c.filterFlag, p.YesFlag, p.JSONFlag("print the journal entry as JSON"))
}

// change judges memories, or changes them, and says what came of it.
func (c *command) change(ctx context.Context, d *desk.Desk, list []memory.Memory, j memory.Judgement, what, done string) error {
	if len(list) == 0 {
		c.Warn("no memories like that")
		return nil
	}
	j.Curator, j.Seen = d.Config.Text("reviewer"), map[string]memory.Memory{}
	for i := range list {
		j.IDs = append(j.IDs, list[i].ID)
		j.Seen[list[i].ID] = list[i]
	}
	if j.Bulk && !*c.Yes {
		if err := c.Sure(ctx, many(len(list)), what); err != nil {
			return err
		}
	}
	e, flagged, err := d.Store.JudgeMemories(ctx, j)
	if err != nil {
		return fmt.Errorf("not %s: %w", done, err)
	}
	switch {
	case *c.JSON:
		if err := c.Out.JSON(tell.EntryOf(&e)); err != nil {
			return err
		}
	case len(e.Memories) > 0:
		n, replaced := j.Made(e.Memories)
		text := many(n) + " " + done
		if replaced > 0 {
			text += ", " + draw.Grouped(replaced) + " replaced"
		}
		c.Out.Printf("%s\n", text)
	case len(flagged) == 0:
		c.Out.Printf("nothing changed: %s %s already\n", many(len(list)), done)
	}
	if len(flagged) == 0 {
		return nil
	}
	return c.refused(list, flagged)
}

// refused says which memories were not approved as they have flags.
func (c *command) refused(list []memory.Memory, flagged []string) error {
	why := map[string]int{}
	var names []string
	for i := range list {
		for _, id := range flagged {
			if list[i].ID != id {
				continue
			}
			for _, f := range list[i].Flags {
				why[string(f)]++
			}
			if len(names) < told {
				names = append(names, review.Short(id))
			}
		}
	}
	var reasons []string
	for _, f := range memory.Flags {
		if n := why[string(f)]; n > 0 {
			reasons = append(reasons, fmt.Sprintf("%s %d", f, n))
		}
	}
	text := fmt.Sprintf("%s not approved, as flags are to be looked at one by one (%s): %s", many(len(flagged)), strings.Join(reasons, ", "), strings.Join(names, " "))
	if n := len(flagged) - len(names); n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return c.Fail(partly, errors.New(text))
}

// told is how many things are named at most.
const told = 20

// tag is "memories tag".
func (p *Program) tag() *cobra.Command {
	c := &command{Program: p}
	var on, off []string
	cmd := with(&cobra.Command{
		Use: "tag ID… | --filter Q [--add TAG] [--remove TAG]", Short: "Add tags to memories, or remove them", Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, ids []string) error {
			if err := c.choosing(cmd, ids); err != nil {
				return err
			}
			j := memory.Judgement{Bulk: cmd.Flags().Changed("filter")}
			var err error
			if j.TagsOn, err = c.tags("add", on); err != nil {
				return err
			}
			if j.TagsOff, err = c.tags("remove", off); err != nil {
				return err
			}
			if len(j.TagsOn)+len(j.TagsOff) == 0 {
				return c.Wrong("tag needs --add TAG or --remove TAG: %s shows those there are", c.Command("memories show ID"))
			}
			return c.edited(cmd, ids, j, "tag them", "tagged")
		},
	}, c.filterFlag, p.YesFlag, p.JSONFlag("print the journal entry as JSON"))
	cmd.Flags().StringArrayVar(&on, "add", nil, "add this `TAG` (may be repeated)")
	cmd.Flags().StringArrayVar(&off, "remove", nil, "remove this `TAG` (may be repeated)")
	return cmd
}

// tags takes the tags of a flag apart: those with commas between them are several.
func (c *command) tags(flag string, args []string) (tags []string, err error) {
	for _, arg := range args {
		for tag := range strings.SplitSeq(arg, ",") {
			if tag = strings.TrimSpace(tag); strings.ContainsFunc(tag, unicode.IsSpace) {
				words := strings.Fields(tag)
				return nil, c.Wrong("--%s %q: a tag has no spaces: write %s for one tag, %s for several", flag, tag, strings.Join(words, "-"), strings.Join(words, ","))
			}
			if tag != "" {
				tags = append(tags, tag)
			}
		}
	}
	return tags, nil
}

// edited changes the memories that are chosen.
func (c *command) edited(cmd *cobra.Command, ids []string, j memory.Judgement, what, done string) error {
	return c.Open(cmd.Context(), true, func(d *desk.Desk) error {
		list, err := c.chosen(cmd.Context(), d, cmd, ids, func(f memory.Filter) memory.Filter { return f })
		if err != nil {
			return err
		}
		return c.change(cmd.Context(), d, list, j, what, done)
	})
}

// note is "memories note".
func (p *Program) note() *cobra.Command {
	c := &command{Program: p}
	return with(&cobra.Command{
		Use: "note ID… TEXT | --filter Q TEXT", Short: "Write a note on memories", Long: `Writes a note on memories, in the place of the one they have; "" removes it.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 1
			if last == 0 && !cmd.Flags().Changed("filter") {
				return c.Wrong("TEXT is missing: %s, or '' to remove the note", c.Command("memories note "+args[0]+" 'a note'"))
			}
			if err := c.choosing(cmd, args[:last]); err != nil {
				return err
			}
			text := strings.TrimSpace(args[last])
			return c.edited(cmd, args[:last], memory.Judgement{Note: &text, Bulk: cmd.Flags().Changed("filter")}, "write the note on them", "noted on")
		},
	}, c.filterFlag, p.YesFlag, p.JSONFlag("print the journal entry as JSON"))
}
