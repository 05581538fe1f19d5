package phrases

import (
	"fmt"
	"slices"
	"testing"
)

func TestSeams(t *testing.T) {
	p := Seams()
	for _, c := range []struct {
		text  string
		sense Sense
		leads bool
		want  bool
	}{
		{"Hi! Can you help?", Greeting, true, true},
		{"  «Hello, there»", Greeting, true, true},
		{"history of Rome", Greeting, false, false},
		{"I'd like this", Ask, true, true},
		{"I’d like this", Ask, true, true},
		{"the order arrived", Ask, false, false},
		{"It broke. Order a new one.", Ask, false, true},
		{"No puedo entrar", Ack, false, false},
		{"No, gracias", Ack, true, true},
		{"no", Ack, true, true},
		{"不可能的任务", Ack, true, false},
		{"不，换一个", Ack, true, true},
		{"請問，你能幫忙嗎", Ask, false, true},
		{"예약하고 싶어요", Ack, true, false},
		{"예약하고 싶어요", Ask, false, true},
		{"мне нужно помощь", Ask, true, true},
		{"That is all, bye", Closing, true, true},
	} {
		f := p.Find(Plain(c.text, 240))
		got := f.Has(c.sense)
		if c.leads {
			got = f.Leads(c.sense)
		}
		if got != c.want {
			t.Errorf("%q: sense %d is %v, want %v", c.text, c.sense, got, c.want)
		}
	}
}

// TestLexiconPhrases: an entry that could never be found is a mistake.
func TestLexiconPhrases(t *testing.T) {
	p := Seams()
	for _, row := range readSeams() {
		seen := map[string]bool{}
		for name, list := range row.Phrases {
			s := slices.Index(senseNames[:], name)
			if s < 0 {
				t.Errorf("%s: no sense is called %q", row.Name, name)
				continue
			}
			for _, entry := range list {
				name := fmt.Sprint(s, entry)
				text := Plain(entry, 100)
				if f := p.Find(text); !f.Leads(Sense(s)) {
					t.Errorf("%s: %q is not found in itself", row.Name, entry)
				}
				if seen[name] {
					t.Errorf("%s: %q stands twice", row.Name, entry)
				}
				seen[name] = true
			}
		}
	}
}

func TestWithoutOpening(t *testing.T) {
	p := Seams()
	for in, want := range map[string]string{
		"Hi there! I need a hotel.": "I need a hotel.", "你好，我想订房": "我想订房", "Hello": "Hello", "History of Rome": "History of Rome", "": "",
		"Guten Tag, ich brauche Hilfe": "ich brauche Hilfe", "Hey, /tmp/x is full": "/tmp/x is full", "ΆΒΓ": "ΆΒΓ",
		"Perfect. New task: sort it": "sort it", "Thanks! One more thing: rename it": "rename it", "perfect squares": "perfect squares",
		"one more issue I have seen": "one more issue I have seen", "Thanks!": "Thanks!",
	} {
		if got := p.WithoutOpening(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
