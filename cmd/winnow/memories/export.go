package memories

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/core/memory"
	"winnow/core/memory/write"
	"winnow/core/review"
)

// forms are what memories are exported as.
var forms = []string{"agents", "skills", "jsonl", "mem0"}

// exporting is what the flags of "memories export" say.
type exporting struct {
	out, as      string
	tokens       int
	check, force bool
}

const exportHelp = `Writes approved memories whose sources are there, and in which no secret is found.

agents   a block in a file such as AGENTS.md or CLAUDE.md; the rest of the file
         stays byte for byte. Rules, pitfalls and facts, the best first; one
         that --max-tokens has no room for is left out, a shorter one may fit
skills   FOLDER/NAME/SKILL.md for each procedure; those of procedures that are no
         longer approved, or have another name now, are removed
jsonl    all that is known of them, one a line
mem0     bodies of POST /memories of mem0, one a line

The same memories make the same bytes. For agents and
skills it is what was learned in the folder that the file is in, if anything was:
--filter dir:/ takes all. --check writes nothing, and exits with 1 if
something would change. A file that was not written here is replaced with --force
only, a skill that was changed by hand as well.`

// export is "memories export".
func (p *Program) export() *cobra.Command {
	c := &command{Program: p}
	var how exporting
	cmd := with(&cobra.Command{
		Use: "export -o PATH --as FORM", Short: "Write approved memories for agents", Long: exportHelp, Args: cobra.NoArgs,
		Example: `  winnow memories export -o AGENTS.md --as agents
  winnow memories export -o .claude/skills --as skills --filter 'session:projects/web'
  winnow memories export -o AGENTS.md --as agents --check`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if how.out == "" {
				return c.Wrong("export needs -o PATH: a file, or for skills a folder")
			}
			if err := c.word("as", how.as, forms); err != nil {
				return err
			}
			f, err := c.asked()
			if err != nil {
				return err
			}
			return c.Open(cmd.Context(), false, func(d *desk.Desk) error {
				list, told, err := d.Approved(cmd.Context(), f, how.folder())
				if err != nil {
					return err
				}
				if told != "" {
					c.Warn("%s", told)
				}
				return c.write(cmd.Context(), d, &how, list, write.Options{MaxTokens: how.tokens, Scanner: d.Scanner()}, func(id string) (bool, error) {
					m, err := d.Store.Memory(cmd.Context(), id)
					if errors.Is(err, review.ErrNotFound) {
						return false, nil
					}
					return m.Status == memory.Approved && !m.Stale && m.Kind == memory.Procedure, err
				})
			})
		},
	}, c.filterFlag, p.JSONFlag("print the outcome as JSON"))
	f := cmd.Flags()
	f.StringVarP(&how.out, "output", "o", "", "the `PATH` of a file, or for skills of a folder")
	f.StringVar(&how.as, "as", "agents", "`FORM`: agents, skills, jsonl or mem0")
	f.IntVar(&how.tokens, "max-tokens", write.DefaultTokens, "of the block for agents at most `N` tokens")
	f.BoolVar(&how.check, "check", false, "write nothing; exit with 1 if something would change")
	f.BoolVar(&how.force, "force", false, "replace files that were not written here")
	return cmd
}

// folder is where the agents work that read what is written, "" if none do.
func (how *exporting) folder() string {
	switch how.as {
	case "agents":
		return filepath.Dir(how.out)
	case "skills":
		return how.out
	}
	return ""
}

// exportRow is what is printed of an export as JSON.
type exportRow struct {
	As      string       `json:"as"`
	Written []string     `json:"written"` // ids of memories
	Left    []write.Left `json:"left_out"`
	Tokens  int          `json:"tokens,omitzero"`
	Changed []string     `json:"changed"`         // paths of files
	Added   []string     `json:"added,omitempty"` // to a block for agents: short ids
	Gone    []write.Left `json:"gone,omitempty"`  // from a block for agents: short ids
	Removed []string     `json:"removed,omitempty"`
	Warned  []string     `json:"warnings,omitempty"`
}

