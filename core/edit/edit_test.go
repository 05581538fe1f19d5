package edit_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
)

func recorded(n int) []chat.Message {
	list := make([]chat.Message, n)
	for i := range list {
		list[i] = chat.Message{N: i + 1, Role: chat.User, Content: fmt.Sprint("said ", i+1), NativeID: fmt.Sprint("id", i+1), SourceLine: int64(10 + i)}
	}
	return list
}

func each(list []chat.Message) func(func(*chat.Message) bool) {
	return func(yield func(*chat.Message) bool) {
		for i := range list {
			if m := list[i]; !yield(&m) {
				return
			}
		}
	}
}

func laid(list []chat.Message, edits []edit.Edit) (texts []string) {
	for m := range edit.Lay(each(list), edits) {
		texts = append(texts, fmt.Sprintf("%d.%d %s %d %s", m.N, m.Part, m.Content, m.SourceLine, m.NativeID))
	}
	return texts
}

func says(text string) chat.Message { return chat.Message{Role: chat.Assistant, Content: text} }

func at(n, part int, op edit.Op, text string) edit.Edit {
	e := edit.Edit{Place: edit.Place{Body: 1, N: n, Part: part}, Op: op, Why: edit.Fix}
	if op != edit.Drop {
		e.Message = says(text)
	}
	return e
}

func TestLay(t *testing.T) {
	edits := []edit.Edit{
		at(0, 1, edit.Add, "first"), at(2, 0, edit.Set, "two"), at(2, 1, edit.Add, "more"), at(3, 0, edit.Drop, ""), at(3, 1, edit.Add, "instead"),
		at(4, 0, edit.Set, "waits"), at(9, 0, edit.Set, "behind the end"),
	}
	edits[5].Clash = true
	want := []string{"0.1 first 0 ", "1.0 said 1 10 id1", "2.0 two 11 id2", "2.1 more 0 ", "3.1 instead 0 ", "4.0 said 4 13 id4"}
	if got := laid(recorded(4), edits); !slices.Equal(got, want) {
		t.Errorf("laid\n%q, want\n%q", got, want)
	}
	if got := laid(recorded(4)[2:], edits); !slices.Equal(got, want[4:]) {
		t.Errorf("from message 3 on\n%q, want\n%q", got, want[4:])
	}
	for m := range edit.Lay(each(recorded(4)), edits) {
		if m.N == 2 {
			break // ending early must not go on
		}
	}
}

func TestJoined(t *testing.T) {
	with := at(3, 1, edit.Add, "and")
	with.Message.Reasoning, with.Message.ToolCalls = "because", []chat.ToolCall{{Name: "f"}}
	over := edit.NewOverlay([]edit.Edit{at(0, 1, edit.Add, "first"), at(2, 0, edit.Drop, ""), with})
	want := []string{"1 user first\nsaid 1", "2 user ", "3 user said 3\nandbecausef", "4 user said 4"}
	for i, m := range recorded(4) {
		all := over.Joined(&m)
		got := fmt.Sprintf("%d %s %s%s", all.N, all.Role, all.Content, all.Reasoning)
		for _, c := range all.ToolCalls {
			got += c.Name
		}
		if got != want[i] {
			t.Errorf("%q, want %q", got, want[i])
		}
		if none := edit.NewOverlay(nil).Joined(&m); none != &m {
			t.Errorf("%+v without edits", none)
		}
	}
}

