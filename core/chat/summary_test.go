package chat

import "testing"

func TestSummary(t *testing.T) {
	const (
		end    = "\n\n--- END OF CONTEXT SUMMARY — respond to the message below, not the summary above ---"
		prior  = "[PRIOR CONTEXT — for reference only; not a new message]\n"
		border = "\n\n[END OF PRIOR CONTEXT — COMPACTION SUMMARY BELOW]\n\n"
		head   = "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted."
	)
	all := []Role{System, User, Assistant}
	for _, c := range []struct {
		text string
		in   []Role // those in which a summary stands
		said string
	}{
		{"[CONTEXT SUMMARY]: The user asked for a parser.", all, ""},
		{"[CONTEXT SUMMARY]:", all, ""},
		{"\n [CONTEXT SUMMARY]: The user asked for a parser.", all, ""},
		{"[Context Summary]: so far", all, ""},
		{"[CONTEXT SUMMARY]: so far" + end, all, ""},
		{"[CONTEXT SUMMARY]: so far" + end + "\n\nNow write the tests.\n", all, "Now write the tests."},
		{"[CONTEXT SUMMARY]: it quotes --- END OF CONTEXT SUMMARY in a line" + end + "\nGo on", all, "Go on"},
		{head, all, ""},
		{"[CONTEXT COMPACTION] Earlier turns …", all, ""},
		{prior + "Fix the parser." + border + head + end, all, "Fix the parser."},
		{prior + "Fix it." + border + head + end + "\n\nAnd test it.", all, "Fix it.\n\nAnd test it."},
		{prior + border + "[CONTEXT SUMMARY]: so far", all, ""},
		{"[PRIOR CONTEXT]\n[END OF PRIOR CONTEXT--- END OF CONTEXT SUMMARY", all, ""},
		{"This session is being continued from a previous conversation that ran out of context.", []Role{User}, ""},
		{"Another language model started to solve this problem and …", []Role{User}, ""},
		// none
		{"", nil, ""}, {"Fix the parser", nil, ""}, {"[CONTEXT SUMMARY]", nil, ""},
		{"What does \"[CONTEXT SUMMARY]:\" mean?", nil, ""},
		{"> [CONTEXT SUMMARY]: The user asked for a parser.\n\nIs that right?", nil, ""},
		{"Go on.\n\n[CONTEXT SUMMARY]: quoted", nil, ""},
		{"[Context compaction](https://example.org/compaction) loses my files", nil, ""},
		{prior + "and no summary", nil, ""},
	} {
		for _, role := range []Role{System, User, Assistant, Tool} {
			m := Message{Role: role, Content: c.text}
			want := false
			for _, r := range c.in {
				want = want || r == role
			}
			said := c.said
			if !want {
				said = c.text
			}
			if got, sums := m.BesideSummary(); sums != want || got != said {
				t.Errorf("%s %q: %t, beside it %q; want %t, %q", role, c.text, sums, got, want, said)
			}
			if got := m.Summary(); got != (want && (role != User || said == "")) {
				t.Errorf("%s %q is a summary: %t", role, c.text, got)
			}
		}
	}
	if m := (Message{Role: User, Content: "All of it so far", Marks: MarkCompaction}); !m.Summary() {
		t.Error("the mark says nothing")
	}
}