// write writes memories, or says what would change. stands tells whether a memory, by its
// short id, is still to be a skill.
func (c *command) write(ctx context.Context, d *desk.Desk, how *exporting, list []memory.Memory, o write.Options, stands func(id string) (bool, error)) error {
	files, r, err := how.files(list, o)
	if err != nil {
		return fmt.Errorf("%s: %w", how.out, err)
	}
	row := exportRow{As: how.as, Written: r.Written, Left: r.Left, Tokens: r.Tokens, Changed: []string{}, Warned: r.Warnings, Added: r.Added}
	var changes string
	if row.Gone, changes, err = d.Gone(ctx, &r); err != nil {
		return err
	}
	for _, f := range files {
		changed, err := c.differs(how, f)
		if err != nil {
			return err
		}
		if !changed {
			continue
		}
		row.Changed = append(row.Changed, f.Path)
		if !how.check {
			if err := desk.PutFile(f.Path, f.Data); err != nil {
				return err
			}
		}
	}
	if how.as == "skills" {
		if err := how.clear(files, &row, stands); err != nil {
			return err
		}
	}
	if err := c.printExport(how, &row, changes); err != nil {
		return err
	}
	if how.check && len(row.Changed)+len(row.Removed) > 0 {
		return c.Fail(failed, nil)
	}
	return nil
}

// files are the files of an export, with their full paths.
func (how *exporting) files(list []memory.Memory, o write.Options) ([]write.File, write.Report, error) {
	one := func(data []byte, r write.Report, err error) ([]write.File, write.Report, error) {
		return []write.File{{Path: how.out, Data: data}}, r, err
	}
	switch how.as {
	case "skills":
		files, r := write.Skills(list, o)
		for i := range files {
			files[i].Path = filepath.Join(how.out, filepath.FromSlash(files[i].Path))
		}
		return files, r, nil
	case "jsonl":
		return one(write.JSONL(list, o))
	case "mem0":
		return one(write.Mem0(list, o))
	}
	was, err := os.ReadFile(how.out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, write.Report{}, err
	}
	return one(write.Agents(was, list, o))
}

// differs reports whether a file would change. It is an error if it was not written
// here and would be lost.
func (c *command) differs(how *exporting, f write.File) (bool, error) {
	was, err := os.ReadFile(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return len(f.Data) > 0, nil
	case err != nil:
		return false, err
	case bytes.Equal(was, f.Data):
		return false, nil
	case how.as == "agents" || how.force || how.check || len(was) == 0:
		return true, nil
	case how.as == "skills":
		switch id, whole := write.Sealed(was); {
		case whole:
			return true, nil
		case id != "":
			return false, fmt.Errorf("%s was changed by hand since it was written: --force replaces it; to keep what it says, change the memory: %s", f.Path, c.Command("memories edit "+id))
		}
	}
	if how.as != "skills" { // nothing in it says who wrote it
		return false, fmt.Errorf("%s is there already and holds something else: --force replaces it", f.Path)
	}
	return false, fmt.Errorf("%s is there already and was not written here: --force replaces it", f.Path)
}

// printExport prints an export; changes says what changed in a block for agents.
func (c *command) printExport(how *exporting, row *exportRow, changes string) error {
	if row.Left == nil {
		row.Left = []write.Left{}
	}
	if row.Written == nil {
		row.Written = []string{}
	}
	if *c.JSON {
		return c.Out.JSON(row)
	}
	for i, l := range row.Left {
		if i == told {
			c.Warn("%s more left out: --json lists them", many(len(row.Left)-i))
			break
		}
		c.Warn("left out: %s: %s", review.Short(l.ID), l.Why)
	}
	for _, text := range row.Warned {
		c.Warn("%s: %s", how.out, text)
	}
	done := "written"
	if how.check {
		done = "would change"
	}
	if len(row.Changed)+len(row.Removed) == 0 {
		c.Out.Printf("nothing changed: %s in %s\n", many(len(row.Written)), how.out)
		return nil
	}
	c.Out.Printf("%s: %s\n", many(len(row.Written)), done)
	for _, path := range row.Changed {
		if changes != "" {
			path += ": " + changes
		}
		c.Out.Printf("  %s\n", path)
	}
	gone := "removed"
	if how.check {
		gone = "would be removed"
	}
	for _, path := range row.Removed {
		c.Out.Printf("  %s: %s\n", path, gone)
	}
	return nil
}
