package main

import (
	"github.com/spf13/cobra"
)

// noArguments refuses arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return wrongUsage("%s takes no arguments, got %q: see %s --help", cmd.Name(), args[0], cmd.CommandPath())
	}
	return nil
}

// oneArgument asks for exactly one argument, which what describes.
func oneArgument(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return wrongUsage("%s needs one %s, got %d: see %s --help", cmd.Name(), what, len(args), cmd.CommandPath())
		}
		return nil
	}
}

// someArguments asks for at least one argument, which what describes.
func someArguments(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return wrongUsage("%s needs %s: see %s --help", cmd.Name(), what, cmd.CommandPath())
		}
		return nil
	}
}
