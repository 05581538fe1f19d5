package export

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/similar"
)

// sumText is what a summary says here, after what tells it is one.
const (
	sumText   = "PLEASE BOOK IT"
	sumByHead = "[CONTEXT SUMMARY]: " + sumText
)

// summariesOf are messages with a summary in a role: known by its text and by its mark.
func summariesOf(role chat.Role) map[string]chat.Message {
	return map[string]chat.Message{
		"by head": {Role: role, Content: sumByHead}, "by mark": {Role: role, Content: sumText, Marks: chat.MarkCompaction},
		"merged": {Role: role, Content: sumByHead + "\n\n--- END OF CONTEXT SUMMARY ---\n\nand more"},
	}
}

// TestNoFormatTrainsASummary: neither as a user's message nor as an answer. Where a
// format has no place for marks, what would train one is left out with a reason.
func TestNoFormatTrainsASummary(t *testing.T) {
	marking := Marking()
	for _, e := range ofSamples() {
		for _, train := range []Train{TrainAll, TrainLast} {
			for _, role := range []chat.Role{chat.User, chat.Assistant} {
				for known, sum := range summariesOf(role) {
					asUser := []chat.Message{sys("s"), user("u"), says("a"), sum, says("b"), user("v"), says("c")}
					if known == "by mark" { // a sample ends in front of one, but can begin with it
						asUser = []chat.Message{sum, user("u"), says("a"), user("v"), says("c")}
					}
					messages := asUser
					if role == chat.Assistant {
						messages = []chat.Message{sys("s"), user("u"), sum, user("v"), says("b"), user("w"), says("c")}
						if known == "by mark" {
							messages = []chat.Message{sum, user("v"), says("b"), user("w"), says("c")}
						}
					}
					l := &library{}
					l.add(nil, messages...)
					opts := Options{As: e.Name, Train: train, KeepNoReasoning: true, Path: filepath.Join(t.TempDir(), "out.jsonl")}
					r := run(t, l, opts)
					name := e.Name + ", train " + string(train) + ", " + string(role) + " " + known
					if role == chat.Assistant && !slices.Contains(marking, e.Name) {
						if r.Written > 0 || len(r.LeftOut) != 1 || r.LeftOut[0].Check != trainedSummary.Name {
							t.Errorf("%s: %d written, %+v", name, r.Written, r.LeftOut)
						}
						continue
					}
					if r.Written != 1 {
						t.Errorf("%s: %+v", name, r.LeftOut)
						continue
					}
					trained := trainedIn(t, &e, r.Files)
					if !strings.Contains(trained, "c") || strings.Contains(trained, sumText) {
						t.Errorf("%s: %q is trained", name, trained)
					}
				}
			}
		}
	}
}

// trainedIn reads files of records back, and returns what is trained in them.
func trainedIn(t *testing.T, e *Emitter, files []File) string {
	t.Helper()
	var trained []string
	for _, f := range files {
		for line := range strings.Lines(read(t, f.Path)) {
			s, err := e.Read([]byte(strings.TrimSuffix(line, "\n")))
			if err != nil {
				t.Fatalf("%s: %v", e.Name, err)
			}
			if found := e.Check(s); len(found) > 0 {
				t.Errorf("%s: %v", e.Name, found)
			}
			for i := range s.Messages {
				if m := &s.Messages[i]; m.Train {
					trained = append(trained, m.Content)
				}
			}
		}
	}
	return strings.Join(trained, " | ")
}

// TestLintFindsTrainedSummaries: files that others wrote are looked through, too.
func TestLintFindsTrainedSummaries(t *testing.T) {
	for _, e := range ofSamples() {
		s := sampleOf(sys("s"), user("u"), says(sumByHead))
		s.Messages[2].Train = true
		record, _ := e.encode(nil, s)
		if finish := e.finisher(nil); finish != nil {
			record = finish(nil, record)
		}
		again, err := e.Read([]byte(strings.TrimSuffix(string(record), "\n")))
		if err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
		if !slices.ContainsFunc(e.Check(again), func(f Finding) bool { return f.Check == trainedSummary.Name }) {
			t.Errorf("%s: %v", e.Name, e.Check(again))
		}
		quoted := sampleOf(sys("s"), user("u"), says("It begins with "+sumByHead))
		if found := e.Check(quoted); len(found) > 0 || !quoted.Messages[2].Train {
			t.Errorf("%s: %v", e.Name, found)
		}
	}
}

