package show

import (
	"context"
	"fmt"
	"strings"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/outcome"
	"winnow/core/review"
	"winnow/tui/draw"
)

// flushed is how many rows of an outline are laid out at a time.
const flushed = 500

// Raw prints the texts of the messages as they are stored: reasoning,
// calls and content, a blank line between messages.
func (p *Printer) Raw(ctx context.Context, it *Subject) error {
	first := true
	return it.Each(ctx, p.Store, func(m *chat.Message) error {
		text := m.Body()
		if p.Out.TTY {
			text = clean.Text(text)
		}
		if !first {
			text = "\n" + text
		}
		first = false
		_, err := p.Out.Write([]byte(text + "\n"))
		return err
	})
}

// Text prints what is known of a subject, and its messages: an outline, or whole.
func (p *Printer) Text(ctx context.Context, it *Subject, whole bool) error {
	if err := p.head(ctx, it); err != nil {
		return err
	}
	untrained, err := p.untrained(ctx, it)
	if err != nil {
		return err
	}
	var follow outcome.Follower
	if whole {
		err = it.Each(ctx, p.Store, func(m *chat.Message) error {
			found, _ := follow.Add(m)
			for _, text := range it.marks.Dropped(m) {
				p.Out.Printf("\n── %s\n", text)
			}
			tell.ShowMessage(p.Out, m, found, it.marks.Text(m), untrained(m))
			return nil
		})
		for _, text := range it.marks.Dropped(nil) {
			p.Out.Printf("\n── %s\n", text)
		}
		return err
	}
	p.Out.Printf("\n")
	t := p.Out.Table(print.Right("N"), print.Left("ROLE"), print.Right("LENGTH"), print.Left(""))
	n := 0
	err = it.Each(ctx, p.Store, func(m *chat.Message) error {
		found, _ := follow.Add(m)
		for _, text := range it.marks.Dropped(m) {
			t.Row("", "", "", text)
		}
		text := tell.Outline(m, found)
		if untrained(m) {
			text = tell.NotTrained + " " + text
		}
		if mark := it.marks.Text(m); mark != "" {
			text = mark + " · " + text
		}
		t.Row(tell.NumberText(m), string(m.Role), draw.Bytes(int64(m.Size())), text)
		if n++; n%flushed == 0 {
			t.Flush()
		}
		return nil
	})
	for _, text := range it.marks.Dropped(nil) {
		t.Row("", "", "", text)
	}
	t.Flush()
	return err
}

// head prints what is known of a subject.
func (p *Printer) head(ctx context.Context, it *Subject) error {
	line := func(name, value string) {
		if value != "" {
			p.Out.Hang(fmt.Sprintf("%-10s", name), value)
		}
	}
	tally, failures := it.Session.Tally, ""
	if g := it.Segment; g != nil {
		stale, err := tell.StaleLine(ctx, p.Store.EachMessage, g, p.Now())
		if err != nil {
			return err
		}
		tally, failures = g.Tally, tell.FailuresText(g)
		line("segment", g.ID)
		line("verdict", tell.VerdictText(g))
		line("stale", stale)
		line("note", g.Note)
		line("tags", strings.Join(g.Tags, " "))
		line("untrained", tell.MaskedText(g))
		line("topic", g.Topic)
		line("score", tell.EvidenceText(g))
		tell.ScoreLines(g, line)
		why, ok, err := p.Store.WhyLikely(ctx, g.ID)
		if err != nil {
			return err
		}
		if ok {
			line("likely", strings.TrimPrefix(why.String(), "likely "))
		}
		line("messages", fmt.Sprintf("%d to %d of %d, %s", g.Start, g.End, it.Session.Messages, tell.CutTexts[g.CutBy]))
	}
	ses := &it.Session
	parent, err := tell.ParentText(ctx, p.Store, ses)
	if err != nil {
		return err
	}
	line("session", ses.ID)
	line("title", ses.Title)
	line("file", ses.File)
	line("parent", parent)
	line("format", ses.Format)
	line("agent", ses.AgentID)
	line("model", ses.Model)
	line("started", tell.StartText(ses.Started))
	line("outcome", tell.OutcomeText(ses))
	line("holds", tell.TallyText(tally, failures))
	if it.Segment != nil {
		return nil
	}
	line("used", tell.UsageText(ses.Usage))
	line("tools", strings.Join(review.ToolNames(ses.Tools), ", "))
	line("metadata", tell.Cut(ses.Metadata))
	children, err := p.Store.Children(ctx, ses.ID)
	if err != nil {
		return fmt.Errorf("the children of session %s: %w", ses.ID, err)
	}
	for i := range children {
		line("child", tell.ChildText(&children[i]))
	}
	copies, err := p.Store.Copies(ctx, ses.ID)
	if err != nil {
		return fmt.Errorf("the copies of session %s: %w", ses.ID, err)
	}
	for _, c := range copies {
		name := "copy"
		if c.Joined {
			name = "joined"
		}
		line(name, c.File+", "+draw.Plural(c.Messages, "message"))
	}
	segments, err := p.Store.SegmentsOf(ctx, ses.ID)
	for i := range segments {
		g := &segments[i]
		line("segment", fmt.Sprintf("%s %s, messages %d to %d: %s", g.Short(), tell.VerdictWord(g), g.Start, g.End, tell.TopicText(g)))
	}
	return err
}
