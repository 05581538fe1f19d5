// Package recordtest is training records and recorded messages in memory, for tests.
package recordtest

import (
	"context"
	"os/exec"
	"sync"

	"winnow/core/export"
	"winnow/core/ledger"
	"winnow/core/review"
)

// Library makes records of its own. It counts what it is asked.
type Library struct {
	mu        sync.Mutex
	Asked     []export.Options
	Of        []string // ids
	Cancelled int
	Err       error
	Report    export.Report
	Records   func(s review.Segment, o export.Options) string
}

// Preview implements record.Library.
func (f *Library) Preview(ctx context.Context, s review.Segment, o export.Options) ([]byte, export.Report, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Asked, f.Of = append(f.Asked, o), append(f.Of, s.ID)
	if ctx.Err() != nil {
		f.Cancelled++
		return nil, export.Report{}, ctx.Err()
	}
	r := f.Report
	r.As = o.As
	if f.Err != nil || len(r.LeftOut) > 0 {
		return nil, r, f.Err
	}
	r.Rows, r.Written = 1, 1
	text := `{"format":"` + o.As + `","messages":[{"role":"user","content":"Fix the flaky test of ` + s.ID + `.\nIt fails one run in ten."},{"role":"assistant","content":"It shares a map."}]}` + "\n"
	if f.Records != nil {
		text = f.Records(s, o)
	}
	r.Bytes = int64(len(text))
	return []byte(text), r, nil
}

// SampleLibrary makes records with secrets and a repair.
func SampleLibrary() *Library {
	return &Library{Report: export.Report{
		Tokens: 4120, Trained: 3,
		Repairs: []export.RepairCount{{Check: "joined", Done: "adjacent assistant messages joined into one", Samples: 1}},
		Secrets: []export.Secret{{Message: 2, Where: "arguments", Rule: "aws-access-token", Shown: "AKIA***"}, {Message: 3, Where: "tool output", Rule: "github-pat", Shown: "ghp_***"}},
	}}
}

// Sources has what is recorded of messages.
type Sources struct {
	Rec    ledger.Recorded
	Err    error
	Asked  []ledger.Message
	Edited []ledger.Message
}

// Recorded implements record.Sources.
func (f *Sources) Recorded(_ context.Context, of ledger.Message) (ledger.Recorded, error) {
	f.Asked = append(f.Asked, of)
	return f.Rec, f.Err
}

// Edit implements record.Sources.
func (f *Sources) Edit(_ context.Context, of ledger.Message) (*exec.Cmd, error) {
	f.Edited = append(f.Edited, of)
	if f.Err != nil {
		return nil, f.Err
	}
	return exec.Command("vim", "+12", f.Rec.Place), nil
}

// SampleSources has the same of every message.
func SampleSources() *Sources {
	return &Sources{Rec: ledger.Recorded{
		Place: "/home/ann/sessions/2026-05-01-parser.jsonl:12",
		Text:  []byte(`{"type":"user","uuid":"8f14","message":{"role":"user","content":[{"type":"text","text":"The parser test fails one run in ten.\nFind out why."}]},"timestamp":"2026-05-04T12:04:00Z"}` + "\n"),
	}}
}
