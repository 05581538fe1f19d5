package reader

import (
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// hostile are texts that try to drive the terminal.
var hostile = map[string]string{
	"title":              "a\x1b]0;owned\x07b",
	"link":               "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\",
	"clipboard":          "\x1b]52;c;aGVsbG8=\x07",
	"clear":              "\x1b[2J\x1b[H\x1b[31mred",
	"C1":                 "\u009b2J\u009d0;x\u009c \x9b31m",
	"carriage return":    "visible\rhidden",
	"backspace":          "rm -rf\b\b\b\b\b\bls    ",
	"bidi":               "abc\u202edcb\u202c \u2066x\u2069 \u200f\u061c",
	"unterminated":       "text \x1b]0;never ends " + strings.Repeat("z", 300),
	"unterminated DCS":   "\x1bPq" + strings.Repeat("~", 100),
	"lone escape":        "end\x1b",
	"NUL":                "a\x00b\x7fc",
	"invalid":            "\xff\xfe\xf0\x28\x8c\x28",
	"tabs":               "a\tb\n\tc",
	"line separator":     "a\u2028b\u2029c\u0085d",
	"long word":          strings.Repeat("W", 1<<20),
	"markdown link":      "[x](\x1b]8;;evil\x07) **b\x1b[5mold** `co\x1b]0;t\x07de`\n\n```\n\x1b[2J\n```\n",
	"markdown entity":    "**b** &#27;[2J &#x9b;2J &#x1b;]0;x&#7; <!-- \x1b[2J -->",
	"markdown autolink":  "**b** <http://x/\u202e> http://y/%1b[2J",
	"sentinel":           "**b** \ue0f1script\ue0f2",
	"variation selector": "a\ufe0f\u200d\u200b\ufeffb\U000e0041",
}

func TestUntrustedTextNeverDrivesTheTerminal(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			m := assistant(text, chat.ToolCall{ID: text, Name: text, Arguments: text},
				chat.ToolCall{Name: "x", Arguments: `{"command":` + string(rawjson.AppendString(nil, text)) + `}`})
			m.Reasoning, m.Model, m.Timestamp = text, text, text
			failed := result(text, "Error: "+text)
			system := chat.Message{Role: chat.System, Content: strings.Repeat(text+"\n", 20)}
			mark := user(text)
			mark.Marks = chat.MarkCompaction | chat.MarkImage | chat.MarkRepaired
			p := open(t, storeOf(system, user(text), m, failed, result(text, text), mark), 70, 40)
			// open, do and lines check every screen.
			p.do(p.ToggleAllFolds())
			for range 12 {
				p.do(p.PageDown())
			}
			p.do(p.Find(text[:min(len(text), 40)]))
			p.do(p.NextHit())
			p.do(p.ClearFind())
			p.do(p.ToggleAllFolds())
			p.do(p.Bottom())
			p.do(p.Top())
		})
	}
}

func TestHostileTextStaysVisible(t *testing.T) {
	p := open(t, storeOf(user(hostile["title"]+"\n"+hostile["carriage return"]+"\n"+hostile["backspace"])), 70, 12)
	p.want("owned", "visible", "hidden", "rm -rf", "ls")
}
