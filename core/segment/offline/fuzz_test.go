package offline

import (
	"context"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/phrases"
	"winnow/core/segment"
)

// FuzzOffline makes messages of any bytes: a line is one, its first byte the
// role. Cuts have to cover them, at user or system messages that are not the
// first, the same whenever they are made, with nothing moved by what is
// appended but the last.
func FuzzOffline(f *testing.F) {
	for _, seed := range []string{
		"uhi\nahello\nuI want to book a flight to Rome\naDone. Anything else?\nuthanks\n",
		"u/clear\nax\nu<command-name>/clear</command-name>\nuwrite a poem\nay\n",
		"s" + strings.Repeat("rules ", 50) + "\nufix core/x.go\nacall\ntok\ns" + strings.Repeat("rules ", 50) + "\nuwrite\nadone\n",
		"u你好\na您好？\nu帮我写一个函数\na好的\nu\u202emixed \u0627\u0644\u0633\u0644\u0627\u0645\na\xff\xfe\nu\xed\xa0\x80\na\x00\n",
		"u<a-b>\nu<a_b></a_b>\nu</a-b>\nu<\nu/\nu[\nu{}\na?\n",
	} {
		f.Add(seed)
	}
	o := New()
	f.Fuzz(func(t *testing.T, text string) {
		roles := [...]chat.Role{chat.User, chat.Assistant, chat.Tool, chat.System}
		var msgs []chat.Message
		for line := range strings.Lines(text) {
			at := strings.IndexByte("uats", line[0])
			m := chat.Message{Role: roles[(at+4)%4], Content: strings.TrimSuffix(line[1:], "\n"), Timestamp: line}
			if m.Role == chat.Assistant && len(line)%3 == 0 {
				m.ToolCalls = []chat.ToolCall{{Name: line, Arguments: line}}
			}
			msgs = append(msgs, m)
		}
		if len(msgs) == 0 || len(msgs) > 200 {
			return
		}
		cut := func(from, to int) []segment.Cut {
			cuts, err := o.Cut(context.Background(), textOf(msgs[:to], from))
			if err == nil {
				err = segment.CheckCuts(cuts, from, to)
			}
			if err != nil {
				t.Fatal(err)
			}
			return cuts
		}
		whole := cut(1, len(msgs))
		for _, c := range whole[1:] {
			if r := msgs[c.Start-1].Role; r != chat.User && r != chat.System {
				t.Errorf("cut before message %d of role %s", c.Start, r)
			}
		}
		cut(len(msgs)/2+1, len(msgs))
		part := cut(1, len(msgs)/2+1)
		for i, c := range part[:len(part)-1] {
			if i < len(part)-2 && c != whole[i] || c.Start != whole[i].Start {
				t.Errorf("segment %d is %+v of %d messages, %+v of all", i, c, len(msgs)/2+1, whole[i])
			}
		}
	})
}

// TestOfflineHostile: whatever a message holds, it is looked at for a moment.
func TestOfflineHostile(t *testing.T) {
	const size = 2 << 20
	for _, unit := range []string{"x", " ", "\n", "<", "<a-b>", "word ", "字", "\xff", "\u202e", "?", "a/", "1", "{", "```", "<think>", "[Request interrupted by user", "é", "ا", "/", "हाँ "} {
		big := strings.Repeat(unit, size/len(unit))
		msgs := spoken("u: Fix the parser", "a: Done.", "u: "+big, "a: "+big, "t: "+big, "u: "+big, "a: "+big, "s: "+big, "u: Hello, I want to order a pizza", "a: ok")
		msgs[3].ToolCalls = []chat.ToolCall{{Name: big, Arguments: big}}
		for i := range msgs {
			msgs[i].Timestamp = phrases.Clip(big, 1<<20)
		}
		cuts := offlineCuts(t, msgs)
		for _, c := range cuts {
			if len(c.Topic) > 4*80 {
				t.Errorf("a topic of %d bytes", len(c.Topic))
			}
		}
	}
}
