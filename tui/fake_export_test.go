package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"winnow/core/export"
	"winnow/core/review"
)

// fakeExporting answers with what it was made with, and keeps the questions.
type fakeExporting struct {
	mu        sync.Mutex
	report    export.Report
	asked     []export.Options
	cancelled int
	exists    bool // the target does
	fail      error
}

func (f *fakeExporting) Export(ctx context.Context, o export.Options, progress func(export.Report)) (export.Report, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, o)
	if ctx.Err() != nil {
		f.cancelled++
		return export.Report{}, ctx.Err()
	}
	progress(export.Report{Candidates: f.report.Candidates / 2})
	if !o.Check && f.exists && !o.Force {
		return export.Report{}, fmt.Errorf("export: %s %w", o.Path, export.ErrExists)
	}
	r := f.report
	r.As = cmp.Or(o.As, "hf")
	if !o.Check && f.fail == nil {
		r.Files = []export.File{{Path: o.Path, Rows: r.Rows, Bytes: r.Bytes}}
	}
	return r, f.fail
}

// last is what was asked last.
func (f *fakeExporting) last() export.Options { return f.asked[len(f.asked)-1] }

// run is what was exported last.
func (f *fakeExporting) run() (o export.Options) {
	for _, o = range slices.Backward(f.asked) {
		if !o.Check {
			return o
		}
	}
	return export.Options{Check: true}
}

// sampleExport is one with a bit of everything.
func sampleExport() *fakeExporting {
	r := export.Report{
		Candidates: 1204, Written: 1150, Rows: 1150, Tokens: 4_812_000, Trained: 9001, Bytes: 31_400_000,
		Splits: []export.Group{{Name: "train", Samples: 1092, Tokens: 4_570_000}, {Name: "validation", Samples: 58, Tokens: 242_000}},
		Types:  []export.Group{{Name: "code", Samples: 900, Tokens: 4_000_000}, {Name: "data", Samples: 200, Tokens: 800_000}, {Name: "", Samples: 50, Tokens: 12_000}},
		Tools:  []export.Group{{Name: "terminal", Samples: 800, Tokens: 3_900_000}, {Name: "\x1b[2Jwipe\u202e数据库", Samples: 12, Tokens: 9000}},
		Repairs: []export.RepairCount{
			{Check: "joined", Done: "adjacent assistant messages joined into one", Samples: 31},
			{Check: "ending", Done: "trailing messages cut so that an answer comes last", Samples: 9},
		},
		Secrets: []export.Secret{
			{Segment: "00000007-1", Message: 4, Where: "content", Rule: "aws-access-token", Shown: "AKIA…\x1b]0;x\x07QZ"},
			{Segment: "00000009-1", Message: 11, Where: "arguments", Rule: "aws-access-token", Shown: "AKIA…7B"},
			{Segment: "00000009-1", Where: "tools", Rule: "email", Shown: "a…@x.org"},
		},
	}
	for i := range 24 {
		r.Tools = append(r.Tools, export.Group{Name: fmt.Sprintf("tool_%02d", i), Samples: 10, Tokens: 800})
	}
	out := func(n int, check, detail string) {
		for i := range n {
			r.LeftOut = append(r.LeftOut, export.LeftOut{
				Segment: fmt.Sprintf("%08x-x", 100*len(check)+i), Finding: export.Finding{Check: check, Message: 3 + i, Detail: detail},
			})
		}
	}
	out(5, "unanswered_call", "terminal is not answered")
	out(1, "no_user", "no user message\x1b[31m")
	out(48, export.OutNearDuplicate, "similar to 3f2a91bc")
	return &fakeExporting{report: r}
}

// approvedLibrary is a library of which some is approved.
func approvedLibrary() *fakeLibrary {
	lib := sampleLibrary()
	for i := range lib.segments[:4] {
		lib.segments[i].Verdict = review.Approved
	}
	return lib
}
