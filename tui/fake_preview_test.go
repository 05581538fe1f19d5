package tui

import (
	"context"
	"os/exec"
	"sync"

	"winnow/core/export"
	"winnow/core/review"
)

// fakePreviewing makes records of its own. It counts what it is asked.
type fakePreviewing struct {
	mu        sync.Mutex
	asked     []export.Options
	of        []string // ids
	cancelled int
	err       error
	report    export.Report
	records   func(s review.Segment, o export.Options) string
}

func (f *fakePreviewing) Preview(ctx context.Context, s review.Segment, o export.Options) ([]byte, export.Report, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked, f.of = append(f.asked, o), append(f.of, s.ID)
	if ctx.Err() != nil {
		f.cancelled++
		return nil, export.Report{}, ctx.Err()
	}
	r := f.report
	r.As = o.As
	if f.err != nil || len(r.LeftOut) > 0 {
		return nil, r, f.err
	}
	r.Rows, r.Written = 1, 1
	text := `{"format":"` + o.As + `","messages":[{"role":"user","content":"Fix the flaky test of ` + s.ID + `.\nIt fails one run in ten."},{"role":"assistant","content":"It shares a map."}]}` + "\n"
	if f.records != nil {
		text = f.records(s, o)
	}
	r.Bytes = int64(len(text))
	return []byte(text), r, nil
}

func samplePreview() *fakePreviewing {
	return &fakePreviewing{report: export.Report{
		Tokens: 4120, Trained: 3,
		Repairs: []export.RepairCount{{Check: "joined", Done: "adjacent assistant messages joined into one", Samples: 1}},
		Secrets: []export.Secret{{Message: 2, Where: "arguments", Rule: "aws-access-token", Shown: "AKIA***"}, {Message: 3, Where: "tool output", Rule: "github-pat", Shown: "ghp_***"}},
	}}
}

// fakeSources has what is recorded of messages in memory.
type fakeSources struct {
	rec    Recorded
	err    error
	asked  []MessagePlace
	edited []MessagePlace
}

func (f *fakeSources) Recorded(_ context.Context, of MessagePlace) (Recorded, error) {
	f.asked = append(f.asked, of)
	return f.rec, f.err
}

func (f *fakeSources) Edit(_ context.Context, of MessagePlace) (*exec.Cmd, error) {
	f.edited = append(f.edited, of)
	if f.err != nil {
		return nil, f.err
	}
	return exec.Command("vim", "+12", f.rec.Place), nil
}

func sampleSources() *fakeSources {
	return &fakeSources{rec: Recorded{
		Place: "/home/ann/sessions/2026-05-01-parser.jsonl:12",
		Text:  []byte(`{"type":"user","uuid":"8f14","message":{"role":"user","content":[{"type":"text","text":"The parser test fails one run in ten.\nFind out why."}]},"timestamp":"2026-05-04T12:04:00Z"}` + "\n"),
	}}
}
