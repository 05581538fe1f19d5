// Package export turns segments into training records.
//
// A sample is built from one segment (New), repaired and checked (Prepare),
// and written by an emitter, one per trainer's format. Everything is a row of
// a registry: a check, a repair, an emitter; adding one is one new row. What
// fails a check is left out and reported with its reason, never broken
// silently; what is written is written whole or not at all, and the same
// segments and options give the same bytes.
//
// Its rooms know less: lineage the manifest, table the Parquet files, unfinished
// what has no name yet. It imports the parts of core that a sample is made of, and
// neither core/hub nor a database.
package export

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"winnow/core/chat"
	"winnow/core/hermes"
	"winnow/core/rawjson"
	"winnow/core/review"
)

// Sample is one training record before it is written.
type Sample struct {
	// ID derives from the session and the digest of what it says alone.
	ID       string
	Messages []Message
	// Tools is a JSON list of {"type":"function","function":{…}} on one
	// line, "" if none are known.
	Tools string
	// Provenance is a JSON object on one line that tells where the sample
	// comes from. It holds no time of the export.
	Provenance string

	// What is known of the segment and its session; "" and nil are unknown.
	Agent     string // whose session it is
	Topic     string
	TaskType  string
	Verdict   review.Verdict // of a stale segment the one it had
	Score     *float64
	Model     string
	Started   string // RFC 3339 UTC
	Completed *bool
	Metadata  string // a JSON object of the session, as recorded

	dir     string    // that the session worked in, "" unknown
	repairs []Finding // made by New
	said    int       // messages of the model in the session, 0 if the sample begins or ends inside of it
	forks   bool      // a branch off nobody knows what
	exact   bool      // its messages are what the model saw, summaries of earlier ones among them
	settled bool      // the repairs of all formats are made, and what is trained is known
	tokens  int       // 0 until they are counted

	// asRecorded says that the sample is converted, not exported: a format
	// that can hold it as it is repairs nothing in it but the order of results,
	// escapes nothing, and writes the tools as they were recorded.
	asRecorded    bool
	toolsRecorded string
}

// Message is one message of a sample.
type Message struct {
	// N is the number of the recorded message, of the first one where
	// several were joined; 0 of one that is not of the session itself.
	N         int
	Role      chat.Role
	Content   string
	Reasoning string
	Calls     []chat.ToolCall
	// ToolCallID and Name belong to tool messages.
	ToolCallID string
	Name       string
	// Train says that a model is trained to write the message; false for
	// all but assistants.
	Train bool
	// Failed says of a tool message that its result is a failure.
	Failed bool
	// Marks tell what the content's placeholders stand for.
	Marks chat.Marks

	part    int           // of what a curator put after message N, 0: it is that itself
	before  bool          // it stands in front of the fork that the session begins at
	sums    bool          // it holds a summary of what came before
	answers bool          // it is a side of a pair, which is one message and stays one
	sampled bool          // a model gave it to exactly what stands before it
	by      string        // the curator who wrote it, if a tree tells
	was     *Message      // what was recorded in its place, if a tree tells
	from    *chat.Message // what it was made of, in a full sample
}

// blank reports whether the message has neither text nor calls. Reasoning in
// front of the content is no text, and neither is what any format cuts off as
// white space.
func (m *Message) blank() bool {
	if len(m.Calls) > 0 {
		return false
	}
	_, rest := chat.SplitThink(m.Content)
	return hermes.Blank(rest)
}

// size is how much text it holds, in bytes.
func (m *Message) size() int {
	n := len(m.Content) + len(m.Reasoning)
	for i := range m.Calls {
		n += len(m.Calls[i].Name) + len(m.Calls[i].Arguments)
	}
	return n
}

// New builds a sample from a segment and its messages, as recorded: only the
// tools are brought into one form. Prepare makes it fit to be written.
func New(seg *review.Segment, sess *review.Session, messages []chat.Message) *Sample {
	s := &Sample{
		ID: sampleID(seg), Messages: make([]Message, len(messages)), Provenance: provenance(seg, sess),
		Agent: seg.AgentID, Topic: seg.Topic, TaskType: seg.TaskType, Verdict: judged(seg), Score: seg.Score,
		Model: sess.Model, Started: sess.Started, Completed: sess.Completed, Metadata: sess.Metadata,
		dir: sess.Dir,
	}
	for i := range messages {
		s.Messages[i] = newMessage(&messages[i])
	}
	if seg.Start == 1 && seg.End == sess.Messages {
		s.said = s.answers()
	}
	for _, place := range seg.Masked {
		at := place - 1
		if seg.Edited != "" { // messages may be dropped, and others added
			at = answerAt(messages, seg.Start+at)
		}
		if at >= 0 && at < len(s.Messages) {
			s.Messages[at].Train = false
		}
	}
	var ok bool
	if s.Tools, ok = normalizeTools(sess.Tools); !ok {
		s.repairs = append(s.repairs, Finding{Check: "tools", Detail: "recorded tools that are no functions are left out"})
	}
	return s
}

