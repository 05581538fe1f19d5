package memories

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/print"
	"winnow/core/clean"
	"winnow/core/memory"
	"winnow/core/review"
	"winnow/tui/draw"
)

// orders are the names of the orders of lists.
var orders = []string{string(memory.Newest), string(memory.Best)}

// list is "memories" and "memories list".
func (p *Program) list(name string) *cobra.Command {
	c := &command{Program: p}
	order := ""
	cmd := with(&cobra.Command{
		Use: name, Short: "List memories", Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return c.Wrong("memories %s: no such command: list, show, approve, reject, archive, reset, edit, tag, note, add or export", args[0])
			}
			if err := c.word("sort", order, orders); err != nil {
				return err
			}
			if *c.Limit < 0 {
				return c.Wrong("--limit %d: must not be negative", *c.Limit)
			}
			f, err := c.asked()
			if err != nil {
				return err
			}
			return c.Open(cmd.Context(), false, func(d *desk.Desk) error {
				return c.print(cmd, d, memory.Query{Filter: f, Order: memory.Order(order), Limit: *c.Limit})
			})
		},
	}, c.filterFlag, p.LimitFlag, p.JSONFlag("print a JSON object per memory"))
	cmd.Flags().StringVar(&order, "sort", string(memory.Newest), "`ORDER`: new, or grade (the best first)")
	return cmd
}

func (c *command) print(cmd *cobra.Command, d *desk.Desk, q memory.Query) error {
	t := c.Out.List(*c.JSON, print.Left("ID"), print.Left("STATUS"), print.Left("KIND"), print.Right("GRADE"), print.Right("FROM"), print.Left("FLAGS"), print.Left("TITLE"))
	n := 0
	err := d.EachMemory(cmd.Context(), q, func(list []memory.Memory) error {
		for i := range list {
			m := &list[i]
			if err := t.Put(m, m.Short(), state(m), string(m.Kind), fmt.Sprintf("%.2f", m.Grade), fmt.Sprint(len(m.Sources)), flags(m), m.Title); err != nil {
				return err
			}
		}
		n += len(list)
		t.Flush()
		return nil
	})
	if err == nil && n == 0 && !*c.JSON {
		c.Warn("no memories like that: %s looks for some in approved segments", c.Command("extract"))
	}
	return err
}

// state is the status of a memory in a word.
func state(m *memory.Memory) string {
	if m.Stale {
		return memory.StaleStatus
	}
	return string(m.Status)
}

// flags are the warnings about a memory in words.
func flags(m *memory.Memory) string {
	list := make([]string, len(m.Flags))
	for i, f := range m.Flags {
		list[i] = string(f)
	}
	return strings.Join(list, ",")
}

// show is "memories show".
func (p *Program) show() *cobra.Command {
	c := &command{Program: p}
	return with(&cobra.Command{
		Use: "show ID", Short: "Show a memory with its quotes", Args: c.exactly(1, "the ID of a memory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.Open(cmd.Context(), false, func(d *desk.Desk) error {
				m, err := c.find(cmd.Context(), d, args[0])
				if err != nil {
					return err
				}
				if *c.JSON {
					return c.Out.JSON(&m)
				}
				c.printOne(&m)
				return nil
			})
		},
	}, p.JSONFlag("print the memory as JSON"))
}

// exactly wants so many arguments.
func (c *command) exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return c.Wrong("%s needs %s: see %s --help", cmd.Name(), what, cmd.CommandPath())
		}
		return nil
	}
}

func (c *command) printOne(m *memory.Memory) {
	o := c.Out
	o.Printf("%s  %s\n", m.Short(), m.Title)
	text := state(m)
	if m.Curator != "" && m.Stale {
		text += ", approved by " + m.Curator
	} else if m.Curator != "" {
		text += " by " + m.Curator
	}
	if m.Reason != "" {
		text += ": " + m.Reason
	}
	o.Printf("%s, grade %.2f, %s\n", m.Kind, m.Grade, text)
	made := m.MadeBy
	if m.Model != "" {
		made += " " + m.Model
	}
	if m.Edited {
		made += ", edited"
	}
	o.Printf("found by %s\n", made)
	if m.Dir != "" {
		o.Printf("learned in %s\n", c.Env.ShortPath(m.Dir))
	}
	if m.Supersedes != "" {
		o.Printf("takes the place of %s\n", review.Short(m.Supersedes))
	}
	for _, part := range [...][2]string{{"", m.Content}, {"when: ", m.Context}, {"what to do: ", m.Resolution}, {"note: ", m.Note}} {
		if part[1] == "" {
			continue
		}
		o.Printf("\n")
		for i, line := range strings.Split(part[0]+part[1], "\n") {
			o.Printf("%s%s\n", strings.Repeat("  ", min(i, 1)), clean.Line(line))
		}
	}
	o.Printf("\ntags: %s\n", strings.Join(m.Tags, ", "))
	if len(m.Flags) > 0 {
		o.Printf("flags: %s: read it before you approve it\n", flags(m))
	}
	for i := range m.Sources {
		s := &m.Sources[i]
		gone := ""
		if !s.Live {
			gone = ", not live"
		}
		o.Printf("\nsegment %s, messages %d to %d of %s%s\n", review.Short(s.Segment), s.Start, s.End, s.File, gone)
		for j := range s.Cites {
			k := &s.Cites[j]
			o.Printf("  #%d %s: %s%s%s\n", k.Message, k.Role, "“", clean.Line(k.Quote), "”")
		}
	}
}

// many is a number of memories in words.
func many(n int) string {
	if n == 1 {
		return "1 memory"
	}
	return draw.Grouped(n) + " memories"
}
