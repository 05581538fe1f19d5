package tell

import (
	"fmt"
	"maps"
	"slices"
	"strings"

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
	o.Printf("%s %s as %s, about %s, %s\n", done, draw.Plural(r.Written, r.Unit()), r.As,
		draw.Plural(r.Tokens, "token"), draw.Bytes(r.Bytes))
	for _, s := range r.Splits {
		o.Printf("%s: %s, about %s\n", s.Name, draw.Plural(s.Samples, r.Unit()), draw.Plural(s.Tokens, "token"))
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
		o.Printf("%s: %s\n", draw.Plural(c.Samples, r.Unit()), c.Done)
	}
	printCompressed(o, r.Compressed)
	switch {
	case r.Pairs != nil:
		printPairs(o, r)
	case r.Policy != nil:
		printPolicy(o, r)
	default:
		printWhole(o, r.LeftOut)
	}
	printSecrets(o, r.Secrets)
}

// printCompressed says how many segments were written shortened, and which could not
// be.
func printCompressed(o *print.Output, c *export.CompressedCounts) {
	if c == nil {
		return
	}
	if c.Segments > 0 {
		o.Printf("%s compressed, into %s\n", draw.Plural(c.Segments, "segment"), draw.Plural(c.Samples, "sample"))
	}
	if n := c.Stale - c.InFront; n > 0 {
		o.Printf("%s stale, and not used: winnow list --filter compression:stale\n", print.Plural(n, "compression is", "compressions are"))
	}
	if c.InFront > 0 {
		o.Printf("%s not used, as what stands in front of the segment changed: winnow compress --again --filter compression:accepted makes only those anew\n",
			print.Plural(c.InFront, "compression is", "compressions are"))
	}
}

// printWhole counts what was left out: apart from segments, answers of a format that
// says which one is better, and samples of compressed segments.
func printWhole(o *print.Output, list []export.LeftOut) {
	var samples, answers, segments []export.LeftOut
	for _, l := range list {
		switch {
		case l.Sample != "":
			samples = append(samples, l)
		case l.Check == export.OutRedacted:
			answers = append(answers, l)
		default:
			segments = append(segments, l)
		}
	}
	printLeftOut(o, segments, "%s left out: %s\n", "segment")
	printLeftOut(o, answers, "%s left out: %s\n", "answer")
	printLeftOut(o, samples, "%s of compressed segments left out: %s\n", "sample")
}

// printPairs says how many segments are in pairs, and why others are not.
func printPairs(o *print.Output, r *export.Report) {
	o.Printf("%s of %s in pairs\n", draw.Grouped(r.Pairs.Segments), draw.Plural(r.Candidates, "segment"))
	if r.Pairs.More > 0 {
		o.Printf("%s more of the same prompts: --pairs N takes more of each\n", draw.Plural(r.Pairs.More, "pair"))
	}
	if r.Pairs.Opposed > 0 {
		o.Printf("%s the opposite of another one: the same answers led to both verdicts\n", print.Plural(r.Pairs.Opposed, "pair says", "pairs say"))
	}
	var pairs, segments []export.LeftOut
	for _, l := range r.LeftOut {
		if l.Rejected != "" {
			pairs = append(pairs, l)
		} else {
			segments = append(segments, l)
		}
	}
	printLeftOut(o, pairs, "%s left out: %s\n", "pair")
	printLeftOut(o, segments, "%s in no pair: %s\n", "segment")
}

// printPolicy says how many answers are trained, of how many segments, and what is
// missing of what the model saw.
func printPolicy(o *print.Output, r *export.Report) {
	o.Printf("%s trained once each, of %s of %s\n", draw.Plural(r.Trained, "answer"), draw.Grouped(r.Policy.Segments), draw.Plural(r.Candidates, "segment"))
	for _, name := range export.GapNames() {
		c := r.Policy.Gaps[name]
		if c.Written > 0 {
			o.Printf("gap %s: in %s\n", name, draw.Plural(c.Written, "sample"))
		}
		if c.LeftOut > 0 {
			o.Printf("gap %s: %s left out: --gaps %s takes them\n", name, draw.Plural(c.LeftOut, "sample"), name)
		}
	}
	text := "%s left out: %s\n"
	if r.Policy.Partly > 0 {
		text = fmt.Sprintf("%%s left out, of %s only a part: %%s\n", draw.Grouped(r.Policy.Partly))
	}
	printLeftOut(o, r.LeftOut, text, "segment")
}

// printLeftOut counts what was left out by reasons.
func printLeftOut(o *print.Output, list []export.LeftOut, format, unit string) {
	if len(list) == 0 {
		return
	}
	var reasons []string
	help := ""
	for _, g := range (&export.Report{LeftOut: list}).LeftOutBy() {
		reasons = append(reasons, draw.Grouped(g.Samples)+" "+g.Name)
		if g.Name == "nul" {
			help = ": --repair mends those with NULs"
		}
	}
	o.Printf(format, draw.Plural(len(list), unit), strings.Join(reasons, ", ")+help)
}

// printSecrets says how many secrets of which kinds were found.
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
	format := "%s in the samples: %s: --redact replaces them\n"
	if replaced > 0 {
		format = "%s replaced: %s\n"
	}
	o.Printf(format, draw.Plural(len(list), "secret"), strings.Join(kinds, ", "))
}

// SwitchedOff counts messages that are not to be trained.
func SwitchedOff(n int) string {
	return print.Plural(n, "message is", "messages are") + " switched off for training"
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