func newMessage(m *chat.Message) Message {
	out := Message{
		N: m.N, Role: m.Role, Content: m.Content, ToolCallID: m.ToolCallID, Name: m.Name, Marks: m.Marks,
		Failed: m.Role == chat.Tool && m.Failed(), part: m.Part,
	}
	if m.Role != chat.Assistant {
		return out
	}
	out.sums = m.Summary()
	out.ToolCallID, out.Name, out.Train = "", "", m.Model != chat.NoModel && !out.sums
	if !hermes.Blank(m.Reasoning) {
		out.Reasoning = m.Reasoning
	}
	out.Calls = append(out.Calls, m.ToolCalls...)
	return out
}

// cutStrays takes closing tags of reasoning that nothing opened out of what was
// said after reasoning.
func cutStrays(s *Sample, _ *Emitter, tell teller) {
	for m := range s.assistants {
		if _, rest := chat.CutThink(m.Content); rest == m.Content && m.Reasoning == "" {
			continue
		}
		mended := false
		if m.Reasoning, m.Content, mended = chat.CutStrays(m.Reasoning, m.Content, len(m.Calls) > 0); mended {
			tell(m, "a stray closing tag of reasoning is removed, with what it repeats")
		}
	}
}

// splitThoughts takes reasoning off the content that it stands in front of.
func splitThoughts(s *Sample, _ *Emitter, tell teller) {
	for m := range s.assistants {
		thought, rest := chat.SplitThink(m.Content)
		if rest == m.Content {
			continue
		}
		m.Content = rest
		// Some recorders write it to both places.
		if thought != strings.TrimSpace(m.Reasoning) {
			m.Reasoning = joinTexts(m.Reasoning, thought)
		}
		tell(m, "reasoning inside the content is split off")
	}
}

// joinTexts joins texts by blank lines; blank ones leave no trace beside others.
func joinTexts(texts ...string) string {
	var kept []string
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			kept = append(kept, t)
		}
	}
	if len(kept) == 0 {
		return texts[0]
	}
	return strings.Join(kept, "\n\n")
}

// sampleID names a sample after its session and its content, an edited one after what
// it is now: within a
// database no two segments of a session share a fingerprint.
func sampleID(seg *review.Segment) string {
	return sessionPart(seg) + "-" + cmp.Or(seg.Edited, seg.Fingerprint)
}

// sessionPart is how the ids of all samples of a session begin.
func sessionPart(seg *review.Segment) string {
	sum := sha256.Sum256([]byte(seg.AgentID + "\x00" + seg.SessionFile))
	return hex.EncodeToString(sum[:8])
}

// provenance tells where a sample comes from. The folder of the session's
// file is left out: it holds the names of people and machines, and data gets
// published.
func provenance(seg *review.Segment, sess *review.Session) string {
	b := appendField([]byte{'{'}, "agent", seg.AgentID)
	b = appendPresent(b, "session", review.FileTitle(seg.SessionFile))
	b = appendMade(appendPlace(b, seg), sess)
	return string(append(appendJudged(b, seg), '}'))
}

// appendPresent appends a key and a text that is not empty.
func appendPresent(dst []byte, key, text string) []byte {
	if text == "" {
		return dst
	}
	return appendField(dst, key, text)
}

// appendPlace tells which messages of its session a segment has.
func appendPlace(b []byte, seg *review.Segment) []byte {
	b = strconv.AppendInt(appendKey(b, "start_line"), int64(seg.Start), 10)
	b = strconv.AppendInt(appendKey(b, "end_line"), int64(seg.End), 10)
	b = appendPresent(b, "fingerprint", seg.Fingerprint)
	return appendPresent(b, "edited", seg.Edited)
}

// appendMade tells who recorded a session, and which model it is of.
func appendMade(b []byte, sess *review.Session) []byte {
	return appendPresent(appendPresent(b, "format", sess.Format), "model", sess.Model)
}

// appendJudged tells what is thought of a segment.
func appendJudged(b []byte, seg *review.Segment) []byte {
	b = appendPresent(appendPresent(b, "topic", seg.Topic), "task_type", seg.TaskType)
	if seg.Score != nil {
		b = strconv.AppendFloat(appendKey(b, "score"), *seg.Score, 'f', -1, 64)
	}
	if whys := review.WhysOf(seg.Tags); len(whys) > 0 {
		b = appendList(b, "why", len(whys), func(dst []byte, i int) []byte { return rawjson.AppendString(dst, whys[i]) })
	}
	if seg.Verdict == "" { // a conversion knows of none
		return b
	}
	return appendField(b, "verdict", string(judged(seg)))
}
