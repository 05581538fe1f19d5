package tell

import (
	"testing"

	"winnow/core/proposal"
	"winnow/core/review"
)

// TestCompressionsText: what the journal says of verdicts on compressions.
func TestCompressionsText(t *testing.T) {
	of := func(id string, before, after proposal.Status, sum string) review.ProposalChange {
		return review.ProposalChange{Segment: id, Before: &proposal.Proposal{Status: before, Sum: sum}, After: &proposal.Proposal{Status: after, Sum: sum}}
	}
	one, two := "11111111-", "22222222-"
	for want, list := range map[string][]review.ProposalChange{
		"accepted the compression of 2 segments":                                      {of(one, "proposed", "accepted", ""), of(two, "rejected", "accepted", "")},
		"accepted the compression of 11111111, left open the compression of 22222222": {of(one, "proposed", "accepted", ""), of(two, "rejected", "proposed", "")},
		"changed the compression of 11111111":                                         {of(one, "accepted", "proposed", "5f")},
		"rejected the compression of 22222222":                                        {of(two, "accepted", "rejected", "")},
	} {
		if got := ActText(&review.Entry{Action: review.ActCompress, Proposals: list}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
