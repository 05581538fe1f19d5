package emit

import (
	"fmt"
	"slices"
	"strings"
	"winnow/core/export"

	"github.com/spf13/cobra"
)

// emitterLines describes the formats, one in a line: all of them, or those that
// files can be converted to.
func emitterLines(convertible bool) string {
	var lines []string
	for _, e := range emittersFor(convertible) {
		lines = append(lines, fmt.Sprintf("  %-16s %s", e.Name, e.Description))
	}
	return strings.Join(lines, "\n")
}

func emittersFor(convertible bool) []export.Emitter {
	return slices.DeleteFunc(slices.Clone(export.Emitters()), func(e export.Emitter) bool { return convertible && e.Converts() != nil })
}

// completeEmitters offers the formats that emitterLines describes.
func completeEmitters(convertible bool) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) (offers []cobra.Completion, _ cobra.ShellCompDirective) {
		for _, e := range emittersFor(convertible) {
			offers = append(offers, cobra.CompletionWithDesc(e.Name, e.Description))
		}
		return offers, cobra.ShellCompDirectiveNoFileComp
	}
}

// emitterRow is a format in JSON.
type emitterRow struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Losses      string `json:"losses"` // what it cannot carry
}

func (p *Program) listEmitters() error {
	if *p.JSON {
		for _, e := range export.Emitters() {
			if err := p.Out.JSON(emitterRow{e.Name, e.Description, e.Losses}); err != nil {
				return err
			}
		}
		return nil
	}
	for _, e := range export.Emitters() {
		p.Out.Hang(fmt.Sprintf("%-16s  ", e.Name), e.Description)
	}
	p.Out.Printf("\nNone can carry %s. What else is lost:\n\n", export.NoneCarries)
	for _, e := range export.Emitters() {
		p.Out.Hang(fmt.Sprintf("%-16s  ", e.Name), e.Losses)
	}
	return nil
}
