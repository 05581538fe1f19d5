package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/print"
	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
)

// showing says how "show" prints.
type showing struct{ asJSON, messages, raw bool }

// shown is a segment or a session, and the messages it consists of.
type shown struct {
	segment  *review.Segment // nil: a whole session
	session  review.Session
	body     int64
	from, to int
}

func (p *cli) showCommand() *cobra.Command {
	var how showing
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show a segment or session",
		Long: `Shows a segment or session, named by its id or the beginning of it: what is
known of it and an outline of its messages. Of a segment that is scored, that is
also why: what each metric says, the worst first. --json has the whole analysis.`,
		Args:              oneArgument("ID"),
		ValidArgsFunction: p.completeIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if how.asJSON && how.raw || how.asJSON && how.messages || how.raw && how.messages {
				return wrongUsage("--json, --messages and --raw exclude each other")
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				it, err := p.find(cmd.Context(), s, args[0])
				if err != nil {
					return err
				}
				switch {
				case how.asJSON:
					return p.showJSON(cmd.Context(), s, it)
				case how.raw:
					return p.showRaw(cmd.Context(), s, it)
				}
				return p.showText(cmd.Context(), s, it, how.messages)
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&how.asJSON, "json", false, "print one JSON object with the normalized messages")
	f.BoolVar(&how.messages, "messages", false, "print the whole text of the messages")
	f.BoolVar(&how.raw, "raw", false, "print the stored text only, byte for byte; a terminal shows what could drive it")
	return cmd
}

// find looks an id up among segments, then among sessions.
func (p *cli) find(ctx context.Context, s *database, id string) (*shown, error) {
	seg, err := s.Segment(ctx, id)
	if err == nil {
		ses, err := s.Session(ctx, seg.SessionID)
		if err != nil {
			return nil, fmt.Errorf("the session of segment %s: %w", seg.Short(), err)
		}
		return &shown{&seg, ses, seg.Body, seg.Start, seg.End}, nil
	}
	if !errors.Is(err, review.ErrNotFound) {
		return nil, p.aboutID(id, err)
	}
	ses, err := s.Session(ctx, id)
	if errors.Is(err, review.ErrNotFound) && len(id) >= shortestID {
		if e, err := s.LastEntry(ctx, id); err == nil {
			return nil, fmt.Errorf("%s: this segment is not there any more: the last of it is entry %d of %s: %s", id, e.ID, p.command("log"), clean.Line(entryText(&e)))
		}
	}
	if err != nil {
		return nil, p.aboutID(id, err)
	}
	return &shown{nil, ses, ses.Body, 1, ses.Messages}, nil
}

// showJSON prints the row with its messages as one object. Messages are
// written one by one: a session may be larger than memory.
func (p *cli) showJSON(ctx context.Context, s *database, it *shown) error {
	row, err := it.row(ctx, s)
	if err != nil {
		return err
	}
	if err := p.out.RawJSON(append(row[:len(row)-1], `,"messages":[`...)); err != nil {
		return err
	}
	untrained, err := it.untrained(ctx, s)
	if err != nil {
		return err
	}
	var buf []byte
	first := true
	err = s.EachMessage(ctx, it.body, it.from, it.to, func(m *chat.Message) error {
		buf = buf[:0]
		if !first {
			buf = append(buf, ',')
		}
		first = false
		buf = chat.AppendJSON(buf, m)
		if untrained(m.N) {
			buf = append(buf[:len(buf)-1], `,"train":false}`...)
		}
		return p.out.RawJSON(buf)
	})
	if err != nil {
		return fmt.Errorf("reading messages: %w", err)
	}
	return p.out.RawJSON([]byte("]}\n"))
}

// showRaw prints the texts of the messages as they are stored: reasoning,
// calls and content, a blank line between messages.
func (p *cli) showRaw(ctx context.Context, s *database, it *shown) error {
	first := true
	return s.EachMessage(ctx, it.body, it.from, it.to, func(m *chat.Message) error {
		text := m.Body()
		if p.out.TTY {
			text = clean.Text(text)
		}
		if !first {
			text = "\n" + text
		}
		first = false
		_, err := p.out.Write([]byte(text + "\n"))
		return err
	})
}

func (p *cli) showText(ctx context.Context, s *database, it *shown, whole bool) error {
	if err := p.showHead(ctx, s, it); err != nil {
		return err
	}
	untrained, err := it.untrained(ctx, s)
	if err != nil {
		return err
	}
	if whole {
		return s.EachMessage(ctx, it.body, it.from, it.to, func(m *chat.Message) error {
			p.showMessage(m, untrained(m.N))
			return nil
		})
	}
	p.out.Printf("\n")
	t := p.out.Table(print.Right("N"), print.Left("ROLE"), print.Right("LENGTH"), print.Left(""))
	n := 0
	err = s.EachMessage(ctx, it.body, it.from, it.to, func(m *chat.Message) error {
		text := outline(m)
		if untrained(m.N) {
			text = notTrained + " " + text
		}
		t.Row(draw.Grouped(m.N), string(m.Role), draw.Bytes(int64(m.Size())), text)
		if n++; n%pageSize == 0 {
			t.Flush()
		}
		return nil
	})
	t.Flush()
	return err
}

