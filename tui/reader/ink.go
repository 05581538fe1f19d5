package reader

import (
	"strings"

	"charm.land/lipgloss/v2"

	"winnow/core/chat"
	"winnow/themes"
)

// ink is a style compiled to what stands before and behind a text: rows are
// made of many small pieces, and a full style costs microseconds for each.
type ink struct{ on, off string }

// inkOf compiles the colours and attributes of a style.
func inkOf(s lipgloss.Style) ink {
	const probe = "x"
	on, off, ok := strings.Cut(s.Render(probe), probe)
	if !ok {
		return ink{}
	}
	return ink{on, off}
}

// draw returns text in this ink. Text is clean and holds no line feed.
func (i ink) draw(text string) string {
	if text == "" || i.on == "" {
		return text
	}
	return i.on + text + i.off
}

// inks are the roles a row is drawn with.
type inks struct {
	text, muted, border, code, thinking, tool, match, current ink
	failed, added, removed, stale                             ink
	syntax                                                    codeInks
	roles                                                     map[chat.Role]ink
	titles                                                    map[chat.Role]ink
}

func inksOf(s themes.Styles) inks {
	bold := func(st lipgloss.Style) ink { return inkOf(st.Bold(true)) }
	return inks{
		text: inkOf(s.Text), muted: inkOf(s.Muted), border: inkOf(s.Border), code: inkOf(s.Code),
		thinking: inkOf(s.Thinking), tool: inkOf(s.Tool), match: inkOf(s.Match.Bold(false).Underline(true).UnderlineSpaces(true)),
		current: inkOf(s.Text.Reverse(true).Bold(true)),
		failed:  inkOf(s.Error), added: inkOf(s.Approved), removed: inkOf(s.Rejected), stale: inkOf(s.Stale),
		syntax: codeInksOf(s),
		roles: map[chat.Role]ink{
			chat.User: inkOf(s.User), chat.Assistant: inkOf(s.Assistant),
			chat.System: inkOf(s.System), chat.Tool: inkOf(s.Tool),
		},
		titles: map[chat.Role]ink{
			chat.User: bold(s.User), chat.Assistant: bold(s.Assistant),
			chat.System: bold(s.System), chat.Tool: bold(s.Tool),
		},
	}
}

// glyphs are the drawn signs; the ASCII set is for terminals that draw the
// others two cells wide.
type glyphs struct {
	folded, open, result, failed, rule, accent, dot, more string
}

func glyphsOf(ascii bool) glyphs {
	if ascii {
		return glyphs{folded: ">", open: "v", result: "<", failed: "x", rule: "-", accent: "|", dot: "-", more: "~"}
	}
	return glyphs{folded: "▸", open: "▾", result: "◂", failed: "✗", rule: "─", accent: "▌", dot: "·", more: "…"}
}
