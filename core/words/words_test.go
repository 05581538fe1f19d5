package words

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/core/chat"
)

func wordsOf(text string) []string {
	var s Set
	s.Add(text)
	return strings.Fields(string(s.Bytes()))
}

func TestWordsOfText(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		"Hello, hello World 2":      "hello world 2",
		"foo_bar-baz.qux":           "foo bar baz qux",
		"/src/a.go:17":              "src a go 17",
		"connection\nrefused":       "connection refused",
		`{"cmd":"ls\nfoo"}`:         "cmd ls nfoo foo",
		`C:\temp\new`:               "c temp emp new ew",
		"登录失败":                      "登录 录失 失败 败",
		"登":                         "登",
		"使用Go语言，很好":                 "使用 用 go 语言 言 很好 好",
		"カタカナ・ひらがな":                 "カタ タカ カナ ナ ひら らが がな な",
		"ｶﾞｲﾄﾞ":                     "ガイ イド ド",
		"か\u3099":                   "が",
		"한국어 텍스트":                   "한국 국어 어 텍스 스트 트",
		"สวัสดี":                    "สว วั ัส สด ดี ี",
		"Café CAFÉ cafe\u0301 cafe": "cafe",
		"Straße ΣΊΣΥΦΟΣ σίσυφος ЁЖ":        "straße σισυφοσ ёж",
		"ＡＢＣ１２３":                           "abc123",
		"naïve Ångström ŁÓDŹ":              "naive angstrom łodz",
		"ship it 🚀🎉 done":                  "ship it 🚀 🎉 done",
		"👍🏽 ❤️":                            "👍 ❤",
		"\x1b[31mERROR\x1b[0m: \x1b[1mbad": "error bad",
		"a\x00b\xffc":                      "a b c",
		"│ box ─ ✓ ok":                     "box ✓ ok",
		"deadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef": "deadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef",
		"toolu_01AbCdEfGhIjKlMnOpQrStUv":                                   "toolu 01abcdefghijklmnopqrstuv",
		strings.Repeat("Xy", 40):                                           strings.Repeat("xy", 32),
	} {
		if got := strings.Join(wordsOf(text), " "); got != want {
			t.Errorf("%q has the words\n%q, want\n%q", text, got, want)
		}
	}
}

func TestASetForgetsWhatItHeld(t *testing.T) {
	var s Set
	for round := range 3 {
		for i := range 5000 {
			s.Add(fmt.Sprint("w", round, "x", i, " the"))
		}
		if s.Len() != 5001 || len(strings.Fields(string(s.Bytes()))) != 5001 {
			t.Fatalf("round %d: %d words", round, s.Len())
		}
		s.Reset()
		if s.Len() != 0 || len(s.Bytes()) != 0 {
			t.Fatalf("round %d: %d words are left", round, s.Len())
		}
	}
	s.round = ^uint32(0) // after four thousand million rounds
	s.Add("the")
	s.Reset()
	if s.Add("the"); s.Len() != 1 {
		t.Errorf("%d words", s.Len())
	}
}

func TestEncodedDataIsLeftOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 60000)
	for i := range data {
		data[i] = byte(rng.Uint32())
	}
	text := base64.StdEncoding.EncodeToString(data)
	var lines, escaped strings.Builder
	for at := 0; at < len(text); at += 76 {
		part := text[at:min(len(text), at+76)]
		lines.WriteString(part + "\n")
		escaped.WriteString(part + `\n`)
	}
	for name, body := range map[string]string{
		"one line": text, "lines": lines.String(), "escaped lines": escaped.String(),
		"url": base64.RawURLEncoding.EncodeToString(data),
	} {
		got := wordsOf("before " + body + " behind it")
		if len(got) > 40 || !slices.Contains(got, "before") || !slices.Contains(got, "behind") {
			t.Errorf("%s: %d words of %d bytes: %q", name, len(got), len(body), got[:min(len(got), 40)])
		}
	}
	hex := fmt.Sprintf("%x %x", data[:32], data[100:132])
	if got := wordsOf(hex); len(got) != 2 {
		t.Errorf("hashes: %q", got)
	}
	path := "/Users/Ann/Library/CloudStorage/Projects2026/MyApplication/src/main/java/com/example/service/impl/UserServiceImpl/" +
		"ConfigurationManagerFactoryBean2/AbstractSingletonProxyFactoryBeanTest3/TheEnd"
	if got := wordsOf(path); !slices.Contains(got, "theend") || !slices.Contains(got, "userserviceimpl") {
		t.Errorf("a path: %q", got)
	}
}

