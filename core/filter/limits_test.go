package filter

import (
	"errors"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // not every system has it
)

// TestLimits reads what is too large, and what just is not.
func TestLimits(t *testing.T) {
	long := strings.Repeat("x", maxText)
	for _, c := range []struct {
		name, text, wrong string
		column            int
	}{
		{"as long as may be", long, "", 0},
		{"too long", long + "x", "the expression is longer than 64 KiB", maxText + 1},
		{"too long in characters of three bytes", strings.Repeat("长", maxText/3+1), "the expression is longer than 64 KiB", maxText/3 + 1},
		{"too long when printed", "“" + strings.Repeat(`"`, maxText-10) + "x”", "the expression is longer than 64 KiB", maxText - 7},
		{"as deep as may be", strings.Repeat("(", maxDepth) + "a" + strings.Repeat(")", maxDepth), "", 0},
		{"too deep", strings.Repeat("(", maxDepth+1) + "a" + strings.Repeat(")", maxDepth+1), "more than 200 nested parentheses", maxDepth + 1},
		{"too deep, negated", strings.Repeat("-(", maxDepth+1) + "a", "more than 200 nested parentheses", 2*maxDepth + 2},
		{"many groups side by side", strings.Repeat("(a) ", 400), "", 0},
		{"many negations", strings.Repeat("not ", 10_000) + "a", "", 0},
		{"as many terms as may be", strings.Repeat("a ", maxTerms), "", 0},
		{"too many terms", strings.Repeat("a ", maxTerms+1), "more than 500 terms", 2*maxTerms + 1},
		{"too many values", "tag:a" + strings.Repeat(",a", maxTerms), "more than 500 terms", 5 + 2*maxTerms},
	} {
		n, err := Parse(c.text, testOptions())
		if c.wrong == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			} else {
				checkTree(t, n)
			}
			continue
		}
		var e *Error
		if !errors.As(err, &e) || e.Text != c.wrong || e.Column != c.column {
			t.Errorf("%s: %.80s, want %d, %s", c.name, err, c.column, c.wrong)
		} else {
			checkError(t, c.text, e)
		}
	}
}

// TestOddCharacters reads what no keyboard types.
func TestOddCharacters(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a\xffb", "column 2: this is no text in UTF-8: write it anew, or paste it from somewhere else"},
		{"你\xe4\xbd", "column 2: this is no text in UTF-8: write it anew, or paste it from somewhere else"},
		{"a\uFFFDb", "word<a\uFFFDb>"},
		{"a\x00b", "word<a\x00b>"},
		{"topic:a\x00b", "topic : a\x00b"},
		{"topic:\"\x1b[31m\"", "topic : \x1b[31m"},
		{"a\nb\u3000c\u00a0d", "and(word<a>, word<b>, word<c>, word<d>)"},
		{"\"a\n\tb\u3000c\"", "phrase<a b c>"},
		{"\x1b[31mscroe:1", "word<\x1b[31mscroe:1>"},
		{"x\u202E:1", "word<x\u202E:1>"},
		{"type:\u202Ecode", `column 6: unknown value "\u202ecode" of type: known are code, data, research, writing, math, ops, qa, chat, other`},
		{"score>=\x1b[31m1", `column 8: "\x1b[31m1" is no number: write one, as in score>=0.8`},
	} {
		n, err := Parse(c.text, testOptions())
		got := dump(n)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("Parse(%q)\n got %q\nwant %q", c.text, got, c.want)
		}
		checkParse(t, c.text)
	}
}

// TestDatesFollowTheZone reads days where clocks are changed.
func TestDatesFollowTheZone(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		zone       *time.Location
		text, want string
	}{
		{nil, "after:2026-03-29", "after = [2026-03-29T00:00:00 to 2026-03-30T00:00:00]"},
		{nil, "after:today", "after = [2026-03-30T00:00:00 to 2026-03-31T00:00:00]"},
		{zone, "after:2026-03-29", "after = [2026-03-28T23:00:00 to 2026-03-29T22:00:00]"},
		{zone, "after:today", "after = [2026-03-29T22:00:00 to 2026-03-30T22:00:00]"},
		{zone, "after:yesterday", "after = [2026-03-28T23:00:00 to 2026-03-29T22:00:00]"},
		{zone, "after:2d", "after = [2026-03-28T11:00:00 to 2026-03-28T11:00:01]"},
		{zone, "after:48h", "after = [2026-03-28T10:00:00 to 2026-03-28T10:00:01]"},
		{zone, "after:2026-03-29T03:30", "after = [2026-03-29T01:30:00 to 2026-03-29T01:31:00]"},
	} {
		n, err := Parse(c.text, Options{Now: time.Date(2026, 3, 30, 10, 0, 0, 0, time.UTC), Zone: c.zone})
		if err != nil || dump(n) != c.want {
			t.Errorf("Parse(%q) = %s, %v, want %s", c.text, dump(n), err, c.want)
		}
	}
}

// TestWithoutAClock says that nobody told the time.
func TestWithoutAClock(t *testing.T) {
	for _, text := range []string{"after:today", "after:7d"} {
		if n, err := Parse(text, Options{}); err == nil {
			t.Errorf("Parse(%q) = %s", text, dump(n))
		}
	}
}

// TestFields checks that every field is registered once, with an example that
// is one, in the form in which it is printed.
func TestFields(t *testing.T) {
	seen := map[Field]bool{}
	for _, f := range Fields() {
		if seen[f.Field] || f.Help == "" || f.Kind == Enum && len(f.Values) < 2 {
			t.Errorf("%+v", f)
		}
		seen[f.Field] = true
		n := parsed(t, f.Example)
		if term, ok := n.(Term); !ok || term.Field != f.Field || Print(n) != f.Example {
			t.Errorf("%s: %s is %s", f.Field, f.Example, dump(n))
		}
		if got, ok := Lookup(string(f.Field)); !ok || got.Field != f.Field {
			t.Errorf("Lookup(%s) = %+v, %v", f.Field, got, ok)
		}
	}
	for _, f := range []Field{Status, Score, Likely, Seen, Type, Topic, Agent, Model, Format, File, Session, Tool, Tag, Note, Reviewer, Cut, Flag, Turns, Messages,
		Tokens, ToolCalls, ToolFails, Errors, Exits, After, Before, Reviewed, Came, IDField, Metric, Has, Edit, Compression} {
		if !seen[f] {
			t.Errorf("%s is not registered", f)
		}
	}
	if _, ok := Lookup("nothing"); ok || len(seen) != 34 {
		t.Errorf("%d fields", len(seen))
	}
}
