package compress

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/core/compress"
	"winnow/core/compress/compat"
	"winnow/tui/draw"
)

// outcomes names outcomes for people.
var outcomes = map[compat.Outcome]string{
	compat.Nothing: "with nothing that may go", compat.NoSavings: "where nothing would be saved",
	compat.Failed: "that cannot be read", compat.Unsummarized: "without a summary that may be used", compat.Dropped: "lost",
	compat.Fallback: "with a fixed sentence for a summary",
}

// printFiles says what a job came to. The counts add up to all rows.
func (c *Command) printFiles(r *fileRow) {
	done := "compressed"
	if c.dryRun {
		done = "would be compressed"
	}
	parts := []string{draw.Grouped(r.Compressed) + " " + done}
	if r.Over > 0 {
		parts[0] += fmt.Sprintf(" (%s over the target still)", draw.Grouped(r.Over))
	}
	parts = append(parts, draw.Grouped(r.UnderTarget)+" under the target")
	if r.Kept > 0 {
		parts = append(parts, draw.Grouped(r.Kept)+" as they were")
	}
	if r.Lost > 0 {
		parts = append(parts, draw.Grouped(r.Lost)+" lost")
	}
	c.Out.Printf("%s: %s\n", draw.Plural(r.Rows, "row"), strings.Join(parts, ", "))
	for _, outcome := range slices.Sorted(maps.Keys(r.Reasons)) {
		c.Out.Printf("  %s %s\n", draw.Grouped(r.Reasons[outcome]), outcomes[outcome])
	}
	if c.dryRun {
		if r.Asks > 0 {
			c.Out.Printf("%s at %s would be sent about %s of %s\n", r.Model, r.Host, draw.Plural(r.Send, "token"), draw.Plural(r.Asks, "row"))
		}
		return
	}
	c.Out.Printf("%s before, %s after, counted by %s\n", draw.Plural(r.Before, "token"), draw.Grouped(r.After), r.Counter)
	for _, name := range r.Files {
		c.Out.Printf("%s\n", name)
	}
	if r.FilesReport.Metrics != "" {
		c.Out.Printf("%s\n", r.FilesReport.Metrics)
	}
}

// reasonTexts names for people why segments failed.
var reasonTexts = map[string]string{
	string(compress.Nothing): "with nothing that may go", string(compress.NoSavings): "where nothing would be saved", "no_answer": "without an answer",
	compress.Invented: "with a summary that names what is nowhere", compress.Tagged: "with a summary that is no text", compress.Secret: "with a secret in the summary",
	compress.Language: "in another language", compress.TooLong: "with a summary that is too long", compress.Empty: "with an empty summary",
}

// reasonsText lists reasons with their counts.
func reasonsText(reasons map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		text := cmp.Or(reasonTexts[name], name)
		parts = append(parts, draw.Grouped(reasons[name])+" "+text)
	}
	return strings.Join(parts, ", ")
}
