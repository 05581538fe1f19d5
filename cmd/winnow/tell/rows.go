package tell

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/metric"
	"winnow/core/rawjson"
	"winnow/core/review"
	"winnow/core/session"
	"winnow/tui/draw"
)

// Segment is a segment in JSON, the same in every command.
type Segment struct {
	ID           string             `json:"id"`
	SessionID    string             `json:"session_id"`
	SessionFile  string             `json:"session_file"`
	AgentID      string             `json:"agent_id"`
	SegmentIndex int                `json:"segment_index"`
	StartLine    int                `json:"start_line"`
	EndLine      int                `json:"end_line"`
	Fingerprint  string             `json:"fingerprint"`          // of what was recorded
	Edited       string             `json:"edited,omitzero"`      // tells what curators made of it
	Compression  review.Compression `json:"compression,omitzero"` // what became of the one that was proposed
	Topic        string             `json:"topic"`
	Score        *float64           `json:"score"`
	Likely       *float64           `json:"likely,omitzero"`
	TaskType     string             `json:"task_type"`
	Verdict      review.Verdict     `json:"verdict"`
	Stale        bool               `json:"stale"`
	Was          *wasRow            `json:"was,omitzero"` // of a stale one
	CutBy        review.CutBy       `json:"cut_by"`
	Note         string             `json:"note,omitzero"`
	Tags         []string           `json:"tags,omitempty"`
	Masked       []int              `json:"masked,omitempty"` // numbers of messages that are not to be trained
	Reviewer     string             `json:"reviewer,omitzero"`
	ReviewedAt   time.Time          `json:"reviewed_at,omitzero"`
	Recorded     time.Time          `json:"recorded,omitzero"`
	Flags        []metric.Flag      `json:"flags,omitempty"`
	CreatedAt    time.Time          `json:"created_at,omitzero"`
	review.Tally `json:",inline"`
	Errors       int `json:"errors"` // tool results by outcome
	Exits        int `json:"exits"`
	Seen         int `json:"seen"` // messages, by the curator who asks
}

// SegmentOf returns the row of a segment.
func SegmentOf(s *review.Segment) Segment {
	return Segment{
		ID: s.ID, SessionID: s.SessionID, SessionFile: s.SessionFile, AgentID: s.AgentID,
		SegmentIndex: s.Index, StartLine: s.Start, EndLine: s.End, Fingerprint: s.Fingerprint, Edited: s.Edited, Compression: s.Compression,
		Topic: s.Topic, Score: s.Score, Likely: s.Likely, TaskType: s.TaskType, Verdict: s.Verdict, Stale: s.Stale,
		Was: wasRowOf(s), CutBy: s.CutBy, Note: s.Note, Tags: s.Tags, Masked: MaskedNumbers(s), Reviewer: s.Reviewer,
		ReviewedAt: s.ReviewedAt, Recorded: s.Recorded, Flags: flagsOf(s), CreatedAt: s.CreatedAt, Tally: s.Tally, Errors: s.Errors, Exits: s.Exits, Seen: s.Seen,
	}
}

// flagsOf returns the flags of a segment's analysis, none if that cannot be
// read.
func flagsOf(s *review.Segment) []metric.Flag {
	a, _ := metric.Parse(s.Analysis)
	return a.Flags
}

// Session is a session in JSON.
type Session struct {
	ID           string    `json:"id"`
	SessionFile  string    `json:"session_file"`
	AgentID      string    `json:"agent_id"`
	Format       string    `json:"format"`
	NativeID     string    `json:"native_id,omitzero"`
	Title        string    `json:"title"` // its file's name if it has none
	Model        string    `json:"model,omitzero"`
	Completed    *bool     `json:"completed,omitzero"`
	Started      string    `json:"started,omitzero"`
	Ended        string    `json:"ended,omitzero"`
	Dir          string    `json:"dir,omitzero"`
	Failed       bool      `json:"failed,omitzero"`
	Parent       string    `json:"parent,omitzero"`      // session id
	ParentKind   string    `json:"parent_kind,omitzero"` // how it belongs to its parent
	ParentAt     int       `json:"parent_at,omitzero"`   // number of the parent's message before it
	ParentCall   string    `json:"parent_call,omitzero"`
	ParentNative string    `json:"parent_native_id,omitzero"`
	Usage        usageRow  `json:"usage,omitzero"`
	Segmented    bool      `json:"segmented"`
	CreatedAt    time.Time `json:"created_at,omitzero"`
	review.Tally `json:",inline"`
}

