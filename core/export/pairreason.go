package export

import (
	"winnow/core/export/lineage"
	"winnow/core/export/pairs"
)

// pairReasons are why a segment that a format of pairs takes is in none. They are
// no faults: nothing needs to be mended.
var pairReasons = [...]Check{
	{Name: lineage.OutAlone, What: "no run of the other verdict forks off from it"},
	{Name: lineage.OutAtPrompt, What: "runs of the other verdict fork off where something else was asked"},
	{Name: lineage.OutUnfit, What: "runs fork at an answer that is not trained, or that the model did not write"},
	{Name: OutRedacted, What: "a redaction took out what the model wrote, which is no worse answer then"},
	{Name: lineage.OutPairs, What: "as many pairs as wanted of its prompt are made of others"},
}

// PairRules lists what the sides of a pair must meet together, and then why a
// segment may be in no pair.
func PairRules() (all []Check) {
	for i := range pairChecks {
		all = append(all, Check{Name: pairChecks[i].Name, What: pairChecks[i].What})
	}
	return append(all, pairReasons[:]...)
}

// reasonOf says why a segment is in no pair.
func reasonOf(why pairs.Reason) Finding {
	switch why {
	case pairs.AtPrompt:
		return Finding{Check: lineage.OutAtPrompt, Detail: "runs of the other verdict fork off where something else was asked or came back"}
	case pairs.Unasked:
		return Finding{Check: lineage.OutAtPrompt, Detail: "runs of the other verdict fork off before the first user message"}
	case pairs.UnfitHere:
		return Finding{Check: lineage.OutUnfit, Detail: "its answer at the fork is switched off, empty or not the model's own"}
	case pairs.UnfitThere:
		return Finding{Check: lineage.OutUnfit, Detail: "the other answer at the fork is switched off, empty or not the model's own"}
	case pairs.Enough:
		return Finding{Check: lineage.OutPairs, Detail: "as many pairs as wanted of its prompt are made of others, or of the same answer elsewhere"}
	}
	return Finding{Check: lineage.OutAlone, Detail: "no run of the other verdict forks off from it"}
}
