package main

import (
	"time"

	"winnow/core/chat"
	"winnow/core/metric"
	"winnow/core/review"
)

// segmentRow is a segment in JSON, the same in every command.
type segmentRow struct {
	ID           string         `json:"id"`
	SessionID    string         `json:"session_id"`
	SessionFile  string         `json:"session_file"`
	AgentID      string         `json:"agent_id"`
	SegmentIndex int            `json:"segment_index"`
	StartLine    int            `json:"start_line"`
	EndLine      int            `json:"end_line"`
	Fingerprint  string         `json:"fingerprint"`
	Topic        string         `json:"topic"`
	Score        *float64       `json:"score"`
	TaskType     string         `json:"task_type"`
	Verdict      review.Verdict `json:"verdict"`
	Stale        bool           `json:"stale"`
	Was          *wasRow        `json:"was,omitzero"` // of a stale one
	CutBy        review.CutBy   `json:"cut_by"`
	Note         string         `json:"note,omitzero"`
	Tags         []string       `json:"tags,omitempty"`
	Masked       []int          `json:"masked,omitempty"` // numbers of messages that are not to be trained
	Reviewer     string         `json:"reviewer,omitzero"`
	ReviewedAt   time.Time      `json:"reviewed_at,omitzero"`
	Recorded     time.Time      `json:"recorded,omitzero"`
	Flags        []metric.Flag  `json:"flags,omitempty"`
	CreatedAt    time.Time      `json:"created_at,omitzero"`
	review.Tally `json:",inline"`
}

func rowOf(s *review.Segment) segmentRow {
	return segmentRow{
		ID: s.ID, SessionID: s.SessionID, SessionFile: s.SessionFile, AgentID: s.AgentID,
		SegmentIndex: s.Index, StartLine: s.Start, EndLine: s.End, Fingerprint: s.Fingerprint,
		Topic: s.Topic, Score: s.Score, TaskType: s.TaskType, Verdict: s.Verdict, Stale: s.Stale,
		Was: wasRowOf(s), CutBy: s.CutBy, Note: s.Note, Tags: s.Tags, Masked: maskedNumbers(s), Reviewer: s.Reviewer,
		ReviewedAt: utc(s.ReviewedAt), Recorded: utc(s.Recorded), Flags: flagsOf(s), CreatedAt: utc(s.CreatedAt), Tally: s.Tally,
	}
}

// flagsOf returns the flags of a segment's analysis, none if that cannot be
// read.
func flagsOf(s *review.Segment) []metric.Flag {
	if s.Analysis == "" {
		return nil
	}
	a, err := metric.Parse(s.Analysis)
	if err != nil {
		return nil
	}
	return a.Flags
}

// sessionRow is a session in JSON.
type sessionRow struct {
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

func sessionRowOf(s *review.Session) sessionRow {
	return sessionRow{
		ID: s.ID, SessionFile: s.File, AgentID: s.AgentID, Format: s.Format, NativeID: s.NativeID,
		Title: titleText(s), Model: s.Model, Completed: s.Completed, Started: s.Started, Ended: s.Ended,
		Dir: s.Dir, Failed: s.Failed, Parent: s.Parent, ParentKind: string(s.Origin.Kind), ParentAt: s.Origin.At,
		ParentCall: s.Origin.Call, ParentNative: s.Origin.NativeID, Usage: usageRow(s.Usage),
		Segmented: s.Segmented, CreatedAt: utc(s.CreatedAt), Tally: s.Tally,
	}
}

// usageRow are the tokens that a recorder counted.
type usageRow struct {
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
	Cached int64 `json:"cached,omitzero"` // of the input
}

func utc(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC()
}

// verdictWord is how lists show a verdict: that of a stale segment is what it
// was, with a mark.
func verdictWord(s *review.Segment) string {
	if s.Stale {
		return "~" + string(s.Was)
	}
	return string(s.Verdict)
}

func scoreText(score *float64) string {
	if score == nil {
		return "–"
	}
	return metric.ScoreText(*score)
}

// topicText names a segment for people: its topic, else its file.
func topicText(s *review.Segment) string {
	if s.Topic != "" {
		return s.Topic
	}
	return review.FileTitle(s.SessionFile)
}

// titleText names a session for people: its title, else its file.
func titleText(s *review.Session) string {
	if s.Title != "" {
		return s.Title
	}
	return review.FileTitle(s.File)
}

// timeText writes a moment for people, in UTC as everything is stored.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04")
}

// startText shortens a stored moment to the minute.
func startText(rfc3339 string) string {
	t, ok := chat.ParseTime(rfc3339)
	if !ok {
		return ""
	}
	return timeText(t)
}
