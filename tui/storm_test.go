package tui

import (
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	room "winnow/tui/review"
)

// wideTexts are what counts of cells go wrong with.
var wideTexts = []string{
	"把数据库迁移到新的服务器", "👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 ❤️", "e\u0301o\u0308n\u0303", "한국어 조합", "ｆｕｌｌ", "ไทย ภาษา", "a\tb", "\u200b\u2060", "𝕏𝔸", "ＡＢ",
}

// wide says a text with wide and combining characters in it.
func wide(s string) string {
	w := wideTexts[len(s)%len(wideTexts)]
	return w + s + w
}

// TestResizeStorms: at any size, whatever is on the screen, there are as many
// lines as the terminal has, and none is wider.
func TestResizeStorms(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 9))
	moves := strings.Fields("j k g G pgdown tab j J K")
	for i, st := range states() {
		seed := random.Uint64()
		if i%apart != 0 {
			continue
		}
		t.Run(st.name, func(t *testing.T) {
			t.Parallel()
			t.Logf("seed %d", seed)
			r := rand.New(rand.NewPCG(seed, 1))
			for _, variant := range []struct {
				say   say
				ascii bool
			}{{wide, false}, {plain, true}} {
				x := enact(t, st, 80, 24, variant.say, func(o *Options) { o.ASCII = variant.ascii })
				sizes := 60
				if layOut[st.name] {
					sizes = 250
				}
				for i := range sizes / slower {
					w, h := 1+r.IntN(300), 1+r.IntN(100)
					if i%3 == 0 {
						w, h = 1+r.IntN(60), 1+r.IntN(15)
					}
					x.send(tea.WindowSizeMsg{Width: w, Height: h})
					checkFits(t, x.app.View().Content, w, h)
					if i%5 == 4 {
						x.press(moves[r.IntN(len(moves))])
						checkFits(t, x.app.View().Content, w, h)
					}
				}
			}
		})
	}
}

// checkFits fails unless a screen has h lines, none of them wider than w.
func checkFits(t *testing.T, content string, w, h int) {
	t.Helper()
	n := 0
	for l := range strings.SplitSeq(content, "\n") {
		n++
		if wide := ansi.StringWidth(l); wide > w {
			t.Fatalf("%d×%d: a line of %d cells: %q", w, h, wide, ansi.Strip(l))
		}
	}
	if n > h || n < h && w >= room.MinWidth && h >= room.MinHeight {
		t.Fatalf("%d×%d: %d lines:\n%s", w, h, n, ansi.Strip(content))
	}
}
