package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/outcome"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/tui/draw"
)

// shown is a segment or a session, and the messages it consists of.
type shown struct {
	segment  *review.Segment // nil: a whole session
	session  review.Session
	body     int64
	from, to int
	recorded bool   // its messages as they were recorded, without edits
	version  *int64 // its messages as they were after an entry of the journal, nil: now
	marks    *tell.Marks
}

// mark finds who edited its messages.
func (it *shown) mark(ctx context.Context, s *database) error {
	it.marks = &tell.Marks{}
	if it.recorded || it.version != nil {
		return nil
	}
	edits, err := s.Edits(ctx, it.body, it.from, it.to)
	if err != nil || len(edits) == 0 {
		return err
	}
	by, err := s.EditedBy(ctx, it.body, edits[0].N, it.to)
	it.marks = tell.MarksOf(edits, by, s.Truth("ascii"))
	return err
}

// each calls f for its messages.
func (it *shown) each(ctx context.Context, s *database, f func(*chat.Message) error) error {
	if it.version != nil {
		return s.EachAt(ctx, it.session.ID, *it.version, it.from, it.to, f)
	}
	if it.recorded {
		return s.EachRecorded(ctx, it.body, it.from, it.to, f)
	}
	return s.EachMessage(ctx, it.body, it.from, it.to, f)
}

func (p *cli) showCommand() *cobra.Command {
	var messages, raw, short, recorded bool
	var width int
	var version string
	return with(&cobra.Command{
		Use:   "show ID",
		Short: "Show a segment or session",
		Long: `Shows a segment or session: its data and an outline of its messages. ID is its
id or the beginning of the id. For a scored segment it also prints what each
metric found, worst first. --json has the whole analysis. --digest tells the
messages on a screen or two: the prompts, a line per step of the work, what
failed and stayed so, the answers.`,
		Args:              arguments(1, 1, "needs one ID"),
		ValidArgsFunction: p.completeIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if given(p.asJSON, raw, messages, short) > 1 {
				return wrongUsage("use only one of --json, --messages, --raw and --digest")
			}
			if recorded && version != "" {
				return wrongUsage("use only one of --recorded and --version: @0 is what was recorded")
			}
			if width != 0 && !short || width < 0 {
				return wrongUsage("--width is the width of a --digest: a number of columns")
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				it, err := p.find(cmd.Context(), s, args[0])
				if err != nil {
					return err
				}
				if it.recorded = recorded; version != "" {
					if err := it.goBack(cmd.Context(), s, version); err != nil {
						return err
					}
				}
				if err := it.mark(cmd.Context(), s); err != nil {
					return err
				}
				switch {
				case p.asJSON:
					return p.showJSON(cmd.Context(), s, it)
				case raw:
					return p.showRaw(cmd.Context(), s, it)
				case short:
					return p.showDigest(cmd.Context(), s, it, width)
				}
				return p.showText(cmd.Context(), s, it, messages)
			})
		},
	}, p.jsonFlag("print one JSON object with the normalized messages"),
		boolFlag(&recorded, "recorded", "print messages as they were recorded, without edits"),
		boolFlag(&messages, "messages", "print the whole text of the messages"),
		boolFlag(&short, "digest", "print a digest of the messages"),
		func(cmd *cobra.Command) {
			cmd.Flags().StringVar(&version, "version", "", "print messages as they were after the entry `@E` of the journal")
			cmd.Flags().IntVar(&width, "width", 0, "columns of a digest (default: those of the terminal, else 110)")
		},
		boolFlag(&raw, "raw", "print only the stored text, byte for byte (control characters are escaped on a terminal)"))
}

