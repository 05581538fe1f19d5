package similar

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func sign(texts ...string) Signature {
	var s Signer
	return s.Sign(texts...)
}

// words makes a text of n random words.
func words(r *rand.Rand, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("w%d", r.IntN(5000))
	}
	return list
}

// jaccard is what a signature estimates.
func jaccard(a, b []string) float64 {
	sets := [2]map[string]bool{{}, {}}
	for i, list := range [][]string{a, b} {
		for j := range len(list) - shingle + 1 {
			sets[i][strings.Join(list[j:j+shingle], " ")] = true
		}
	}
	both := 0
	for s := range sets[0] {
		if sets[1][s] {
			both++
		}
	}
	return float64(both) / float64(len(sets[0])+len(sets[1])-both)
}

func TestSameWordsAreTheSame(t *testing.T) {
	for _, c := range []struct {
		a, b []string
		same bool
	}{
		{[]string{"List the files in this folder"}, []string{"list  THE\nfiles\tin this folder "}, true},
		{[]string{"list the files", "in this folder"}, []string{"list", "the files in", "this folder"}, true},
		{[]string{"Äpfel und Öl"}, []string{"äpfel\u00a0UND öl"}, true},
		{[]string{"yes"}, []string{" Yes\n"}, true},
		{[]string{"yes"}, []string{"no"}, false},
		{[]string{"what is 3+4?"}, []string{"what is 3-4?"}, false},
		{[]string{"a b c d"}, []string{"a b c"}, false},
		{[]string{"a b c d"}, []string{"d c b a"}, false},
		{[]string{"ab c"}, []string{"a bc"}, false},
		{[]string{"列出文件"}, []string{"列出", " 文件"}, true},
		{[]string{"列出文件"}, []string{"列出文本"}, false},
		{[]string{"a\xff b"}, []string{"a\xff  b"}, true},
	} {
		a, b := sign(c.a...), sign(c.b...)
		if (a == b) != c.same {
			t.Errorf("%q and %q: same %v", c.a, c.b, a == b)
		}
		if s := Similarity(&a, &b); c.same && s != 1 || !c.same && s > 0.1 {
			t.Errorf("%q and %q: similarity %v", c.a, c.b, s)
		}
	}
}

func TestTextWithoutWordsIsLikeNone(t *testing.T) {
	a, b := sign(), sign(" \n\u3000", "")
	if !a.IsZero() || !b.IsZero() || Similarity(&a, &b) != 0 || alike(&a, &b, 0.5) {
		t.Error("blank texts are alike")
	}
	if got := Clusters([]*Signature{&a, &b, nil}, 0.5); got != nil {
		t.Errorf("blank texts are clusters: %v", got)
	}
}

// Scripts without spaces: a changed character costs five shingles, not all.
func TestScriptsWithoutSpaces(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("請列出這個資料夾裡的所有檔案，並且說明每一個檔案的用途。", 1) + "然後把結果寫成一份報告",
		"このフォルダーの中にあるすべてのファイルを一覧にして、それぞれの用途を説明してください",
		"กรุณาแสดงรายการไฟล์ทั้งหมดในโฟลเดอร์นี้และอธิบายว่าแต่ละไฟล์มีไว้ทำอะไร",
	} {
		runes := []rune(text)
		changed := slices.Clone(runes)
		changed[len(changed)/2] = 'ж'
		a, b := sign(string(runes)), sign(string(changed))
		n := float64(len(runes) - shingle + 1)
		if got, want := Similarity(&a, &b), (n-5)/(n+5); math.Abs(got-want) > 0.12 {
			t.Errorf("%s: %.2f, want about %.2f", text, got, want)
		}
	}
}

