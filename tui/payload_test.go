package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// payloads are texts that try to do something to a terminal.
var payloads = []struct{ name, text string }{
	{"title", "\x1b]0;owned\x07"}, {"title of C1", "\u009d0;owned\u009c"}, {"title of bytes", "\x9d0;owned\x9c"},
	{"link", "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\"},
	{"clipboard", "\x1b]52;c;aGVsbG8=\x07"}, {"clipboard asked", "\x1b]52;c;?\x1b\\"},
	{"DCS", "\x1bP$q\"p\x1b\\"}, {"DCS of C1", "\u0090+q544e\u009c"}, {"APC", "\x1b_Gf=100;\x1b\\"}, {"PM", "\x1b^x\x1b\\"}, {"SOS", "\x1bXx\x1b\\"},
	{"CSI", "\x1b[2J\x1b[H\x1b[31m\x1b[6n\x1b[?1049l\x1b[?25l"}, {"CSI of C1", "\u009b2J"}, {"CSI of a byte", "\x9b2J"},
	{"RIS", "\x1bc"}, {"shift out", "\x0e\x0f\x1b(0"},
	{"carriage return", "seen\rhidden"}, {"backspace", "rm -rf\b\b\b\b\b\bls"}, {"lines", "a\nb\r\nc\u2028d\u2029e\x85f\u0085g\vh\fi"},
	{"tab", "a\tb"}, {"bell", "\a\a"}, {"NUL", "a\x00b\x7f"},
	{"bidi", "abc\u202edcb\u202c \u2066x\u2069 \u200f\u061c\u200e"}, {"zero width", "a\u200b\u200c\u200d\u2060\ufeff\u00ad\u034fb"},
	{"tags", "a\U000e0041\U000e007fb"}, {"private", "\ue0f1\U000f0000"}, {"interlinear", "\ufff9a\ufffab\ufffb"},
	{"invalid", "\xff\xfe\xf0\x28\x8c\x28\xc0\xaf\xed\xa0\x80"}, {"lone escape", "end\x1b"},
	{"unterminated", "\x1b]0;never ends " + strings.Repeat("z", 300)}, {"unterminated CSI", "\x1b[38;5;"},
	{"marks", "Z" + strings.Repeat("\u0301", 200)}, {"one word", strings.Repeat("W", 1<<20/slower)},
}

// longestPayload is how many bytes a payload has at most that every state is tried
// with; longer ones are tried with those that lay out text of any length.
const longestPayload = 1 << 12

var layOut = map[string]bool{
	"list": true, "reader-unfolded": true, "reader-found": true, "reasons": true, "failed": true, "filter-values": true, "note": true,
	"statistics": true, "ledger-bytes": true, "export-outcome": true, "boundaries-machine": true, "question": true,
}

// checkBytes fails unless what goes to the terminal is printable characters,
// styles and newlines only.
func checkBytes(t *testing.T, content string) {
	t.Helper()
	for i := 0; i < len(content); {
		r, n := utf8.DecodeRuneInString(content[i:])
		rest := content[i:]
		switch {
		case r == utf8.RuneError && n <= 1:
			t.Fatalf("a byte that is no character: %q", near(content, i))
		case r == '\n':
		case r == '\x1b':
			end := strings.IndexFunc(rest[1:], func(r rune) bool { return r != '[' && r != ';' && r != ':' && (r < '0' || r > '9') })
			if !strings.HasPrefix(rest, "\x1b[") || end < 0 || rest[1+end] != 'm' {
				t.Fatalf("a sequence that is no style: %q", near(content, i))
			}
			n = end + 2
		case unicode.IsControl(r), r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x61c,
			r == 0x200b, r == 0x2060, r == 0xfeff, r == 0x2028, r == 0x2029, r >= 0xe0000 && r <= 0xe0fff && r < 0xe0100, r >= 0xfff9 && r <= 0xfffb:
			t.Fatalf("%U on the screen: %q", r, near(content, i))
		}
		i += n
	}
}

func near(s string, i int) string { return s[max(0, i-40):min(len(s), i+40)] }

// TestHostileTextEverywhere: whatever texts of sessions, curators, files and
// errors hold, no screen sends a terminal anything but what it draws. Short
// payloads are told together, every text beginning with another one.
func TestHostileTextEverywhere(t *testing.T) {
	var short []string
	for _, p := range payloads {
		if len(p.text) <= 64 {
			short = append(short, p.text)
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			hostile(t, func(string) string { return p.text }, len(p.text) > longestPayload)
		})
	}
	for turn := range max(1, 4/slower) {
		t.Run(fmt.Sprint("short ", turn), func(t *testing.T) {
			t.Parallel()
			hostile(t, func(s string) string {
				at := (len(s) + turn*len(short)/4) % len(short)
				return strings.Join(append(slices.Clone(short[at:]), short[:at]...), "")
			}, false)
		})
	}
}

// hostile looks at the states, or those that lay out long texts, with payloads
// around all texts. If it takes a part of the states, it takes others for other
// payloads.
func hostile(t *testing.T, payload func(string) string, few bool) {
	made := map[string]string{}
	say := func(s string) string {
		if _, ok := made[s]; !ok {
			p := payload(s)
			made[s] = p + s + p
		}
		return made[s]
	}
	for i, st := range states() {
		if few && layOut[st.name] && i%slower == 0 || !few && (i+len(payload("")))%apart == 0 {
			checkHarmless(t, st, say, payload("pasted"))
		}
	}
}

// checkHarmless looks at a state at several sizes.
func checkHarmless(t *testing.T, st state, say say, paste string) {
	t.Helper()
	at := st.name
	defer func() {
		if t.Failed() {
			t.Log("of the state", at)
		}
	}()
	x := enact(t, st, 100, 30, say)
	check := func(what string) {
		at = st.name + ", " + what
		v := x.app.View()
		if !utf8.ValidString(v.WindowTitle) || strings.ContainsFunc(v.WindowTitle, unicode.IsControl) {
			t.Fatalf("the window is called %q", v.WindowTitle)
		}
		checkBytes(t, v.Content)
		checkFits(t, v.Content, x.app.W, x.app.H)
	}
	check("as it is")
	for _, size := range [][2]int{{200, 60}, {40, 10}} {
		x.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		check(fmt.Sprint(size))
		x.press("G")
		check(fmt.Sprint(size, " at the end"))
	}
	x.send(tea.PasteMsg{Content: paste})
	check("pasted")
}
