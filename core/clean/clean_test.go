package clean

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json/jsontext"
)

func TestText(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain":             {"a b\nc", "a b\nc"},
		"escape sequence":   {"\x1b[2Jx", "␛[2Jx"},
		"title and bell":    {"\x1b]0;pwned\a", "␛]0;pwned␇"},
		"carriage return":   {"10%\r20%\r\n", "10%␍20%␍\n"},
		"NUL, DEL, VT, FF":  {"\x00\x7f\v\f", "␀␡␋␌"},
		"C1 as a character": {"\u009b2J", "<U+009B>2J"},
		"C1 as raw byte":    {"\x9b2J", "\uFFFD2J"},
		"next line":         {"\u0085", "<U+0085>"},
		"cut character":     {"é"[:1] + "x", "\uFFFDx"},
		"surrogate bytes":   {"\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},
		"replacement":       {"\uFFFD", "\uFFFD"},
		"bidi":              {"a\u202eb\u2066c\u200fd\u061ce", "a<U+202E>b<U+2066>c<U+200F>d<U+061C>e"},
		"zero width":        {"a\u200bb\u200cc\u200dd\u2060e", "a<U+200B>b<U+200C>c<U+200D>d<U+2060>e"},
		"BOM":               {"\uFEFFa", "<U+FEFF>a"},
		"line separator":    {"a\u2028b\u2029c", "a<U+2028>b<U+2029>c"},
		"tag characters":    {"\U000E0001\U000E0041", "<U+E0001><U+E0041>"},
		"annotation":        {"\uFFF9a\uFFFAb\uFFFB", "<U+FFF9>a<U+FFFA>b<U+FFFB>"},
		"private use":       {"\uE0B0", "<U+E0B0>"},
		"not a character":   {"\uFFFE\U0010FFFF", "<U+FFFE><U+10FFFF>"},
		"soft hyphen":       {"a\u00adb", "a<U+00AD>b"},
		"invisible letter":  {"\u3164\u115f", "<U+3164><U+115F>"},
		"Chinese":           {"写一个 Docker 文件，好吗？「是」", "写一个 Docker 文件，好吗？「是」"},
		"family":            {"👨\u200d👩\u200d👧\u200d👦", "👨\u200d👩\u200d👧\u200d👦"},
		"heart on fire":     {"❤️\u200d🔥", "❤️\u200d🔥"},
		"skin tone":         {"👩🏽\u200d💻", "👩🏽\u200d💻"},
		"keycap":            {"1️⃣", "1️⃣"},
		"warning sign":      {"⚠️ ok ✅", "⚠️ ok ✅"},
		"flag":              {"🇩🇪", "🇩🇪"},
		"selector alone":    {"a\ufe0f", "a<U+FE0F>"},
		"hidden selectors":  {"😀\U000E0101\U000E0102", "😀\U000E0101<U+E0102>"},
		"joiner at the end": {"😀\u200d", "😀<U+200D>"},
		"Persian":           {"می\u200cخواهم", "می\u200cخواهم"},
		"Hindi":             {"क्\u200dष नमस्ते", "क्\u200dष नमस्ते"},
		"accent":            {"e\u0301", "e\u0301"},
	} {
		if got := Text(c.in); got != c.want {
			t.Errorf("%s: Text(%q) = %q, want %q", name, c.in, got, c.want)
		}
	}
}

