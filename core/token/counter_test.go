package token

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

func named(t testing.TB, name string) Counter {
	t.Helper()
	c, err := Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCountersKnowTheirVocabularies(t *testing.T) {
	// The first of each is from OpenAI's cookbook, How to count tokens with tiktoken.
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"cl100k_base", "antidisestablishmentarianism", 6},
		{"cl100k_base", "2 + 2 = 4", 7},
		{"cl100k_base", "お誕生日おめでとう", 9},
		{"o200k_base", "antidisestablishmentarianism", 6},
		{"o200k_base", "2 + 2 = 4", 7},
		{"o200k_base", "お誕生日おめでとう", 8},
		{"", "お誕生日おめでとう", 8},
		{"chars/4", "お誕生日おめでとう", 9},
		{"chars/4", "2 + 2 = 4", 3},
		{"o200k_base", "", 0},
		{"o200k_base", "<|endoftext|>", 7}, // text, never a mark
	} {
		if got := named(t, c.name).Count(c.text); got != c.want {
			t.Errorf("%s counts %d tokens in %q, want %d", c.name, got, c.text, c.want)
		}
	}
	if _, err := Named("o300k"); err == nil || !strings.Contains(err.Error(), "o200k_base, cl100k_base, chars/4") {
		t.Errorf("an unknown counter: %v", err)
	}
	for _, name := range Names() {
		if got := named(t, name).Name(); got != name {
			t.Errorf("%s calls itself %s", name, got)
		}
	}
	if got := named(t, "").Name(); got != Names()[0] {
		t.Errorf("the default is %s", got)
	}
}

func TestVocabularyIsNotLoadedBeforeTheFirstText(t *testing.T) {
	c := named(t, "").(*vocabulary)
	if c.Count(""); c.codec != nil || c.Truncate("text", 0) != "" || c.codec != nil {
		t.Error("loaded without need")
	}
	if c.Count("text") != 1 || c.codec == nil {
		t.Error("not loaded")
	}
}

// odd makes text of all that tokenizers take apart in ways of their own.
func odd(rng *rand.Rand, size int) string {
	units := []string{"a", "word", " word", "  ", "\n", "\r\n", "\t", "'s", "'", "'RE", "12", "3456", "é", "e\u0301", "中", "文字", "。", "，", ".", "/", "--",
		"😀", "\u3000", "A", "aB", "\xff", "\xe4\xb8", "{\"x\":", "_", "\x00", "ſ", "Ⅳ"}
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(strings.Repeat(units[rng.IntN(len(units))], 1+rng.IntN(4)))
	}
	return b.String()
}

func TestCutTextCostsWhatTheLibrarySays(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := []string{odd(rng, stretch-1), odd(rng, large)}
	for _, unit := range []string{"The quick brown fox, and so on: 12345.\n", "写一个文件，保存到硬盘上，然后再读取。", "a line\n" + strings.Repeat(" \n", 300) + "    x"} {
		texts = append(texts, strings.Repeat(unit, large/len(unit)))
	}
	for _, encoding := range []tokenizer.Encoding{tokenizer.O200kBase, tokenizer.Cl100kBase} {
		library, err := tokenizer.Get(encoding)
		if err != nil {
			t.Fatal(err)
		}
		c := named(t, string(encoding))
		for i, text := range texts {
			want, err := library.Count(text)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Count(text); got != want {
				t.Errorf("%s, text %d of %d bytes: %d tokens, the library counts %d", encoding, i, len(text), got, want)
			}
		}
	}
}