// naive lays edits by looking for each place.
func naive(list []chat.Message, edits []edit.Edit) []string {
	byPlace := map[edit.Place]edit.Edit{}
	for _, e := range edits {
		if !e.Clash {
			byPlace[e.Place] = e
		}
	}
	var texts []string
	add := func(n int) {
		for part := 1; part < 5; part++ {
			if e, ok := byPlace[edit.Place{Body: 1, N: n, Part: part}]; ok {
				texts = append(texts, fmt.Sprintf("%d.%d %s 0 ", n, part, e.Message.Content))
			}
		}
	}
	for _, m := range list {
		if m.N == 1 {
			add(0)
		}
		e, ok := byPlace[edit.Place{Body: 1, N: m.N}]
		if ok {
			m.Content = e.Message.Content
		}
		if !ok || e.Op == edit.Set {
			texts = append(texts, fmt.Sprintf("%d.0 %s %d %s", m.N, m.Content, m.SourceLine, m.NativeID))
		}
		add(m.N)
	}
	return texts
}

func TestLayRandom(t *testing.T) {
	for seed := range uint64(2000) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var edits []edit.Edit
		for n := range 8 {
			for part := range 4 {
				if rnd.IntN(4) > 0 || n == 0 && part == 0 {
					continue
				}
				op := edit.Add
				if part == 0 {
					op = []edit.Op{edit.Set, edit.Drop}[rnd.IntN(2)]
				}
				e := at(n, part, op, fmt.Sprint("edited ", rnd.IntN(99)))
				e.Clash = rnd.IntN(5) == 0
				edits = append(edits, e)
			}
		}
		from := rnd.IntN(6)
		list := recorded(6)[from:]
		if got, want := laid(list, edits), naive(list, edits); !slices.Equal(got, want) {
			t.Fatalf("seed %d from %d: laid\n%q, want\n%q", seed, from+1, got, want)
		}
	}
}

func TestDigest(t *testing.T) {
	content := chat.DigestOf(recorded(3))
	if got := edit.Digest(content, 1, nil); got != "" {
		t.Errorf("without edits %q", got)
	}
	one := []edit.Edit{at(2, 0, edit.Set, "x")}
	first := edit.Digest(content, 1, one)
	moved := []edit.Edit{at(12, 0, edit.Set, "x")}
	if got := edit.Digest(content, 11, moved); got != first || len(first) != 16 {
		t.Errorf("moved by ten it is %q, was %q", got, first)
	}
	seen := []string{first}
	for _, other := range [][]edit.Edit{
		{at(2, 0, edit.Set, "y")}, {at(3, 0, edit.Set, "x")}, {at(2, 0, edit.Drop, "")}, {at(2, 1, edit.Add, "x")}, {one[0], at(3, 0, edit.Drop, "")},
	} {
		seen = append(seen, edit.Digest(content, 1, other))
	}
	seen = append(seen, edit.Digest(chat.DigestOf(recorded(4)), 1, one))
	slices.Sort(seen)
	if n := len(slices.Compact(seen)); n != 7 {
		t.Errorf("%d different digests of 7", n)
	}
	one[0].Clash = true
	if got := edit.Digest(content, 1, one); got != "" {
		t.Errorf("an edit that waits counts: %q", got)
	}
}

func TestCheck(t *testing.T) {
	for i, e := range []edit.Edit{
		at(0, 0, edit.Set, "x"), at(1, 1, edit.Set, "x"), at(1, 0, edit.Add, "x"), at(-1, 0, edit.Set, "x"), at(1, 2, edit.Drop, ""), at(1, 0, "put", "x"),
		{Place: edit.Place{N: 1}, Op: edit.Set, Why: edit.Fix}, {Place: edit.Place{N: 1}, Op: edit.Drop},
		{Place: edit.Place{N: 1}, Op: edit.Set, Why: edit.Fix, Message: chat.Message{Role: chat.User, ToolCalls: []chat.ToolCall{{Name: "f"}}}},
	} {
		if e.Check() == nil {
			t.Errorf("%d: %+v is fine", i, e)
		}
	}
	for _, e := range []edit.Edit{at(1, 0, edit.Set, "x"), at(0, 1, edit.Add, "x"), at(7, 0, edit.Drop, "")} {
		if err := e.Check(); err != nil {
			t.Errorf("%+v: %v", e, err)
		}
	}
}
