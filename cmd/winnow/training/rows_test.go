package training

import (
	"bytes"
	"strings"
	"testing"

	"winnow/cmd/winnow/print"
	"winnow/core/train"
)

// TestWhatBecameOfARun: what went wrong beside a run that succeeded does not stand in the
// place of its result.
func TestWhatBecameOfARun(t *testing.T) {
	r := train.Run{Status: train.Succeeded, Model: "/m", Error: "the result could not be evaluated: no GPU"}
	if result(&r) != "/m" || outcome(&r) != "succeeded: /m" || warning(&r) != r.Error {
		t.Errorf("%q, %q, %q", result(&r), outcome(&r), warning(&r))
	}
	r.Status = train.Failed
	if result(&r) != r.Error || outcome(&r) != "failed: "+r.Error || warning(&r) != "" {
		t.Errorf("%q, %q, %q", result(&r), outcome(&r), warning(&r))
	}
}

// TestCurvesStandInColumns: values stand in one column, however long names are.
func TestCurvesStandInColumns(t *testing.T) {
	var b bytes.Buffer
	p := &Program{Out: print.New(&b, false, 80)}
	p.printCurves([]curve{{"loss", "1"}, {"rewards/accuracy", "1"}, {"日本語" + strings.Repeat("x", 99), "1"}})
	if err := p.Out.Flush(); err != nil {
		t.Fatal(err)
	}
	want := "loss" + strings.Repeat(" ", 27) + "1\nrewards/accuracy" + strings.Repeat(" ", 15) + "1\n日本語" + strings.Repeat("x", 23) + "… 1\n"
	if b.String() != want {
		t.Errorf("%q\nwant %q", b.String(), want)
	}
}