// SessionOf returns the row of a session.
func SessionOf(s *review.Session) Session {
	return Session{
		ID: s.ID, SessionFile: s.File, AgentID: s.AgentID, Format: s.Format, NativeID: s.NativeID,
		Title: TitleText(s), Model: s.Model, Completed: s.Completed, Started: s.Started, Ended: s.Ended,
		Dir: s.Dir, Failed: s.Failed, Parent: s.Parent, ParentKind: string(s.Origin.Kind), ParentAt: s.Origin.At,
		ParentCall: s.Origin.Call, ParentNative: s.Origin.NativeID, Usage: usageRow(s.Usage),
		Segmented: s.Segmented, CreatedAt: s.CreatedAt, Tally: s.Tally,
	}
}

// usageRow are the tokens that a recorder counted.
type usageRow struct {
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
	Cached int64 `json:"cached,omitzero"` // of the input
}

// VerdictWord is how lists show a verdict: that of a stale segment is what it
// was, with a mark.
func VerdictWord(s *review.Segment) string {
	if s.Stale {
		return "~" + string(s.Was)
	}
	return string(s.Verdict)
}

// ScoreText writes a score for people.
func ScoreText(score *float64) string {
	if score == nil {
		return "–"
	}
	return metric.ScoreText(*score)
}

// TopicText names a segment for people: its topic, else its file.
func TopicText(s *review.Segment) string {
	return cmp.Or(s.Topic, review.FileTitle(s.SessionFile))
}

// TitleText names a session for people: its title, else its file.
func TitleText(s *review.Session) string {
	return cmp.Or(s.Title, review.FileTitle(s.File))
}

// TimeText writes a moment for people, in UTC as everything is stored.
func TimeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04")
}

// StartText shortens a stored moment to the minute.
func StartText(rfc3339 string) string {
	t, ok := chat.ParseTime(rfc3339)
	if !ok {
		return ""
	}
	return TimeText(t)
}

// RecordedJSON returns what a source told as JSON, as a JSON text if it is none.
func RecordedJSON(text string) jsontext.Value {
	if text == "" {
		return nil
	}
	if v := jsontext.Value(text); v.IsValid(jsontext.AllowInvalidUTF8(true)) {
		return v
	}
	return rawjson.AppendString(nil, text)
}

// wasRow is the verdict that a segment had before its content changed, in JSON.
type wasRow struct {
	Verdict review.Verdict `json:"verdict"`
	By      string         `json:"by,omitzero"`
	At      time.Time      `json:"at,omitzero"`
}

func wasRowOf(s *review.Segment) *wasRow {
	if !s.Stale {
		return nil
	}
	return &wasRow{s.Was, s.WasBy, s.WasAt}
}

// StaleText says what a stale segment was, "" of another.
func StaleText(s *review.Segment, now time.Time) string {
	if !s.Stale {
		return ""
	}
	text := "~ was " + string(s.Was)
	if s.WasBy != "" {
		text += " by " + s.WasBy
	}
	if !s.WasAt.IsZero() {
		text += " on " + dayText(s.WasAt, now)
	}
	return text
}

// dayText writes a day as people say it, in UTC; the year is told where it is
// not this one.
func dayText(t, now time.Time) string {
	t = t.UTC()
	if t.Year() == now.UTC().Year() {
		return t.Format("2 January")
	}
	return t.Format("2 January 2006")
}

// kindTexts are what sessions are called that come from another.
var kindTexts = map[session.Kind]string{
	session.Branch:       "branch",
	session.Subagent:     "sub-agent",
	session.Continuation: "continuation",
}

// KindText says how a session belongs to another.
func KindText(k session.Kind) string {
	return cmp.Or(kindTexts[k], "child")
}

// MarkedTitle names a session in a list: with what sets it apart from others.
func MarkedTitle(s *review.Session) string {
	var marks []string
	if s.Origin.Kind != "" {
		marks = append(marks, KindText(s.Origin.Kind))
	}
	if s.Failed {
		marks = append(marks, "failed")
	}
	if len(marks) == 0 {
		return TitleText(s)
	}
	return "(" + strings.Join(marks, ", ") + ") " + TitleText(s)
}

// PlaceText tells where a session belongs in its parent.
func PlaceText(at int, call string) string {
	switch {
	case at > 0:
		return fmt.Sprintf(", at message %s", draw.Grouped(at))
	case call != "":
		return ", by call " + call
	}
	return ""
}

// ChildText tells of a session that comes from another.
func ChildText(c *review.Child) string {
	text := KindText(c.Kind) + " " + review.Short(c.ID)
	if c.Title != "" {
		text += " " + c.Title
	} else if c.NativeID != "" {
		text += " " + c.NativeID
	}
	return text + ", " + draw.Plural(c.Messages, "message") + PlaceText(c.At, c.Call)
}

// UsageText tells what a model used, as the recorder counted.
func UsageText(u session.Usage) string {
	if u == (session.Usage{}) {
		return ""
	}
	text := draw.Grouped(int(u.Input)) + " tokens in"
	if u.Cached > 0 {
		text += " (" + draw.Grouped(int(u.Cached)) + " cached)"
	}
	return text + ", " + draw.Grouped(int(u.Output)) + " out"
}
