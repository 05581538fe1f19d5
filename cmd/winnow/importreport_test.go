package main

import (
	"fmt"
	"reflect"
	"testing"

	"winnow/cmd/winnow/tell"
	"winnow/core/hub"
	"winnow/core/session"
)

// TestLeftOut: what an import left out fits in a line, with its place.
func TestLeftOut(t *testing.T) {
	p := &cli{}
	none := hub.Unusable{Path: "/a", Reason: "empty file"}
	for _, c := range []struct {
		r    hub.Report
		want string
	}{
		{hub.Report{}, ""},
		{hub.Report{Nothing: []hub.Unusable{none, none}, Lines: session.Counts{Bad: 1}}, "2 files gave no session, 1 bad line: winnow ledger shows them"},
		{hub.Report{Refused: []hub.Refused{{Path: "/a", Err: fmt.Errorf("permission denied")}, {Path: "/b"}}, Empty: []string{"e"}},
			"/a: not read: permission denied (and 1 more); e: no files in it"},
	} {
		if got := p.leftOut(&c.r); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestTimes: times and speeds too short to mean anything are left out.
func TestTimes(t *testing.T) {
	for seconds, want := range map[float64]string{0.04: "", 0.15: " in 0.1 s", 2: " in 2.0 s, 5.0 MB/s"} {
		if got := tell.TimeTaken(10_000_000, seconds); got != want {
			t.Errorf("%g s: %q, want %q", seconds, got, want)
		}
	}
}

// TestJoinedReportsHaveAllCounts: what standard input and files bring adds up.
func TestJoinedReportsHaveAllCounts(t *testing.T) {
	var a, b hub.Report
	counts := func(r *hub.Report, n int64) {
		v := reflect.ValueOf(r).Elem()
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() && f.CanInt() {
				f.SetInt(n)
			}
		}
	}
	counts(&a, 1)
	counts(&b, 2)
	sum := reflect.ValueOf(a.Plus(&b))
	for i := range sum.NumField() {
		if f := sum.Field(i); f.CanInt() && sum.Type().Field(i).IsExported() && f.Int() != 3 {
			t.Errorf("%s: %d, not 3", sum.Type().Field(i).Name, f.Int())
		}
	}
}
