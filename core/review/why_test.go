package review

import (
	"slices"
	"testing"
)

func TestReasonsAreTags(t *testing.T) {
	if err := CheckWhys(Whys()); err != nil {
		t.Error(err)
	}
	for word, want := range map[string]string{"loop": "why:loop", " wrong  answer ": "why:wrong-answer", "falsch gelöst": "why:falsch-gelöst"} {
		if got := (Why{"x", word}).Tag(); got != want || CheckTag(got) != nil {
			t.Errorf("%q is %q, want %q", word, got, want)
		}
	}
	if got := WhysOf([]string{"keep", "why:", "why:gave-up", "why:loop", "whyever"}); !slices.Equal(got, []string{"gave-up", "loop"}) {
		t.Errorf("reasons %q", got)
	}
}

func TestReasonsThatAreNone(t *testing.T) {
	for name, whys := range map[string][]Why{
		"two characters": {{"ab", "loop"}},
		"no key":         {{"", "loop"}},
		"a space":        {{" ", "loop"}},
		"an escape":      {{"\x1b", "loop"}},
		"no word":        {{"l", "  "}},
		"a comma":        {{"l", "slow,wrong"}},
		"hidden":         {{"l", "sl\u202eow"}},
		"one key twice":  {{"l", "loop"}, {"l", "slow"}},
		"one word twice": {{"l", "gave up"}, {"g", "gave  up"}},
	} {
		if CheckWhys(whys) == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