// find looks an id up among segments, then among sessions.
func (p *cli) find(ctx context.Context, s *database, id string) (*shown, error) {
	seg, err := s.Segment(ctx, id)
	if err == nil {
		ses, err := s.Session(ctx, seg.SessionID)
		if err != nil {
			return nil, fmt.Errorf("the session of segment %s: %w", seg.Short(), err)
		}
		return &shown{segment: &seg, session: ses, body: seg.Body, from: seg.Start, to: seg.End}, nil
	}
	if !errors.Is(err, review.ErrNotFound) {
		return nil, p.aboutID(id, err)
	}
	ses, err := s.Session(ctx, id)
	if errors.Is(err, review.ErrNotFound) && len(id) >= shortestID {
		if e, err := s.LastEntry(ctx, id); err == nil {
			return nil, fmt.Errorf("%s: this segment no longer exists: its last entry is %d of %s: %s", id, e.ID, p.command("log"), clean.Line(tell.EntryText(&e)))
		}
	}
	if err != nil {
		return nil, p.aboutID(id, err)
	}
	return &shown{session: ses, body: ses.Body, from: 1, to: ses.Messages}, nil
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
	var follow outcome.Follower
	first := true
	err = it.each(ctx, s, func(m *chat.Message) error {
		buf = buf[:0]
		if !first {
			buf = append(buf, ',')
		}
		first = false
		buf = chat.AppendJSON(buf, m)
		if found, _ := follow.Add(m); m.Role == chat.Tool {
			buf = append(append(buf[:len(buf)-1], `,"outcome":"`...), found.Outcome.String()...)
			buf = append(append(append(buf, `","evidence":"`...), found.Evidence...), `"}`...)
		}
		if untrained(m) {
			buf = append(buf[:len(buf)-1], `,"train":false}`...)
		}
		if buf, err = it.marks.AppendJSON(buf, m); err != nil {
			return err
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
	return it.each(ctx, s, func(m *chat.Message) error {
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
	var follow outcome.Follower
	if whole {
		err = it.each(ctx, s, func(m *chat.Message) error {
			found, _ := follow.Add(m)
			for _, text := range it.marks.Dropped(m) {
				p.out.Printf("\n── %s\n", text)
			}
			tell.ShowMessage(p.out, m, found, it.marks.Text(m), untrained(m))
			return nil
		})
		for _, text := range it.marks.Dropped(nil) {
			p.out.Printf("\n── %s\n", text)
		}
		return err
	}
	p.out.Printf("\n")
	t := p.out.Table(print.Right("N"), print.Left("ROLE"), print.Right("LENGTH"), print.Left(""))
	n := 0
	err = it.each(ctx, s, func(m *chat.Message) error {
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
		if n++; n%pageSize == 0 {
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

func (p *cli) showHead(ctx context.Context, s *database, it *shown) error {
	line := func(name, value string) {
		if value != "" {
			p.out.Hang(fmt.Sprintf("%-10s", name), value)
		}
	}
	tally, failures := it.session.Tally, ""
	if g := it.segment; g != nil {
		stale, err := tell.StaleLine(ctx, s.EachMessage, g, p.env.now())
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
		why, ok, err := s.WhyLikely(ctx, g.ID)
		if err != nil {
			return err
		}
		if ok {
			line("likely", strings.TrimPrefix(why.String(), "likely "))
		}
		line("messages", fmt.Sprintf("%d to %d of %d, %s", g.Start, g.End, it.session.Messages, tell.CutTexts[g.CutBy]))
	}
	ses := &it.session
	parent, err := tell.ParentText(ctx, s, ses)
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
	if it.segment != nil {
		return nil
	}
	line("used", tell.UsageText(ses.Usage))
	line("tools", strings.Join(review.ToolNames(ses.Tools), ", "))
	line("metadata", tell.Cut(ses.Metadata))
	children, err := s.Children(ctx, ses.ID)
	if err != nil {
		return fmt.Errorf("the children of session %s: %w", ses.ID, err)
	}
	for i := range children {
		line("child", tell.ChildText(&children[i]))
	}
	copies, err := s.Copies(ctx, ses.ID)
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
	segments, err := s.SegmentsOf(ctx, ses.ID)
	for i := range segments {
		g := &segments[i]
		line("segment", fmt.Sprintf("%s %s, messages %d to %d: %s", g.Short(), tell.VerdictWord(g), g.Start, g.End, tell.TopicText(g)))
	}
	return err
}

// row returns the JSON object of what is shown, without its messages: "messages"
// is their list here, so their number is "message_count".
func (it *shown) row(ctx context.Context, s *database) ([]byte, error) {
	if it.segment == nil {
		row := tell.SessionOf(&it.session)
		n := row.Messages
		row.Messages = 0
		return print.Marshal(struct {
			tell.Session
			Tools        jsontext.Value `json:"tools,omitzero"`    // as recorded
			Metadata     jsontext.Value `json:"metadata,omitzero"` // as recorded
			Dropped      []int          `json:"dropped,omitempty"` // messages
			MessageCount int            `json:"message_count"`
		}{row, tell.RecordedJSON(it.session.Tools), tell.RecordedJSON(it.session.Metadata), it.marks.Numbers(), n})
	}
	row := tell.SegmentOf(it.segment)
	n := row.Messages
	row.Messages = 0
	var changes *segment.Difference
	if it.segment.Stale {
		d, err := tell.Since(ctx, s.EachMessage, it.segment)
		if err != nil {
			return nil, err
		}
		if !d.Unknown {
			changes = &d
		}
	}
	return print.Marshal(struct {
		tell.Segment
		Analysis     jsontext.Value      `json:"analysis,omitzero"` // as stored
		Changes      *segment.Difference `json:"changes,omitzero"`  // since it was judged
		Dropped      []int               `json:"dropped,omitempty"` // messages
		MessageCount int                 `json:"message_count"`
	}{row, tell.RecordedJSON(it.segment.Analysis), changes, it.marks.Numbers(), n})
}
