package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/man"
	"winnow/tui/draw"
)

func (p *cli) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the pages of the manual",
		Long: `Writes a page for the program and one for each command into the folder DIR, which
is made if it is missing. man finds them in a folder man1 of its path.`,
		Example: `  winnow man ~/.local/share/man/man1
  winnow man . && man ./winnow-list.1`,
		Args: arguments(1, 1, "needs one DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := man.Write(args[0], cmd.Root(), "winnow "+p.version().Version)
			if err != nil {
				return fmt.Errorf("man: %w", err)
			}
			p.out.Printf("%s in %s\n", draw.Plural(n, "page"), args[0])
			return nil
		},
	}
}