// giants are texts that have no place where a cut changes nothing, or for
// which the library alone takes minutes.
func giants() map[string]string {
	rng := rand.New(rand.NewPCG(3, 4))
	base64 := make([]byte, giant)
	for i := range base64 {
		base64[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[rng.IntN(64)]
	}
	g := map[string]string{"base64": string(base64), "A": strings.Repeat("A", large)}
	for _, unit := range []string{"a", "\n", " ", "\t\n", "  \n ", "\u3000\r\n", "写一个文件并且保存到硬盘", "-", "'", "\u0301", "😀", "\xff", "\x80"} {
		g[unit] = strings.Repeat(unit, giant/len(unit))
	}
	return g
}

// TestStretchesAreShort where the library takes quadratic time, and as long as
// they may be where nothing else stands against it.
func TestStretchesAreShort(t *testing.T) {
	for unit, most := range map[string]int{"\t\n": 2 * blankRun, "\u3000 \r\n": 2 * blankRun, "\n": stretch, "a": stretch, "中": stretch, "\x80": stretch, "one, ": stretch} {
		text := strings.Repeat(unit, 2*stretch/len(unit))
		if n := stretchOf(text); n > most || n < most/2-len(unit) || utf8.ValidString(text) != utf8.ValidString(text[:n]) {
			t.Errorf("%q is cut after %d bytes", unit, n)
		}
	}
}

func TestGiantTextsEnd(t *testing.T) {
	for _, name := range Names() {
		c := named(t, name)
		for unit, text := range giants() {
			n := c.Count(text)
			if n < len(text)/200 && unit != "\x80" || n > 3*len(text) {
				t.Errorf("%s: %d tokens in %d bytes of %q", name, n, len(text), unit)
			}
			if p := c.Truncate(text, n); n > 0 && p != text {
				t.Errorf("%s: %q was shortened to %d bytes though it costs no more than that", name, unit, len(p))
			}
			checkTruncated(t, c, text, n/2)
		}
	}
}

// checkTruncated cuts text and checks what comes out of it.
func checkTruncated(t *testing.T, c Counter, text string, tokens int) {
	t.Helper()
	p := c.Truncate(text, tokens)
	if !strings.HasPrefix(text, p) {
		t.Fatalf("%s: not a prefix", c.Name())
	}
	n := c.Count(p)
	if n > tokens {
		t.Fatalf("%s: %d tokens where %d are allowed, in %.60q", c.Name(), n, tokens, p)
	}
	if len(p) == len(text) {
		return
	}
	if r, _ := utf8.DecodeRuneInString(text[len(p):]); r != utf8.RuneError && !utf8.ValidString(text[max(len(p)-1, 0):len(p)]) && utf8.ValidString(p+string(r)) != utf8.ValidString(p) {
		t.Fatalf("%s: cut inside of a character", c.Name())
	}
	if tokens-n > 8+tokens/10 {
		t.Fatalf("%s: %d tokens where %d are allowed: %q", c.Name(), n, tokens, p)
	}
}

func TestTruncateKeepsAsManyTokensAsAllowed(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, name := range Names() {
		c := named(t, name)
		for range cases {
			text := odd(rng, 1+rng.IntN(300))
			checkTruncated(t, c, text, rng.IntN(c.Count(text)+2))
		}
		text := odd(rng, large)
		checkTruncated(t, c, text, c.Count(text)*5/6)
		for _, none := range []int{0, -1} {
			if p := c.Truncate("text", none); p != "" {
				t.Errorf("%s: %d tokens give %q", name, none, p)
			}
		}
	}
}

func TestTruncateEndsBetweenCharacters(t *testing.T) {
	for _, name := range Names() {
		c := named(t, name)
		text := strings.Repeat("𓀀é漢😀 ", 8) // several tokens for one character
		for n := range c.Count(text) {
			if p := c.Truncate(text, n); !utf8.ValidString(p) || c.Count(p) > n {
				t.Errorf("%s: %d tokens give %q", name, n, p)
			}
		}
	}
}

func TestOneCounterServesManyAtOnce(t *testing.T) {
	c := named(t, "")
	text := strings.Repeat("Several people count this text, 文字 and all. ", 50)
	counts := make([]int, 8)
	var all sync.WaitGroup
	for i := range counts {
		all.Go(func() { counts[i] = c.Count(text) })
	}
	all.Wait()
	for _, n := range counts {
		if n != counts[0] || n == 0 {
			t.Fatalf("counts differ: %v", counts)
		}
	}
}

func FuzzTruncate(f *testing.F) {
	f.Add("a text of some words", 3)
	f.Add("\xff\xfe 文字\n\n  'll", 2)
	f.Fuzz(func(t *testing.T, text string, tokens int) {
		for _, name := range Names() {
			c := named(t, name)
			p := c.Truncate(text, tokens)
			if !strings.HasPrefix(text, p) || c.Count(p) > max(tokens, 0) {
				t.Fatalf("%s: %d tokens of %q give %q", name, tokens, text, p)
			}
		}
	})
}

func BenchmarkCount(b *testing.B) {
	for _, name := range Names() {
		c := named(b, name)
		for kind, unit := range map[string]string{"code": "\tif err != nil {\n\t\treturn nil, err\n\t}\n", "chinese": "写一个文件，保存到硬盘上。", "blank": " \n"} {
			text := strings.Repeat(unit, stretch*4/len(unit))
			b.Run(name+"/"+kind, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					c.Count(text)
				}
			})
		}
	}
}
