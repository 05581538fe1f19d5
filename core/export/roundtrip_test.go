package export

import (
	"bytes"
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/session"
)

// losses says what each format must give back of a sample: all of it, but for
// what it is permitted to lose. A record is a row of messages.
var losses = map[string]func(s *Sample) [][]Message{
	"hf":           whole(objectArguments),
	"twinkle":      whole(objectArguments),
	"openai":       whole(noReasoning, noResultNames),
	"sft":          whole(callsAsText),
	"swift":        whole(trimmedArguments, noResultNames, noCallIDs),
	"llamafactory": whole(trimmedArguments, noResultNames, noCallIDs),
	"sharegpt":     whole(spacedArguments, noResultNames, noCallIDs, noBlankBesideCalls),
	"hermes":       prompted(spacedArguments, noResultNames, trimmedAnswers, spacedResults, screenshots),
	"hermes-batch": prompted(spacedArguments, noResultNames, trimmedAnswers, spacedResults, screenshots),
	"steps":        units(objectArguments),
	"kto":          lastOf(units(objectArguments)),
}

type change func(rows []Message)

// whole gives one record with all messages, changed in order.
func whole(changes ...change) func(*Sample) [][]Message {
	return func(s *Sample) [][]Message {
		rows := make([]Message, len(s.Messages))
		for i := range s.Messages {
			rows[i] = s.Messages[i]
			rows[i].Calls = append([]chat.ToolCall(nil), rows[i].Calls...)
		}
		for _, change := range changes {
			change(rows)
		}
		return [][]Message{rows}
	}
}

// units gives a record for each trained message after the first user message.
func units(changes ...change) func(*Sample) [][]Message {
	return func(s *Sample) (records [][]Message) {
		asked := false
		for i := range s.Messages {
			asked = asked || s.Messages[i].Role == chat.User
			if asked && s.Messages[i].Train {
				part := *s
				part.Messages = s.Messages[:i+1]
				records = append(records, whole(changes...)(&part)...)
			}
		}
		return records
	}
}

func lastOf(all func(*Sample) [][]Message) func(*Sample) [][]Message {
	return func(s *Sample) [][]Message {
		records := all(s)
		return records[len(records)-1:]
	}
}

// An object in a line of JSON has no line breaks.
func objectArguments(rows []Message) {
	eachCall(rows, func(c *chat.ToolCall) { c.Arguments = string(appendObject(nil, c.Arguments)) })
}

func trimmedArguments(rows []Message) {
	eachCall(rows, func(c *chat.ToolCall) { c.Arguments = strings.TrimSpace(c.Arguments) })
}

func noReasoning(rows []Message) {
	for i := range rows {
		rows[i].Reasoning = ""
	}
}

// A result without a name has that of its call.
func noResultNames(rows []Message) {
	for i := range rows {
		rows[i].Name = ""
	}
}

func noCallIDs(rows []Message) {
	nameResults(rows)
	eachCall(rows, func(c *chat.ToolCall) { c.ID = "" })
	for i := range rows {
		rows[i].ToolCallID = ""
	}
}

func callsAsText(rows []Message) {
	for i := range rows {
		m := &rows[i]
		if len(m.Calls) > 0 {
			m.Content, m.Calls = string(appendWithCalls(nil, m)), nil
		}
		m.ToolCallID, m.Name = "", ""
	}
}

func eachCall(rows []Message, f func(*chat.ToolCall)) {
	for i := range rows {
		for j := range rows[i].Calls {
			f(&rows[i].Calls[j])
		}
	}
}

// nameResults names results as readers do: after the call they answer.
func nameResults(rows []Message) {
	called := map[string]string{}
	for i := range rows {
		for _, c := range rows[i].Calls {
			called[c.ID] = c.Name
		}
		if m := &rows[i]; m.Role == chat.Tool {
			m.Name = cmp.Or(m.Name, called[m.ToolCallID])
		}
	}
}

// same is what formats must keep of a message.
type same struct {
	Role                                 chat.Role
	Content, Reasoning, ToolCallID, Name string
	Calls                                []chat.ToolCall
}

func wanted(rows []Message) (out []same) {
	nameResults(rows)
	for i := range rows {
		m := &rows[i]
		out = append(out, same{m.Role, m.Content, m.Reasoning, m.ToolCallID, m.Name, m.Calls})
	}
	return out
}

func got(messages []chat.Message) (out []same) {
	for i := range messages {
		m := &messages[i]
		out = append(out, same{m.Role, m.Content, m.Reasoning, m.ToolCallID, m.Name, append([]chat.ToolCall(nil), m.ToolCalls...)})
	}
	return out
}

