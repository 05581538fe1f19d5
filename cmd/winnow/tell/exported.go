package tell

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/cmd/winnow/print"
	"winnow/core/export"
	"winnow/core/review"
	"winnow/tui/draw"
)

// PrintExport prints what an export wrote, or with check would write.
func PrintExport(o *print.Output, r *export.Report, check bool) {
	done := "exported"
	if check {
		done = "could export"
	}
	o.Printf("%s %s as %s, about %s, %s\n", done, draw.Plural(r.Written, "sample"), r.As,
		draw.Plural(r.Tokens, "token"), draw.Bytes(r.Bytes))
	for _, s := range r.Splits {
		o.Printf("%s: %s, about %s\n", s.Name, draw.Plural(s.Samples, "sample"), draw.Plural(s.Tokens, "token"))
	}
	for _, f := range r.Files {
		switch {
		case f.Path == print.Stream:
		case f.Rows == 0:
			o.Printf("%s\n", f.Path)
		default:
			o.Printf("%s: %s\n", f.Path, draw.Plural(f.Rows, "row"))
		}
	}
	for _, c := range r.Repairs {
		o.Printf("%s: %s\n", draw.Plural(c.Samples, "sample"), c.Done)
	}
	if n := len(r.LeftOut); n > 0 {
		var reasons []string
		help := ""
		for _, g := range r.LeftOutBy() {
			reasons = append(reasons, draw.Grouped(g.Samples)+" "+g.Name)
			if g.Name == "nul" {
				help = ": --repair mends those with NULs"
			}
		}
		o.Printf("%s left out: %s%s\n", draw.Plural(n, "segment"), strings.Join(reasons, ", "), help)
	}
	printSecrets(o, r.Secrets)
}

// secrets says how many secrets of which kinds were found.
func printSecrets(o *print.Output, list []export.Secret) {
	if len(list) == 0 {
		return
	}
	found, replaced := map[string]int{}, 0
	for _, s := range list {
		found[s.Rule]++
		if s.Placeholder != "" {
			replaced++
		}
	}
	var kinds []string
	for _, rule := range slices.Sorted(maps.Keys(found)) {
		kinds = append(kinds, draw.Grouped(found[rule])+" "+rule)
	}
	what := draw.Plural(len(list), "secret")
	if replaced > 0 {
		o.Printf("%s replaced: %s\n", what, strings.Join(kinds, ", "))
	} else {
		o.Printf("%s in the samples: %s: --redact replaces them\n", what, strings.Join(kinds, ", "))
	}
}

// SwitchedOff counts messages that are not to be trained.
func SwitchedOff(n int) string {
	if n == 1 {
		return "1 message is switched off for training"
	}
	return draw.Grouped(n) + " messages are switched off for training"
}

// SecretLine says where a secret is, of what kind, and what takes its place.
func SecretLine(s *export.Secret) string {
	place := s.Where
	if s.Message > 0 {
		place = fmt.Sprintf("message %d, %s", s.Message, s.Where)
	}
	line := fmt.Sprintf("%s: %s: %s %s", review.Short(s.Segment), place, s.Rule, s.Shown)
	if s.Placeholder != "" {
		line += " becomes " + s.Placeholder
	}
	return line
}

// Export is an export in JSON.
type Export struct {
	ID         int64                 `json:"id"`
	At         time.Time             `json:"at"`
	Curator    string                `json:"curator"`
	Target     string                `json:"target"`
	Format     string                `json:"format"`
	Options    jsontext.Value        `json:"options"`
	Candidates int                   `json:"candidates"`
	Samples    int                   `json:"samples"`
	Rows       int                   `json:"rows"`
	Tokens     int                   `json:"tokens"`
	LeftOut    int                   `json:"left_out"`
	Files      []review.ExportedFile `json:"files"`
}

// ExportOf returns the row of an export.
func ExportOf(e *review.Exported) Export {
	return Export{
		e.ID, utc(e.At), e.Curator, e.Target, e.Format, jsontext.Value(e.Options), e.Candidates, e.Samples, e.Rows, e.Tokens, e.LeftOut, e.Files,
	}
}
