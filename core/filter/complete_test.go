package filter

import (
	"slices"
	"strings"
	"testing"
)

// completed writes what is offered at the bar in a text: where it goes, what
// it is of, and the first few candidates.
func completed(t *testing.T, text string) (replaced, of string, words []string) {
	t.Helper()
	at := len([]rune(text[:strings.IndexByte(text, '|')]))
	text = strings.Replace(text, "|", "", 1)
	c := checkCompletion(t, text, at)
	of = string(c.Field)
	if c.Fields {
		of = "fields"
	}
	for _, w := range c.Words {
		words = append(words, w.Text)
	}
	return string([]rune(text)[c.From:c.To]), of + "/" + c.Prefix, words
}

func TestComplete(t *testing.T) {
	for _, c := range []struct {
		text, replaced, of string
		first              string // words that come first
		n                  int    // of all words
	}{
		{"|", "", "fields/", "status: score>= likely>= seen>= type:", len(Fields())},
		{"sc|", "sc", "fields/sc", "score>=", 1},
		{"SC|", "SC", "fields/SC", "score>=", 1},
		{"sco|re>=0.8", "score>=", "fields/sco", "score>=", 1},
		{"score|>=0.8", "score>=", "fields/score", "score>= score< score> score<= score= score!=", 6},
		{"score|", "score", "fields/score", "score>= score< score> score<= score= score!=", 6},
		{"score>|", "score>", "fields/score>", "score>= score>", 2},
		{"score>|=0.8", "score>=", "fields/score>", "score>= score>", 2},
		{"score>=|", "score>=", "fields/score>=", "score>=", 1},
		{"score>=0|", "0", "/0", "", 0},
		{"score>=0|.8", "0.8", "/0", "", 0},
		{"reviewed|", "reviewed", "fields/reviewed", "reviewed>= reviewed<", 6},
		{"reviewed>=y|", "y", "/y", "yesterday", 2},
		{"after|", "after", "fields/after", "after:", 1},
		{"after:|", "", "/", "today yesterday 12h 7d 4w", 5},
		{"-ha|", "ha", "fields/ha", "has:", 1},
		{"(has:er|)", "er", "has/er", "error", 1},
		{"has:|", "", "has/", "think tools error", 11},
		{"has:think,|", "", "has/", "think tools error", 11},
		{"has:think,er|", "er", "has/er", "error", 1},
		{"has:th|ink,error", "think", "has/th", "think", 1},
		{"type:CO|", "CO", "type/CO", "code", 1},
		{"type：co|", "co", "type/co", "code", 1},
		{`type:"co|"`, `"co"`, "type/co", "code", 1},
		{"type:e|", "e", "type/e", "code research other", 3},
		{"metric.|", "metric.", "fields/metric.", "metric.tool_success>= metric.recovery>=", 15},
		{"loops|", "loops", "fields/loops", "metric.no_loops>=", 1},
		{"metric.no_loops|", "metric.no_loops", "fields/metric.no_loops", "metric.no_loops>= metric.no_loops<", 6},
		{"metric.no_loops<|", "metric.no_loops<", "fields/metric.no_loops<", "metric.no_loops< metric.no_loops<=", 2},
		{"tool:ter|", "ter", "tool/ter", "", 0},
		{"tool:a,ter|m,b", "term", "tool/ter", "", 0},
		{"topic:|", "", "topic/", "", 0},
		{`topic:"docker c|`, `"docker c`, "topic/docker c", "", 0},
		{`topic:"docker c|ompose" type:code`, `"docker compose"`, "topic/docker c", "", 0},
		{`topic:"docker| type:code`, `"docker`, "topic/docker", "", 0},
		{`topic:"say \"hi|`, `"say \"hi`, `topic/say "hi`, "", 0},
		{`topic:"a,b|",c`, `"a,b"`, "topic/a,b", "", 0},
		{`topic:"a,b",c|`, "c", "topic/c", "", 0},
		{"topic:“docker c|", "“docker c", "topic/docker c", "", 0},
		{"scroe:|", "", "/", "", 0},
		{`"connection ref|`, "", "/", "", 0},
		{`"connection |refused" sc`, "", "/", "", 0},
		{`"connection refused" sc|`, "sc", "fields/sc", "score>=", 1},
		{"connection| refused", "connection", "fields/connection", "", 0},
		{"type:code |", "", "fields/", "status: score>=", len(Fields())},
		{"type:code | score>=0.8", "", "fields/", "status: score>=", len(Fields())},
		{"type:code (|", "", "fields/", "status: score>=", len(Fields())},
		{"type:code (|)", "", "fields/", "status: score>=", len(Fields())},
		{"type:code -|", "", "fields/", "status: score>=", len(Fields())},
		{"|type:code", "type:", "fields/", "status: score>=", len(Fields())},
		{"你好 ty|", "ty", "fields/ty", "type: metric.clarity>=", 2},
		{"12:30|", "12:30", "fields/12:30", "", 0},
	} {
		replaced, of, words := completed(t, c.text)
		if replaced != c.replaced || of != c.of || len(words) != c.n || !strings.HasPrefix(strings.Join(words, " "), c.first) {
			t.Errorf("%s: %q takes the place of %q as %s; want %q of %d, %q as %s",
				c.text, words, replaced, of, c.first, c.n, c.replaced, c.of)
		}
	}
}

