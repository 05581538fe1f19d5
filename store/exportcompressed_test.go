package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/edit"
	"winnow/core/export"
	"winnow/core/proposal"
	"winnow/core/review"
)

// reading is a session in which an agent reads files.
func reading(n int) []chat.Message {
	list := []chat.Message{{Role: chat.System, Content: "You read files."}, {Role: chat.User, Content: "Read all."}}
	for i := range n {
		id := fmt.Sprint("call_", i)
		list = append(list,
			chat.Message{Role: chat.Assistant, Content: fmt.Sprint("part ", i), ToolCalls: []chat.ToolCall{{ID: id, Name: "read", Arguments: fmt.Sprintf(`{"path":"src/part%d.go"}`, i)}}},
			chat.Message{Role: chat.Tool, ToolCallID: id, Content: strings.Repeat("a line\n", 80)})
	}
	list = append(list, chat.Message{Role: chat.Assistant, Content: "All are read."})
	for i := range list {
		list[i].N = i + 1
	}
	return list
}

// TestExportOfCompressions checks the way of a compression from the database and back:
// what is accepted is exported, and what a message that changes makes stale is not.
func TestExportOfCompressions(t *testing.T) {
	s := openTemp(t)
	id := put(t, s, write("/reading", reading(12)))[0]
	if _, err := s.Judge(t.Context(), review.Judgement{Curator: "ann", IDs: []string{id}, Verdict: review.Approved}); err != nil {
		t.Fatal(err)
	}
	exported := func() (text string, r export.Report) {
		path := filepath.Join(t.TempDir(), "out.jsonl")
		r, err := export.Run(t.Context(), snapshot(t, s), export.Options{Path: path, Selection: export.Selection{AnyVerdict: true, Stale: true}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Files {
			b, err := os.ReadFile(f.Path)
			if err != nil {
				t.Fatal(err)
			}
			text += string(b)
		}
		return text, r
	}
	whole, _ := exported()
	seg, err := s.Segment(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	c, err := export.ConversationOf(t.Context(), snapshot(t, s), &seg)
	if err != nil {
		t.Fatal(err)
	}
	o := compress.Defaults()
	o.Price, o.Target = export.Price(nil, c.Tools), 1000
	p := proposal.Make(t.Context(), id, seg.Digest, c, o)
	p.By = "ann"
	propose(t, s, p)
	if text, r := exported(); text != whole || r.Compressed != nil {
		t.Errorf("nobody accepted it: %+v", r.Compressed)
	}
	if _, err := judgeProposals(s, t.Context(), "bob", proposal.Accepted, id); err != nil {
		t.Fatal(err)
	}
	text, r := exported()
	if r.Compressed == nil || r.Compressed.Segments != 1 || r.Compressed.Samples != r.Written || r.Written < 2 || r.Candidates != 1 || r.Trained != 13 {
		t.Fatalf("%+v, %+v", r, r.Compressed)
	}
	if rows := bytes.Count([]byte(text), []byte("\n")); rows != r.Written || !strings.Contains(text, compress.Prefix) {
		t.Errorf("%d rows: %s", rows, text)
	}
	amend(t, s, "ann", says(t, s, sessionOf(t, s, id), 5, "mended", edit.Fix))
	text, r = exported()
	if r.Written != 1 || r.Compressed == nil || r.Compressed.Stale != 1 || strings.Contains(text, compress.Prefix) || !strings.Contains(text, "mended") {
		t.Errorf("%+v, %+v", r, r.Compressed)
	}
	undo(t, s, "ann")
	if _, r := exported(); r.Compressed == nil || r.Compressed.Segments != 1 || r.Compressed.Stale != 0 {
		t.Errorf("it fits again: %+v", r.Compressed)
	}
}
