package review

import "math"

// Quotas are the shares of types of task that a curator wants among what is
// approved: {"code": 0.4, "data": 0.2}. None means the same share for each.
//
// The order Balance goes by them. Where a is the number of approved segments of
// a type and q its share, the n-th pending one of the type, the best score first,
// has its turn at (a + n) / q; segments come in the order of their turns. So each
// is of the type that is then most behind its share, if all above it are
// approved, and approving from the top leaves the order of the rest as it is.
// Those of types that share nothing follow by turns, and at the end all that is
// judged, the best score first.
type Quotas map[string]float64

// Shares returns the share of each of the types that are known and of those that
// have a quota, in millionths; a type that is not in it has none. Types without
// a quota share evenly what the quotas leave of 1.
func (q Quotas) Shares(known []string) map[string]int64 {
	shares := make(map[string]int64, len(known))
	left := int64(million)
	for t, share := range q {
		shares[t] = int64(math.Round(share * million))
		left -= shares[t]
	}
	var others []string
	for _, t := range known {
		if _, named := q[t]; !named {
			others = append(others, t)
		}
	}
	for _, t := range others {
		shares[t] = max(0, left) / int64(len(others))
	}
	return shares
}

const million = 1_000_000

const (
	// TurnUnit is the resolution of turns: that of a million segments of one
	// type still lie before those of types without a share.
	TurnUnit = int64(1) << 36
	// TurnsNoShare and TurnsJudged are where the turns begin of types without a
	// share, and of judged segments.
	TurnsNoShare = int64(1) << 60
	TurnsJudged  = int64(2) << 60
	// TurnScores is how many turns there are between a score of 0 and of 1.
	TurnScores = 1 << 20
)

// Turn returns the turn of the n-th pending segment of a type, from 1, with a
// share in millionths, of which some are approved.
func Turn(approved, n, share int64) int64 {
	if share <= 0 {
		return TurnsNoShare + n
	}
	return min((approved+n)*TurnUnit/share, TurnsNoShare-1)
}

// TurnJudged is the turn of a judged segment with a score, Unscored for none.
func TurnJudged(score float64) int64 {
	return TurnsJudged + int64((1-score)*TurnScores)
}

// Doubt is where scores are uncertain, and what says so.
type Doubt struct {
	Threshold float64
	From      DoubtFrom
}

// DoubtFrom names what a threshold is from.
type DoubtFrom string

// What a threshold is from: the score that a filter asks for, the one that
// Suggest makes of the verdicts, or memory_score_threshold.
const (
	FromFilter   DoubtFrom = "filter"
	FromVerdicts DoubtFrom = "your verdicts"
	FromConfig   DoubtFrom = "configuration"
)
