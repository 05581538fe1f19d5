package chat

import (
	"reflect"
	"testing"
)

func TestKeptIsReadBack(t *testing.T) {
	for _, c := range []struct {
		runs [][2]int
		text string
	}{
		{nil, "none"},
		{[][2]int{{1, 1}, {57, 63}}, "63-63,7-1"},
		{[][2]int{{-1, 0}}, "65-64"},
	} {
		m := Message{N: 64, Kept: KeptBefore(64, c.runs)}
		if runs, known := m.Keeps(); m.Kept != c.text || !known || !reflect.DeepEqual(runs, c.runs) {
			t.Errorf("%v: %q, %v, %v", c.runs, m.Kept, runs, known)
		}
	}
	for _, damaged := range []string{"", "x", "1", "1-2", "1-0", "1-1,", "-1--1"} {
		m := Message{N: 9, Kept: damaged}
		if runs, known := m.Keeps(); known || runs != nil {
			t.Errorf("%q: %v, %v", damaged, runs, known)
		}
	}
}

// Databases hold traces of sessions that were read before it was told.
func TestTracesLeaveOutWhatWasKept(t *testing.T) {
	m := full()[0]
	with := Trace{}.With(AppendMessage(nil, &m))
	m.Kept = ""
	if without := (Trace{}).With(AppendMessage(nil, &m)); with != without {
		t.Errorf("%v, without %v", with, without)
	}
}
