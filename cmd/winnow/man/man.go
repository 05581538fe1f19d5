// Package man writes the pages of the manual: one for the program and one for each of
// its commands, from what their help says.
//
// It knows cobra's tree of commands and the few requests of roff that a page needs,
// and nothing of winnow; cmd/winnow imports it. Its tests are here.
package man

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Write writes the page of a command and those of all below it into a folder, which is
// made if it is missing; pages that are there are replaced. version stands at the
// foot of each. It returns how many there are.
func Write(dir string, cmd *cobra.Command, version string) (pages int, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	if err := os.WriteFile(filepath.Join(dir, name(cmd)+".1"), []byte(Page(cmd, version)), 0o644); err != nil {
		return 0, err
	}
	pages = 1
	for _, c := range cmd.Commands() {
		if documented(c) {
			n, err := Write(dir, c, version)
			if pages += n; err != nil {
				return pages, err
			}
		}
	}
	return pages, nil
}

// documented reports whether a command, or a topic of the help, has a page.
func documented(c *cobra.Command) bool {
	return c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand()
}

// name is that of a page: winnow-list.
func name(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// Page returns the page of a command as roff. It has no date: the same program
// gives the same page.
func Page(cmd *cobra.Command, version string) string {
	cmd.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH \"%s\" 1 \"\" \"%s\" \"%s\"\n", escape(strings.ToUpper(name(cmd))), escape(version), escape(cmd.Root().Name()))
	section := func(title string) { fmt.Fprintf(&b, ".SH %s\n", title) }
	section("NAME")
	fmt.Fprintf(&b, "%s \\- %s\n", escape(name(cmd)), escape(cmd.Short))
	if cmd.Runnable() {
		section("SYNOPSIS")
		fmt.Fprintf(&b, ".B %s\n", escape(cmd.UseLine()))
	}
	if cmd.Long != "" {
		section("DESCRIPTION")
		b.WriteString(text(cmd.Long))
	}
	if cmd.HasAvailableSubCommands() {
		section("COMMANDS")
		for _, c := range cmd.Commands() {
			if documented(c) {
				fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", escape(name(c)), line(c.Short))
			}
		}
	}
	if flags := options(cmd); flags != "" {
		section("OPTIONS")
		b.WriteString(flags)
	}
	if cmd.Example != "" {
		section("EXAMPLES")
		b.WriteString(verbatim(strings.Split(cmd.Example, "\n")))
	}
	if cmd.HasParent() {
		section("SEE ALSO")
		fmt.Fprintf(&b, ".BR %s (1),\nwhich has the options of all commands\n", escape(name(cmd.Parent())))
	}
	return b.String()
}

// options lists the flags of a command, those of all commands only with the program.
func options(cmd *cobra.Command) string {
	var b strings.Builder
	cmd.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, help := pflag.UnquoteUsage(f)
		b.WriteString(".TP\n")
		if f.Shorthand != "" {
			fmt.Fprintf(&b, "\\fB\\-%s\\fR, ", escape(f.Shorthand))
		}
		fmt.Fprintf(&b, "\\fB\\-\\-%s\\fR", escape(f.Name))
		if value != "" {
			fmt.Fprintf(&b, " \\fI%s\\fR", escape(value))
		}
		fmt.Fprintf(&b, "\n%s\n", line(help))
	})
	return b.String()
}

// text sets paragraphs; lines that are indented stay as they are.
func text(s string) string {
	var b strings.Builder
	for _, paragraph := range strings.Split(s, "\n\n") {
		b.WriteString(".PP\n")
		var kept []string
		for _, l := range strings.Split(paragraph, "\n") {
			if strings.HasPrefix(l, " ") {
				kept = append(kept, l)
				continue
			}
			b.WriteString(verbatim(kept) + line(l) + "\n")
			kept = nil
		}
		b.WriteString(verbatim(kept))
	}
	return b.String()
}

// verbatim sets lines as they are, "" for none.
func verbatim(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(".nf\n")
	for _, l := range lines {
		b.WriteString(line(l) + "\n")
	}
	return b.String() + ".fi\n"
}

// line escapes a line of text: one that begins as a request does is none.
func line(s string) string {
	if s = escape(s); strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		return `\&` + s
	}
	return s
}

var escapes = strings.NewReplacer(`\`, `\e`, `-`, `\-`, "\n", " ", `"`, `\(dq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

// escape keeps roff from taking a character for something else than itself, in
// whatever encoding it reads.
func escape(s string) string {
	var b strings.Builder
	for _, r := range escapes.Replace(s) {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\[u%04X]", r)
		}
	}
	return b.String()
}
