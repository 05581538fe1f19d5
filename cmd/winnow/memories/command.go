// Package memories has the commands that look for what was learned in segments, and
// those that show, judge, change and export it.
package memories

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/config"
	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/models"
	"winnow/cmd/winnow/print"
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/core/review"
	"winnow/core/spell"
)

// Program is what the commands need of the program.
type Program struct {
	Out     *print.Output
	Warn    func(format string, args ...any)
	Command func(words string) string // a command line that does something with the same database
	Env     *config.Env
	Now     func() time.Time
	Zone    *time.Location
	Draft   func() *desk.Draft // for an editor
	JSON    *bool
	Yes     *bool
	Limit   *int
	// Asked reads the filter of segments, of extract.
	Asked      func() (filter.Node, error)
	Searchable func(ctx context.Context, d *desk.Desk, n filter.Node) error
	// Flags that other commands have as well.
	FilterFlag, LimitFlag, YesFlag func(*cobra.Command)
	JSONFlag                       func(help string) func(*cobra.Command)
	// Open runs f with the database, which f changes unless it only looks.
	Open    func(ctx context.Context, changes bool, f func(*desk.Desk) error) error
	Segment func(ctx context.Context, d *desk.Desk, id string) (review.Segment, error)
	// Sure asks whether to do what to things that a filter selected.
	Sure func(ctx context.Context, many, what string) error
	// Line shows how far a run is that asks somebody.
	Line func(who *models.Asking) (show func(done, all int), end func())
	// Badly is the error of a filter that is wrong; Wrong one of wrong usage; Fail one
	// that ends the program with a status, nil where all has been said.
	Badly func(text string, bad *filter.Error) error
	Wrong func(format string, args ...any) error
	Fail  func(code int, err error) error
}

// Exit statuses.
const (
	failed = 1
	partly = 3
)

// command is one command of the program with what its flags say.
type command struct {
	*Program
	filter string
}

// with completes a command.
func with(cmd *cobra.Command, add ...func(*cobra.Command)) *cobra.Command {
	for _, f := range add {
		f(cmd)
	}
	return cmd
}

// Memories is the command of that name.
func (p *Program) Memories() *cobra.Command {
	list := p.list("memories")
	list.Use, list.Short, list.Long, list.Example = "memories", "Show, judge, edit and export what was learned", help, examples
	list.AddCommand(p.list("list"), p.show(), p.edit(), p.tag(), p.note(), p.add(), p.export())
	for i := range judgings {
		list.AddCommand(p.judge(&judgings[i]))
	}
	return list
}

// filterFlag is --filter, of memories.
func (c *command) filterFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.filter, "filter", "", "only memories that pass `Q`, as in 'status:proposed kind:rule -flag:any': docs/memories.md")
}

// asked reads --filter.
func (c *command) asked() (memory.Filter, error) {
	f, err := memory.ParseFilter(c.filter, filter.Options{Now: c.Now(), Zone: c.Zone})
	if bad := (*filter.Error)(nil); errors.As(err, &bad) {
		return nil, c.Badly(c.filter, bad)
	}
	return f, err
}

// chosen returns the memories that a command is about: those that are named, or that
// pass its filter.
func (c *command) chosen(ctx context.Context, d *desk.Desk, cmd *cobra.Command, ids []string, narrow func(memory.Filter) memory.Filter) ([]memory.Memory, error) {
	if !cmd.Flags().Changed("filter") {
		var list []memory.Memory
		for _, id := range ids {
			m, err := c.find(ctx, d, id)
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(list, func(o memory.Memory) bool { return o.ID == m.ID }) {
				list = append(list, m)
			}
		}
		return list, nil
	}
	f, err := c.asked()
	if err != nil {
		return nil, err
	}
	if !f.AsksStatus() {
		f = narrow(f)
	}
	var list []memory.Memory
	err = d.EachMemory(ctx, memory.Query{Filter: f}, func(page []memory.Memory) error {
		list = append(list, page...)
		return nil
	})
	return list, err
}

// find returns a memory by its id.
func (c *command) find(ctx context.Context, d *desk.Desk, id string) (memory.Memory, error) {
	m, err := d.Store.Memory(ctx, id)
	if errors.Is(err, review.ErrNotFound) {
		if g, wrong := d.Store.Segment(ctx, id); wrong == nil {
			return m, c.Wrong("%s is a segment: %s lists what was learned in it", g.Short(), c.Command("memories --filter segment:"+g.Short()))
		}
		return m, fmt.Errorf("no memory begins with %q: %s lists them", id, c.Command("memories list"))
	}
	return m, err
}

// choosing checks that a command has IDs or a filter.
func (c *command) choosing(cmd *cobra.Command, ids []string) error {
	switch filtered := cmd.Flags().Changed("filter"); {
	case filtered && len(ids) > 0:
		return c.Wrong("%s takes IDs or --filter, not both", cmd.Name())
	case filtered && strings.TrimSpace(c.filter) == "":
		return c.Wrong("--filter is empty, which is all memories: if you mean them, write --filter 'grade>=0'")
	case filtered:
		return nil
	case len(ids) == 0:
		return c.Wrong("%s needs the ID of a memory, or --filter: see %s --help", cmd.Name(), cmd.CommandPath())
	case *c.Yes:
		return c.Wrong("--yes is only for --filter")
	}
	return nil
}

// word checks that a flag has one of some words.
func (c *command) word(flag, value string, known []string) error {
	if !slices.Contains(known, value) {
		return c.Wrong("--%s %q: unknown: %s", flag, value, spell.Known(value, known))
	}
	return nil
}