// TestCandidatesAreAccepted puts each candidate in its place.
func TestCandidatesAreAccepted(t *testing.T) {
	for _, text := range []string{"", "-(sc", "type:c", "has:think,e", "metric.", "score", "reviewed", "reviewed>="} {
		runes := []rune(text)
		c := checkCompletion(t, text, len(runes))
		if len(c.Words) == 0 {
			t.Errorf("%q: nothing is offered", text)
		}
		for _, w := range c.Words {
			whole := string(runes[:c.From]) + w.Text + string(runes[c.To:])
			if strings.Contains(text, "(") {
				whole += "0.5)"
			}
			last, _ := strings.CutPrefix(whole, "-(")
			if info, ok := Lookup(strings.TrimRight(strings.SplitN(last, ".", 2)[0], ":<>=!")); ok && strings.ContainsAny(last[len(last)-1:], ":<>=") {
				whole = strings.TrimSuffix(whole, last) + last + value(info)
			}
			if w.Text == "metric." {
				continue
			}
			if _, err := Parse(whole, testOptions()); err != nil {
				t.Errorf("%q: %q is offered, which gives %q: %v", text, w.Text, whole, err)
			}
		}
	}
}

// value is one that a field takes.
func value(info Info) string {
	switch {
	case info.Field.unit():
		return "0.5"
	case info.Kind == Number:
		return "5"
	case info.Kind == Day:
		return "2026"
	case info.Kind == Enum:
		return info.Values[0]
	case info.Kind == ID:
		return "3f2a"
	}
	return "x"
}

// TestCompletionAtEveryPlace only must not fail.
func TestCompletionAtEveryPlace(t *testing.T) {
	texts := []string{"a\\", `"\`, `topic:"a\`, "“”„＂", "score ：： ", "-- ((", "type:,,,", "metric.....", "\xff\xfe"}
	for _, c := range accepted() {
		texts = append(texts, c.text)
	}
	for _, c := range refused() {
		texts = append(texts, c.text)
	}
	for _, text := range texts {
		for i := range len([]rune(text)) + 1 {
			checkCompletion(t, text, i)
		}
		Complete(text, -1)
		Complete(text, len(text)+5)
	}
}

func TestQuote(t *testing.T) {
	for v, want := range map[string]string{
		"terminal": "terminal", "two words": `"two words"`, "a,b": `"a,b"`, `a"b`: `"a\"b"`, "": `""`, `C:\x`: `C:\x`,
		`C:\my x\`: `"C:\my x\\"`, "你好": "你好", "'x'": `"'x'"`, "a*": `"a*"`, "(x)": `"(x)"`, "//x": `"//x"`, "a\tb": "\"a\tb\"",
	} {
		if got := Quote(v); got != want {
			t.Errorf("Quote(%q) = %s, want %s", v, got, want)
		}
		if v == "" {
			continue
		}
		n, err := Parse("tool:"+want, testOptions())
		if err != nil || !slices.Equal(Conjuncts(n), []Node{Term{Field: Tool, Op: Is, Value: v}}) {
			t.Errorf("tool:%s is %s, %v", want, dump(n), err)
		}
	}
}
