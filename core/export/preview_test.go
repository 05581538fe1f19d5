package export

import (
	"errors"
	"path/filepath"
	"reflect"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// Every segment previews as what an export of it alone writes and reports.
func TestPreviewIsWhatIsWritten(t *testing.T) {
	t.Parallel()
	l := &library{}
	l.cut([]int{1, 4}, sys("be good"), user("u1"), says("a1"), user("u2"), says("a2"), says("a3"))
	l.add(withTools, user("u"), calls("1"), result("1", "ok"), says("a"))
	l.add(nil, user("u"), calls("1"), says("a")) // left out
	l.add(nil, user("u"), with(says("a"), func(m *chat.Message) { m.Reasoning = "r" }), user("v"), says("b"))
	for i := 0; i < len(ofSamples()); i += min(slower, 3) {
		e := &ofSamples()[i]
		for j := range l.segments {
			for _, opts := range []Options{{}, {System: System{Text: "x"}, Train: TrainLast}, {MaxTokens: 4, TooLong: CutLong}} {
				opts.As = e.Name
				records, got, err := Preview(t.Context(), l, &l.segments[j], opts)
				if err != nil {
					t.Fatal(err)
				}
				alone := &library{segments: l.segments[j : j+1], sessions: l.sessions, messages: l.messages}
				opts.Path = filepath.Join(t.TempDir(), "out.jsonl")
				want := run(t, alone, opts)
				text := ""
				for _, f := range want.Files {
					text += read(t, f.Path)
				}
				want.Files = []File{}
				if string(records) != text || !reflect.DeepEqual(got, want) {
					t.Errorf("%s of %s, %+v:\n%s%s%+v\n%+v", e.Name, l.segments[j].ID, opts, records, text, got, want)
				}
			}
		}
	}
}

func TestPreviewTakesAnyVerdict(t *testing.T) {
	l := good(1)
	l.segments[0].Verdict = review.Rejected
	if records, r, err := Preview(t.Context(), l, &l.segments[0], Options{}); err != nil || len(records) == 0 || r.Written != 1 {
		t.Errorf("%q, %+v, %v", records, r, err)
	}
	if _, _, err := Preview(t.Context(), l, &l.segments[0], Options{As: "none"}); !errors.Is(err, ErrNoEmitter) {
		t.Error(err)
	}
	delete(l.sessions, l.segments[0].SessionID)
	if _, _, err := Preview(t.Context(), l, &l.segments[0], Options{}); !errors.Is(err, review.ErrNotFound) {
		t.Error(err)
	}
}

// A segment alone is no pair, and the preview says so.
func TestPreviewOfPairs(t *testing.T) {
	l := good(1)
	for _, e := range ofPairs() {
		records, report, err := Preview(t.Context(), l, &l.segments[0], Options{As: e.Name})
		if err != nil || len(records) > 0 || len(report.LeftOut) != 1 || report.LeftOut[0].Detail == "" {
			t.Errorf("%s: %s, %+v, %v", e.Name, records, report, err)
		}
	}
}
