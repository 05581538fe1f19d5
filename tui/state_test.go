package tui

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"winnow/core/review"
	"winnow/tui/reader"
	room "winnow/tui/review"
)

// fakeState keeps what it was given.
type fakeState struct{ saves []Screen }

func (f *fakeState) Save(_ context.Context, s Screen) error {
	f.saves = append(f.saves, s)
	return nil
}

func (f *fakeState) last() *Screen {
	if len(f.saves) == 0 {
		return nil
	}
	return &f.saves[len(f.saves)-1]
}

// looking starts a screen that looks as one was left.
func looking(f *fakeState, with ...func(*Options)) func(*Options) {
	return func(o *Options) {
		o.State, o.Looked, o.Theme = f, f.last(), ""
		for _, w := range with {
			w(o)
		}
	}
}

func TestTheScreenLooksAsItWasLeft(t *testing.T) {
	f := &fakeState{}
	lib := sampleLibrary()
	x := start(t, lib, 160, 30, looking(f))
	x.press("s t j j + + o tab")
	x.pane.folds = reader.Folds{Thinking: 1, Detail: true}
	x.press("tab /")
	x.typed("score>0.5")
	x.press("enter j tab")
	x.app.useTheme("light")
	x.app.exports.form.Values = map[string]string{"max tokens": "8192"}
	at := x.selected()
	x.app.leaveState()

	y := start(t, lib, 160, 30, looking(f))
	if got := y.selected(); got != at || y.app.Filter.Key != x.app.Filter.Key || y.app.Order != x.app.Order {
		t.Errorf("on %s of %s by %s, was on %s of %s by %s", got, y.app.Filter.Key, y.app.Order, at, x.app.Filter.Key, x.app.Order)
	}
	if y.app.Looks().Wider != 8 || !y.app.Looks().Stay || y.app.Focus != x.app.Focus || y.pane.folds != x.pane.folds || y.app.Styles().Name != "light" {
		t.Errorf("%+v", y.app.looks())
	}
	if y.app.exports.form.Values["max tokens"] != "8192" || len(y.app.Looks().Typed) != 1 {
		t.Errorf("%+v", y.app.looks())
	}
	z := start(t, lib, 160, 30, looking(f, func(o *Options) { o.Filter, o.Order = "score>0.9", review.Longest }))
	if z.app.Filter.Text != "score>0.9" || z.app.Order != review.Longest || z.app.Looks().Wider != 8 {
		t.Errorf("what was asked for does not go before: %+v", z.app.looks())
	}
}

// TestAStateIsOneFlatObject: as other versions of the program write and read it.
func TestAStateIsOneFlatObject(t *testing.T) {
	const text = `{"version":1,"filter":"score>0.5","order":"-length","segment":"00000004","start":3,"wider":8,"stay":true,"folds":{"All":0,"Thinking":1,"Detail":false},"typed":["score>0.5"],"theme":"light"}`
	var s Screen
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	if s.Filter != "score>0.5" || s.Order != review.Longest || s.Segment != "00000004" || s.Wider != 8 || s.Folds.Thinking != 1 || s.Theme != "light" {
		t.Errorf("%+v", s)
	}
	var was, is map[string]any
	again, err := json.Marshal(s)
	if err == nil {
		err = errors.Join(json.Unmarshal([]byte(text), &was), json.Unmarshal(again, &is))
	}
	if err != nil || !reflect.DeepEqual(was, is) {
		t.Errorf("%s, want %s (%v)", again, text, err)
	}
}

