package review

import (
	"slices"
	"strings"
	"testing"
)

func TestAgreement(t *testing.T) {
	of := func(pairs string) Agreement {
		var list []Recheck
		verdicts := map[byte]Verdict{'a': Approved, 'r': Rejected, 'u': Unsure, 'p': Pending}
		for _, p := range strings.Fields(pairs) {
			list = append(list, Recheck{Was: verdicts[p[0]], Answer: verdicts[p[1]]})
		}
		return AgreementOf(list)
	}
	for _, c := range []struct {
		pairs, want string
		lines       []string
	}{
		{"", "nothing was answered", nil},
		{"aa aa", "agreed on 2 of 2 (100%)", []string{"approved: 2 of 2"}},
		{"aa rr", "agreed on 2 of 2 (100%), kappa 1.00", []string{"approved: 1 of 1", "rejected: 1 of 1"}},
		{"aa ar rr ra", "agreed on 2 of 4 (50%), kappa 0.00", []string{"approved: 1 of 2, 1 rejected", "rejected: 1 of 2, 1 approved"}},
		{"aa aa aa ar au rr uu ap", "agreed on 5 of 7 (71%), kappa 0.53", []string{"approved: 3 of 5, 1 rejected, 1 unsure", "rejected: 1 of 1", "unsure: 1 of 1"}},
	} {
		a := of(c.pairs)
		if got := a.String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.pairs, got, c.want)
		}
		if got := a.Lines(); !slices.Equal(got, c.lines) {
			t.Errorf("%s: %q", c.pairs, got)
		}
	}
}
