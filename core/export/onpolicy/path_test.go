package onpolicy_test

import (
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/export/onpolicy"
	"winnow/core/review"
)

// talk makes messages of words: a letter for the role, and the text after it.
func talk(words string) (list []chat.Message) {
	roles := map[byte]chat.Role{'s': chat.System, 'u': chat.User, 'a': chat.Assistant, 'c': chat.User}
	for i, w := range strings.Fields(words) {
		m := chat.Message{N: i + 1, Role: roles[w[0]], Content: w}
		if w[0] == 'c' {
			m.Marks = chat.MarkCompaction
		}
		list = append(list, m)
	}
	return list
}

func change(n, part int, op edit.Op, word string) edit.Edit {
	e := edit.Edit{Place: edit.Place{N: n, Part: part}, Op: op, Why: edit.Fix}
	if op != edit.Drop {
		e.Message = talk(word)[0]
	}
	return e
}

// short writes rows as words, what trains with a star and what is sampled only with
// a plus.
func short(rows []onpolicy.Row) string {
	var lines []string
	for _, r := range rows {
		var words []string
		for _, m := range r.Messages {
			w := m.Content
			switch {
			case m.Train:
				w += "*"
			case m.Sampled:
				w += "+"
			}
			words = append(words, w)
		}
		if r.Unknown {
			words = append(words, "?")
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, " | ")
}

func TestRows(t *testing.T) {
	own := func(words string, edits ...edit.Edit) onpolicy.Part {
		return onpolicy.Part{Recorded: talk(words), Edits: edits, Own: true}
	}
	kept := func(p onpolicy.Part, c ...review.Context) onpolicy.Part {
		p.Contexts = c
		return p
	}
	waits := change(2, 0, edit.Set, "u9")
	waits.Clash = true
	for name, c := range map[string]struct {
		parts    []onpolicy.Part
		from, to int // approved, 0: all
		masked   int
		sealed   string
		want     string
	}{
		"all of it":                  {parts: []onpolicy.Part{own("s u1 a1 u2 a2 u3")}, want: "s u1 a1* u2 a2*"},
		"a later segment":            {parts: []onpolicy.Part{own("s u1 a1 u2 a2 u3")}, from: 4, to: 5, want: "s u1 a1+ u2 a2*"},
		"an earlier segment":         {parts: []onpolicy.Part{own("s u1 a1 u2 a2 u3")}, from: 1, to: 3, want: "s u1 a1*"},
		"switched off":               {parts: []onpolicy.Part{own("u1 a1 u2 a2")}, masked: 2, want: "u1 a1+ u2 a2*"},
		"a prompt is mended":         {parts: []onpolicy.Part{own("u1 a1 u2 a2", change(3, 0, edit.Set, "u9"))}, want: "u1 a1*"},
		"an answer is mended":        {parts: []onpolicy.Part{own("u1 a1 u2 a2 u3 a3", change(4, 0, edit.Set, "a9"))}, want: "u1 a1*"},
		"a message is dropped":       {parts: []onpolicy.Part{own("u1 a1 u2 a2", change(3, 0, edit.Drop, ""))}, want: "u1 a1*"},
		"one is put in":              {parts: []onpolicy.Part{own("u1 a1 u2 a2", change(2, 1, edit.Add, "u9"))}, want: "u1 a1*"},
		"one is put in front":        {parts: []onpolicy.Part{own("u1 a1 u2 a2", change(0, 1, edit.Add, "s9"))}, want: ""},
		"an edit that waits":         {parts: []onpolicy.Part{own("u1 a1 u2 a2", waits)}, want: "u1 a1* u2 a2*"},
		"sealed":                     {parts: []onpolicy.Part{own("u1 a1 u2 a2")}, sealed: "u2", want: "u1 a1*"},
		"sealed at the beginning":    {parts: []onpolicy.Part{own("u1 a1 u2 a2")}, sealed: "u1", want: ""},
		"a compaction":               {parts: []onpolicy.Part{own("s u1 a1 c u2 a2")}, want: "s u1 a1* | s c u2 a2* ?"},
		"one that kept something":    {parts: []onpolicy.Part{kept(own("s u1 a1 u2 a2 c u3 a3"), review.Context{N: 6, Known: true, Keeps: [][2]int{{4, 5}}})}, want: "s u1 a1* u2 a2* | s u2 a2 c u3 a3*"},
		"one that kept nothing":      {parts: []onpolicy.Part{kept(own("u1 a1 c u2 a2"), review.Context{N: 3, Known: true})}, want: "u1 a1* | c u2 a2*"},
		"one that kept the begin":    {parts: []onpolicy.Part{kept(own("u1 a1 c u2 a2"), review.Context{N: 3, Known: true, Keeps: [][2]int{{1, 2}}})}, want: "u1 a1* | u1 a1+ c u2 a2*"},
		"without a mark":             {parts: []onpolicy.Part{kept(own("s u1 a1 u2 a2"), review.Context{N: 4, Known: true})}, want: "s u1 a1* | s u2 a2*"},
		"mended before a compaction": {parts: []onpolicy.Part{own("u1 a1 c u2 a2", change(1, 0, edit.Set, "u9"))}, want: "c u2 a2* ?"},
		"mended in what was kept": {parts: []onpolicy.Part{kept(own("u1 a1 c u2 a2", change(1, 0, edit.Set, "u9")), review.Context{N: 3, Known: true, Keeps: [][2]int{{1, 1}}})},
			want: ""},
		"the system message is gone": {parts: []onpolicy.Part{own("s u1 a1 c u2 a2", change(1, 0, edit.Drop, ""))}, want: ""},
		"it begins with a summary":   {parts: []onpolicy.Part{own("s c u1 a1")}, want: "s c u1 a1*"},
		"one that is listed":         {parts: []onpolicy.Part{kept(own("c u1 a1"), review.Context{N: 1})}, want: "c u1 a1*"},
		"listed after the system's":  {parts: []onpolicy.Part{kept(own("s c u1 a1"), review.Context{N: 2})}, want: "s c u1 a1*"},
		"a branch begins with one":   {parts: []onpolicy.Part{{Recorded: talk("s u1 a1")}, kept(own("c u2 a2"), review.Context{N: 1})}, want: "s c u2 a2* ?"},
		"a branch":                   {parts: []onpolicy.Part{{Recorded: talk("s u1 a1")}, own("u2 a2")}, want: "s u1 a1+ u2 a2*"},
		"a branch of what is redacted": {parts: []onpolicy.Part{{Recorded: talk("s u1 a1"), Edits: []edit.Edit{change(2, 0, edit.Set, "u9")}}, own("u2 a2")},
			want: ""},
		"a branch after a compaction": {parts: []onpolicy.Part{{Recorded: talk("s u1 a1 c"), Contexts: []review.Context{{N: 4, Known: true, Keeps: [][2]int{{3, 3}}}}}, own("u2 a2")},
			want: "s a1 c u2 a2*"},
	} {
		t.Run(name, func(t *testing.T) {
			judge := func(n int) (int, bool) { return 0, n != c.masked && (c.to == 0 || n >= c.from && n <= c.to) }
			rows := onpolicy.Lay(c.parts...).Rows(judge, func(m *chat.Message) bool { return m.Content == c.sealed }, false)
			var full []onpolicy.Row
			lost := false
			for _, r := range rows {
				lost = lost || len(r.Lost) > 0
				if len(r.Messages) > 0 {
					full = append(full, r)
				}
			}
			if got := short(full); got != c.want || lost != (c.sealed != "") {
				t.Errorf("got  %q, lost %v\nwant %q", got, lost, c.want)
			}
		})
	}
}

// Each node trains once, whichever session it is met in first.
func TestClaim(t *testing.T) {
	all := func(int) (int, bool) { return 0, true }
	none := func(*chat.Message) bool { return false }
	trained := onpolicy.Trained{}
	for _, c := range [][2]string{
		{"u1 a1 u2 a2", "u1 a1* u2 a2*"}, {"u1 a1 u2 a3", "u1 a1+ u2 a3*"}, {"u1 a1 u2 a2", ""}, {"u1 a1 u2 a2 u3 a1", "u1 a1+ u2 a2+ u3 a1*"}, {"u2 a2", "u2 a2*"},
	} {
		rows := onpolicy.Lay(onpolicy.Part{Recorded: talk(c[0]), Own: true}).Rows(all, none, false)
		trained.Claim(&rows[0])
		if got := short(rows); got != c[1] {
			t.Errorf("%s gives %q, want %q", c[0], got, c[1])
		}
	}
}
