package reader

import (
	"charm.land/lipgloss/v2"

	"winnow/core/chat"
	"winnow/core/digest"
	"winnow/themes"
	"winnow/tui/draw"
	"winnow/tui/reader/sheet"
)

// inks are the roles a row is drawn with.
type inks struct {
	text, muted, border, code, thinking, tool, match, current draw.Ink
	failed, exit, added, removed, stale                       draw.Ink
	roles, titles                                             map[chat.Role]draw.Ink
	looks                                                     [droppedBlock + 1]look         // of blocks
	lines                                                     [sheet.AddedLines + 1]draw.Ink // of the lines of sections
	pieces                                                    [digest.Thought + 1]draw.Ink
}

// look is what a kind of block is drawn with.
type look struct{ label, brief, text draw.Ink }

func inksOf(s themes.Styles) inks {
	ink := draw.InkOf
	k := inks{
		text: ink(s.Text), muted: ink(s.Muted), border: ink(s.Border), code: ink(s.Code), thinking: ink(s.Thinking), tool: ink(s.Tool),
		match:   ink(s.Match.Bold(false).Underline(true).UnderlineSpaces(true)),
		current: ink(s.Text.Reverse(true).Bold(true)),
		failed:  ink(s.Error), exit: ink(s.Warning), added: ink(s.Approved), removed: ink(s.Rejected), stale: ink(s.Stale),
		roles: map[chat.Role]draw.Ink{}, titles: map[chat.Role]draw.Ink{},
	}
	for role, style := range map[chat.Role]lipgloss.Style{chat.User: s.User, chat.Assistant: s.Assistant, chat.System: s.System, chat.Tool: s.Tool} {
		k.roles[role], k.titles[role] = ink(style), ink(style.Bold(true))
	}
	k.looks = [...]look{
		textBlock:     {text: k.text},
		thinkingBlock: {k.thinking, k.muted, k.thinking},
		callBlock:     {k.titles[chat.Tool], k.text, k.code},
		resultBlock:   {k.tool, k.muted, k.text},
		markBlock:     {k.muted, k.muted, k.text},
		linkBlock:     {k.titles[chat.Assistant], k.text, k.text},
		staleBlock:    {k.stale, k.text, k.text},
		scoreBlock:    {k.muted, k.muted, k.text},
		digestBlock:   {k.text, k.text, k.text},
		droppedBlock:  {k.muted, k.muted, k.muted},
	}
	k.lines = [...]draw.Ink{
		sheet.PlainLines: k.text, sheet.TitleLines: k.tool, sheet.JSONLines: k.text, sheet.StringLines: k.text, sheet.NoteLines: k.muted,
		sheet.ContextLines: k.text, sheet.RemovedLines: k.removed, sheet.AddedLines: k.added,
	}
	k.pieces = [...]draw.Ink{
		digest.Plain: k.text, digest.Muted: k.muted, digest.User: k.titles[chat.User], digest.Agent: k.titles[chat.Assistant], digest.System: k.titles[chat.System],
		digest.Tool: k.tool, digest.Code: k.text, digest.Added: k.added, digest.Removed: k.removed, digest.Passed: k.added, digest.Exit: k.exit, digest.Failed: k.failed, digest.Thought: k.thinking,
	}
	return k
}

// glyphs are the drawn signs; the ASCII set is for terminals that draw the
// others two cells wide.
type glyphs struct {
	folded, open, result, failed, rule, accent, dot, more, minus, edited, wall string
	ascii                                                                      bool
}

func glyphsOf(ascii bool) glyphs {
	if ascii {
		return glyphs{folded: ">", open: "v", result: "<", failed: "x", rule: "-", accent: "|", dot: "-", more: "~", minus: "-", edited: "E", wall: "|", ascii: true}
	}
	return glyphs{folded: "▸", open: "▾", result: "◂", failed: "✗", rule: "─", accent: "▌", dot: "·", more: "…", minus: "−", edited: "✎", wall: "│"}
}
