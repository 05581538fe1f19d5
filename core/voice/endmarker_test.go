package voice

import (
	"testing"

	"winnow/core/chat"
)

func TestEndMarkersAreNobodysWords(t *testing.T) {
	hear := func(text string) (Voice, string) {
		var e Ear
		e.Hear(&chat.Message{Role: chat.User, Content: "Book a flight."})
		e.Hear(&chat.Message{Role: chat.Assistant, Content: "It is booked."})
		return e.Hear(&chat.Message{Role: chat.User, Content: text})
	}
	for _, text := range []string{"###STOP###", " ###STOP###\n", "###TRANSFER###", "###OUT-OF-SCOPE###", "###STOP### ###STOP###", "[DONE]", "<STOP>", "TERMINATE", "<|endoftext|>"} {
		if v, said := hear(text); v != Machine || said != "" {
			t.Errorf("%q: voice %d, %q", text, v, said)
		}
	}
	for text, want := range map[string]string{
		"Thanks! ###STOP###":               "Thanks!",
		"Yes, that is all.\n\n###STOP###":  "Yes, that is all.",
		"### Stop ###":                     "### Stop ###",
		"What does ###STOP### mean?":       "What does ###STOP### mean?",
		"###":                              "###",
		"######":                           "######",
		"set LEVEL_TERMINATE":              "set LEVEL_TERMINATE",
		"stop":                             "stop",
		"## Title ###NOT A MARKER: x###":   "## Title ###NOT A MARKER: x###",
		"The heading is ###SETUP###.":      "The heading is ###SETUP###.",
		"Is it done? [DONE] or [PENDING]?": "Is it done? [DONE] or [PENDING]?",
	} {
		if v, said := hear(text); v != Person || said != want {
			t.Errorf("%q: voice %d, %q, want %q", text, v, said, want)
		}
	}
}