// variationBases are characters of Unicode's emoji-variation-sequences.txt, all
// of those below U+1F000. Digits, # and * are left out: they are shown with a
// selector only in a keycap.
const variationBases = "©®‼⁉™ℹ↔↕↖↗↘↙↩↪⌚⌛⌨⏏⏩⏪⏫⏬⏭⏮⏯⏰⏱⏲⏳⏸⏹⏺Ⓜ▪▫▶◀◻◼◽◾☀☁☂☃☄☎☑☔☕☘☝☠☢☣☦☪☮☯☸☹☺♀♂" +
	"♈♉♊♋♌♍♎♏♐♑♒♓♟♠♣♥♦♨♻♾♿⚒⚓⚔⚕⚖⚗⚙⚛⚜⚠⚡⚧⚪⚫⚰⚱⚽⚾⛄⛅⛈⛏⛑⛓⛔⛩⛪⛰⛱⛲⛳⛴⛵⛷⛸⛹⛺⛽✂✈✉✌✍✏✒✔✖✝✡✨✳✴❄❇❌❎❓❔❕❗❣❤➕➖➗➡➰➿" +
	"⤴⤵⬅⬆⬇⬛⬜⭐⭕〰〽㊗㊙🀄🅰🅱🅾🅿🈂🈚🈯🈷🌍🌎🌏🌕🌜🌡🌤🌥🌦🌧🌨🌩🌪🌫🌬🌶🍸🍽🎓🎖🎗🎙🎚🎛🎞🎟🎧🎬🎭🎮🏂🏄🏆🏊🏋🏌🏍🏎🏔🏕🏖🏗🏘🏙🏚🏛🏜🏝🏞🏟🏠🏭🏳🏵🏷" +
	"🐈🐕🐟🐦🐿👁👂👆👇👈👉👍👎👓👪👽💣💰💳💻💿📋📚📟📤📥📦📪📫📬📭📷📹📺📻📽🔈🔍🔒🔓🕉🕊🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛🕜🕝🕞🕟🕠🕡🕢🕣🕤🕥🕦🕧🕯🕰🕳🕴🕵🕶🕷🕸🕹🖇🖊🖋🖌🖍🖐🖥🖨🖱🖲🖼🗂🗃🗄🗑🗒🗓🗜🗝🗞🗡🗣🗨🗯🗳🗺" +
	"😐🚇🚍🚑🚔🚘🚭🚲🚹🚺🚼🛋🛍🛎🛏🛠🛡🛢🛣🛤🛥🛩🛰🛳"

func TestEveryEmojiMayHaveASelector(t *testing.T) {
	for _, r := range variationBases {
		for _, selector := range "\uFE0E\uFE0F" {
			for _, s := range []string{string(r) + string(selector), "a " + string(r) + string(selector) + "b"} {
				if got := Text(s); got != s {
					t.Errorf("Text(%q) = %q", s, got)
				}
			}
		}
	}
}

func TestTabsGoToTheNextStopByCells(t *testing.T) {
	for _, c := range []struct {
		tab      int
		in, want string
	}{
		{8, "\ta", "        a"},
		{8, "abc\td", "abc     d"},
		{8, "12345678\t9", "12345678        9"},
		{4, "a\tb\tc", "a   b   c"},
		{4, "ab\n\tc", "ab\n    c"},
		{8, "中文\tx", "中文    x"},
		{8, "😀\tx\ty", "😀      x       y"},
		{8, "\x1b\tx", "␛       x"},
		{0, "a\tb", "a b"},
	} {
		if got := TextTabs(c.in, c.tab); got != c.want {
			t.Errorf("TextTabs(%q, %d) = %q, want %q", c.in, c.tab, got, c.want)
		}
	}
}

