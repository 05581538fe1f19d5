package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usage prints how a command is used. The global flags, which all commands have, are
// with those of the program and nowhere else.
func usage(cmd *cobra.Command) error {
	w := cmd.OutOrStderr()
	section := func(title, text string) {
		if text = strings.TrimRight(text, "\n"); text != "" {
			fmt.Fprintf(w, "\n%s:\n%s\n", title, text)
		}
	}
	lines := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		lines += "\n  " + cmd.CommandPath() + " COMMAND"
	}
	fmt.Fprintf(w, "Usage:\n  %s\n", lines)
	section("Examples", cmd.Example)
	var commands, topics strings.Builder
	for _, c := range cmd.Commands() {
		switch line := fmt.Sprintf("  %-*s %s\n", c.NamePadding(), c.Name(), c.Short); {
		case c.IsAvailableCommand() || c.Name() == "help":
			commands.WriteString(line)
		case c.IsAdditionalHelpTopicCommand():
			topics.WriteString(line)
		}
	}
	section("Commands", commands.String())
	section("Flags", cmd.NonInheritedFlags().FlagUsages())
	section("Help topics", topics.String())
	if cmd.HasParent() {
		fmt.Fprintf(w, "\nThe flags of all commands, such as %s: %s --help\n", globalNames(cmd), cmd.Root().Name())
	} else if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n%s help COMMAND tells more about a command or a topic.\n", cmd.CommandPath())
	}
	return nil
}

// globalNames names the first flags that all commands have.
func globalNames(cmd *cobra.Command) string {
	const named = 3
	var names []string
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return strings.Join(names[:min(named, len(names))], ", ")
}
