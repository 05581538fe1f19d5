package tell

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"winnow/cmd/winnow/print"
	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/edit"
	"winnow/core/metric"
	"winnow/core/outcome"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/tui/draw"
)

// OutcomeText tells how a session ended, "" if that is not known.
func OutcomeText(s *review.Session) string {
	switch {
	case s.Failed:
		return "failed"
	case s.Completed != nil:
		return "completed"
	}
	return ""
}

// ParentText tells which session one comes from, and where it belongs in it;
// "" if it stands for itself.
func ParentText(ctx context.Context, s interface {
	Session(ctx context.Context, id string) (review.Session, error)
}, child *review.Session) (string, error) {
	o := &child.Origin
	if o.Kind == "" {
		return "", nil
	}
	text := KindText(o.Kind) + " of "
	switch {
	case child.Parent != "":
		parent, err := s.Session(ctx, child.Parent)
		if err != nil {
			return "", fmt.Errorf("the parent of session %s: %w", child.ID, err)
		}
		text += review.Short(parent.ID) + " " + TitleText(&parent)
	case o.NativeID != "":
		text += "a session that is not here: " + o.NativeID
	default:
		text += "a session that is not here"
	}
	return text + PlaceText(o.At, o.Call), nil
}

// CutTexts says for people where a segment's boundaries come from.
var CutTexts = map[review.CutBy]string{
	review.CutModel:       "cut by a model",
	review.CutOffline:     "cut by rules",
	review.CutCurator:     "cut by a curator",
	review.CutSingle:      "too short to be cut",
	review.CutProvisional: "not cut yet",
}

// VerdictText says what was decided of a segment, by whom and when.
func VerdictText(g *review.Segment) string {
	s := string(g.Verdict)
	if g.Reviewer != "" {
		s += " by " + g.Reviewer
	}
	if at := TimeText(g.ReviewedAt); at != "" {
		s += " at " + at
	}
	return s
}

// FailuresText counts the tool results of a segment that are no success: "2 errors,
// 1 exit", "" for none.
func FailuresText(g *review.Segment) string {
	var parts []string
	if g.Errors > 0 {
		parts = append(parts, draw.Plural(g.Errors, "error"))
	}
	if g.Exits > 0 {
		parts = append(parts, draw.Plural(g.Exits, "exit"))
	}
	return strings.Join(parts, ", ")
}

// TallyText says how much there is of everything; failures may be "".
func TallyText(t review.Tally, failures string) string {
	parts := []string{
		draw.Plural(t.Messages, "message"), draw.Plural(t.Turns, "turn"),
		draw.Plural(t.ToolCalls, "tool call"),
	}
	if failures != "" {
		parts = append(parts, failures)
	}
	return strings.Join(append(parts, "about "+draw.Plural(t.Tokens, "token")), ", ")
}

// outlineSize bounds what is looked at for one line of the outline; terminals
// are narrower.
const outlineSize = 400

// NumberText is the number of a message in a list; added ones have one more.
func NumberText(m *chat.Message) string {
	if m.Part > 0 {
		return edit.Name(m.N, m.Part)
	}
	return draw.Grouped(m.N)
}

// NotTrained stands before a message that is switched off.
const NotTrained = "(not trained)"

