package compress

import (
	"context"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
)

// TestExtract checks what stands for messages: a line for each, as many as fit,
// and the names that are needed.
func TestExtract(t *testing.T) {
	messages := worked(12)
	o := halved(messages, Extract{})
	o.Summary = 110
	r := Compress(t.Context(), messages, o)
	if r.Outcome != Compressed || r.Over || len(r.Regions) != 1 {
		t.Fatalf("%+v", r)
	}
	g := r.Regions[0]
	lines := strings.Split(g.Text, "\n")
	if want := Prefix + " 14 messages are left out here."; lines[0] != want {
		t.Errorf("%q, want %q", lines[0], want)
	}
	if last := lines[len(lines)-1]; last != "Needed later: TASK0003, src/part3.go" {
		t.Errorf("%q", last)
	}
	if want := []string{"#17 called read_file src/part7.go; said: I look at the next of the files to see what is in it.", "#18 read_file: ok, 42 lines: package part … func parse() { return }"}; !slices.Equal(lines[len(lines)-3:len(lines)-1], want) {
		t.Errorf("%q, want %q", lines, want)
	}
	if n := (Plain{}).Text(g.Text); n > o.Summary {
		t.Errorf("%d tokens, more than %d", n, o.Summary)
	}
	if len(r.Findings) > 0 || !r.Made.Hindsight {
		t.Errorf("%v, %+v", r.Findings, r.Made)
	}
	o.By = Extract{Foresight: true}
	r = Compress(t.Context(), messages, o)
	if strings.Contains(r.Regions[0].Text, "Needed later") || r.Made.Hindsight {
		t.Errorf("%q", r.Regions[0].Text)
	}
	if len(r.Findings) != 1 || r.Findings[0].String() != "dangling: #27: names what is no longer there: TASK0003, src/part3.go" {
		t.Errorf("%v", r.Findings)
	}
}

// TestExtractHoldsNoSecret checks that a line with a secret is left out, and that
// one that is needed is told of.
func TestExtractHoldsNoSecret(t *testing.T) {
	messages := worked(12)
	const key = "ghp_R4nd0mT0k3nV4lu3Th4tL00ksR34lEn0ugh7"
	messages[4].Content = "I have the token " + key
	messages[6].Content = "I look again."
	o := halved(messages, Extract{})
	o.Summary = 2000
	r := Compress(t.Context(), messages, o)
	if text := r.Regions[0].Text; strings.Contains(text, key) || !strings.Contains(text, "I look again") {
		t.Errorf("%s", text)
	}
	messages[len(messages)-1].Content += " The token was " + key
	r = Compress(t.Context(), messages, o)
	if !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Check == Secret }) {
		t.Errorf("%v", r.Findings)
	}
}

