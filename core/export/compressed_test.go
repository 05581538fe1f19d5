package export

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/export/lineage"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/core/token"
)

// compress accepts a compression of every segment to a part of its tokens.
func (l *library) compress(t *testing.T, part float64, o compress.Options, counter token.Counter) (accepted int) {
	t.Helper()
	l.proposed = map[string]proposal.Proposal{}
	at := map[string]int{}
	for i := range l.segments {
		at[l.segments[i].ID] = i
		l.segments[i].Compression = ""
	}
	err := eachConversation(t.Context(), l, Selection{}, func(seg *review.Segment, c proposal.Conversation) error {
		o := o
		o.Price = Price(counter, c.Tools)
		o.Target = int(part * float64(costOf(o.Price, c.Messages)))
		p := proposal.Make(t.Context(), seg.ID, seg.Digest, c, o)
		if p.Status == proposal.Proposed {
			p.Status, p.Judge, p.Judged = proposal.Accepted, "kim", time.Unix(1700000000, 0)
			l.proposed[seg.ID] = p
			l.segments[at[seg.ID]].Compression = review.CompressionAccepted
			accepted++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return accepted
}

// runs are sessions of agents: 200 of an airline's if they are there, else ours.
func runs(t *testing.T) *library {
	t.Helper()
	const airline = "../../../shared/data/messages/tau-bench-airline.jsonl"
	l := recordedLibrary(t, "../../testdata/sessions/*.jsonl")
	if found, _ := filepath.Glob(airline); len(found) > 0 {
		l.addSessions(t, airline)
	}
	return l
}

// addSessions adds the sessions of a file as a whole.
func (l *library) addSessions(t *testing.T, path string) {
	t.Helper()
	one := &library{}
	one.addFile(t, path)
	for i := range one.segments {
		messages := one.messages[one.segments[i].Body]
		if i > 0 && len(messages) < len(one.messages[one.segments[i-1].Body]) {
			continue // a part of the one before
		}
		if len(l.segments)%slower == 0 || i == 0 {
			l.add(nil, messages...)
		}
	}
}

// trained counts the answers that records train, by what they say.
func trained(t *testing.T, e *Emitter, r *Report) (answers map[string]int, rows [][]Message) {
	t.Helper()
	answers = map[string]int{}
	for _, f := range r.Files {
		for line := range bytes.Lines([]byte(read(t, f.Path))) {
			s, err := e.Read(bytes.TrimSpace(line))
			if err != nil {
				t.Fatalf("%s: %v", e.Name, err)
			}
			for m := range s.assistants {
				if m.Train {
					answers[answerText(m)]++
				}
			}
			rows = append(rows, s.Messages)
		}
	}
	return answers, rows
}

// answerText is what an answer says, without the ids of its calls, which formats make up.
func answerText(m *Message) string {
	text := fmt.Sprintf("%q %q", m.Reasoning, m.Content)
	for i := range m.Calls {
		text += fmt.Sprintf(" %s %q", m.Calls[i].Name, m.Calls[i].Arguments)
	}
	return text
}

// accounted checks that every segment is written or left out with its reason.
func accounted(t *testing.T, l *library, name string, r *Report, written map[string]bool) {
	t.Helper()
	for _, out := range r.LeftOut {
		written[out.Segment] = true
	}
	if r.Candidates != len(l.segments) || len(written) != len(l.segments) {
		t.Errorf("%s: of %d segments %d are candidates, and %d are told of", name, len(l.segments), r.Candidates, len(written))
	}
}

// writtenOf are the segments that an export to a folder wrote.
func writtenOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	segments := map[string]bool{}
	_, err := lineage.ReadFile(dir, func(s *lineage.Sample) error {
		segments[s.Segment] = true
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return segments
}

// TestCompressedTrainsOnce checks on recorded sessions that with split every answer
// that is trained at all is trained once, in every format that marks answers, that no
// summary ever is, and that nothing gets lost.
func TestCompressedTrainsOnce(t *testing.T) {
	t.Parallel()
	l := runs(t)
	marking := slices.DeleteFunc(slices.Clone(Emitters()), func(e Emitter) bool { return e.unmarked || e.Converts() != nil || e.labels })
	plain := map[string]map[string]int{}
	for i := range marking {
		e := &marking[i]
		r := run(t, l, Options{As: e.Name, Path: filepath.Join(t.TempDir(), "all.jsonl")})
		plain[e.Name], _ = trained(t, e, &r)
	}
	for _, part := range []float64{0.3, 0.5, 0.7} {
		if n := l.compress(t, part, compress.Defaults(), nil); n == 0 {
			t.Fatal("nothing is compressed")
		}
		for i := range marking {
			e := &marking[i]
			dir := filepath.Join(t.TempDir(), "all") + "/"
			r := run(t, l, Options{As: e.Name, Path: dir})
			name := fmt.Sprintf("%s to %.0f%%", e.Name, 100*part)
			answers, rows := trained(t, e, &r)
			if !maps.Equal(answers, plain[e.Name]) {
				for text, n := range plain[e.Name] {
					if answers[text] != n {
						t.Errorf("%s: %d times trained, %d without compression: %.200s", name, answers[text], n, text)
					}
				}
				for text, n := range answers {
					if plain[e.Name][text] == 0 {
						t.Errorf("%s: %d times trained, never without compression: %.200s", name, n, text)
					}
				}
			}
			summaries := 0
			for _, messages := range rows {
				for k := range messages {
					if m := &messages[k]; strings.HasPrefix(m.Content, compress.Prefix) {
						if summaries++; m.Train {
							t.Errorf("%s: a summary is trained: %.200s", name, m.Content)
						}
					}
				}
			}
			if r.Compressed == nil || r.Compressed.Samples <= r.Compressed.Segments || summaries == 0 {
				t.Errorf("%s: %+v, %d summaries", name, r.Compressed, summaries)
			}
			accounted(t, l, name, &r, writtenOf(t, dir))
			t.Logf("%s: %d samples of %d segments, %d answers, %d left out, %+v", name, r.Written, r.Candidates, r.Trained, len(r.LeftOut), *r.Compressed)
		}
	}
}

// TestCompressedTokens checks that an export counts what a proposal says, in samples
// that end as they do there, and never more.
func TestCompressedTokens(t *testing.T) {
	t.Parallel()
	l := runs(t)
	counter, _ := token.Named("cl100k_base")
	for _, form := range []compress.Form{compress.Split, compress.Fold} {
		o := compress.Defaults()
		o.Form = form
		l.compress(t, 0.5, o, counter)
		for i := range l.segments {
			seg := &l.segments[i]
			p, ok := l.proposed[seg.ID]
			if !ok {
				continue
			}
			c, err := ConversationOf(t.Context(), l, seg)
			if err != nil {
				t.Fatal(err)
			}
			samples, err := p.Lay(c, compress.Options{Price: Price(counter, c.Tools)})
			if err != nil {
				t.Fatal(err)
			}
			records, r, err := Preview(t.Context(), l, seg, Options{Counter: counter})
			if err != nil || r.Written != len(samples) {
				t.Logf("%s: %d of %d samples, %v %v", seg.SessionFile, r.Written, len(samples), err, r.LeftOut)
				continue
			}
			at := 0
			for line := range bytes.Lines(records) {
				s, err := emitters[0].Read(bytes.TrimSpace(line))
				if err != nil {
					t.Fatal(err)
				}
				got, want := s.cost(counter), samples[at].Tokens
				if last := at == len(samples)-1; last && (got != want || got != p.After) || got > want {
					t.Errorf("%s: sample %d of %d is counted as %d tokens, proposed were %d, %d after all", seg.SessionFile, at+1, len(samples), got, want, p.After)
				}
				at++
			}
		}
	}
}

// TestCompressedSame checks that the same export gives the same bytes, and that
// without compressions nothing is another.
func TestCompressedSame(t *testing.T) {
	t.Parallel()
	l := recordedLibrary(t, "../../testdata/sessions/*.jsonl")
	all := func(opts Options) string {
		var text strings.Builder
		for _, e := range Emitters() {
			opts.As, opts.Path = e.Name, filepath.Join(t.TempDir(), "x.jsonl")
			r := run(t, l, opts)
			for _, f := range r.Files {
				text.WriteString(read(t, f.Path))
			}
		}
		return text.String()
	}
	plain := all(Options{})
	l.compress(t, 0.5, compress.Defaults(), nil)
	if all(Options{Compressed: "none"}) != plain {
		t.Error("with none, an export is another than without compressions")
	}
	first := all(Options{})
	if first == plain || all(Options{}) != first {
		t.Error("the same export is another, or nothing is compressed")
	}
	for id, p := range l.proposed {
		p.Sum = "other"
		l.proposed[id] = p
	}
	if all(Options{}) != plain {
		t.Error("what is stale is not written as it is")
	}
}

// agent is a session in which an agent reads files, one call after the other.
func agent(l *library, n int, change func(*review.Segment, *review.Session)) *review.Segment {
	messages := []chat.Message{{Role: chat.System, Content: "You read files."}, {Role: chat.User, Content: "Read all."}}
	for i := range n {
		id := fmt.Sprint("call_", i)
		messages = append(messages,
			chat.Message{Role: chat.Assistant, Content: fmt.Sprint("I look at part ", i), ToolCalls: []chat.ToolCall{{ID: id, Name: "read_file", Arguments: fmt.Sprintf(`{"path":"src/part%d.go"}`, i)}}},
			chat.Message{Role: chat.Tool, ToolCallID: id, Content: strings.Repeat(fmt.Sprintf("line %d of it\n", i), 40)})
	}
	l.add(change, append(messages, chat.Message{Role: chat.Assistant, Content: "All are read."})...)
	return &l.segments[len(l.segments)-1]
}

// previewed returns the records of a segment as samples.
func previewed(t *testing.T, l *library, seg *review.Segment, opts Options) ([]*Sample, Report) {
	t.Helper()
	e, err := Find(opts.As)
	if err != nil {
		t.Fatal(err)
	}
	records, r, err := Preview(t.Context(), l, seg, opts)
	if err != nil {
		t.Fatal(err)
	}
	var list []*Sample
	for line := range bytes.Lines(records) {
		s, err := e.Read(bytes.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list, r
}

// TestCompressedWhich checks which compressions are applied.
func TestCompressedWhich(t *testing.T) {
	t.Parallel()
	l := &library{}
	seg := agent(l, 12, nil)
	l.compress(t, 0.5, compress.Defaults(), nil)
	p := l.proposed[seg.ID]
	for _, c := range []struct {
		status  proposal.Status
		now     review.Compression
		which   string
		applied bool
		stale   int
	}{
		{proposal.Accepted, review.CompressionAccepted, "", true, 0},
		{proposal.Accepted, review.CompressionAccepted, "proposed", true, 0},
		{proposal.Accepted, review.CompressionAccepted, "none", false, 0},
		{proposal.Proposed, review.CompressionProposed, "", false, 0},
		{proposal.Proposed, review.CompressionProposed, "proposed", true, 0},
		{proposal.Rejected, review.CompressionRejected, "proposed", false, 0},
		{proposal.Accepted, review.CompressionOutdated, "", false, 1},
		{proposal.Rejected, review.CompressionOutdated, "", false, 0},
		{proposal.Proposed, review.CompressionOutdated, "", false, 0},
		{proposal.Proposed, review.CompressionOutdated, "proposed", false, 1},
		{proposal.Accepted, review.CompressionOutdated, "none", false, 0},
	} {
		was := p
		if was.Status = c.status; c.now == review.CompressionOutdated {
			was.Sum = "other"
		}
		l.proposed[seg.ID], seg.Compression = was, c.now
		which, err := ParseCompressed(c.which)
		if err != nil {
			t.Fatal(err)
		}
		list, r := previewed(t, l, seg, Options{Compressed: which})
		stale := 0
		if r.Compressed != nil {
			stale = r.Compressed.Stale
		}
		if applied := len(list) > 1; applied != c.applied || stale != c.stale || r.Candidates != 1 {
			t.Errorf("%s, now %s, with %q: %d samples, %+v", c.status, cmp.Or(c.now, "none"), c.which, len(list), r.Compressed)
		}
	}
	front := p
	front.Sum, front.Status = "other", proposal.Accepted
	l.proposed[seg.ID], seg.Compression = front, review.CompressionAccepted
	if list, r := previewed(t, l, seg, Options{}); len(list) != 1 || r.Compressed.Stale != 1 || r.Compressed.InFront != 1 {
		t.Errorf("what stands in front changed: %d samples, %+v", len(list), r.Compressed)
	}
	if _, err := ParseCompressed("all"); err == nil {
		t.Error("a word that is none is taken")
	}
}

// TestCompressedTemplates checks that chat templates take compressed samples, and that
// what is trained and what is summed up are both in their text.
func TestCompressedTemplates(t *testing.T) {
	t.Parallel()
	tmpl := readTemplate(t, "testdata/templates/qwen3.jinja")
	l := runs(t)
	for _, form := range []compress.Form{compress.Split, compress.Fold} {
		for _, by := range []compress.Strategy{compress.Extract{}, compress.Clear{}} {
			o := compress.Defaults()
			o.Form, o.By = form, by
			if l.compress(t, 0.6, o, nil) == 0 {
				t.Fatalf("%s by %s: nothing is compressed", form, by.Name())
			}
			r := run(t, l, Options{Path: filepath.Join(t.TempDir(), "all.jsonl")})
			for _, f := range r.Files {
				for line := range bytes.Lines([]byte(read(t, f.Path))) {
					row := rowFor(t, bytes.TrimSpace(line))
					text, err := row.render(tmpl)
					if broken := brokenRules(&row); err != nil || broken != nil {
						t.Errorf("%s by %s: %v %v: %.200s", form, by.Name(), err, broken, line)
					}
					for _, m := range row.messages {
						content, _ := m["content"].(string)
						train, marked := m["train"].(bool)
						if strings.HasPrefix(content, compress.Prefix) && (train || marked != (m["role"] == "assistant")) {
							t.Errorf("%s by %s: a summary is trained, or not marked: %.200s", form, by.Name(), content)
						}
						if (train || strings.HasPrefix(content, compress.Prefix)) && !strings.Contains(text, strings.TrimSpace(content)) {
							t.Errorf("%s by %s: it is not in the text of the template: %.200s", form, by.Name(), content)
						}
					}
				}
			}
		}
	}
}