// What a format writes of a session is read back by the reader of all formats
// as the same messages, up to what the format is permitted to lose.
func TestRoundTrip(t *testing.T) {
	for _, root := range []string{"../../testdata", "../../../shared/data"} {
		files := 0
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || strings.HasSuffix(path, ".golden") {
				return nil // the folder of real sessions may be absent
			}
			if info, err := d.Info(); err != nil || info.Size() > most {
				return err
			}
			if files++; files%min(slower, 3) > 0 {
				return nil
			}
			t.Run(strings.TrimPrefix(path, root+"/"), func(t *testing.T) {
				t.Parallel()
				l := &library{}
				l.addWhole(t, path)
				for i := range ofSamples() {
					roundTrip(t, l, &ofSamples()[i])
				}
			})
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// most is the size of the largest file taken: under the race detector, the
// large ones take minutes.
const most = 64 << 20 / (slower * slower * slower)

// addWhole adds every session of a file as one segment, every other one
// rejected.
func (l *library) addWhole(t *testing.T, path string) {
	t.Helper()
	r := readSessions(t, path)
	for i, key := range r.keys {
		l.add(func(seg *review.Segment, s *review.Session) {
			s.Tools = r.meta[key].Tools
			if i%2 == 1 {
				seg.Verdict = review.Rejected
			}
		}, r.messages[key]...)
	}
}

func readSessions(t *testing.T, path string) *recorded {
	t.Helper()
	r := &recorded{messages: map[string][]chat.Message{}, meta: map[string]session.Meta{}}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if text, _, err := session.Decode(f); err == nil { // what it refuses, its own tests look at
		_, _ = session.Read(t.Context(), text, session.Options{}, session.State{}, r)
	}
	return r
}

func roundTrip(t *testing.T, l *library, e *Emitter) {
	t.Helper()
	lossy, known := losses[e.Name]
	if !known {
		t.Fatalf("no losses are permitted to %s: add it to the table", e.Name)
	}
	path := filepath.Join(t.TempDir(), "out.jsonl")
	report := run(t, l, Options{Path: path, As: e.Name, KeepNoReasoning: true})
	if report.Written+len(report.LeftOut) != report.Candidates {
		t.Errorf("%s: %d written and %d left out of %d", e.Name, report.Written, len(report.LeftOut), report.Candidates)
	}
	for _, out := range report.LeftOut {
		if out.Check == "" || out.Detail == "" {
			t.Errorf("%s: left out without a reason: %+v", e.Name, out)
		}
	}
	var back [][]same
	for _, f := range report.Files {
		text := read(t, f.Path)
		if rows, err := e.Validate(strings.NewReader(text)); err != nil || rows != f.Rows {
			t.Errorf("%s: %d of %d rows are valid, %v", e.Name, rows, f.Rows, err)
		}
		r := readSessions(t, f.Path)
		for _, key := range r.keys {
			back = append(back, got(r.messages[key]))
		}
	}
	var want [][]same
	for _, s := range l.prepared(e) {
		for _, rows := range lossy(s) {
			want = append(want, wanted(rows))
		}
	}
	compare(t, e.Name, want, back)
}

// prepared returns the samples that an emitter writes, by file.
func (l *library) prepared(e *Emitter) []*Sample {
	parts := make([][]*Sample, len(e.allParts()))
	for i := range l.segments {
		seg := &l.segments[i]
		if !(&Selection{}).takes(e, seg) {
			continue
		}
		sess := l.sessions[seg.SessionID]
		s := New(seg, &sess, l.messages[seg.Body])
		if _, findings := e.Prepare(s); len(findings) == 0 {
			at := e.partFor(s)
			parts[at] = append(parts[at], s)
		}
	}
	var all []*Sample
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}

func compare(t *testing.T, name string, want, back [][]same) {
	t.Helper()
	if len(want) != len(back) {
		t.Errorf("%s: %d records are read back as %d sessions", name, len(want), len(back))
		return
	}
	for i := range want {
		if len(want[i]) != len(back[i]) {
			t.Errorf("%s: record %d has %d messages, read back %d", name, i+1, len(want[i]), len(back[i]))
			continue
		}
		for j := range want[i] {
			if !reflect.DeepEqual(want[i][j], back[i][j]) {
				t.Errorf("%s: record %d, message %d is\n%s\nread back as\n%s", name, i+1, j+1, brief(want[i][j]), brief(back[i][j]))
				return
			}
		}
	}
}

func brief(m same) string {
	b := bytes.NewBufferString(string(m.Role))
	for _, text := range []string{m.Content, m.Reasoning, m.ToolCallID, m.Name} {
		b.WriteString(" | " + shown(text))
	}
	for _, c := range m.Calls {
		b.WriteString(" | " + c.ID + " " + c.Name + " " + shown(c.Arguments))
	}
	return b.String()
}

func shown(text string) string { return strings.ReplaceAll(text[:min(len(text), 200)], "\n", "⏎") }
