package review

import (
	"strings"
	"testing"

	"winnow/core/filter"
)

func TestWhatAVerdictSaysOfAFilter(t *testing.T) {
	for text, want := range map[string]string{ // what pending and approved may do
		"":                                     "may may",
		"score>=0.5":                           "maybe maybe",
		"status:pending":                       "may not",
		"-status:pending":                      "not may",
		"status:pending score>=0.5":            "maybe not",
		"status:pending or has:note":           "may maybe",
		"status:pending,unsure":                "may not",
		"-(status:pending or status:approved)": "not not",
		"reviewer:ann":                         "not maybe",
		"-reviewer:ann":                        "may maybe",
	} {
		n, err := filter.Parse(text, filter.Options{})
		if err != nil {
			t.Fatal(text, err)
		}
		var got []string
		for _, v := range []Verdict{Pending, Approved} {
			may, mayNot := Passes(n, v)
			got = append(got, map[bool]string{true: "may", false: "not"}[may]+map[bool]string{true: "be", false: ""}[may && mayNot])
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
}