// TestClear checks that old results become a line, the oldest first, and that
// what was said and called stays.
func TestClear(t *testing.T) {
	messages := worked(12)
	messages[7].Content = "Error: no such file " + strings.Repeat("lorem ", 60)
	messages[9].Content = "short"
	r := Compress(t.Context(), messages, halved(messages, Clear{}))
	if r.Outcome != Compressed || r.Over || r.Dropped != 0 {
		t.Fatalf("%+v", r)
	}
	var at []int
	for _, g := range r.Regions {
		at = append(at, g.From)
	}
	if want := []int{5, 7, 11, 13, 15, 17, 19}; !slices.Equal(at, want) {
		t.Errorf("cleared %v, want %v", at, want)
	}
	for row := range r.Samples[0].Rows(messages) {
		if row.Origin == Cleared && (row.Message.Role != chat.Tool || row.Message.ToolCallID == "" || row.Train) {
			t.Errorf("%+v", row)
		}
	}
	for i, want := range []string{"[cleared: read_file, 988 bytes, ok]", "[cleared: read_file, 380 bytes, not found]"} {
		if got := r.Regions[i].Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	again := r.Samples[0]
	var cleared []chat.Message
	for row := range again.Rows(messages) {
		cleared = append(cleared, row.Message)
	}
	o := halved(messages, Clear{})
	o.Target = 10
	for _, g := range Compress(t.Context(), cleared, o).Regions {
		if strings.HasPrefix(cleared[g.From].Content, clearedOpen) {
			t.Errorf("cleared again: %q", g.Text)
		}
	}
}

// TestSplit checks that each answer trains once and each sample fits, however
// long the session is, and that what trains stands behind what it needs.
func TestSplit(t *testing.T) {
	messages := worked(60)
	for _, by := range []Strategy{Extract{}, Clear{}} {
		o := halved(messages, by)
		o.Form, o.Target, o.Summary = Split, o.Target/3, 200
		r := Compress(t.Context(), messages, o)
		if r.Outcome != Compressed || r.Over {
			t.Fatalf("%s: %+v", by.Name(), r)
		}
		if err := wrong(messages, &r); err != nil {
			t.Error(err)
		}
		if len(r.Samples) < 4 || len(r.Samples) > 20 {
			t.Errorf("%s: %d samples", by.Name(), len(r.Samples))
		}
		first := &r.Samples[0]
		if len(first.Pieces) != 1 || first.Pieces[0].Off || !first.Pieces[0].Train {
			t.Errorf("%s: the first sample is %+v", by.Name(), first)
		}
		reached := 0
		for i := range r.Samples {
			for _, p := range r.Samples[i].Pieces {
				if p.Train && p.From < reached {
					t.Errorf("%s: %+v trains what is before %d", by.Name(), p, reached)
				}
			}
			reached = len(r.Samples[i].Expand(messages))
		}
	}
}

// TestFold checks that one sample says how many answers it does not train.
func TestFold(t *testing.T) {
	messages := worked(12)
	r := Compress(t.Context(), messages, halved(messages, Extract{}))
	if len(r.Samples) != 1 || r.Dropped != 7 || r.Made.Form != "fold" {
		t.Errorf("%+v", r)
	}
}

// TestUsersStay checks that regions are cut around what users say, and that the
// summary between two of them is not the user's.
func TestUsersStay(t *testing.T) {
	messages := worked(4)
	for range 4 {
		messages = append(messages, chat.Message{Role: chat.User, Content: "And now?"}, chat.Message{Role: chat.Assistant, Content: strings.Repeat("Now this is done. ", 40)})
	}
	o := halved(messages, Extract{})
	o.Target, o.Tail = 400, 1
	r := Compress(t.Context(), messages, o)
	var roles []chat.Role
	for _, g := range r.Regions {
		roles = append(roles, g.Role)
	}
	if want := []chat.Role{chat.Assistant, chat.Assistant, chat.Assistant, chat.Assistant}; !slices.Equal(roles, want) {
		t.Errorf("%v, want %v: %+v", roles, want, r.Regions)
	}
	if err := wrong(messages, &r); err != nil {
		t.Error(err)
	}
	o.NoMask = true
	r = Compress(t.Context(), messages, o)
	for _, g := range r.Regions {
		if g.Role != chat.User || messages[g.From-1].Role == chat.User || messages[g.To].Role == chat.User {
			t.Errorf("%+v", g)
		}
	}
}

// TestNotice checks that a message of the system says that something is left out
// only if it is asked for.
func TestNotice(t *testing.T) {
	messages := worked(12)
	o := halved(messages, Extract{})
	for _, notice := range []string{"", "\n\nParts are left out."} {
		o.Notice = notice
		r := Compress(t.Context(), messages, o)
		for row := range r.Samples[0].Rows(messages) {
			if row.Message.Role == chat.System && row.Message.Content != messages[0].Content+notice {
				t.Errorf("%q", row.Message.Content)
			}
		}
	}
}

// TestDesignated checks the cases in which nothing is done.
func TestDesignated(t *testing.T) {
	messages := worked(12)
	o := halved(messages, Extract{})
	o.Target *= 3
	if r := Compress(t.Context(), messages, o); r.Outcome != UnderTarget || r.Over {
		t.Errorf("%+v", r)
	}
	o.Target, o.Tail = 10, 100
	if r := Compress(t.Context(), messages, o); r.Outcome != Nothing || !r.Over {
		t.Errorf("%+v", r)
	}
	o.Tail, o.By, o.Summary = 1, Model{}, 100000
	if r := Compress(t.Context(), messages, o); r.Outcome != NoSavings || !r.Over {
		t.Errorf("%+v", r)
	}
	if r := Compress(t.Context(), nil, o); len(r.Samples) != 1 || r.Outcome != UnderTarget {
		t.Errorf("%+v", r)
	}
}

// TestEarlierSummaries checks that what an earlier compaction wrote stays.
func TestEarlierSummaries(t *testing.T) {
	messages := worked(12)
	messages[10] = chat.Message{N: 11, Role: chat.Assistant, Content: Prefix + " The first files were read."}
	messages[11] = chat.Message{N: 12, Role: chat.Assistant, Content: "On.", Marks: chat.MarkCompaction}
	o := halved(messages, Extract{})
	o.Target = 300
	for _, g := range Compress(t.Context(), messages, o).Regions {
		if g.From <= 11 && g.To > 10 {
			t.Errorf("%+v", g)
		}
	}
}

// TestLook checks that what is told beforehand is what is done, and that no model
// is asked.
func TestLook(t *testing.T) {
	messages := worked(12)
	o := halved(messages, Model{})
	look := Look(messages, o)
	if look.Outcome != Compressed || len(look.Regions) != 1 || look.Send != look.Regions[0].Tokens || look.Send < look.Before-o.Target {
		t.Errorf("%+v", look)
	}
	o.By = Clear{}
	if look, r := Look(messages, o), Compress(t.Context(), messages, o); !same(look.Regions, r.Regions) || look.Send != 0 || look.Before != r.Before {
		t.Errorf("%+v, and it becomes %+v", look, r)
	}
	for _, by := range []Strategy{Clear{}, Extract{}} {
		o.By = by
		least := Look(messages, o).Least
		o.Target = least - 1
		if r := Compress(t.Context(), messages, o); !r.Over || r.After < least {
			t.Errorf("%s: %d fit into %d", by.Name(), r.After, o.Target)
		}
	}
	o.Target = look.Before
	if look := Look(messages, o); look.Outcome != UnderTarget || look.Regions != nil {
		t.Errorf("%+v", look)
	}
	o.Target, o.Tail = 10, 100
	if look := Look(messages, o); look.Outcome != Nothing || look.Least != look.Before {
		t.Errorf("%+v", look)
	}
}

// TestNeverGrows checks that a text that is longer than what it stands for is not
// used, and that a notice counts.
func TestNeverGrows(t *testing.T) {
	messages := worked(12)
	o := halved(messages, Model{Ask: func(_ context.Context, r Request) (string, error) {
		return strings.Repeat("the agent read the files of it ", 400), nil
	}})
	o.Summary = 500
	if r := Compress(t.Context(), messages, o); r.Outcome != NoSavings || r.After != r.Before || r.Calls == 0 {
		t.Errorf("%s: %d of %d, %d calls", r.Outcome, r.After, r.Before, r.Calls)
	}
	o = halved(messages, Extract{})
	o.Notice = strings.Repeat("Parts of this session are left out. ", 400)
	if r := Compress(t.Context(), messages, o); r.Outcome != NoSavings || r.After != r.Before {
		t.Errorf("%s: %d of %d", r.Outcome, r.After, r.Before)
	}
}