func TestWhereOneLeftIsFoundAgain(t *testing.T) {
	for _, c := range []struct {
		name   string
		looked Screen
		want   string
	}{
		{"the segment", Screen{Looks: room.Looks{Segment: "000004d2-0000-4000-8000-000000000000"}}, "000004d2"},
		{"by another order", Screen{Looks: room.Looks{Segment: "000004d2-0000-4000-8000-000000000000", Order: review.Oldest}}, "000004d2"},
		{"a judged one", Screen{Looks: room.Looks{Segment: "0000000a-0000-4000-8000-000000000000"}}, "0000000a"},
		{"one that is gone", Screen{Looks: room.Looks{Segment: "000004d2-9", Place: "/x", Start: 3}}, "000004d3"},
		{"gone, by another order", Screen{Looks: room.Looks{Segment: "000004d2-9", Order: review.Oldest}}, "00000000"},
		{"a filter that is none", Screen{Looks: room.Looks{Segment: "00000007-0000-4000-8000-000000000000", Filter: "score>"}}, "00000007"},
		{"an order that is none", Screen{Looks: room.Looks{Segment: "00000007-0000-4000-8000-000000000000", Order: "sideways"}}, "00000007"},
		{"another version", Screen{Version: 99, Looks: room.Looks{Segment: "00000007-0000-4000-8000-000000000000"}}, "00000000"},
		{"passes no longer", Screen{Looks: room.Looks{Segment: "0000000a-0000-4000-8000-000000000000", Filter: "status:pending"}}, "0000000b"},
	} {
		lib := small(3000)
		lib.segments[10].Verdict = review.Approved
		if c.looked.Version == 0 {
			c.looked.Version = screenVersion
		}
		x := start(t, lib, 120, 24, func(o *Options) { o.Looked = &c.looked })
		if got := x.selected(); got != c.want {
			t.Errorf("%s: on %s, want %s", c.name, got, c.want)
		}
	}
}

func TestTheScreenIsSavedWhenItRests(t *testing.T) {
	f := &fakeState{}
	x := start(t, small(50), 120, 24, looking(f))
	x.tick()
	x.tick()
	n := len(f.saves)
	for range 5 {
		x.press("j")
		x.tick()
	}
	if len(f.saves) != n {
		t.Errorf("%d saved under way", len(f.saves)-n)
	}
	x.tick()
	x.tick()
	if len(f.saves) != n+1 || f.last().Segment[:8] != x.selected() {
		t.Errorf("%d saved, the last one %+v", len(f.saves)-n, f.last())
	}
	x.app.leaveState()
	if len(f.saves) != n+1 {
		t.Error("saved again although nothing changed")
	}
}

// TestAThemeGivenForARunIsNotRemembered: only the one that was chosen on the
// screen is.
func TestAThemeGivenForARunIsNotRemembered(t *testing.T) {
	f := &fakeState{}
	given := func(name string) *harness {
		return start(t, sampleLibrary(), 80, 24, allThemes(t), looking(f), func(o *Options) { o.Theme = name })
	}
	kept := func(x *harness, press, want string) {
		t.Helper()
		x.press(press)
		x.app.leaveState()
		if got := f.last(); got != nil && got.Theme != want {
			t.Errorf("%s is remembered, want %q", got.Theme, want)
		}
	}
	kept(given("light"), "j", "")
	kept(given(""), "T g enter T j enter j", "catppuccin-mocha") // the first of them
	kept(given("light"), "j", "catppuccin-mocha")
	if x := given(""); x.app.Styles().Name != "catppuccin-mocha" || !x.app.chosen {
		t.Errorf("wears %s", x.app.Styles().Name)
	}
	kept(given("nord"), "T G k j j", "catppuccin-mocha") // tried on, not kept
	kept(given("nord"), "T enter j", "nord")             // kept as it is
	kept(given("light"), "T g enter", "")                // by the terminal
}

// TestHalfTypedLinesAreKept: notes and tags that were put away, and the one that is
// typed when the program ends, wait at their segments in the next one.
func TestHalfTypedLinesAreKept(t *testing.T) {
	f := &fakeState{}
	lib := small(3)
	x := start(t, lib, 120, 24, looking(f))
	x.press("n")
	x.write("looks right, but")
	x.press("ctrl+c j t")
	x.write("odd bu")
	x.press("ctrl+c j n")
	x.write("cut short")
	x.app.leaveState()

	y := start(t, lib, 120, 24, looking(f))
	y.press("g n")
	y.wants("looks right, but")
	y.press("enter j t")
	y.wants("odd bu")
	y.press("esc j n")
	y.wants("cut short")
	y.press("esc")
	if lib.segments[0].Note != "looks right, but" {
		t.Errorf("kept %q", lib.segments[0].Note)
	}
	if now := y.app.Looks(); now.Notes != nil || now.Tags != nil {
		t.Errorf("still put away: %q, %q", now.Notes, now.Tags)
	}
}
