package filter

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRandomTrees prints trees with all sorts of values, and reads them again.
func TestRandomTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	for range 3000 {
		n := All(randomNode(r, 4))
		if n == nil || len(Print(n)) > maxText {
			continue
		}
		checkNormal(t, n)
		checkRoundTrip(t, n)
	}
}

func randomNode(r *rand.Rand, depth int) Node {
	if depth > 0 {
		switch r.IntN(5) {
		case 0:
			return And(randomNodes(r, depth-1))
		case 1:
			return Or(randomNodes(r, depth-1))
		case 2:
			return Not{randomNode(r, depth-1)}
		}
	}
	if r.IntN(3) == 0 {
		return Text{Value: strings.Join(strings.Fields("x"+randomText(r)), " "), Phrase: true}
	}
	fields := Fields()
	info := fields[r.IntN(len(fields))]
	term := Term{Field: info.Field, Op: Is}
	switch {
	case info.Kind == Enum:
		term.Value = info.Values[r.IntN(len(info.Values))]
	case info.Kind == ID:
		term.Value = "3f2a-91bc"[:4+r.IntN(5)]
	case info.Kind == Day:
		term.Date, _ = parseDate("2026-11", testOptions())
		term.Op = Equal
	case info.Kind == Number:
		ops := []Op{Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, Between}
		term.Op = ops[r.IntN(len(ops))]
		term.Num = float64(r.IntN(3000) * r.IntN(3000))
		if info.Field == Metric {
			term.Metric = info.Values[r.IntN(len(info.Values))]
		}
		if info.Field.unit() {
			term.Num = r.Float64()
		}
		if term.Op == Between {
			term.Max = term.Num
		}
	default:
		term.Value = "y" + randomText(r)
	}
	return term
}

func randomNodes(r *rand.Rand, depth int) []Node {
	nodes := make([]Node, r.IntN(4))
	for i := range nodes {
		nodes[i] = randomNode(r, depth)
	}
	return nodes
}

func randomText(r *rand.Rand) string {
	alphabet := []rune("ab \\\\\"“”„＂'()（),，:=<>!*-._/%;|\t\n\x00é你！＊")
	runes := make([]rune, r.IntN(8))
	for i := range runes {
		runes[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(runes)
}
