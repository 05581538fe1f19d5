package export

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/export"
	"winnow/tui/screen"
	"winnow/tui/screen/screentest"
)

// TestOptionsOfAFormat: the form has an option only where the format takes it.
func TestOptionsOfAFormat(t *testing.T) {
	f := &Form{Values: map[string]string{optFormat: "dpo", optPairs: "2"}}
	x := screentest.Start(t, 120, 40, Rows(), func(s screen.Seat) *Screen { return New(s, alone{}, f, many{}) })
	x.Wants("pairs", "2")
	if o, err := f.Options(); err != nil || o.Pairs != 2 {
		t.Errorf("%d pairs, %v", o.Pairs, err)
	}
	x.Press("j")
	x.Wants("ORPO and", "Axolotl drops calls")
	x.Press("backspace")
	if strings.Contains(x.Screen(), "pairs") {
		t.Error(x.Screen())
	}
	if at := x.Layer.(*Screen).selected().name; at != optFormat {
		t.Errorf("the cursor is on %s", at)
	}
	if o, err := f.Options(); err != nil || o.Pairs != 0 {
		t.Errorf("%d pairs of a format without them, %v", o.Pairs, err)
	}
	for _, o := range options() {
		if o.help == "" && o.name != optFormat {
			t.Errorf("%s says nothing", o.name)
		}
	}
	if f.Restore(map[string]string{optFormat: export.Names()[0], optPairs: "0"}); f.Values[optPairs] == "0" {
		t.Error("took no pairs")
	}
}

// TestOnPolicy: gaps are asked for only on policy, and neither of a format that can't.
func TestOnPolicy(t *testing.T) {
	f := &Form{}
	x := screentest.Start(t, 120, 40, Rows(), func(s screen.Seat) *Screen { return New(s, alone{}, f, many{}) })
	for x.Layer.(*Screen).selected().name != optPolicy {
		x.Press("j")
	}
	if strings.Contains(x.Screen(), "gaps") {
		t.Error(x.Screen())
	}
	x.Press("right j right right")
	x.Wants("policy", "gaps", "system")
	if o, err := f.Options(); err != nil || !o.OnPolicy || len(o.Gaps) != 1 {
		t.Errorf("%v, %v, %v", o.OnPolicy, o.Gaps, err)
	}
	f.put(&option{name: optTrain}, "last")
	if _, err := f.Options(); err == nil {
		t.Error("trains the last answer on policy")
	}
	delete(f.Values, optTrain)
	f.put(&option{name: optFormat}, "graph")
	if o, err := f.Options(); err != nil || o.OnPolicy || len(o.Gaps) != 1 {
		t.Errorf("as a graph: %v, %v, %v", o.OnPolicy, o.Gaps, err)
	}
	f.put(&option{name: optFormat}, "dpo")
	if o, err := f.Options(); err != nil || o.OnPolicy || o.Gaps != nil {
		t.Errorf("of pairs: %v, %v, %v", o.OnPolicy, o.Gaps, err)
	}
}

// TestCompressions: they are asked for where they are applied, and what became of them
// is told.
func TestCompressions(t *testing.T) {
	for values, applied := range map[[2]string]bool{{"hf", ""}: true, {"sft", ""}: true, {"kto", "on"}: true, {"hf", "on"}: false, {"dpo", ""}: false, {"graph", ""}: false} {
		f := &Form{Values: map[string]string{optFormat: values[0], optShorter: "proposed"}}
		if values[1] != "" {
			f.Values[optPolicy] = values[1]
		}
		asked := slices.ContainsFunc(f.rows(), func(o option) bool { return o.name == optShorter })
		o, err := f.Options()
		if err != nil || asked != applied || (o.Compressed == "proposed") != applied {
			t.Errorf("%v: asked %v, %q, %v", values, asked, o.Compressed, err)
		}
	}
	x := screentest.Start(t, 120, 40, Rows(), func(s screen.Seat) *Screen { return New(s, alone{}, &Form{}, many{}) })
	s := x.Layer.(*Screen)
	o := &forecast{width: 60}
	s.tellReport(o, &export.Report{
		Compressed: &export.CompressedCounts{Segments: 3, Samples: 7, Stale: 1},
		LeftOut:    []export.LeftOut{{Segment: "a"}, {Segment: "b", Sample: "b-c1"}},
	}, "")
	text := ""
	for _, line := range o.lines {
		for _, p := range line.pieces {
			text += p.text
		}
		text += "\n"
	}
	for _, want := range []string{"3  compressed, into 7 samples", "1  written whole: stale compression\n", "compression:stale lists them", "1 segment, 1 sample"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
