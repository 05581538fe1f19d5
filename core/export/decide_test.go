package export

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/similar"
)

// rowSaying is a row of a sample that says a text.
func rowSaying(id, session, text string) row {
	var signer similar.Signer
	sig := signer.Sign(text)
	sum := sha256.Sum256([]byte(text))
	return row{sample: id, session: session, score: math.NaN(), text: &sig, messages: imprint(sum[:16])}
}

func scored(r row, score float64) row {
	r.score = score
	return r
}

func typed(r row, name string) row {
	r.taskType = name
	return r
}

// told writes verdicts down: the check that leaves a sample out, or "stays".
func told(verdicts []verdictOfRow) string {
	var words []string
	for _, v := range verdicts {
		word := v.left.Check
		if word == "" {
			word = "stays"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// text is n words of which the first are shared by texts of one kind.
func textOf(kind string, n, shared int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("%s%d", kind[:1], i)
		if i >= shared {
			words[i] = fmt.Sprintf("%s%d", kind, i)
		}
	}
	return strings.Join(words, " ")
}

func TestDedupe(t *testing.T) {
	same, near, other := textOf("a", 200, 200), textOf("ab", 200, 190), textOf("ac", 200, 80)
	for _, c := range []struct {
		name   string
		dedupe Dedupe
		rows   []row
		want   string
	}{
		{"the first of equal ones stays", DedupeExact,
			[]row{rowSaying("1", "a", same), rowSaying("2", "b", same), rowSaying("3", "c", near)}, "stays duplicate stays"},
		{"the best score stays", DedupeExact,
			[]row{rowSaying("1", "a", same), scored(rowSaying("2", "b", same), 0.1), scored(rowSaying("3", "c", same), 0.9)}, "duplicate duplicate stays"},
		{"near ones are told from equal ones", DedupeNear,
			[]row{rowSaying("1", "a", same), rowSaying("2", "b", near), rowSaying("3", "c", same), rowSaying("4", "d", other)}, "stays near_duplicate duplicate stays"},
		{"the best of the near ones stays", DedupeNear,
			[]row{scored(rowSaying("1", "a", same), 0.5), scored(rowSaying("2", "b", near), 0.7), scored(rowSaying("3", "c", same), 0.6)}, "duplicate stays near_duplicate"},
		{"not asked for", DedupeNone, []row{rowSaying("1", "a", same), rowSaying("2", "b", same)}, "stays stays"},
	} {
		got := decide(c.rows, &Options{Dedupe: c.dedupe})
		if told(got) != c.want {
			t.Errorf("%s: %s, want %s", c.name, told(got), c.want)
		}
	}
}

func TestDedupeNamesWhatStays(t *testing.T) {
	got := decide([]row{rowSaying("first", "a", "x"), rowSaying("second", "b", "x")}, &Options{Dedupe: DedupeExact})
	if want := (Finding{Check: OutDuplicate, Detail: "the same messages as sample first"}); got[1].left != want {
		t.Errorf("%+v", got[1].left)
	}
}

func TestBalance(t *testing.T) {
	rows := func(types ...string) []row {
		var list []row
		for i, name := range types {
			list = append(list, typed(row{sample: fmt.Sprint(i)}, name))
		}
		return list
	}
	best := rows("qa", "code", "code", "code")
	best[2], best[3] = scored(best[2], 0.2), scored(best[3], 0.9)
	ids := rows("code", "code", "code")
	ids[0].sample = "9"
	for _, c := range []struct {
		name    string
		balance Balance
		rows    []row
		want    string
	}{
		{"even", Balance{Even: true}, rows("code", "code", "qa", "code", "qa"), "stays stays stays balance stays"},
		{"even, the best stay", Balance{Even: true}, best, "stays balance balance stays"},
		{"even leaves out what was not scored", Balance{Even: true}, rows("code", "", "qa"), "stays balance stays"},
		{"even, all not scored", Balance{Even: true}, rows("", ""), "balance balance"},
		{"most", Balance{Most: 1}, rows("code", "code", "qa", "", ""), "stays balance stays stays balance"},
		{"ties by id", Balance{Most: 1}, ids, "balance stays balance"},
		{"shares", Balance{Shares: map[string]float64{"code": 0.75, "qa": 0.25}},
			rows("code", "code", "code", "code", "qa", "qa", "math", ""), "stays stays stays stays stays balance balance balance"},
		{"shares that nothing meets", Balance{Shares: map[string]float64{"code": 0.5, "qa": 0.5}}, rows("code", "code"), "balance balance"},
		{"none", Balance{}, rows("code", ""), "stays stays"},
	} {
		if got := told(decide(c.rows, &Options{Balance: c.balance})); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// The options work on what those before them left: duplicates, then types,
// then the limit.
func TestDecisionsInOrder(t *testing.T) {
	text := func(i int) string { return textOf(fmt.Sprint(i), 50, 50) }
	rows := []row{
		typed(rowSaying("1", "a", text(1)), "code"), typed(rowSaying("2", "b", text(1)), "code"), typed(rowSaying("3", "c", text(2)), "code"),
		typed(rowSaying("4", "d", text(3)), "code"), typed(rowSaying("5", "e", text(4)), "qa"), typed(rowSaying("6", "f", text(5)), "qa"),
	}
	got := decide(rows, &Options{Dedupe: DedupeExact, Balance: Balance{Even: true}, Selection: Selection{Limit: 3}})
	if want := "stays duplicate stays balance stays limit"; told(got) != want {
		t.Errorf("%s, want %s", told(got), want)
	}
}

// What a training record says makes it the same, not the ids that a recorder
// made up.
func TestSameMessages(t *testing.T) {
	ask := func(change func([]chat.Message)) imprint {
		messages := []chat.Message{user("u"), calls("c1", "c2"), result("c1", "x"), result("c2", "y"), says("done")}
		change(messages)
		s := sampleOf(messages...)
		hf.Prepare(s)
		return printOf(s)
	}
	first := ask(func([]chat.Message) {})
	for _, c := range []struct {
		name   string
		same   bool
		change func([]chat.Message)
	}{
		{"other ids", true, func(m []chat.Message) {
			m[1], m[2].ToolCallID, m[3].ToolCallID = calls("77", "5"), "77", "5"
		}},
		{"other source lines", true, func(m []chat.Message) { m[0].SourceLine, m[4].NativeID = 7, "x" }},
		{"results swapped", false, func(m []chat.Message) { m[2].ToolCallID, m[3].ToolCallID = "c2", "c1" }},
		{"other answer", false, func(m []chat.Message) { m[4].Content = "failed" }},
		{"other reasoning", false, func(m []chat.Message) { m[4].Reasoning = "hm" }},
		{"other arguments", false, func(m []chat.Message) { m[1].ToolCalls[0].Arguments = `{"x":1}` }},
		{"other result", false, func(m []chat.Message) { m[2].Content = "z" }},
	} {
		if got := ask(c.change); (got == first) != c.same {
			t.Errorf("%s: same %v", c.name, got == first)
		}
	}
}

// Results, system messages and reasoning do not make texts alike or different.
func TestTextIsWhatUsersAndAssistantsSay(t *testing.T) {
	a := signatureOf(sampleOf(sys("s"), user("one two three"), calls("1"), result("1", "x"), says("four five six")))
	b := signatureOf(sampleOf(user("One two"), says("three four"), user("five six")))
	c := signatureOf(sampleOf(user("One two"), says("three four"), user("five seven")))
	if a != b || b == c {
		t.Errorf("%v %v", a == b, b == c)
	}
}

// What Run leaves out by decision is told with its segment, and samples and
// left out are together the candidates.
func TestRunDecides(t *testing.T) {
	l := &library{}
	for i := range 30 {
		score := float64(i%3) / 2
		l.add(func(seg *review.Segment, _ *review.Session) {
			seg.Score, seg.TaskType = &score, []string{"code", "qa"}[i%2]
		},
			user(fmt.Sprint("question ", i/3)), says("answer"))
	}
	r := run(t, l, Options{Check: true, Dedupe: DedupeNear, Balance: Balance{Even: true}, Splits: []Split{{Name: "train", Share: 0.5}, {Name: "test", Share: 0.5}}})
	if r.Candidates != 30 || r.Written != 10 || r.Written+len(r.LeftOut) != 30 {
		t.Errorf("%d candidates, %d written, %d left out", r.Candidates, r.Written, len(r.LeftOut))
	}
	for _, out := range r.LeftOut {
		if out.Segment == "" || out.Check != OutDuplicate || !out.ByOption() {
			t.Errorf("%+v", out)
		}
	}
	if len(r.Splits) != 2 || r.Splits[0].Samples+r.Splits[1].Samples != 10 {
		t.Errorf("%+v", r.Splits)
	}
	if !slices.ContainsFunc(r.Types, func(g Group) bool { return g.Name == "code" && g.Samples == 5 }) {
		t.Errorf("%+v", r.Types)
	}
}