// TestASummaryThatIsJoinedStaysOne: what is joined with one is not trained.
func TestASummaryThatIsJoinedStaysOne(t *testing.T) {
	for _, e := range ofSamples() {
		s := sampleOf(user("u"), says("a"), says(sumByHead), user("v"), says("b"))
		_, findings := e.Prepare(s)
		found := slices.ContainsFunc(findings, func(f Finding) bool { return f.Check == trainedSummary.Name })
		if found != e.unmarked {
			t.Errorf("%s: %v", e.Name, findings)
		}
		for i := range s.Messages {
			if m := &s.Messages[i]; m.Train && strings.Contains(m.Content, sumText) {
				t.Errorf("%s trains %q", e.Name, m.Content)
			}
		}
	}
}

// TestASummaryEndsNoSample: the last answer does.
func TestASummaryEndsNoSample(t *testing.T) {
	for _, e := range ofSamples() {
		s := sampleOf(user("u"), says("a"), user("v"), says(sumByHead))
		if _, findings := e.Prepare(s); len(findings) > 0 || len(s.Messages) > 2 && !slices.Contains(e.skips, "ending") {
			t.Errorf("%s: %v, %+v", e.Name, findings, s.Messages)
		}
	}
}

// TestASummaryIsNoSideOfAPair: neither what is wanted nor what is not.
func TestASummaryIsNoSideOfAPair(t *testing.T) {
	for known, sum := range summariesOf(chat.Assistant) {
		for _, e := range ofPairs() {
			for _, approved := range []bool{true, false} {
				l := &library{}
				one, other := []chat.Message{sys("s"), user("u"), sum}, []chat.Message{sys("s"), user("u"), says("b")}
				if !approved {
					one, other = other, one
				}
				l.add(nil, one...)
				l.add(rejected, other...)
				if r := run(t, l, Options{As: e.Name, Path: filepath.Join(t.TempDir(), "out.jsonl")}); r.Written > 0 {
					t.Errorf("%s, %s, approved %t: %d pairs", e.Name, known, approved, r.Written)
				}
			}
		}
	}
}

// TestSummariesOnPolicy: none is trained, and what follows one is only if it may be
// missing what the model saw.
func TestSummariesOnPolicy(t *testing.T) {
	for _, role := range []chat.Role{chat.User, chat.Assistant} {
		l := &library{}
		messages := []chat.Message{sys("s"), user("u"), says("a"), {Role: role, Content: sumByHead}, user("v"), says("b")}
		before := "s u a "
		if role == chat.Assistant {
			messages, before = slices.Insert(messages, 3, user("t")), "s u a t "
		}
		l.add(nil, messages...)
		for _, as := range append(OnPolicy(), "graph") {
			for _, c := range []struct {
				gaps []Gap
				want []string
			}{{nil, []string{"s u a"}}, {everyGap, []string{"s u a", before + sumByHead + " v b"}}} {
				got, r := trainedBy(t, l, Options{As: as, Gaps: c.gaps})
				if slices.Sort(got); !slices.Equal(got, c.want) {
					t.Errorf("%s, %s, gaps %v: %q, want %q; left out %+v", as, role, c.gaps, got, c.want, r.LeftOut)
				}
			}
		}
	}
}

// TestKinBeginWithAQuestion: sessions that begin with summaries are kin if they go
// on with the same question.
func TestKinBeginWithAQuestion(t *testing.T) {
	l := &library{}
	l.add(nil, user(sumByHead), says("a"), user("u"), says("b"))
	l.add(nil, user("u"), says("a"))
	l.add(nil, user(sumByHead), says("a"))
	k := &kinships{src: l}
	var got []int64
	for body := range int64(3) {
		sum, err := k.begin(t.Context(), body)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, sum)
	}
	if got[0] != got[1] || got[0] == 0 || got[2] != 0 {
		t.Errorf("%v", got)
	}
	var trail review.Trail
	for i, m := range l.messages[0] {
		m.N = i + 1
		trail.Follow(&m, chat.AppendMessage(nil, &m))
	}
	if trail.Opening != got[0] {
		t.Errorf("%d is stored, %d is asked", trail.Opening, got[0])
	}
}

// TestSummariesMakeNoDuplicates: samples are alike by what was said in them.
func TestSummariesMakeNoDuplicates(t *testing.T) {
	words := func(from int) string {
		var b strings.Builder
		for i := range 200 {
			fmt.Fprint(&b, "word", from+i, " ")
		}
		return b.String()
	}
	for _, role := range []chat.Role{chat.User, chat.Assistant} {
		sum := chat.Message{Role: role, Content: sumByHead + words(0)}
		one, two := sampleOf(user(words(1000)), sum, says(words(2000))), sampleOf(user(words(3000)), sum, says(words(4000)))
		without := sampleOf(user(words(1000)), says(words(2000)))
		if a, b := signatureOf(one), signatureOf(two); similar.Similarity(&a, &b) > .1 {
			t.Errorf("%s: the summary makes them alike", role)
		}
		if signatureOf(one) != signatureOf(without) {
			t.Errorf("%s: the summary counts", role)
		}
	}
}
