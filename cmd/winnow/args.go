package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError says of a flag with an impossible value what it must be.
func flagError(err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	must := map[string]string{
		"int": "a whole number", "float64": "a number", "bool": "true or false", "stringSlice": "words with commas between them",
	}[bad.GetFlag().Value.Type()]
	if errors.Is(err, strconv.ErrRange) {
		must = "a smaller number"
	}
	return fmt.Errorf("--%s %q: must be %s", bad.GetFlag().Name, bad.GetValue(), must)
}

// noArguments refuses arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return wrongUsage("%s takes no arguments, got %q: see %s --help", cmd.Name(), args[0], cmd.CommandPath())
	}
	return nil
}

// oneAtMost takes one argument or none.
func oneAtMost(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return wrongUsage("%s takes one %s at most, got %d: see %s --help", cmd.Name(), what, len(args), cmd.CommandPath())
		}
		return nil
	}
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
