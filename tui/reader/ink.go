package reader

import (
	"charm.land/lipgloss/v2"

	"winnow/core/chat"
	"winnow/themes"
	"winnow/tui/draw"
)

// inks are the roles a row is drawn with.
type inks struct {
	text, muted, border, code, thinking, tool, match, current draw.Ink
	failed, added, removed, stale                             draw.Ink
	roles                                                     map[chat.Role]draw.Ink
	titles                                                    map[chat.Role]draw.Ink
}

func inksOf(s themes.Styles) inks {
	bold := func(st lipgloss.Style) draw.Ink { return draw.InkOf(st.Bold(true)) }
	return inks{
		text: draw.InkOf(s.Text), muted: draw.InkOf(s.Muted), border: draw.InkOf(s.Border), code: draw.InkOf(s.Code),
		thinking: draw.InkOf(s.Thinking), tool: draw.InkOf(s.Tool), match: draw.InkOf(s.Match.Bold(false).Underline(true).UnderlineSpaces(true)),
		current: draw.InkOf(s.Text.Reverse(true).Bold(true)),
		failed:  draw.InkOf(s.Error), added: draw.InkOf(s.Approved), removed: draw.InkOf(s.Rejected), stale: draw.InkOf(s.Stale),
		roles: map[chat.Role]draw.Ink{
			chat.User: draw.InkOf(s.User), chat.Assistant: draw.InkOf(s.Assistant),
			chat.System: draw.InkOf(s.System), chat.Tool: draw.InkOf(s.Tool),
		},
		titles: map[chat.Role]draw.Ink{
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