// The estimate errs as little as the package says: the mean hardly, each by
// less than 4 standard errors.
func TestSimilarityEstimatesJaccard(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{40, 60, 200, 1000, 10_000} {
		sum, count, worst := 0.0, 0, 0.0
		for range 40 {
			a := words(r, n)
			b := slices.Clone(a)
			for range 1 + r.IntN(1+n/20) {
				b[r.IntN(n)] = "changed"
			}
			want := jaccard(a, b)
			x, y := sign(strings.Join(a, " ")), sign(strings.Join(b, " "))
			d := Similarity(&x, &y) - want
			sum, count, worst = sum+d, count+1, max(worst, math.Abs(d))
			for _, threshold := range []float64{0.3, 0.5, 0.7, 0.9} {
				if alike(&x, &y, threshold) != (Similarity(&x, &y) >= threshold) {
					t.Errorf("%d words: alike at %v differs from %v", n, threshold, Similarity(&x, &y))
				}
			}
		}
		t.Logf("%d words: mean error %.4f, worst %.3f", n, sum/float64(count), worst)
		if math.Abs(sum/float64(count)) > 0.015 || worst > 4*0.022 {
			t.Errorf("%d words: mean error %.4f, worst %.3f", n, sum/float64(count), worst)
		}
	}
}

func TestClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var sigs []*Signature
	add := func(list []string) int {
		s := sign(strings.Join(list, " "))
		sigs = append(sigs, &s)
		return len(sigs) - 1
	}
	var want [][]int
	for range 100 { // a chain of three, with others between
		first := words(r, 300)
		second := slices.Clone(first)
		copy(second[:25], words(r, 25)) // 0.85
		third := slices.Clone(second)
		copy(third[200:225], words(r, 25))
		a := add(first)
		add(words(r, 300))
		b := add(second)
		half := slices.Clone(first)
		copy(half[:120], words(r, 120)) // 0.43
		add(half)
		want = append(want, []int{a, b, add(third)})
	}
	if got := Clusters(sigs, 0.7); !reflect.DeepEqual(got, want) {
		t.Errorf("%d clusters, want %d", len(got), len(want))
	}
}

// Texts that fill few entries are found as surely as long ones.
func TestClustersOfShortTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{40, 60, 200} {
		var sigs []*Signature
		const pairs = 1000
		for range pairs {
			text := words(r, n)
			again := slices.Clone(text)
			again[0] = "changed"
			for at := 5; at < n/10; at += 5 {
				again[at] = "changed"
			}
			for _, list := range [][]string{text, again} {
				s := sign(strings.Join(list, " "))
				sigs = append(sigs, &s)
			}
		}
		if got := Clusters(sigs, 0.65); len(got) < pairs-2 {
			t.Errorf("%d words: %d of %d pairs found", n, len(got), pairs)
		}
	}
}

// Thousands of texts from one template share much; those that share more are
// still found, in a time that does not grow with the square.
func TestClustersWithinATemplate(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	template := words(r, 300)
	var sigs []*Signature
	const pairs = 2000
	for range pairs {
		text := slices.Concat(template, words(r, 300)) // 0.33 with the others
		again := slices.Clone(text)
		copy(again[570:], words(r, 30)) // 0.9
		for _, list := range [][]string{text, again} {
			s := sign(strings.Join(list, " "))
			sigs = append(sigs, &s)
		}
	}
	got := Clusters(sigs, 0.7)
	found := 0
	for _, c := range got {
		if len(c) != 2 || c[0]/2 != c[1]/2 {
			t.Fatalf("strangers are alike: %v", c)
		}
		found++
	}
	if t.Logf("%d of %d pairs found", found, pairs); found < pairs*99/100 {
		t.Errorf("%d of %d pairs found", found, pairs)
	}
}

func TestSignAllocatesNothing(t *testing.T) {
	text := strings.Repeat("Some words, größer 漢字 ", 100)
	var s Signer
	if n := testing.AllocsPerRun(10, func() {
		s.Add(text)
		_ = s.Signature()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSign(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	english := strings.Join(words(r, 20_000), " ")
	for name, text := range map[string]string{
		"short-words": english,
		"prose":       strings.Repeat("Please list all the interesting files that belong to this repository and explain them. ", 1000),
		"han":         strings.Repeat("請列出這個資料夾裡的所有檔案，並且說明每一個檔案的用途。", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			var s Signer
			for b.Loop() {
				s.Add(text)
				_ = s.Signature()
			}
		})
	}
}

// 100,000 texts, a tenth of them in pairs.
func BenchmarkClusters(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var sigs []*Signature
	for len(sigs) < 100_000 {
		text := words(r, 200)
		n := 1 + r.IntN(10)/9
		for range n {
			text = append(text, "w")
			s := sign(strings.Join(text, " "))
			sigs = append(sigs, &s)
		}
	}
	for b.Loop() {
		Clusters(sigs, 0.7)
	}
}
