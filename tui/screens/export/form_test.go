package export

import (
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
