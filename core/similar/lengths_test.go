package similar

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pairsOf is how many pairs of each kind are looked at: WINNOW_PAIRS, or few.
func pairsOf(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("WINNOW_PAIRS"))
	if err != nil && os.Getenv("WINNOW_PAIRS") != "" {
		t.Fatal("WINNOW_PAIRS:", err)
	}
	return max(n, 60)
}

// changed is a text in which so many words are numbers instead.
func changed(r *rand.Rand, text []string, places int) []string {
	text = slices.Clone(text)
	for _, at := range r.Perm(len(text))[:min(places, len(text))] {
		text[at] = strconv.Itoa(r.IntN(1_000_000))
	}
	return text
}

// TestFalsePairsAtEveryLength tells, with -v, how many pairs of texts are taken
// for alike although their shingles are not: of those that differ in one word,
// in two, and in as many as it takes to come near the line.
func TestFalsePairsAtEveryLength(t *testing.T) {
	pairs := pairsOf(t)
	t.Logf("of %d pairs that differ in so many words: alike, falsely, missed; how similar they are, at least", pairs)
	for _, n := range []int{1, 2, 4, 5, 8, 10, 15, 20, 25, 30, 32, 33, 34, 36, 40, 50, 60, 80, 120, 250, 500, 1000} {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		line := fmt.Sprintf("%4d words:", n)
		for _, places := range []int{1, 2, max(3, n/28)} {
			found, wrong, missed, worst := 0, 0, 0, 1.0
			for range pairs {
				a := words(r, n)
				b := changed(r, a, places)
				x, y := sign(strings.Join(a, " ")), sign(strings.Join(b, " "))
				is, j := alike(&x, &y, Duplicate), 0.0
				if n >= shingle {
					j = jaccard(a, b)
				}
				switch {
				case is:
					found++
					if worst = min(worst, j); j < Duplicate {
						wrong++
					}
				case j >= Duplicate:
					missed++
				}
			}
			part := func(n int) float64 { return 100 * float64(n) / float64(pairs) }
			line += fmt.Sprintf("  %2d: %5.1f%% %5.1f%% %5.1f%%", places, part(found), part(wrong), part(missed))
			if found > 0 {
				line += fmt.Sprintf(" %.2f", worst)
			} else {
				line += "    -"
			}
			switch {
			case n-shingle+1 < least && found > 0:
				t.Errorf("%d words: %d of %d pairs are alike that differ in %d", n, found, pairs, places)
			case worst < Duplicate-0.1:
				t.Errorf("%d words: a similarity of %.2f is alike", n, worst)
			}
		}
		t.Log(line)
	}
}

// Thousands of short texts that are all different stay so: at random, and of
// one template.
func TestShortTextsThatDifferAreNotAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, n := range []int{1, 2, 4, 5, 6, 8, 10, 16, 24, least + shingle - 2} {
		for name, text := range map[string]func(template []string, i int) []string{
			"random":     func(_ []string, i int) []string { return append(words(r, n-1), strconv.Itoa(i)) },
			"a template": func(template []string, i int) []string { return append(template[1:n:n], strconv.Itoa(i)) },
		} {
			template := words(r, n)
			var sigs []*Signature
			for i := range 3000 {
				s := sign(strings.Join(text(template, i), " "))
				sigs = append(sigs, &s)
			}
			if got := Clusters(sigs, Duplicate); got != nil {
				t.Errorf("%s of %d words: %d groups of 3000 that differ", name, n, len(got))
			}
			again := *sigs[7]
			if got := Clusters(append(sigs, &again), Duplicate); len(got) != 1 || !slices.Equal(got[0], []int{7, 3000}) {
				t.Errorf("%s of %d words: of two equal ones %v", name, n, got)
			}
		}
	}
	// What repeats itself has few shingles, too.
	a, b := sign(strings.Repeat("ha ", 300)), sign(strings.Repeat("ha ", 400))
	if alike(&a, &b, Duplicate) {
		t.Error("300 and 400 times the same word are alike")
	}
}