func (p *cli) showHead(ctx context.Context, s *database, it *shown) error {
	line := func(name, value string) {
		if value != "" {
			p.out.Hang(fmt.Sprintf("%-10s", name), value)
		}
	}
	tally := it.session.Tally
	if g := it.segment; g != nil {
		stale, err := p.staleLine(ctx, s, g)
		if err != nil {
			return err
		}
		tally = g.Tally
		line("segment", g.ID)
		line("verdict", verdictText(g))
		line("stale", stale)
		line("note", g.Note)
		line("tags", strings.Join(g.Tags, " "))
		line("untrained", maskedText(g))
		line("topic", g.Topic)
		line("score", strings.TrimSpace(scoreText(g.Score)+" "+g.TaskType))
		scoreLines(g, line)
		line("messages", fmt.Sprintf("%d to %d of %d, %s", g.Start, g.End, it.session.Messages, cutTexts[g.CutBy]))
	}
	ses := &it.session
	parent, err := s.parentText(ctx, ses)
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
	line("started", startText(ses.Started))
	line("outcome", outcomeText(ses))
	line("holds", tallyText(tally))
	if it.segment != nil {
		return nil
	}
	line("used", usageText(ses.Usage))
	line("tools", strings.Join(review.ToolNames(ses.Tools), ", "))
	line("metadata", cut(ses.Metadata))
	children, err := s.Children(ctx, ses.ID)
	if err != nil {
		return fmt.Errorf("the children of session %s: %w", ses.ID, err)
	}
	for i := range children {
		line("child", childText(&children[i]))
	}
	copies, err := s.copiesOf(ctx, ses.ID)
	if err != nil {
		return err
	}
	for _, c := range copies {
		name := "copy"
		if c.Joined {
			name = "joined"
		}
		line(name, c.SessionFile+", "+draw.Plural(c.Messages, "message"))
	}
	segments, err := s.SegmentsOf(ctx, ses.ID)
	for i := range segments {
		g := &segments[i]
		line("segment", fmt.Sprintf("%s %s, messages %d to %d: %s", g.Short(), verdictWord(g), g.Start, g.End, topicText(g)))
	}
	return err
}

// outcomeText tells how a session ended, "" if that is not known.
func outcomeText(s *review.Session) string {
	switch {
	case s.Failed:
		return "failed"
	case s.Completed != nil:
		return "completed"
	}
	return ""
}

// cutTexts says for people where a segment's boundaries come from.
var cutTexts = map[review.CutBy]string{
	review.CutModel:       "cut by a model",
	review.CutOffline:     "cut by rules",
	review.CutCurator:     "cut by a curator",
	review.CutSingle:      "too short to be cut",
	review.CutProvisional: "not cut yet",
}

func verdictText(g *review.Segment) string {
	s := string(g.Verdict)
	if g.Reviewer != "" {
		s += " by " + g.Reviewer
	}
	if at := timeText(g.ReviewedAt); at != "" {
		s += " at " + at
	}
	return s
}

func tallyText(t review.Tally) string {
	parts := []string{
		draw.Plural(t.Messages, "message"), draw.Plural(t.Turns, "turn"),
		draw.Plural(t.ToolCalls, "tool call"),
	}
	if t.ToolFails > 0 {
		parts = append(parts, draw.Grouped(t.ToolFails)+" failed")
	}
	return strings.Join(append(parts, "about "+draw.Plural(t.Tokens, "token")), ", ")
}

// outlineSize bounds what is looked at for one line of the outline; terminals
// are narrower.
const outlineSize = 400

// notTrained stands before a message that is switched off.
const notTrained = "(not trained)"

// outline is a message in one line.
func outline(m *chat.Message) string {
	var parts []string
	if m.Role == chat.Tool {
		mark := ""
		if m.Failed() {
			mark = "failed "
		}
		parts = append(parts, mark+m.Name+":")
	}
	if m.Reasoning != "" {
		parts = append(parts, "(thinks)")
	}
	if text := strings.TrimSpace(cut(m.Content)); text != "" {
		parts = append(parts, text)
	}
	for i := range m.ToolCalls {
		parts = append(parts, "→ "+m.ToolCalls[i].Name+"("+cut(m.ToolCalls[i].Arguments)+")")
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

func cut(s string) string {
	if len(s) <= outlineSize {
		return s
	}
	return strings.ToValidUTF8(s[:outlineSize], "") + "…"
}

// showMessage prints a whole message for reading.
func (p *cli) showMessage(m *chat.Message, untrained bool) {
	head := fmt.Sprintf("── %d %s", m.N, m.Role)
	for _, part := range [...]string{m.Name, m.Model, m.Timestamp, m.StopReason} {
		if part != "" {
			head += " · " + part
		}
	}
	if m.Failed() {
		head += " · failed"
	}
	if untrained {
		head += " · not trained"
	}
	p.out.Printf("\n%s\n", head)
	text := func(label, s string) {
		if s = strings.TrimRight(s, "\n"); s != "" {
			fmt.Fprintf(p.out, "%s%s\n", label, clean.Text(s))
		}
	}
	if m.Reasoning != "" {
		text("[thinking]\n", m.Reasoning)
		p.out.Printf("[end of thinking]\n")
	}
	text("", m.Content)
	for i := range m.ToolCalls {
		c := &m.ToolCalls[i]
		text("→ ", c.Name+" "+c.Arguments)
	}
}