// Outline is a message in one line, with what became of the call that it answers.
func Outline(m *chat.Message, f outcome.Finding) string {
	var parts []string
	if m.Role == chat.Tool {
		mark := ""
		if f.Failed() {
			mark = f.Outcome.String() + " (" + f.Evidence + ") "
		}
		parts = append(parts, mark+m.Name+":")
	}
	if m.Reasoning != "" {
		parts = append(parts, "(thinks)")
	}
	if m.Summary() {
		parts = append(parts, "(summary)")
	}
	if text := strings.TrimSpace(Cut(m.Content)); text != "" {
		parts = append(parts, text)
	}
	for i := range m.ToolCalls {
		parts = append(parts, "→ "+m.ToolCalls[i].Name+"("+Cut(m.ToolCalls[i].Arguments)+")")
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// Cut returns the beginning of a text, for a line.
func Cut(s string) string {
	if len(s) <= outlineSize {
		return s
	}
	return strings.ToValidUTF8(s[:outlineSize], "") + "…"
}

// ShowMessage prints a whole message for reading, with what became of the call that
// it answers, and a mark of who changed it.
func ShowMessage(o *print.Output, m *chat.Message, f outcome.Finding, mark string, untrained bool) {
	head := fmt.Sprintf("── %s %s", edit.Name(m.N, m.Part), m.Role)
	for _, part := range [...]string{m.Name, m.Model, m.Timestamp, m.StopReason} {
		if part != "" {
			head += " · " + part
		}
	}
	if m.Summary() {
		head += " · summary"
	}
	if f.Failed() {
		head += " · " + f.Outcome.String() + ": " + f.Evidence
	}
	if mark != "" {
		head += " · " + mark
	}
	if untrained {
		head += " · not trained"
	}
	o.Printf("\n%s\n", head)
	text := func(label, s string) {
		if s = strings.TrimRight(s, "\n"); s != "" {
			fmt.Fprintf(o, "%s%s\n", label, clean.Text(s))
		}
	}
	if m.Reasoning != "" {
		text("[thinking]\n", m.Reasoning)
		o.Printf("[end of thinking]\n")
	}
	text("", m.Content)
	for i := range m.ToolCalls {
		c := &m.ToolCalls[i]
		text("→ ", c.Name+" "+c.Arguments)
	}
}

// EvidenceText is the score of a segment with what it rests on and the type of
// task: "0.93 · 6 of 8 · code".
func EvidenceText(g *review.Segment) string {
	text, on := ScoreText(g.Score), ""
	if a, err := metric.Parse(g.Analysis); err == nil && a.Summary.Evidence.Of > 0 {
		text, on = a.Summary.Evidence.After(text, "·"), "· "
	}
	if g.TaskType == "" {
		return text
	}
	return text + " " + on + g.TaskType
}

// ScoreLines prints why a segment has its score: what is said of it in general,
// its flags, and what each metric found, the lowest score first.
func ScoreLines(g *review.Segment, line func(name, value string)) {
	if g.Analysis == "" {
		return
	}
	a, err := metric.Parse(g.Analysis)
	if err != nil {
		line("reason", err.Error())
		return
	}
	line("summary", a.ReasonFor(g.Start))
	line("flags", a.FlagText())
	for _, r := range a.Reasons(g.Start) {
		score, weight := r.Score, strconv.FormatFloat(r.Weight, 'f', -1, 64)
		line("reason", ScoreText(&score)+" "+r.Metric+" (weight "+weight+"): "+r.Reason)
	}
}

// OverruledText tells them after a number of segments, "" for none.
func OverruledText(o review.Overruled, you string) string {
	if text := o.Text(you, draw.Grouped); text != "" {
		return ", of them " + text
	}
	return ""
}

// EachMessage calls f for messages of a body: the store has it.
type EachMessage = func(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error

// Since tells what changed since the verdict of a stale segment.
func Since(ctx context.Context, each EachMessage, g *review.Segment) (segment.Difference, error) {
	d, err := segment.Since(ctx, g, each)
	if err != nil {
		return d, fmt.Errorf("what changed in segment %s: %w", g.Short(), err)
	}
	return d, nil
}

// StaleLine says of a stale segment what it was and what changed since.
func StaleLine(ctx context.Context, each EachMessage, g *review.Segment, now time.Time) (string, error) {
	text := StaleText(g, now)
	if text == "" {
		return "", nil
	}
	d, err := Since(ctx, each, g)
	if changed := d.String(); err == nil && changed != "" {
		text += ": " + changed
	}
	return text, err
}