func TestCarets(t *testing.T) {
	for text, want := range map[string]string{"plain 字": "plain 字", "␀␛[31m␡": "^@^[[31m^?", "␤": "␤"} {
		if got := Carets(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                    "",
		"plain  text ":        "plain  text ",
		"a\nb":                "a b",
		"a \r\n\t b":          "a b",
		"\n a":                "a",
		"a\n":                 "a",
		"a\u2028b":            "a b",
		" \n ":                "",
		"  a":                 "  a",
		"a\tb\x1b[31m":        "a b␛[31m",
		"写\n一个\u202e":         "写 一个<U+202E>",
		"trailing\v\f":        "trailing",
		"an error:\n\tdetail": "an error: detail",
	} {
		if got := Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestJSONKeepsTheValue(t *testing.T) {
	src := "{\"a\": \"x\u009b\u202e\U000E0041 é 😀 \x7f\",\r\n\t\"b\": [1.0, \"\\u001b[2J\"]}"
	got := string(JSON([]byte("> "), []byte(src)))
	want := "> {\"a\": \"x\\u009b\\u202e\\udb40\\udc41 é 😀 \\u007f\", \n\t\"b\": [1.0, \"\\u001b[2J\"]}"
	if got != want {
		t.Fatalf("got  %q\nwant %q", got, want)
	}
	a, b := jsontext.Value(src), jsontext.Value(got[2:])
	if a.Canonicalize() != nil || b.Canonicalize() != nil || string(a) != string(b) {
		t.Errorf("the value changed:\n%s\n%s", a, b)
	}
}

// TestJSONHoldsNothingInvisible: each character that a terminal may obey, or that
// shows nothing, is an escape wherever it stands, and the value is the same.
func TestJSONHoldsNothingInvisible(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		hidden := r == 0x7F || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
		if !hidden {
			continue
		}
		for _, s := range []string{string(r), "👩" + string(r) + "💻", "क" + string(r) + "ष", "❤" + string(r)} {
			quoted, err := jsontext.AppendQuote(nil, s)
			if err != nil {
				t.Fatal(err)
			}
			safe := JSON(nil, quoted)
			if strings.ContainsRune(string(safe), r) {
				t.Fatalf("%U stands in %s", r, safe)
			}
			if back, err := jsontext.AppendUnquote(nil, safe); err != nil || string(back) != s {
				t.Fatalf("%s is %q, not %q: %v", safe, back, s, err)
			}
		}
	}
}

// The fast ranges must not let anything through that the tables would stop.
func TestPlainRangesHoldOnlyVisibleCharacters(t *testing.T) {
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r += step {
		if plain(r) && (!visible(r) || glues(r) || joins(r) || unicode.Is(unicode.Variation_Selector, r)) {
			t.Fatalf("plain(%U) but it is not", r)
		}
	}
}

func TestEveryCharacterAloneIsSafe(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r += step {
		if utf8.ValidRune(r) {
			for _, s := range []string{string(r), "a" + string(r) + "b", "😀" + string(r) + "😀"} {
				mustBeSafe(t, Text(s))
			}
		}
	}
}

func TestCellsStaySmall(t *testing.T) {
	for _, s := range []string{
		"e" + strings.Repeat("\u0301", 1000), strings.Repeat("👩\u200d", 1000), "👍" + strings.Repeat("🏻", 1000),
		strings.Repeat("क्", 1000), strings.Repeat("ᄀ", 1000), strings.Repeat("\u0d4e", 1000),
	} {
		mustBeSafe(t, Text(s))
	}
}

// mustBeSafe fails if s holds anything that may not reach a terminal.
func mustBeSafe(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("invalid UTF-8: %q", s)
	}
	for _, r := range s {
		forbidden := unicode.Is(unicode.Cc, r) && r != '\n' || unicode.In(r, unicode.Cs, unicode.Co, unicode.Zl, unicode.Zp) ||
			unicode.Is(unicode.Cf, r) && r != zwj && r != zwnj || r >= 0xE0000 && r < 0xE0100
		if forbidden {
			t.Fatalf("%U in %q", r, s)
		}
	}
	for rest := s; rest != ""; {
		cell, _ := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
		if n := utf8.RuneCountInString(cell); n > 2*maxGlued+2 {
			t.Fatalf("a cell of %d characters: %q", n, cell)
		}
		rest = rest[len(cell):]
	}
	if again := Text(s); again != s {
		t.Fatalf("cleaned twice differs:\n%q\n%q", s, again)
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{
		"", "a\tb\x1b[2J\u009b\x9b", "👨\u200d👩\u200d👧\u200d", "می\u200cخواهم\u202e", "1\ufe0f\u20e3", "\xf0\x9f", "中\t文\r\n",
		strings.Repeat("\u0301", 20) + "\u200d\u0301", strings.Repeat("क्\u200d", 9) + "ष",
	} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, cut int) {
		text := Text(s)
		mustBeSafe(t, text)
		line := Line(s)
		mustBeSafe(t, line)
		if strings.ContainsRune(line, '\n') || Line(line) != line {
			t.Fatalf("Line(%q) = %q", s, line)
		}
		if cut = max(cut, 0); cut < len(s) {
			mustBeSafe(t, Text(s[:cut]))
			mustBeSafe(t, Text(s[cut:]))
		}
		quoted, _ := jsontext.AppendQuote(nil, s)
		safe := JSON(nil, quoted)
		if back, err := jsontext.AppendUnquote(nil, safe); err != nil || string(back) != strings.ToValidUTF8(s, "\uFFFD") && utf8.ValidString(s) {
			t.Fatalf("JSON(%s) = %s: %v", quoted, safe, err)
		}
		mustBeSafe(t, string(safe))
	})
}

func TestNothingToDoAllocatesNothing(t *testing.T) {
	s := strings.Repeat("plain text, 中文 and émojis 😀\n", 100)
	line := strings.ReplaceAll(s, "\n", " ")
	if n := testing.AllocsPerRun(10, func() { Text(s); Line(line) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkText(b *testing.B) {
	for name, unit := range map[string]string{
		"ascii": "a line of a log, as long as lines of logs are\n", "chinese": "写一个 Docker compose 文件，然后运行它。\n",
		"tabs": "\tcol\tcol\t中\n", "escapes": "\x1b[31mred\x1b[0m\n", "hindi": "नमस्ते दुनिया\n",
	} {
		s := strings.Repeat(unit, 1<<20/len(unit))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Text(s)
			}
		})
	}
}
