package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// shells are the shells that completion scripts are written for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

func (p *cli) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the completion script for a shell",
		Long: `Prints a script that teaches a shell to complete commands, flags, ids, formats
and themes. SHELL is ` + strings.Join(shells, ", ") + `.`,
		Example: `  source <(winnow completion bash)
  winnow completion zsh > "${fpath[1]}/_winnow"
  winnow completion fish > ~/.config/fish/completions/winnow.fish`,
		Args:      arguments(1, 1, "needs one SHELL"),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(p.out, true)
			case "zsh":
				return root.GenZshCompletion(p.out)
			case "fish":
				return root.GenFishCompletion(p.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(p.out)
			}
			return wrongUsage("completion: unknown shell %q: known are %s", args[0], strings.Join(shells, ", "))
		},
	}
}

// helpCommand is cobra's, but asking about a command that is not there is
// wrong usage.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var offers []cobra.Completion
			for _, c := range cmd.Root().Commands() {
				if len(args) == 0 && c.IsAvailableCommand() {
					offers = append(offers, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return offers, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if len(args) == 0 {
				return root.Help()
			}
			known := func(c *cobra.Command) bool { return c.Name() == args[0] }
			i := slices.IndexFunc(root.Commands(), known)
			if i < 0 || len(args) > 1 {
				return wrongUsage("help: no command %q: see winnow --help", strings.Join(args, " "))
			}
			return root.Commands()[i].Help()
		},
	}
}
