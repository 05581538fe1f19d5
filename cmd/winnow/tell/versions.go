package tell

import (
	"context"
	"fmt"
	"strings"

	"winnow/cmd/winnow/print"
	"winnow/core/clean"
	"winnow/core/review"
	"winnow/core/textdiff"
	"winnow/core/versions"
	"winnow/core/versions/tree"
	"winnow/tui/draw"
)

// Graph prints what there is of a session, with its nodes if that is JSON.
func Graph(ctx context.Context, o *print.Output, asJSON bool, src tree.Messages, id string) error {
	t, err := tree.Of(ctx, src, id)
	if err != nil {
		return err
	}
	if !asJSON {
		PrintTree(o, &t)
		return nil
	}
	nodes, err := tree.Nodes(ctx, src, &t)
	if err != nil {
		return err
	}
	return o.JSON(TreeOf(&t, nodes))
}

// PrintTree prints what there is of a session: its versions, then what stands beside
// them.
func PrintTree(o *print.Output, t *tree.Tree) {
	s := &t.Session
	o.Printf("%s  %s\n", review.Short(s.ID), TitleText(s))
	if s.Origin.Kind != "" && s.Parent != "" {
		o.Printf("%s of %s%s\n", KindText(s.Origin.Kind), review.Short(s.Parent), PlaceText(s.Origin.At, s.Origin.Call))
	}
	table := o.Table(print.Left(""), print.Left(""), print.Left(""))
	table.Headed = true
	table.Row("@0", "recorded, "+draw.Plural(s.Messages, "message")+startedText(s), sampledText(&t.Recorded))
	for i := range t.Versions {
		v := &t.Versions[i]
		what := tree.Words(v)
		if v.Note != "" {
			what += " “" + v.Note + "”"
		}
		if v.Undone {
			what += ", undone"
		}
		table.Row(fmt.Sprintf("@%d", v.Entry), what, followsText(v))
	}
	table.Flush()
	for i := range t.Beside {
		b := &t.Beside[i]
		line := " ├╴"
		if i == len(t.Beside)-1 {
			line = " └╴"
		}
		o.Line(line + clean.Line(strings.TrimRight(b.Words()+"  "+b.Follows(), " ")))
	}
	if shown := childrenShown(t); shown < t.Children {
		o.Printf("%s more come from it: winnow show lists them\n", draw.Plural(t.Children-shown, "session"))
	}
	if t.Alike {
		o.Printf("more sessions begin alike\n")
	}
}

func childrenShown(t *tree.Tree) (n int) {
	for i := range t.Beside {
		if t.Beside[i].Kind != tree.Same {
			n++
		}
	}
	return n
}

func startedText(s *review.Session) string {
	if s.Started == "" {
		return ""
	}
	return ", " + StartText(s.Started)
}

func sampledText(f *versions.Effect) string {
	return "sampled: " + draw.Grouped(f.Sampled) + " of " + draw.Grouped(f.Answers)
}

// followsText says what a version means for training.
func followsText(v *versions.Version) string {
	text := tree.Follows(v)
	if v.Broke && text != "" {
		text = "✗ " + text
	}
	if v.Lost == "" && !v.Broke && text == "" && v.Sampled == v.Answers {
		text = sampledText(&v.Effect)
	}
	return text
}

// Version is one that is compared: its messages, and of what it is.
type Version struct {
	Each    versions.Each
	ID      string // short, of a segment or session
	Session string // id
	Entry   *int64 // nil: as it is now
}

// Name tells which version it is.
func (v *Version) Name() string {
	switch {
	case v.Entry == nil:
		return v.ID + " as it is now"
	case *v.Entry == 0:
		return v.ID + "@0 as it was recorded"
	}
	return fmt.Sprintf("%s@%d", v.ID, *v.Entry)
}

// Diff prints the messages in which two versions differ.
func Diff(o *print.Output, asJSON bool, before, after *Version) error {
	counted := func(differ, same int) {
		switch {
		case asJSON:
			return
		case differ == 0:
			o.Printf("%s, then %s: all %s are the same\n", before.Name(), after.Name(), draw.Plural(same, "message"))
		default:
			o.Printf("%s, then %s: %s, %s the same\n", before.Name(), after.Name(), print.Plural(differ, "message differs", "messages differ"), draw.Grouped(same))
		}
	}
	return versions.Differ(before.Each, after.Each, before.Session == after.Session, counted, func(d *versions.Differing) error {
		if asJSON {
			return o.JSON(DifferenceOf(d))
		}
		PrintDifference(o, d)
		return nil
	})
}

// PrintDifference prints a message that differs: each field line by line, and the words
// that changed, in colours on a terminal and in brackets elsewhere.
func PrintDifference(o *print.Output, d *versions.Differing) {
	m := d.At()
	where := draw.Grouped(m.N)
	if m.Part > 0 {
		where += fmt.Sprintf("+%d", m.Part)
	}
	if d.Before != nil && d.Before.N != m.N {
		where = draw.Grouped(d.Before.N) + " → " + where
	}
	o.Printf("\n%s  %s  %s\n", where, string(m.Role), d.Change())
	for _, f := range d.Fields() {
		if f.Name != "content" {
			o.Printf("  %s\n", f.Name)
		}
		lines, left := textdiff.Compare(f.Before, f.After)
		for _, l := range lines {
			printLine(o, &l)
		}
		if left > 0 {
			o.Printf("  … %s more: --json has all\n", draw.Plural(left, "line"))
		}
	}
}

func printLine(o *print.Output, l *textdiff.Line) {
	switch {
	case l.Left > 0:
		o.Printf("  … %s\n", draw.Plural(l.Left, "equal line"))
	case l.Same:
		o.Pieces("    ", l.Before, "")
	default:
		if l.Before != nil {
			o.Pieces("  - ", l.Before, "31")
		}
		if l.After != nil {
			o.Pieces("  + ", l.After, "32")
		}
	}
}
