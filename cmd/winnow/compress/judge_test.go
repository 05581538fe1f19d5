package compress

import (
	"strings"
	"testing"

	"winnow/cmd/winnow/print"
	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/proposal"
	"winnow/core/review"
)

// TestShown checks that what two samples share is told once, and that a stale proposal
// says what it was.
func TestShown(t *testing.T) {
	var text strings.Builder
	out := print.New(&text, false, 80)
	c := &Command{Program: Program{Out: out, Command: func(words string) string { return "winnow " + words }}}
	twice := compress.Finding{Check: compress.Secret, N: 5, Detail: "user-name"}
	p := &proposal.Proposal{
		Sum: "of others", Status: proposal.Accepted, Judge: "root", Over: true, Target: 8000, Changed: true,
		Made:     compress.Made{Strategy: "clear", Form: "fold", Counter: "chars/4"},
		Findings: []compress.Finding{twice, {Check: compress.Secret, N: 7, Detail: "user-name"}, twice},
	}
	conv := &proposal.Conversation{Messages: []chat.Message{{Role: chat.User, Content: "hi", N: 1}}}
	c.printProposal(&review.Segment{ID: "12345678-0000", Compression: review.CompressionOutdated}, p, conv)
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	got := text.String()
	for want, n := range map[string]int{
		"#5: user-name": 1, "#7: user-name": 1, "stale (it was accepted by root): clear, fold, changed by a person\n": 1, "over the target\n": 1,
		"winnow compress --to 8000 --by clear --keep fold --again --filter id:12345678 makes it anew\n": 1,
	} {
		if strings.Count(got, want) != n {
			t.Errorf("%q is not there %d times:\n%s", want, n, got)
		}
	}
}
