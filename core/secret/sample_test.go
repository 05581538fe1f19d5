package secret

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
	"unicode"
)

// sampleOf writes a text that an expression matches.
func sampleOf(r *rand.Rand, re *syntax.Regexp) string {
	var b strings.Builder
	var write func(re *syntax.Regexp)
	times := func(sub *syntax.Regexp, least, most int) {
		if most < 0 || most > least+8 {
			most = least + 8
		}
		for range least + r.IntN(most-least+1) {
			write(sub)
		}
	}
	write = func(re *syntax.Regexp) {
		switch re.Op {
		case syntax.OpLiteral:
			b.WriteString(string(re.Rune))
		case syntax.OpCharClass:
			b.WriteRune(oneOf(r, re.Rune))
		case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
			b.WriteByte("abcdefgh"[r.IntN(8)])
		case syntax.OpCapture:
			write(re.Sub[0])
		case syntax.OpStar:
			times(re.Sub[0], 0, 0)
		case syntax.OpPlus:
			times(re.Sub[0], 1, 4)
		case syntax.OpQuest:
			times(re.Sub[0], 0, 1)
		case syntax.OpRepeat:
			times(re.Sub[0], re.Min, re.Max)
		case syntax.OpConcat:
			for _, sub := range re.Sub {
				write(sub)
			}
		case syntax.OpAlternate:
			write(re.Sub[r.IntN(len(re.Sub))])
		}
	}
	write(re)
	return b.String()
}

// oneOf picks a printable ASCII character of a class if there is any.
func oneOf(r *rand.Rand, ranges []rune) rune {
	var all []rune
	for i := 0; i < len(ranges); i += 2 {
		for c := ranges[i]; c <= min(ranges[i+1], 0x7E); c++ {
			if c >= ' ' && unicode.IsPrint(c) || c == '\n' && len(ranges) == 2 {
				all = append(all, c)
			}
		}
	}
	if len(all) == 0 {
		return ranges[0]
	}
	return all[r.IntN(len(all))]
}

// whole reports whether a rule finds a secret when it looks at all of a text.
func whole(set *ruleSet, rule *rule, text string) bool {
	sc := &scan{}
	sc.begin(set, text)
	rule.search(sc, span{0, len(text)})
	return len(sc.hits) > 0
}

// Every rule of gitleaks is found by its keywords and in its window, in the
// middle of other text, wherever it is found in the whole text.
func TestEveryRuleIsFoundInItsWindow(t *testing.T) {
	s := New(nil)
	if err := s.Load(); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	before := strings.Repeat("The build went well, and nothing was left to do. ", 40) + "\n"
	after := "\n" + strings.Repeat("Then all tests were run once more, one by one. ", 40)
	found, tried := 0, 0
	for i := range s.rules.list {
		rule := &s.rules.list[i]
		if rule.find != nil {
			continue
		}
		re, err := syntax.Parse(rule.source, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		tried++
		hits := 0
		for n := 0; n < 40 && hits < 3; n++ {
			text := before + sampleOf(r, re) + after
			if !whole(s.rules, rule, text) {
				continue // no keyword, too little entropy, or allowed
			}
			if !hasKeyword(rule, text) {
				continue
			}
			hits++
			if got := s.Find(text); len(got) == 0 {
				t.Errorf("%s: nothing found in %q", rule.id, text[len(before):len(text)-len(after)])
			}
		}
		if hits > 0 {
			found++
		}
	}
	t.Logf("%d of %d rules made a sample of their own", found, tried)
	if found < tried*9/10 {
		t.Errorf("only %d of %d rules made a sample of their own", found, tried)
	}
}

func hasKeyword(r *rule, text string) bool {
	text = strings.ToLower(text)
	for _, k := range r.keywords {
		if strings.Contains(text, k) {
			return true
		}
	}
	return false
}