func TestArgumentsAreReadAsWhatTheyMean(t *testing.T) {
	m := chat.Message{Content: "hello", Reasoning: "because", Name: "bash", ToolCalls: []chat.ToolCall{{
		Name: "write_file", Arguments: `{"text":"a\nline\u4e2d\u6587 \ud83d\ude80 \"quoted\" \/etc\/hosts \ud83d x\u00e9","odd":"\q\`,
	}}}
	var s Set
	s.AddMessage(&m)
	got := strings.Fields(string(s.Bytes()))
	for _, want := range strings.Fields("hello because bash write file a line 中文 🚀 quoted etc hosts xe") {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
	q, err := NewQuery("line中文 🚀 \"QUOTED\"", false)
	if err != nil {
		t.Fatal(err)
	}
	if f := (Finder{Query: q}); !f.InMessage(&m) {
		t.Error("what the arguments say is not found in them")
	}
}

func TestQueries(t *testing.T) {
	for _, c := range []struct {
		value  string
		prefix bool
		want   string // words, "prefix*", "!" if the text has to be looked at
	}{
		{"Connection", false, "connection"},
		{"conn", true, "conn*"},
		{"connection refused", false, "connection refused !"},
		{"connection ref", true, "connection ref* !"},
		{"foo_bar", false, "bar foo !"},
		{"/src/a.go", false, "a go src !"},
		{"登录", false, "登录"},
		{"登录", true, "登录"},
		{"登", false, "登*"},
		{"登录失", false, "录失 登录 !"},
		{"用Go", false, "go 用* !"},
		{"C++", false, "c !"},
		{"🚀", false, "🚀"},
		{"  padded ", false, "padded"},
		{strings.Repeat("ab", 40), false, strings.Repeat("ab", 32) + " !"},
		{"foo-", true, "foo !"},
	} {
		q, err := NewQuery(c.value, c.prefix)
		if err != nil {
			t.Errorf("%q: %v", c.value, err)
			continue
		}
		got := slices.Clone(q.Words)
		if q.Prefix != "" {
			got = append(got, q.Prefix+"*")
		}
		if !q.Sure {
			got = append(got, "!")
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: %q, want %q", c.value, s, c.want)
		}
	}
	for _, value := range []string{"", "  ", "++", "—", "\x1b[31m"} {
		if _, err := NewQuery(value, false); !errors.Is(err, ErrNoWord) {
			t.Errorf("%q: %v", value, err)
		}
	}
}

func TestWhatIsInAText(t *testing.T) {
	for _, c := range []struct {
		value, text string
		prefix, in  bool
	}{
		{"connection refused", "dial tcp: Connection\n\t refused.", false, true},
		{"connection refused", "connection was refused", false, false},
		{"connection refused", "connection refusedly", false, false},
		{"connection refus", "connection refused", false, false},
		{"connection refus", "connection refused", true, true},
		{"connection refused", `{"e":"connection\nrefused"}`, false, true},
		{"connection refused", `{"e":"connection\\n  refused"}`, false, true},
		{"connection refused", "connection \x1b[31mrefused\x1b[0m", false, true},
		{"error:", "\x1b[31merror\x1b[0m: no", false, true},
		{"foo_bar", "x.FOO_BAR()", false, true},
		{"foo_bar", "foo bar", false, false},
		{"foo_bar", "foo_bars", false, false},
		{"foo_bar", "my_foo_bar", false, true},
		{"/src/a.go", "open /src/a.go: no", false, true},
		{"/src/a.go", "open /src/a.gox: no", false, false},
		{`C:\temp`, `open c:\TEMP\x`, false, true},
		{"emp", `open c:\temp`, false, true},
		{"café", "CAFE", false, true},
		{"登录失败", "用户登录失败了", false, true},
		{"登录", "登，录", false, false},
		{"go语言", "学GO语言吧", false, true},
		{"go语言", "学ergo语言吧", false, false},
		{"a b", "a\u3000b", false, true},
		{"ab", "a\x1b[1mb", false, false},
		{"登录", "登\x1b[1m录", false, false},
		{"登\x1b[1m录", "登\x1b[1m录", false, true},
		{"go语言", "\x1b[1mGo\x1b[0m语言", false, true},
	} {
		q, err := NewQuery(c.value, c.prefix)
		if err != nil {
			t.Fatal(err)
		}
		f := Finder{Query: q}
		if got := f.In(c.text); got != c.in {
			t.Errorf("%q in %q: %v", c.value, c.text, got)
		}
		if c.in && !holds(wordsOf(c.text), &q) {
			t.Errorf("%q: the words %q of %q don't lead to it", c.value, wordsOf(c.text), c.text)
		}
	}
}

// holds reports whether a set of words is one that a query asks for.
func holds(set []string, q *Query) bool {
	for _, w := range q.Words {
		if !slices.Contains(set, w) {
			return false
		}
	}
	return q.Prefix == "" || slices.ContainsFunc(set, func(w string) bool { return strings.HasPrefix(w, q.Prefix) })
}

// What is in a text is found by its words, and what is sure is in the text.
func FuzzWhatIsInATextIsFoundByItsWords(f *testing.F) {
	for _, text := range []string{
		"Hello, World", "登录失败 at /src/a.go", `a\nb C:\temp`, "x\x1b[31my", "cafe\u0301 ｶﾞ", "foo_bar👍🏽",
		"สวัสดี 한국어", strings.Repeat("é", 40), "ab\xff\xfecd", "İıſK", "ดี\x1b한", "登\x1b[1m录\x1b\u0e35a\x1b\u0301b", "\u1100\u1161\u11a8", "a\u0300\u0301b", "0 \u03450",
	} {
		f.Add(text, 0, 5, false)
		f.Add(text, 2, 9, true)
	}
	// What is kept of a longer word is no sure find.
	f.Add(strings.Repeat("0", Longest+1), 0, Longest, false)
	f.Add(strings.Repeat("0", Longest-3)+"𐐨", 0, Longest-3, false)
	f.Fuzz(func(t *testing.T, text string, from, to int, prefix bool) {
		if from < 0 || to > len(text) || from > to {
			return
		}
		var s Set
		s.Add(text)
		set := strings.Fields(string(s.Bytes()))
		if len(set) != s.Len() {
			t.Fatalf("%d words are %q", s.Len(), set)
		}
		seen := map[string]bool{}
		for _, w := range set {
			if seen[w] || len(w) > Longest || !utf8.ValidString(w) {
				t.Fatalf("word %q", w)
			}
			seen[w] = true
		}
		q, err := NewQuery(text[from:to], prefix)
		if err != nil {
			return
		}
		found := (&Finder{Query: q}).In(text)
		if found && s.blobEnd < 0 && !holds(set, &q) {
			t.Fatalf("%q is in %q, but not found by %q %q* among %q", text[from:to], text, q.Words, q.Prefix, set)
		}
		if q.Sure && !found && holds(set, &q) {
			t.Fatalf("%q is found by %q %q* among %q, but not in %q", text[from:to], q.Words, q.Prefix, set, text)
		}
	})
}

func BenchmarkSet(b *testing.B) {
	text := strings.Repeat("func (s *Set) Add(text string) { // the words of a text, 12345 and so on\n\treturn errors.New(\"no such file\")\n", 600)
	var s Set
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s.Reset()
		s.Add(text)
	}
}

func BenchmarkIn(b *testing.B) {
	text := strings.Repeat("func (s *Set) Add(text string) { // the words of a text, 12345 and so on\n\treturn errors.New(\"no such file\")\n", 600)
	q, _ := NewQuery("connection refused", false)
	f := Finder{Query: q}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		f.In(text)
	}
}
